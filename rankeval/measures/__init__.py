"""The measures: pure functions from RankedJudgments to one value per topic.

`measure_catalogue.py` lists them by subject, with their functions and facts. A module is imported
when one of its measures is first used.
"""

import sys as _sys
from types import ModuleType as _ModuleType
from typing import Any as _Any

from rankeval.doors import door as _door

__getattr__, __dir__ = _door(__name__, __path__[0], declared_in="rankeval.measures.names")


class _Measures(_ModuleType):
    def __call__(self) -> _Any:
        """Return what `definitions` does: each measure by its name."""
        return self.definitions()


_sys.modules[__name__].__class__ = _Measures
