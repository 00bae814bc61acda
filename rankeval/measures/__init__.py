"""The measures: pure functions from RankedJudgments to one value per topic.

A family of measures is a module here and a line of names in `declare/families.py`, by which it is
imported when one of its measures is first asked for.
"""

from rankeval.base.doors import door as _door

__getattr__, __dir__ = _door(__name__, __path__[0])
