"""Sort the lines of judgments by topic and document, and settle documents that are judged twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rankeval.base.arrays import (
    Booleans,
    Floats,
    Grades,
    IntegerNames,
    Integers,
    joined,
    short_digest,
    sizes_of,
)
from rankeval.base.frozen import frozen
from rankeval.base.wording import quoted
from rankeval.errors import InputError
from rankeval.io.formats import PLACEHOLDERS, STRATUM, SUBTOPIC
from rankeval.io.parsers.columns import Columns, Docnos, Layout, PlainDocnos
from rankeval.ranking import Labels
from rankeval.ranking.duplicates import Duplicates

if TYPE_CHECKING:
    from rankeval.io.parsers.names import Names


@frozen(eq=False)
class DistinctDocnos:
    """All judged docnos, each once and numbered, for looking up the docnos of a run.

    They are the keys of a dictionary with their numbers, or a column in the order of their numbers,
    which may be a list after pickling.
    """

    given: dict[bytes, int] | Names | PlainDocnos

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
        from rankeval.io.parsers.names import Names

        return self.given if isinstance(self.given, Names) else Names.from_names(self.names)

    @cached_property
    def integers(self) -> IntegerNames:
        """The numbers of docnos that are integers."""
        return IntegerNames.of(self.names)

    @cached_property
    def names(self) -> list[bytes]:
        """The docnos, in the order of their numbers."""
        return list(self.given) if isinstance(self.given, dict) else self.given.tolist()


class JudgedTwiceError(InputError):
    """A document has more than one judgment for a topic: the first of `times` such documents."""

    def __init__(
        self, topic: bytes, docno: bytes, times: int, *, first: str = "", place: str
    ) -> None:
        more = f" (and {times - 1} more such lines)" if times > 1 else ""
        super().__init__(
            f"document {quoted(docno)} is judged twice for topic {quoted(topic)}{first}{more}",
            place=place,
            expected="one judgment per topic and document",
            remedy="keep one judgment for each document of a topic",
        )
        self.topic, self.docno, self.times = topic, docno, times


class JudgedLines(NamedTuple):
    """N lines of judgments, sorted by topic, document and label.

    ===== ========== ========================================================
    topic (N,) int64 the number of the line's topic
    docno (N,) int64 the number of its document
    grade (N,)       int64, or float64 if any grade is a fraction
    label (N,) int64 the number of its label; 0 where labels are not asked for
    ===== ========== ========================================================
    """

    topic: Integers
    docno: Integers
    grade: Grades
    label: Integers

    @property
    def repeat(self) -> Booleans:
        """True where the next line judges the same document, shape (N-1,)."""
        topic, docno = self.topic, self.docno
        same: Booleans = (topic[1:] == topic[:-1]) & (docno[1:] == docno[:-1])
        return same

    def of(self, rows: Integers | slice) -> JudgedLines:
        """Return some of the lines."""
        return JudgedLines(self.topic[rows], self.docno[rows], self.grade[rows], self.label[rows])

    def settled(self, again: Booleans, rule: Duplicates) -> JudgedLines:
        """Keep one line of each document; `again` marks lines whose successor repeats them."""
        first = np.flatnonzero(np.append(True, ~again))
        if rule == "last":
            return self.of(np.append(first[1:], len(self.topic)) - 1)
        lines = self.of(first)
        if rule == "best":
            return lines._replace(grade=np.maximum.reduceat(self.grade, first))
        return lines


def fields_of_qrels(
    parts: Iterable[Columns],
    name: str,
    layout: Layout,
    label: str | None,
    duplicates: Duplicates,
) -> tuple[dict[str, Any], Integers | slice]:
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
    grade = _as_integers(joined([part.values for part in parts]))
    names: dict[bytes, int] = {}
    number = np.zeros_like(docno)
    if label is not None and all(label in part.kept for part in parts):
        number = np.concatenate([part.kept[label].number(names) for part in parts])
    order = _order(topic * len(docnos) + docno, number if names else None)
    lines = JudgedLines(topic, docno, grade, number).of(order)
    again = lines.repeat
    several = again.any()
    if label == SUBTOPIC:
        again &= lines.label[1:] == lines.label[:-1]
    fields: dict[str, Any] = {"path": name, "topics": topics, "docnos": docnos}
    if several and again.any():
        places = np.flatnonzero(again)
        if duplicates == "refuse":
            numbers = np.concatenate([np.asarray(part.lines) for part in parts])[order]
            at = int(places[np.argmin(numbers[places + 1])])
            raise JudgedTwiceError(
                topics[int(lines.topic[at])],
                docnos.names[int(lines.docno[at])],
                len(places),
                first=f", first in line {numbers[at]}",
                place=f"{name}:{numbers[at + 1]}",
            )
        fields["dropped"] = {"documents judged twice": len(places)}
        lines = lines.settled(again, duplicates)
    if names and (label == STRATUM or not names.keys() <= PLACEHOLDERS):
        role = "subtopics" if label == SUBTOPIC else "strata"
        fields[role] = _labelled(lines, topics, docnos.names, list(names))
    if several:
        lines = lines.settled(lines.repeat, "best")
    offsets = lines.topic.searchsorted(np.arange(len(topics) + 1))
    fields |= {"offsets": offsets, "docno": lines.docno, "grade": lines.grade}
    return fields, order


def _as_integers(grade: Floats) -> Grades:
    """Return grades as int64 if all are integers that a float64 holds exactly; -0.0 becomes 0."""
    if max(grade.max(), -grade.min()) < 2**53:
        integers = grade.astype(np.int64)
        if (integers == grade).all():
            return integers
    return grade + 0.0


def _order(pairs: Integers, label: Integers | None) -> Integers | slice:
    """Return the order of lines by pairs of topic and docno, equal ones by label and place."""
    if label is not None:
        return np.lexsort((label, pairs))
    is_sorted = bool((pairs[1:] >= pairs[:-1]).all())
    return slice(None) if is_sorted else pairs.argsort(kind="stable")


def numbered(
    parts: Sequence[Columns],
) -> tuple[tuple[bytes, ...], Integers, DistinctDocnos, Integers]:
    """Return the sorted topics and that of each line, the docnos and that of each line."""
    known: dict[bytes, int] = {}
    for part in parts:
        for name_of_topic in part.topics:
            known.setdefault(name_of_topic, len(known))
    topics = tuple(sorted(known))
    place = np.empty(len(known), dtype=np.int64)
    place[[known[topic] for topic in topics]] = np.arange(len(topics))
    topic = joined(
        [place[[known[t] for t in part.topics]].repeat(sizes_of(part.starts)) for part in parts]
    )
    return topics, topic, *_distinct([part.docnos for part in parts])


def _distinct(parts: Sequence[Docnos]) -> tuple[DistinctDocnos, Integers]:
    """Return the docnos of all parts, each once, and the number of each row's."""
    every: Any = parts[0].followed_by(parts[1:]) if len(parts) > 1 else parts[0]
    if hasattr(every, "distinct"):  # names in a text
        names, which = every.distinct()
        return DistinctDocnos(names), which
    docnos: dict[bytes, int] = {}
    return DistinctDocnos(docnos), every.number(docnos)


def _labelled(
    lines: JudgedLines, topics: Sequence[bytes], docnos: Sequence[bytes], names: Sequence[bytes]
) -> Labels:
    """Build labels, such as subtopics and strata, from lines that each name one of `names`."""
    by_name = np.argsort(np.array(sorted(range(len(names)), key=names.__getitem__)))
    key = lines.topic * len(names) + by_name[lines.label]
    order = np.lexsort((key, lines.docno, lines.topic))
    lines, key = lines.of(order), key[order]
    distinct, number = np.unique(key, return_inverse=True)
    new = np.concatenate(([True], ~lines.repeat))
    by_docno = np.argsort(np.array(sorted(range(len(docnos)), key=docnos.__getitem__)))
    rows = zip(*(column.tolist() for column in lines), strict=True)
    return Labels(
        offsets=np.append(np.flatnonzero(new), len(new)),
        number=number,
        topic=distinct // len(names),
        grade=lines.grade,
        docno_order=by_docno[lines.docno[new]],
        judged_topic=lines.topic[new],
        digest=short_digest(
            sorted(
                b"%b %b %b %b\n" % (topics[t], names[n], docnos[d], f"{g:.17g}".encode())
                for t, d, g, n in rows
            )
        ),
    )
