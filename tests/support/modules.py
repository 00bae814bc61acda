"""The modules of the package that can be imported here."""

from importlib.util import find_spec
from pkgutil import walk_packages

import rankeval

NEEDS = {"rankeval.compat.sentence_transformers": "sentence_transformers"}
"""Modules that need a library which the tests do not install."""


def importable() -> list[str]:
    """Return the names of all modules but `__main__`, which runs, and those that lack a library."""
    return sorted(
        module.name
        for module in walk_packages(rankeval.__path__, "rankeval.")
        if not module.name.endswith("__main__") and find_spec(NEEDS.get(module.name, "rankeval"))
    )
