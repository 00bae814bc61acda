"""Plain values: dicts, lists, text, numbers, True, False and None."""

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from rankeval.base.wording import finite
from rankeval.version import __version__

Document = dict[str, Any]
"""Plain values under names."""

# Numbers and times of typed documents, with their limits in JSON Schema.
Count = Annotated[int, ("minimum", 0)]
Positive = Annotated[int, ("minimum", 1)]
NotNegative = Annotated[float, ("minimum", 0)]
AboveZero = Annotated[float, ("exclusiveMinimum", 0)]
Share = Annotated[float, ("minimum", 0), ("maximum", 1)]
Risk = Annotated[float, ("exclusiveMinimum", 0), ("exclusiveMaximum", 1)]
Time = Annotated[str, ("format", "date-time")]


class Headed(TypedDict):
    """The head of a document, each of which declares the Literal `schema`, too.

    The schemas that ship are made from the classes of documents when rankeval is built: from the
    types, and from the tables of keys in the docstrings.

    ======== ============================================
    schema   Name of this schema.
    rankeval Version of rankeval that wrote the document.
    ======== ============================================
    """

    rankeval: str


def headed(schema: str, facts: Mapping[str, Any]) -> Any:
    """Return a typed document: the facts behind the name of their schema and rankeval's version."""
    return {"schema": schema, "rankeval": __version__, **facts}


def plain(value: Any) -> Any:
    """Return the same value made of plain ones, with None for a number that is not finite."""
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, str):
        return str(value)  # not a class of its own, such as an enumeration's
    if isinstance(value, float):
        return finite(value)
    return value
