"""Compare runs by paired tests, intervals and effect sizes.

`compare` compares all runs and measures, by a `method`; `pairs` holds the comparison of two runs.
"""
