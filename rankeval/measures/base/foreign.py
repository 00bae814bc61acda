"""Measures that are objects of ir_measures."""

import math
import sys
from typing import Any, Protocol, TypeGuard, runtime_checkable

from rankeval.errors import MeasureError


@runtime_checkable
class MeasureObject(Protocol):
    """An object of ir_measures: it has a name, and its text is the name with the parameters."""

    NAME: Any

    def __matmul__(self, cutoff: Any) -> Any: ...


OTHERWISE = {"Compat"}
"""Measures that ir_measures defines otherwise."""


def is_foreign(one: object) -> TypeGuard[MeasureObject]:
    """Return True for an object of ir_measures, which is not imported for that."""
    library = sys.modules.get("ir_measures.measures")
    return library is not None and isinstance(one, library.Measure)


def name_of_foreign(one: Any) -> str:
    """Return the name that rankeval has for the object; MeasureError if there is none.

    The beta of its SetF is that of trec_eval, which weighs recall by beta and not by its square.
    """
    known = sys.modules["ir_measures.measures"].registry
    if type(one) not in map(type, known.values()) or one.NAME in OTHERWISE:
        raise MeasureError(
            f"the measure {one} of ir_measures is not one of rankeval's",
            expected="a measure that both define alike",
            remedy="name a measure of rankeval, or call ir_measures for this one",
        )
    name = str(one)
    if one.NAME == "SetF" and "beta" in one.params:
        name = str(one(beta=math.sqrt(one.params["beta"])))
    return name
