"""Qrels: relevance judgments by topic, in the form that runs are matched with."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice, pairwise, repeat
from operator import add
from typing import Annotated, Any, Literal, NamedTuple, cast
from zlib import crc32

import numpy as np

from rankeval.base.arrays import (
    DistinctIntegers,
    Grades,
    Integers,
    descending_order,
    owner,
    short_digest,
    sizes_of,
    spread,
)
from rankeval.base.checked import checked
from rankeval.base.frozen import ByDocument, ByTopic, declared, field, frozen, replace
from rankeval.base.threads import give_back
from rankeval.base.wording import count, described
from rankeval.errors import UsageError
from rankeval.io import formats
from rankeval.io.blocks import ReadSizes, display_name, is_rereadable
from rankeval.io.column_names import find_roles, require_roles
from rankeval.io.columns import Columns, Layout
from rankeval.io.files import StrPath
from rankeval.io.formats import Form, ReadableFile, check_name
from rankeval.io.names import Names, compiled, table_of
from rankeval.io.python_values import ByDocno, columns_of
from rankeval.io.read import read_columns
from rankeval.io.topic_order import held_whole
from rankeval.ranking import Ideal
from rankeval.ranking.duplicates import Duplicates
from rankeval.ranking.extras import Labels
from rankeval.ranking.in_memory import (
    GRADE,
    AnyTable,
    ByTopicAndDocument,
    Columnwise,
    Rows,
    TaggedRun,
    as_table,
    collected,
    file_to_read,
    names_of_columns,
    parts_in_memory,
)
from rankeval.ranking.judged_lines import (
    DistinctDocnos,
    JudgedTwiceError,
    fields_of_qrels,
)

PIECE = 1 << 16
"""Judgments whose numbers are in memory at once where they are gone through."""

TOPICS = 1 << 12
"""Topics whose sorted judgments are in memory as text at once."""

IN_FEW = ReadSizes(block_bytes=16 << 20)
"""Judgments are held whole, so that fewer blocks leave less to be joined."""

FEW = 1 << 17
"""Judgments that are put in tables at once, while the given text need not be decoded."""

FEW_GRADES = 1 << 10

AS_TEXT = "surrogateescape"
"""How bytes that are not UTF-8 become text: names stay distinct, whatever their bytes."""

QRELS = Form("qrels")
"""Judgments whose format is found by their content."""

IN_MEMORY = "qrels"
"""The name of judgments that come from no file."""


class TextTables(NamedTuple):
    """Judgments of T topics, M in all, for looking up docnos that are text.

    ======== =========== ===================================================================
    tables   T of them   {docno: -inf} of each topic, the score of a document not retrieved
    starts   (T,) int64  topic t has the judgments from starts[t] on of these, as many as
    sizes    (T,) int64  sizes[t]
    judgment (M,) int64  their indices in the qrels
    ======== =========== ===================================================================
    """

    tables: tuple[dict[str, float], ...]
    starts: Integers
    sizes: Integers
    judgment: Integers

    def select(self, codes: Sequence[int]) -> TextTables:
        """Keep some topics, given by their indices."""
        tables = tuple(self.tables[code] for code in codes)
        return TextTables(tables, self.starts[codes], self.sizes[codes], self.judgment)


@frozen
class Qrels(ByTopicAndDocument):
    """Judgments of T topics, M in all, to be kept where several evaluations share them.

    ========== =============================================================================
    source     a path or an open file, {topic: {docno: grade}}, one with {docno: {subtopic:
               grade}}, {user: [item, ...]}, a table of pandas, Polars, pyarrow or the like,
               {column: values}, or rows
    columns    names of columns, where they do not tell their roles: {"topic": "user",
               "docno": "item", "grade": "rating"}
    format     that of a file; by default found by its content
    label      "iteration" or "stratum", where measures need subtopics or strata
    duplicates the judgment that counts where a file has two: "refuse", "first", "last", "best"
    ========== =============================================================================

    Every function that takes judgments takes all of these, too; what is derived from a Qrels, such
    as the digest, is computed once.

    Judgments are a mapping, {topic: {docno: grade}}. Topics and documents are found as text and as
    integers: `qrels[7]["12"]`. InputError for judgments that are wrong, UsageError for what holds
    none.

    >>> from rankeval import Qrels, evaluate
    >>> qrels = Qrels({"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}})
    >>> qrels
    <Qrels: 2 topics, 3 judgments>
    >>> qrels["q2"]
    {'d3': 2}
    >>> evaluate(qrels, {"q1": {"d1": 0.5}, "q2": {"d3": 0.1}}, "AP").runs[0]["AP"].mean
    1.0

    ======== ============ ==============================================================
    path     text         the file they were read from, for messages
    topics   T bytes      in increasing byte order
    offsets  (T+1,) int64 topic t has the judgments offsets[t] to offsets[t+1]
    docno    (M,) int64   the number of the document in `docnos`, increasing in a topic
    grade    (M,)         int64, or float64 if any grade is a fraction
    docnos                every judged docno
    subtopics             the subtopics of judgments; None if they were not read
    strata                the strata that judgments were sampled from; None if they were not read
    dropped               lines of the file that were left out, counted by kind
    ======== ============ ==============================================================
    """

    LAYOUT = formats.QRELS

    path: str
    topics: tuple[bytes, ...]
    offsets: Integers
    docno: Integers
    grade: Grades
    docnos: DistinctDocnos
    subtopics: Labels | None = None
    strata: Labels | None = None
    dropped: Mapping[str, int] = field(default_factory=dict)

    @checked
    def __init__(
        self,
        source: QrelsLike,
        *,
        columns: Mapping[str, str] | None = None,
        format: str | None = None,  # noqa: A002  the word of every other reader
        label: Literal["iteration", "stratum"] | None = None,
        duplicates: Duplicates = "refuse",
    ) -> None:
        """Read judgments; InputError names the line, or the place, that is wrong."""
        check_name(format)
        form = Form("qrels", format, require_roles(columns or {}), label=label)
        vars(self).update(vars(judgments_from(source, form, duplicates)))

    def __repr__(self) -> str:
        """Show where the judgments come from, and how many there are."""
        counts = f"{count(len(self.topics), 'topic')}, {count(len(self.grade), 'judgment')}"
        return f"<Qrels{'' if self.path == IN_MEMORY else f' of {self.path}'}: {counts}>"

    @classmethod
    def made(cls, **given: Any) -> Qrels:
        """Put judgments together from their fields; those after `docnos` may be left out."""
        made = cls.__new__(cls)
        vars(made).update({"subtopics": None, "strata": None, "dropped": {}, **given})
        return made

    def changed(self, **changes: Any) -> Qrels:
        """Return judgments that differ in some fields."""
        return Qrels.made(**{name: getattr(self, name) for name in declared(Qrels)} | changes)

    def __getitem__(self, topic: str | int) -> ByDocument[float]:
        """Return {docno: grade} of a topic; 7 finds the topic "7", and 12 the document "12"."""
        code = ByTopic(self.code_of_text)[topic]
        names = self.docnos.names
        judged = slice(self.offsets[code], self.offsets[code + 1])
        docnos = (_text(names[number]) for number in self.docno[judged].tolist())
        return ByDocument(zip(docnos, self.grade[judged].tolist(), strict=True))

    def __contains__(self, topic: object) -> bool:
        """Return True for a topic that has judgments."""
        return topic in ByTopic(self.code_of_text)

    def __iter__(self) -> Iterator[str]:
        return iter(self.code_of_text)

    def __len__(self) -> int:
        """Count the topics."""
        return len(self.topics)

    def __eq__(self, other: object) -> bool:
        """Compare topics, documents and grades, and subtopics or strata of other judgments."""
        if not isinstance(other, Qrels):
            return super().__eq__(other)
        return self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)

    @property
    def _content(self) -> tuple[str | None, ...]:
        """Digests of all that is judged."""
        labels = (self.subtopics, self.strata)
        return (self.digest, *(None if one is None else one.digest for one in labels))

    @checked
    def save(self, path: StrPath) -> None:
        """Write a file, whole or not at all, in the format and compression of its suffix.

        InputError for names that the format cannot hold, UsageError for another suffix, and for
        judgments with subtopics or strata.
        """
        if self.subtopics is not None or self.strata is not None:
            raise UsageError(
                "judgments with subtopics or strata cannot be saved",
                remedy="rankeval.convert writes the file that they came from in other formats",
            )
        super().save(path)

    @cached_property
    def code(self) -> dict[bytes, int]:
        """The index of each topic."""
        return {topic: i for i, topic in enumerate(self.topics)}

    def codes_of(self, topics: Sequence[bytes]) -> Integers:
        """Return the index of each topic, -1 for one without judgments."""
        return np.fromiter(map(self.code.get, topics, repeat(-1)), np.int64, len(topics))

    @cached_property
    def topic(self) -> Integers:
        """The index of each judgment's topic."""
        return owner(self.offsets)

    @cached_property
    def _keys(self) -> DistinctIntegers:
        return DistinctIntegers(self.topic * len(self.docnos) + self.docno)

    @cached_property
    def table(self) -> DistinctIntegers | None:
        """The judgments by hashes of their documents and topics, as `find_judged` of Names has."""
        return table_of(self.docnos.hashed.hashes[self.docno] ^ spread(self.topic))

    @cached_property
    def placed(self) -> tuple[Integers, Integers, Any, Any]:
        """The judgments for the compiled reader, which finds those of a topic."""
        names = self.docnos.hashed
        offsets = np.ascontiguousarray(self.offsets, dtype=np.int64)
        docno = np.ascontiguousarray(self.docno, dtype=np.int64)
        return offsets, docno, names.texts, names.hashes

    @cached_property
    def code_of_text(self) -> dict[str, int]:
        """The index of each topic, by its name as text."""
        return {_text(topic): i for i, topic in enumerate(self.topics)}

    @cached_property
    def by_text(self) -> TextTables:
        """All judgments by the docno as text."""
        return self._by_text(np.arange(len(self.grade)))

    @cached_property
    def positive_by_text(self) -> TextTables:
        """The judgments whose grade is above 0, by the docno as text."""
        return self._by_text(np.flatnonzero(self.grade > 0))

    def _by_text(self, judgment: Integers) -> TextTables:
        names = map(self.docnos.names.__getitem__, _numbers_of(self.docno[judgment]))
        every = map(bytes.decode, names, repeat("utf-8"), repeat(AS_TEXT))
        offsets = judgment.searchsorted(self.offsets)
        sizes = sizes_of(offsets)
        tables = tuple(dict.fromkeys(islice(every, size), -math.inf) for size in sizes.tolist())
        return TextTables(tables, offsets[:-1], sizes, judgment)

    @cached_property
    def ideal(self) -> Ideal:
        """The grades of each topic, highest first."""
        order = descending_order(self.grade, self.offsets, stable=False)
        return Ideal(self.offsets, self.grade[order])

    @cached_property
    def highest_grade(self) -> float:
        """The highest grade of all."""
        return float(self.grade.max(initial=0))

    @cached_property
    def fractions_below_one(self) -> int:
        """Judgments with a grade between 0 and 1."""
        return int(np.count_nonzero((self.grade > 0) & (self.grade < 1)))

    @cached_property
    def fractions(self) -> int:
        """Judgments whose grade is not an integer."""
        return int(np.count_nonzero(self.grade % 1)) if self.grade.dtype.kind == "f" else 0

    @property
    def digest(self) -> str:
        """Return twelve hexadecimal digits of the SHA-256 of the judgments in sorted order."""
        return self._digests[0]

    @property
    def topic_digests(self) -> Integers:
        """Return a checksum of the sorted judgments of each topic, shape (T,)."""
        return self._digests[1]

    @cached_property
    def _digests(self) -> tuple[str, Integers]:
        """The digest of all judgments and those of topics, from one pass over their text."""
        of_topics: list[int] = []

        def summed() -> Iterator[bytes]:
            for text in self.sorted_text():
                of_topics.append(crc32(text))
                yield text

        return short_digest(summed()), np.array(of_topics, dtype=np.int64)

    def sorted_text(self) -> Iterator[bytes]:
        """Yield the sorted judgments of each topic as lines of topic, docno and grade."""
        least, most = self.grade.min(initial=0), self.grade.max(initial=0)
        distinct: Any
        if self.grade.dtype.kind == "i" and most - least < FEW_GRADES:  # sorting takes longer
            distinct, which = np.arange(least, most + 1), self.grade - least
        else:
            distinct, which = np.unique(self.grade, return_inverse=True)
        grades = [b" %.17g\n" % grade for grade in distinct.tolist()]
        if kernel := compiled():
            docnos, endings = self.docnos.hashed.texts, Names.from_names(grades).texts
            for first in range(0, len(self.topics), TOPICS):
                topics = Names.from_names([*self.topics[first : first + TOPICS]]).texts
                offsets = self.offsets[first : first + TOPICS + 1]
                rows, offsets = slice(offsets[0], offsets[-1]), offsets - offsets[0]
                of_rows = offsets, self.docno[rows], which[rows]
                text, ends = kernel.sorted_lines(topics, docnos, endings, *of_rows)
                yield from (bytes(text[start:end]) for start, end in pairwise(ends.tolist()))
            return
        names = self.docnos.names
        documents = map(names.__getitem__, _numbers_of(self.docno))
        lines = map(add, documents, map(grades.__getitem__, _numbers_of(which)))
        for topic, size in zip(self.topics, sizes_of(self.offsets).tolist(), strict=True):
            start = topic + b" "
            yield start + start.join(sorted(islice(lines, size)))

    def find(self, topic: Integers, docno: Integers) -> Integers:
        """Return the judgment of each (topic index, docno number), -1 for none."""
        known = np.flatnonzero((topic >= 0) & (docno >= 0))
        rows, found = self.find_judged(topic[known], docno[known])
        judgment = np.full(len(topic), -1)
        judgment[known[rows]] = found
        return judgment

    def find_judged(self, topic: Integers, docno: Integers) -> tuple[Integers, Integers]:
        """Return the rows of (topic index, docno number) that are judged, and their judgments."""
        return self._keys.find(topic * len(self.docnos) + docno)


QRELS_IN_WORDS = (
    "a path, an open file, {topic: {docno: grade}}, a table, {column: values} or rows "
    "of topic, docno and grade"
)

QrelsLike = Annotated[
    Mapping[str, ByDocno]
    | StrPath
    | ReadableFile
    | Columnwise
    | AnyTable
    | Rows
    | TaggedRun
    | Qrels,
    QRELS_IN_WORDS,
]
"""Judgments: path, open file, {topic: {docno: grade}}, table, {column: values}, rows, or Qrels."""


INTERACTIONS = {"user_id", "item_id", "weight", "datetime"}
"""The columns of RecTools' interactions. Each is a relevant item, whatever its weight."""


def judgments_from(
    given: QrelsLike, form: Form = QRELS, duplicates: Duplicates = "refuse"
) -> Qrels:
    """Return judgments, with the labels that the form asks for; InputError names a wrong line.

    Subtopics are read with `Form("qrels", label=SUBTOPIC)`, and also if a document has several
    lines for a topic and `duplicates` is "refuse"; strata are read with `label=STRATUM`.
    """
    if isinstance(given, Qrels):
        return given
    file = file_to_read(given, form)
    if file is None:
        found = _from_memory(collected(given), form, duplicates)
    else:
        path, form = file
        found = _with_labels(
            lambda label: held_whole(
                read_columns(path, replace(form, label=label), sizes=IN_FEW), path
            ),
            display_name(path),
            form.label,
            duplicates,
            again=is_rereadable(path),
        )
        give_back(len(found.grade) // 4)  # of fewer it costs more than it is worth
    if form.problems:
        vars(found)["dropped"] = {**form.problems.counts, **found.dropped}
    return found


def _from_memory(given: Any, form: Form, duplicates: Duplicates) -> Qrels:
    if _is_interactions(given, form):
        form = replace(form, fixed=GRADE)
        duplicates = "first" if duplicates == "refuse" else duplicates
    parts = parts_in_memory(given, form)
    if parts is not None:
        return _with_labels(lambda _: parts, IN_MEMORY, form.label, duplicates)
    if isinstance(given, Mapping):
        return from_mapping(cast("Mapping[str, ByDocno]", given), label=form.label)
    problem = f"{described(given)} cannot be read as judgments"
    raise UsageError(problem, expected=QRELS_IN_WORDS)


def _with_labels(
    read: Callable[[str | None], Sequence[Columns]],
    name: str,
    label: str | None,
    duplicates: Duplicates,
    *,
    again: bool = True,
) -> Qrels:
    """Sort judgments; those with a document twice are read `again` with subtopics, if they can."""
    try:
        return from_columns(read(label), name, formats.QRELS, label, duplicates)
    except JudgedTwiceError:
        if label is None and again:
            with contextlib.suppress(JudgedTwiceError):
                label = formats.SUBTOPIC
                return from_columns(read(label), name, formats.QRELS, label, duplicates)
        raise


def _is_interactions(given: object, form: Form) -> bool:
    """Return True for a table of interactions of RecTools: user, item, weight and time."""
    if form.columns or isinstance(given, Mapping) or as_table(given, "qrels") is None:
        return False
    names = names_of_columns(given)
    return set(names) >= INTERACTIONS and find_roles(names, "qrels", {}) is None


def _text(name: bytes) -> str:
    """Decode a name so that it stays distinct from all others, whatever its bytes."""
    return name.decode("utf-8", AS_TEXT)


def _numbers_of(values: Integers) -> Iterator[int]:
    """Yield integers as Python's, of which few are in memory at once."""
    pieces = (values[start : start + PIECE] for start in range(0, len(values), PIECE))
    return chain.from_iterable(piece.tolist() for piece in pieces)


def from_mapping(qrels: Mapping[str, ByDocno], label: str | None = None) -> Qrels:
    """Build judgments from {topic: {docno: grade}} or {topic: {docno: {label: grade}}}.

    A list of documents, whose grades are 1, may name one twice.
    """
    columns = columns_of(qrels, formats.QRELS, label or formats.SUBTOPIC)
    once = all(isinstance(documents, Mapping) for documents in qrels.values())
    label = next(iter(columns.kept), label)
    rule: Duplicates = "refuse" if once else "first"
    given, order = fields_of_qrels([columns], IN_MEMORY, formats.QRELS, label, rule)
    found = Qrels.made(**given)
    is_plain = once and not columns.kept and len(columns) <= FEW
    each: list[Any] = [*filter(None, qrels.values())] if is_plain else []
    with contextlib.suppress(TypeError):  # as names may not be text
        if len(each) == len(found.topics) and "".join(chain.from_iterable(each)).isascii():
            judgment = np.empty(len(columns), dtype=np.int64)
            judgment[order] = np.arange(len(columns))
            at = sorted(range(len(each)), key=columns.topics.__getitem__)
            tables = tuple(dict.fromkeys(each[i], -math.inf) for i in at)
            starts, sizes = columns.starts[at], sizes_of(columns.starts)[at]
            vars(found)["by_text"] = TextTables(tables, starts, sizes, judgment)
    return found


def from_columns(
    parts: Iterable[Columns],
    name: str,
    layout: Layout,
    label: str | None = None,
    duplicates: Duplicates = "refuse",
) -> Qrels:
    """Sort parsed judgments by topic, as `fields_of_qrels` says."""
    return Qrels.made(**fields_of_qrels(parts, name, layout, label, duplicates)[0])
