"""Compare runs by paired tests, intervals and effect sizes."""
