"""Convert a run or qrels to another format, or a part of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Unpack

import numpy as np

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.threads import usable_threads
from rankeval.base.wording import count, listed, natural
from rankeval.choices import FileKind
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.reading import Reading, ReadingFields, dropped_notices
from rankeval.io.formats.formats import IRDS, FileFormat, begin, format_named, kind_of, with_name
from rankeval.io.formats.layouts import QRELS, Beginning, Form
from rankeval.io.formats.named_values import read_topics
from rankeval.io.parsers.columns import Columns, PlainDocnos, stretches
from rankeval.io.python_values import columns_of
from rankeval.io.read import map_blocks
from rankeval.io.sources.blocks import display_name, is_rereadable
from rankeval.io.sources.parts import files_of, is_in_parts
from rankeval.io.topic_order import (
    TopicComesBackError,
    are_scattered,
    can_be_read_twice,
    held_whole,
    itself,
    stream_topics,
    work_on_held,
)
from rankeval.io.write import NOTES, fit, format_for, ranks_by_score, write
from rankeval.ranking.duplicates import (
    LABELS,
    collapsed,
    duplicate_lines,
    repeated,
    rows_of_topics,
    without_duplicates,
    without_rows,
)
from rankeval.ranking.qrels import Qrels, QrelsLike, from_columns, judgments_from
from rankeval.ranking.run_source import Run, RunLike, RunSource, refuse_stdin_twice


@frozen
class Conversion:
    """The report of a conversion.

    ======== ============================================================================
    what     "run" or "qrels"
    source   the format that was read
    target   the format that was written
    lines    number of lines written
    topics   number of topics written
    dropped  wrong or repeated lines that were left out, counted by kind
    warnings notes about lost data and guesses
    ======== ============================================================================
    """

    what: str
    source: str
    target: str
    lines: int
    topics: int
    dropped: Mapping[str, int]
    warnings: tuple[str, ...]


@checked
def convert(
    source: str | os.PathLike[str] | RunLike | QrelsLike,
    target: str | os.PathLike[str] | None = None,
    *,
    what: FileKind | None = None,
    to: str | None = None,
    exclude: QrelsLike | None = None,
    depth: int | None = None,
    topics: str | os.PathLike[str] | None = None,
    tag: str | None = None,
    renumber: bool = False,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
    **reading: Unpack[ReadingFields],
) -> Any:
    r"""Write a run or judgments in another format, whole or not at all, and return a `Conversion`.

    ======== ===============================================================================
    source   path of a file, or "-" for standard input; or a run or judgments in memory
    target   path to write, or "-" for standard output; its suffix names the compression, too;
             without it, the `Run` or the `Qrels` is returned
    what     "run" or "qrels"; by default detected from the content, in memory a run
    to       the format to write; by default that of the target's suffix
    exclude  judgments, whose documents a run is written without: a residual run
    depth    documents to keep of each topic of a run, by score
    topics   file of the topics to keep, one per line
    tag      the tag of every line of a run
    renumber sort lines of a run by score, and number ranks from 1
    jobs     threads; all processors by default
    progress is called with the number of bytes read
    reading  how the file is read, such as run_format="csv", as in `evaluate`
    ======== ===============================================================================

    A run is converted topic by
    topic in bounded memory, unless its topics are scattered over the file; judgments are held in
    memory.

    Raises InputError if the source cannot be read, or the format cannot hold its data.

    >>> from pathlib import Path
    >>> from rankeval import convert
    >>> _ = Path("bm25.run").write_text("q1 Q0 d1 1 0.5 bm25\n")
    >>> convert("bm25.run", "bm25.parquet").lines
    1
    >>> convert("bm25.run", depth=1)
    <Run: 1 topic, 1 document>
    """
    how = Reading(**reading)
    refuse_stdin_twice(source, topics, exclude)
    to = UNLIMITED if target is None else format_for(os.fspath(target), to)
    guess: list[str] = []
    sample, begun = "", None
    if isinstance(source, str | os.PathLike):
        source = os.fspath(source)
        sample = files_of(source)[0]
        begun = None if source.startswith(IRDS) else begin(sample)
        form, guess = _form(source, sample, what, begun, how)
    else:
        source = _value(source, what, how)
        form = replace(how.run_form(), what=source.LAYOUT.what)
    if depth is not None and depth < 1:
        raise UsageError(f"a depth of {depth} keeps nothing", expected="1 or more")
    of_runs = {"exclude": exclude, "depth": depth, "tag": tag, "renumber": renumber or None}
    for name, given in of_runs.items():
        if form.what != "run" and given is not None:
            raise UsageError(f"--{name} is for runs, and these are judgments", remedy="drop it")
    lines = _Lines(
        what=form.what,
        target=format_named(to),
        place=display_name(source) if isinstance(source, str) else form.what,
        reading=how,
        exclude=None if exclude is None else judgments_from(exclude, how.qrels_form()),
        depth=depth,
        topics=None if topics is None else read_topics(os.fspath(topics)),
        tag=None if tag is None else os.fsencode(tag),
        renumber=renumber,
    )
    if not isinstance(source, str):
        parts: Iterator[Columns] = iter([columns_of(source, source.LAYOUT)])
    else:
        parts = _parts(source, form, how, jobs, progress)
    try:
        if target is None:
            return _in_memory(form.what, lines, parts)
        write(os.fspath(target), to, form.what, lines.to_write(parts))
    except TopicComesBackError as error:
        raise InputError(
            f"topic {listed([error.topic])} comes back after others, and this input cannot be "
            "read twice to bring its lines together",
            place=lines.place,
            remedy="write it to a file first, or sort it by topic",
        ) from None
    dropped = dict(form.problems.counts) if form.problems else {}
    if lines.n_repeated:
        dropped["duplicate documents"] = lines.n_repeated
    of_dropped = map(str, dropped_notices(lines.place, dropped))
    return Conversion(
        what=form.what,
        source=(form.name or IRDS.rstrip(":")) if isinstance(source, str) else "memory",
        target=to,
        lines=lines.n_lines,
        topics=lines.n_topics,
        dropped=dropped,
        warnings=(*guess, *of_dropped, *lines.warnings()),
    )


UNLIMITED = "arrow"
"""A format that holds all that a run in memory can."""


def _value(given: Any, what: str | None, how: Reading) -> Run | Qrels:
    """Return the run or the judgments that a value is."""
    if not isinstance(given, Run | Qrels):
        return (Qrels if what == "qrels" else Run)(given, columns=how.run_form().columns)
    if isinstance(given, Qrels) and (given.subtopics is not None or given.strata is not None):
        raise UsageError(
            "judgments with subtopics or strata cannot be converted from memory",
            remedy="convert the file that they came from",
        )
    return given


def _parts(
    source: str,
    form: Form,
    how: Reading,
    jobs: int | None,
    progress: Callable[[int], None] | None,
) -> Iterator[Columns]:
    """Return the lines of a file by topics: streamed, or of judgments and scattered topics held."""
    each = replace(form, name=how.format_of(form.what)) if is_in_parts(source) else form
    look = partial(map_blocks, source, each, jobs=usable_threads(jobs))
    read = partial(look, progress=progress)
    if form.what == "run" and not (can_be_read_twice(source) and are_scattered(look)):
        return stream_topics(source, read, itself)
    return work_on_held(held_whole(read(itself), source), itself)


def _in_memory(what: str, lines: _Lines, parts: Iterable[Columns]) -> Run | Qrels:
    found = tuple(lines.to_write(parts))
    if what == "run":
        return Run(RunSource(parts=found))
    label = next((role for role in LABELS for part in found if role in part.kept), None)
    return from_columns(found, lines.place, QRELS, label)


def _form(
    source: str, sample: str, what: str | None, begun: Beginning | None, reading: Reading
) -> tuple[Form, list[str]]:
    """Return the form in which to read the source, and a warning if it is a guess.

    `sample` is a file of the source, whose beginning was read.
    """
    guess = []
    form = reading.qrels_form()
    if what is None:
        kind = kind_of(begun, sample, form)
        what = kind.what
        if not kind.certain:
            other, name = ("qrels", "a run") if what == "run" else ("run", "judgments")
            guess = [f"{display_name(source)} is read as {name}: --kind {other} says otherwise"]
    form = reading.run_form() if what == "run" else replace(form, what=what)
    form = replace(form, keep=True)
    if begun is None:
        return form, guess
    form = with_name(form, begun, sample)
    # A file is read twice, from its beginning.
    return replace(form, begun=None if is_rereadable(source) else begun), guess


@dataclass
class _Lines:
    """The lines to write: those selected of the lines read, with their tags and ranks; counts."""

    what: str
    target: FileFormat
    place: str
    reading: Reading
    exclude: Qrels | None
    depth: int | None
    topics: frozenset[bytes] | None
    tag: bytes | None
    renumber: bool
    n_lines: int = 0
    n_topics: int = 0
    n_repeated: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    written: set[bytes] = field(default_factory=set)

    def to_write(self, parts: Iterable[Columns]) -> Iterator[Columns]:
        """Yield the lines to write of each part, which holds whole topics."""
        for part in parts:
            columns = self._selected(self._each_once(part))
            if not len(columns) and not columns.empty:
                continue
            columns, lost = fit(columns, self.what, self.target, self.place)
            self.lost.update(lost)
            self.n_lines += len(columns)
            self.n_topics += len(columns.topics)
            if self.topics is not None:
                self.written.update(columns.topics)
            yield columns

    def warnings(self) -> Iterator[str]:
        """Yield what the format does not hold, and the wanted topics that were not there."""
        for role, times in self.lost.items():
            yield f"{NOTES[role].format(self.target.name)}: {count(times, 'line')}"
        if absent := sorted((self.topics or frozenset()) - self.written, key=natural):
            yield f"{self.place} lacks {count(len(absent), 'wanted topic')}: {listed(absent)}"

    def _each_once(self, columns: Columns) -> Columns:
        """Return each document once per topic, or per topic and subtopic; chunks collapsed."""
        pairs = repeated(columns, [role for role in LABELS if role in columns.kept])
        if pairs and self.reading.duplicates == "refuse":
            raise min(duplicate_lines(columns, pairs, self.place), key=lambda error: error.line)
        if pairs:
            self.n_repeated += len(pairs)
            columns = without_duplicates(columns, pairs, self.reading.duplicates)
        if self.reading.chunks is None or self.what != "run":
            return columns
        names = columns.docnos.order(np.arange(len(columns)))
        kept = {role: column for role, column in columns.kept.items() if role != "rank"}
        rankless = replace(columns, kept=kept)
        return collapsed(rankless, self.reading.chunks, columns.values, [-names])

    def _selected(self, columns: Columns) -> Columns:
        """Return the selected lines of some whole topics; there may be none."""
        if self.topics is not None:
            wanted = np.array([topic in self.topics for topic in columns.topics], dtype=bool)
            rows = np.flatnonzero(np.repeat(wanted, np.diff(columns.starts)))
            empty = tuple(topic for topic in columns.empty if topic in self.topics)
            columns = replace(rows_of_topics(columns, rows), empty=empty)
        if self.exclude is not None:
            codes = self.exclude.codes_of(columns.topics)
            judged, _ = columns.docnos.find_judged(self.exclude, codes, columns.starts)
            left = without_rows(columns, judged)
            there = {*left.topics}
            emptied = [topic for topic in columns.topics if topic not in there]
            columns = replace(left, empty=(*left.empty, *emptied))
        if self.depth is not None:
            shallow = np.flatnonzero(ranks_by_score(columns) <= self.depth)
            columns = rows_of_topics(columns, shallow)
        if self.renumber:
            ranks = ranks_by_score(columns)
            order = np.lexsort((ranks, stretches(columns)))
            columns = rows_of_topics(columns, order)
            columns = _with_column(columns, "rank", [b"%d" % r for r in ranks[order].tolist()])
        if self.tag is not None:
            columns = _with_column(columns, "tag", [self.tag] * len(columns))
        return columns


def _with_column(columns: Columns, role: str, names: list[bytes]) -> Columns:
    """Return the lines with a column added or replaced."""
    return replace(columns, kept={**columns.kept, role: PlainDocnos(names)})
