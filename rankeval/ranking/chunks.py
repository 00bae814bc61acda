"""Collapse chunks, such as the passages of a document, into their documents."""

import os
import re
import warnings
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.io.parsers.columns import Columns, PlainDocnos, stretches
from rankeval.ranking.duplicates import rows_of_topics

RULES = ("first", "max", "sum")


@frozen
class Collapse:
    """A rule that maps chunks to documents, and their scores to the document's.

    ========= ============================================================================
    regex     the document is the first group of the match, or the docno without the match;
              a docno that does not match is a document itself
    by        "first": the rank of its best chunk; "max", "sum": the greatest or the sum of
              the scores of its chunks
    ========= ============================================================================
    """

    regex: str
    by: str = "first"

    def documents(self, docnos: list[bytes]) -> list[bytes]:
        """Return the document of each chunk."""
        found = _replaced(self.regex, docnos)
        return [document or docno for document, docno in zip(found, docnos, strict=True)]


def _replaced(regex: str, names: list[bytes]) -> list[bytes]:
    """Return the first group of the first match in each name, or the name without the match.

    Arrow matches with RE2, in time that grows with a name's length, whatever the pattern;
    Python's own `re` tries all ways to match, of which there may be as many as 2 to that length.
    """
    import pyarrow.compute as pc

    from rankeval.io.parsers.names import Names

    has_group = re.compile(os.fsencode(regex)).groups > 0
    found = pc.replace_substring_regex(
        Names.from_names(names).as_arrow(),
        pattern=rf"\A(?s:.*?)(?:{regex})(?s:.*)\z" if has_group else regex,
        replacement=r"\1" if has_group else "",
        max_replacements=1,
    )
    replaced: list[bytes] = found.to_pylist()
    return replaced


def _require_regex(regex: str) -> None:
    """Raise UsageError for what is not a regular expression of both Python and Arrow."""
    try:
        with warnings.catch_warnings(
            action="ignore"
        ):  # of sets that may mean something else one day
            re.compile(_bytes_of(regex, "collapse="))
        _replaced(regex, [b""])
    except ValueError as error:  # of Arrow, or of a text that is not UTF-8
        raise UsageError(
            f"--collapse cannot be matched in bounded time: {error}",
            expected="a regular expression without lookaround, backreferences and possessive "
            "quantifiers, repeated at most 1000 times",
            remedy=r"write it as '#\d+$'",
        ) from None
    except (re.error, OverflowError, RecursionError) as error:
        raise UsageError(
            f"--collapse is not a regular expression: {error}", remedy=r"write it as '#\d+$'"
        ) from None


def collapse_at(text: str | None) -> Collapse | None:
    """Return the rule of [RULE:]REGEX; UsageError for an expression that cannot be matched."""
    if text is None:
        return None
    rule, colon, regex = text.partition(":")
    if not colon or rule not in RULES:
        rule, regex = "first", text
    _require_regex(regex)
    return Collapse(regex, rule)


def collapsed(
    columns: Columns,
    collapse: Collapse,
    numbers: Floats,
    ties: Sequence[Integers | Floats] = (),
    *,
    ties_open: bool = False,
) -> Columns:
    """Replace chunks by documents, at the rank of the best chunk or, by "sum", of the summed score.

    Chunks are sorted by `numbers`, descending; equal ones by `ties`, ascending, the last key
    first; then in the order of the file. With `ties_open`, documents whose best chunks tie
    tie as well.
    """
    stretch = stretches(columns)
    order = np.lexsort([*ties, -numbers, stretch])
    documents: dict[bytes, int] = {}
    code = PlainDocnos(collapse.documents(columns.docnos.tolist())).number(documents)
    key = (stretch * len(documents) + code)[order]
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    by_rank = np.argsort(first)
    rows = order[first[by_rank]]
    names = list(documents)
    best = replace(
        rows_of_topics(columns, rows),
        docnos=PlainDocnos([names[i] for i in code[rows].tolist()]),
    )
    if collapse.by == "sum":
        sums = np.bincount(which, weights=columns.values[order])[by_rank]
        return replace(best, values=sums.astype(np.float64))
    if collapse.by == "max" or ties_open:
        return best
    ranks = (np.arange(1, len(rows) + 1) - best.starts[stretches(best)]).astype(np.float64)
    return replace(best, values=-ranks, ranks=None if columns.ranks is None else ranks)


def _bytes_of(text: str, option: str) -> bytes:
    """Return the text as bytes; UsageError if UTF-8 cannot encode it."""
    try:
        return os.fsencode(text)
    except UnicodeEncodeError:
        raise UsageError(
            f"{option} holds half of a surrogate pair", expected="text that UTF-8 can encode"
        ) from None


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
