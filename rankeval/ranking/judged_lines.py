"""Sort the lines of judgments by topic and document, and settle documents that are judged twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from rankeval.base.arrays import (
    Booleans,
    DistinctIntegers,
    Grades,
    Integers,
    joined,
    short_digest,
    sizes_of,
)
from rankeval.base.frozen import record
from rankeval.base.wording import quoted
from rankeval.errors import InputError
from rankeval.io.columns import Columns, Layout
from rankeval.io.formats import PLACEHOLDERS, STRATUM, SUBTOPIC
from rankeval.io.names import Names
from rankeval.ranking.duplicates import Duplicates
from rankeval.ranking.extras import Labels


@record
class DistinctDocnos:
    """All judged docnos, each once and numbered, for looking up the docnos of a run.

    They are the keys of a dictionary with their numbers, or a column in the order of their numbers,
    which may be a list after pickling.
    """

    given: dict[bytes, int] | Names

    def __len__(self) -> int:
        return len(self.given)

    @cached_property
    def plain(self) -> dict[bytes, int]:
        """The number of each docno."""
        if isinstance(self.given, dict):
            return self.given
        return {name: number for number, name in enumerate(self.given.tolist())}

    @cached_property
    def hashed(self) -> Names:
        """The docnos, to be found by their hashes."""
        return self.given if isinstance(self.given, Names) else Names.from_names(self.names)

    @cached_property
    def integers(self) -> tuple[DistinctIntegers, Integers]:
        """The docnos that are integers as Python prints them, such as 7 but not 007; numbers."""
        known = {}
        for number, name in enumerate(self.names):
            is_integer = name.removeprefix(b"-").isdigit() and len(name) <= 20
            if is_integer and b"%d" % int(name) == name and -(1 << 63) <= int(name) < 1 << 63:
                known[int(name)] = number
        values, numbers = (np.array([*one], dtype=np.int64) for one in (known, known.values()))
        return DistinctIntegers(values), numbers

    @cached_property
    def names(self) -> list[bytes]:
        """The docnos, in the order of their numbers."""
        return list(self.given) if isinstance(self.given, dict) else self.given.tolist()


class JudgedTwiceError(InputError):
    """A document has more than one judgment for a topic."""


def fields_of_qrels(
    parts: Iterable[Columns],
    name: str,
    layout: Layout,
    label: str | None,
    duplicates: Duplicates,
) -> tuple[dict[str, Any], Integers]:
    """Sort parsed judgments; return the fields of Qrels, and how all lines were sorted.

    `name` is for messages; `label` is the role of a column that names subtopics or strata. Where
    documents have a line for each subtopic, the grade is the largest of theirs. JudgedTwiceError
    for documents that are repeated otherwise, unless `duplicates` says which of them counts.
    """
    parts = [part for part in parts if len(part)]
    if not parts:
        raise InputError(
            "has no judgments",
            place=name,
            expected=f"lines of {' '.join(layout.fields)}",
            remedy="check that the file is complete",
        )
    topics, topic, docnos, docno = numbered(parts)
    n_docnos = len(docnos)
    pairs = topic * n_docnos + docno
    grade = _grades(parts)
    names: dict[bytes, int] = {}
    number = np.zeros(len(docno), dtype=np.int64)
    if label is not None and all(label in part.kept for part in parts):
        number = np.concatenate([part.kept[label].number(names) for part in parts])
        number = _in_byte_order([*names])[number]
    with_names = label == SUBTOPIC and bool(names)
    order = np.lexsort((number, pairs)) if with_names else pairs.argsort(kind="stable")
    lines: Lines = pairs[order], grade[order], number[order]
    del topic, docno, pairs, grade, number
    several = twice = lines[0][1:] == lines[0][:-1]
    if label == SUBTOPIC:
        twice = several & (lines[2][1:] == lines[2][:-1])
    fields: dict[str, Any] = {"path": name, "topics": topics, "docnos": docnos}
    if twice.any():
        places = np.flatnonzero(twice)
        if duplicates == "refuse":
            numbers = np.concatenate([np.asarray(part.lines) for part in parts])[order]
            at = int(places[np.argmin(numbers[places + 1])])
            code, one = divmod(int(lines[0][at]), n_docnos)
            more = f" (and {len(places) - 1} more such lines)" if len(places) > 1 else ""
            raise JudgedTwiceError(
                f"document {quoted(docnos.names[one])} is judged twice for topic "
                f"{quoted(topics[code])}, first in line {numbers[at]}{more}",
                place=f"{name}:{numbers[at + 1]}",
                expected="one judgment per topic and document",
                remedy="keep one judgment for each document of a topic",
            )
        fields["dropped"] = {"documents judged twice": len(places)}
        lines = _settled(lines, twice, duplicates)
    if names and (label == STRATUM or not names.keys() <= PLACEHOLDERS):
        role = "subtopics" if label == SUBTOPIC else "strata"
        fields[role] = _labelled(*lines, topics, docnos.names, sorted(names))
    if several.any():
        lines = _settled(lines, lines[0][1:] == lines[0][:-1], "best")
    pairs, grade, _ = lines
    offsets = pairs.searchsorted(np.arange(len(topics) + 1) * n_docnos)
    fields |= {"offsets": offsets, "docno": pairs % n_docnos, "grade": grade}
    return fields, order


def _grades(parts: Sequence[Columns]) -> Grades:
    """Return grades as int64 if all are integers that a float64 holds exactly; -0.0 becomes 0."""
    grade = joined([part.values for part in parts])
    if abs(grade).max() < 2**53:
        whole = grade.astype(np.int64)
        if (whole == grade).all():
            return whole
    return grade + 0.0


Lines = tuple[Integers, Grades, Integers]
"""Sorted lines of judgments: topic · number of docnos + docno, grade, and number of the label."""


def _settled(lines: Lines, twice: Booleans, rule: Duplicates) -> Lines:
    """Keep one line of each document; `twice` marks lines whose successor repeats them."""
    first = np.flatnonzero(np.append(True, ~twice))
    kept = np.append(first[1:], len(lines[0])) - 1 if rule == "last" else first
    pairs, grade, label = lines
    chosen = np.maximum.reduceat(grade, first) if rule == "best" else grade[kept]
    return pairs[kept], chosen, label[kept]


def _in_byte_order(names: Sequence[bytes]) -> Integers:
    """Return the place of each name among all of them in increasing byte order."""
    return np.argsort(np.array(sorted(range(len(names)), key=names.__getitem__)))


def numbered(
    parts: Sequence[Columns],
) -> tuple[tuple[bytes, ...], Integers, DistinctDocnos, Integers]:
    """Return the sorted topics and that of each line, the docnos and that of each line."""
    topics = tuple(sorted({topic for part in parts for topic in part.topics}))
    place = {topic: i for i, topic in enumerate(topics)}
    topic = joined(
        [np.array([place[t] for t in p.topics]).repeat(sizes_of(p.starts)) for p in parts]
    )
    names, docno = parts[0].docnos.followed_by([part.docnos for part in parts[1:]]).distinct()
    return topics, topic, DistinctDocnos(names), docno


def _labelled(
    pairs: Integers,
    grade: Grades,
    label: Integers,
    topics: Sequence[bytes],
    docnos: Sequence[bytes],
    names: Sequence[bytes],
) -> Labels:
    """Build labels, such as subtopics and strata, from lines that each name one of `names`."""
    topic, docno = np.divmod(pairs, len(docnos))
    distinct, number = np.unique(topic * len(names) + label, return_inverse=True)
    new = np.append(True, pairs[1:] != pairs[:-1])
    rows = zip(*(column.tolist() for column in (topic, docno, grade, label)), strict=True)
    return Labels(
        offsets=np.append(np.flatnonzero(new), len(new)),
        number=number,
        topic=distinct // len(names),
        grade=grade,
        docno_order=_in_byte_order(docnos)[docno[new]],
        judged_topic=topic[new],
        digest=short_digest(
            sorted(
                b"%b %b %b %b\n" % (topics[t], names[n], docnos[d], f"{g:.17g}".encode())
                for t, d, g, n in rows
            )
        ),
    )
