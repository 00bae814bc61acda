"""Comparing systems: arrays of per-topic values in, result values out.

Nothing here knows a measure, a file or a terminal. Every function that draws random numbers takes a
`seed` and gives the same result for the same seed. docs/statistics.md says which test to choose.
"""

from rankeval.doors import door as _door

__getattr__, __dir__ = _door(__name__, __path__[0])
