"""Measures as objects: `from rankeval import nDCG, AP, P`, then `nDCG @ 10` and `AP(rel=2) @ 100`.

The names are those of the registry; `rankeval/__init__.pyi` lists them for type checkers.
"""

from rankeval.measures import definitions
from rankeval.measures.base.definition import Measure


def __getattr__(name: str) -> Measure:
    """Return the measure of a name, which may still lack a cutoff."""
    definition = definitions().get(name)
    if definition is None or not definition.is_own:
        raise AttributeError(f"rankeval has no measure '{name}'")
    return Measure(definition, ())
