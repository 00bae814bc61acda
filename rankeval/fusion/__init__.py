"""Arithmetic of fusion: normalisations, and methods that make one ranking of several.

=================== ==================================================================
`side_by_side`      the runs, of which some topics are read at a time
`methods`           candidates, scores made comparable between runs, and the methods
`pooling`           the order in which candidates are judged
=================== ==================================================================
"""
