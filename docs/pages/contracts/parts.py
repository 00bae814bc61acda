"""The parts that the types of all documents have in common."""

from typing import Annotated, TypedDict

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
