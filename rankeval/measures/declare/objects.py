"""Measures as objects: `from rankeval import nDCG, AP, P`, then `nDCG @ 10` and `AP(rel=2) @ 100`.

The names are those of the registry; `rankeval/__init__.pyi` lists them for type checkers.
"""

from rankeval.measures.declare.definition import Measure
from rankeval.measures.declare.measure_registry import known_as


def __getattr__(name: str) -> Measure:
    """Return the measure of a name, which may still lack a cutoff."""
    found = known_as(name)
    if found is None or found[0].name != name or not found[0].is_own:
        raise AttributeError(f"rankeval has no measure '{name}'")
    return Measure(found[0], ())
