"""Forms of docnos that keep them from matching: case, blanks, and suffixes of chunks."""

import re

CHUNK = re.compile(rb"(?:#|_p(?:assage)?|[-_]chunk[-_]?)\d+$")
"""The end of a docno that is usual for chunks."""

SEPARATORS = (b"#", b"@", b"::", b":", b"_", b"-", b".", b"/")
"""Texts that may separate a document's name from the number of its chunk."""


def folded(name: bytes) -> bytes:
    """Return a docno in lower case and without blanks, so that misspellings become equal."""
    return b"".join(name.lower().split())


def document_of_chunk(name: bytes, documents: frozenset[bytes]) -> tuple[bytes, bytes] | None:
    """Return the document that a chunk is of and the separator behind it; None if there is none."""
    for separator in SEPARATORS:
        head, found, _ = name.partition(separator)
        if found and head in documents:
            return head, separator
    return None
