"""Arithmetic that several families of measures share."""
