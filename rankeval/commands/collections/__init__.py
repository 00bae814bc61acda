"""Evaluate and compare systems over several collections.

`read` reads the collections of a file, `evaluate` evaluates the systems on each, and `means` puts
the values of all collections into tables, with macro and micro means.
"""
