"""Draw results in each output format, and write them to a terminal, a pipe or a file.

Nothing is computed here: a number is printed as it comes, and the best value is found among the
numbers as printed.
"""
