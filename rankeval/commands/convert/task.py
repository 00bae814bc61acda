"""Convert a run or qrels to another format, or a part of them: read, change, write."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial, reduce
from typing import Any, Unpack

import numpy as np

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen, replace
from rankeval.base.threads import usable_threads
from rankeval.base.wording import count
from rankeval.choices import FileKind
from rankeval.errors import UsageError
from rankeval.evaluation.settings import Reading, ReadingFields, dropped_notices
from rankeval.io.blocks import display_name, is_rereadable
from rankeval.io.columns import Columns, stretches
from rankeval.io.files import StrPath, files_of
from rankeval.io.formats import FORMATS, IRDS, QRELS, Form
from rankeval.io.names import Names
from rankeval.io.python_values import columns_of
from rankeval.io.read import begin, detect, kind_of, map_blocks
from rankeval.io.small_tables import read_topics
from rankeval.io.topic_order import held_whole, itself, stream_or_hold, stream_topics, work_on_held
from rankeval.io.write import NOTES, STDOUT, fit, format_for, ranks_by_score, write
from rankeval.ranking.duplicates import (
    LABELS,
    Collapse,
    collapsed,
    duplicate_lines,
    repeated,
    rows_of_topics,
    without_duplicates,
    without_rows,
)
from rankeval.ranking.qrels import Qrels, QrelsLike, from_columns, judgments_from
from rankeval.ranking.run_source import Run, RunLike, RunSource, refuse_stdin_twice

REPEATED = "duplicate documents"


@frozen
class Conversion:
    """The report of a conversion.

    ======== ============================================================================
    what     "run" or "qrels"
    source   the format that was read
    target   the format that was written
    lines    number of lines written
    topics   number of topics written
    warnings notes about lost data, and wrong or repeated lines that were left out
    ======== ============================================================================
    """

    what: str
    source: str
    target: str
    lines: int
    topics: int
    warnings: tuple[str, ...]


@checked
def convert(
    source: StrPath | RunLike | QrelsLike,
    target: StrPath | None = None,
    *,
    what: FileKind | None = None,
    to: str | None = None,
    exclude: QrelsLike | None = None,
    depth: int | None = None,
    topics: StrPath | None = None,
    tag: str | None = None,
    renumber: bool = False,
    jobs: int | None = None,
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
    reading  how the file is read, such as run_format="csv", as in `evaluate`
    ======== ===============================================================================

    A run is converted topic by topic in bounded memory, unless its topics are scattered over the
    file, or it comes through a pipe to a file; these and judgments are held in memory.

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
    path = None if target is None else os.fspath(target)
    to = "arrow" if path is None else format_for(path, to)  # which holds all that a run can
    form, place, read = _opened(source, what, how, jobs, once=path == STDOUT)
    judged = None if exclude is None else judgments_from(exclude, how.qrels_form())
    of_runs: dict[str, Change | None] = {
        "exclude": None if judged is None else partial(_unjudged, judged),
        "depth": None if depth is None else partial(_first, depth),
        "renumber": _renumbered if renumber else None,
        "tag": None if tag is None else partial(_tagged, os.fsencode(tag)),
    }
    for name, change in of_runs.items():
        if form.what != "run" and change:
            raise UsageError(f"--{name} is for runs, and these are judgments", remedy="drop it")
    counts = Counter[str]()
    changes: list[Change] = [
        partial(_each_once, place, how, counts),
        *([partial(_collapsed, how.chunks)] if how.chunks and form.what == "run" else []),
        *([] if topics is None else [partial(_of_topics, read_topics(os.fspath(topics)))]),
        *filter(None, of_runs.values()),
    ]

    def changed(parts: Iterable[Columns]) -> Iterator[Columns]:
        """Yield what is to be written of parts with whole topics, counted from 0."""
        counts.clear()
        for part in parts:
            left = reduce(lambda found, change: change(found), changes, part)
            if len(left) or left.empty:
                columns, lost = fit(left, form.what, FORMATS[to], place)
                counts.update(lost, lines=len(columns), topics=len(columns.topics))
                yield columns

    if path is None:
        return _in_memory(form.what, place, read(lambda parts: tuple(changed(parts))))
    read(lambda parts: write(path, to, form.what, changed(parts)))
    wrong = Counter(form.problems.counts if form.problems else ())
    dropped = dropped_notices(place, wrong + Counter({REPEATED: counts[REPEATED]}))
    lost = [f"{NOTES[n].format(to)}: {count(counts[n], 'line')}" for n in NOTES if counts[n]]
    warnings = (*map(str, dropped), *lost)
    return Conversion(form.what, f"{form.name}", to, counts["lines"], counts["topics"], warnings)


Use = Callable[[Iterable[Columns]], Any]
"""What becomes of the lines of a file, which begins anew where topics come back."""


def _opened(
    source: Any, what: str | None, how: Reading, jobs: int | None, *, once: bool
) -> tuple[Form, str, Callable[[Use], Any]]:
    """Return how a source is read, its name, and its reader.

    The reader streams a run topic by topic, and holds judgments. Where topics come back, it begins
    anew, but not if its lines can be used `once` only.
    """
    if not isinstance(source, str | os.PathLike):
        form, kind = how.run_form(), Qrels if what == "qrels" else Run
        value = source if isinstance(source, Run | Qrels) else kind(source, columns=form.columns)
        if isinstance(value, Qrels) and (value.subtopics is not None or value.strata is not None):
            problem = "judgments with subtopics or strata cannot be converted from memory"
            raise UsageError(problem, remedy="convert the file that they came from")
        form = replace(form, what=value.LAYOUT.what, name="memory")
        return form, form.what, lambda use: use([columns_of(value, value.LAYOUT)])
    source = os.fspath(source)
    sample = files_of(source)[0]
    begun = None if source.startswith(IRDS) else begin(sample)
    what = what or kind_of(begun, sample, how.qrels_form()).what
    form = replace(how.run_form() if what == "run" else how.qrels_form(), what=what, keep=True)
    if begun is not None:
        name = form.name or detect(begun, sample, form)
        # A file may be read twice, from its beginning.
        form = replace(form, name=name, begun=None if is_rereadable(source) else begun)
    each = replace(form, name=how.format_of(what))
    blocks = partial(map_blocks, source, each, jobs=usable_threads(jobs))

    def read(use: Use) -> Any:
        if what != "run":
            return use(work_on_held(held_whole(blocks(itself), source), itself))
        if once:
            return use(stream_topics(source, blocks, itself))
        return stream_or_hold(source, blocks, itself, use)

    return replace(form, name=form.name or IRDS.rstrip(":")), display_name(source), read


def _in_memory(what: str, place: str, parts: tuple[Columns, ...]) -> Run | Qrels:
    if what == "run":
        return Run(RunSource(parts=parts))
    label = next((role for role in LABELS for part in parts if role in part.kept), None)
    return from_columns(parts, place, QRELS, label)


Change = Callable[[Columns], Columns]
"""A change of some whole topics; perhaps no line is left."""


def _each_once(place: str, how: Reading, counts: Counter[str], columns: Columns) -> Columns:
    """Return each document once per topic, or per topic and subtopic."""
    pairs = repeated(columns, [role for role in LABELS if role in columns.kept])
    if pairs and how.duplicates == "refuse":
        raise min(duplicate_lines(columns, pairs, place), key=lambda error: error.line)
    counts[REPEATED] += len(pairs)
    return without_duplicates(columns, pairs, how.duplicates) if pairs else columns


def _collapsed(chunks: Collapse, columns: Columns) -> Columns:
    names = columns.docnos.order(np.arange(len(columns)))
    kept = {role: column for role, column in columns.kept.items() if role != "rank"}
    return collapsed(replace(columns, kept=kept), chunks, columns.values, [-names])


def _of_topics(wanted: frozenset[bytes], columns: Columns) -> Columns:
    known = np.array([topic in wanted for topic in columns.topics], dtype=bool)
    rows = np.flatnonzero(np.repeat(known, np.diff(columns.starts)))
    empty = tuple(topic for topic in columns.empty if topic in wanted)
    return replace(rows_of_topics(columns, rows), empty=empty)


def _unjudged(judged: Qrels, columns: Columns) -> Columns:
    codes = judged.codes_of(columns.topics)
    left = without_rows(columns, columns.docnos.find_judged(judged, codes, columns.starts)[0])
    there = {*left.topics}
    emptied = [topic for topic in columns.topics if topic not in there]
    return replace(left, empty=(*left.empty, *emptied))


def _first(depth: int, columns: Columns) -> Columns:
    return rows_of_topics(columns, np.flatnonzero(ranks_by_score(columns) <= depth))


def _renumbered(columns: Columns) -> Columns:
    ranks = ranks_by_score(columns)
    order = np.lexsort((ranks, stretches(columns)))
    names = Names.from_names([b"%d" % rank for rank in ranks[order].tolist()])
    columns = rows_of_topics(columns, order)
    return replace(columns, kept={**columns.kept, "rank": names})


def _tagged(tag: bytes, columns: Columns) -> Columns:
    return replace(columns, kept={**columns.kept, "tag": Names.from_names([tag] * len(columns))})
