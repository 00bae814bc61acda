"""Documents and records as JSON."""

import json
from collections.abc import Iterator

from rankeval.documents.plain import Document


def document(value: Document) -> Iterator[str]:
    """Yield one object over many lines, in ASCII.

    A name may hold half of a surrogate pair, which UTF-8 cannot write.
    """
    return _indented(value, ascii_only=True)


def unicode_document(value: Document) -> Iterator[str]:
    """Yield one object over many lines, with formulas and names as they are read."""
    return _indented(value, ascii_only=False)


def _indented(value: Document, *, ascii_only: bool) -> Iterator[str]:
    encoder = json.JSONEncoder(indent=2, ensure_ascii=ascii_only, allow_nan=False)
    yield from encoder.iterencode(value)
    yield "\n"


def line(value: Document) -> str:
    """Return one object in a line, in ASCII."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False) + "\n"
