"""Explain the value of one topic, rank by rank.

`explain` computes an explanation; `explanation` holds its dataclasses.
"""
