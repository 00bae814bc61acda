"""The base of all measures: declarations, names, parameters, needs, shared arithmetic."""
