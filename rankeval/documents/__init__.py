"""Each result as a document: dicts and lists of plain values, which every output format encodes.

A module for each result has `document`, and `records` where the result can be read line by line:
the objects of JSON Lines. Numbers have full precision; an undefined one is None.
"""
