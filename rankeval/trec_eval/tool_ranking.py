"""Read a run and rank its documents by trec_eval's rules."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.errors import InputError
from rankeval.io.parsers.columns import Columns, Layout
from rankeval.io.parsers.plain_parser import PlainDocnos
from rankeval.io.read import map_blocks, read_columns
from rankeval.io.sources.parts import ChangedError
from rankeval.ranking.align import Alignment, align_blocks, align_columns
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.rank import Rules, Ties
from rankeval.trec_eval.gain_table import merge_sorted
from rankeval.trec_eval.tool_files import (
    cannot_read,
    is_readable,
    malformed,
    run_blocks,
    standard_input_blocks,
)
from rankeval.trec_eval.tool_output import real
from rankeval.trec_eval.tool_version import Version

READER = "get_results"
MOST_JOBS = 4

NO_TOPIC = b"\0"
"""A topic that no file can contain."""


@frozen(eq=False)
class RankedRun:
    """A run aligned with qrels.

    ========= =============================================================================
    alignment the ranks of judged documents
    twice     topics with a document twice in the first `depth` ranks, and the first by name
    ========= =============================================================================
    """

    alignment: Alignment
    twice: Mapping[bytes, bytes]


def layout(version: Version) -> Layout:
    """Return the layout of a run: lines of six fields or more, with any score."""
    return Layout(
        what="run",
        fields=("topic", "iteration", "docno", "rank", "score", "tag"),
        value=4,
        value_name="score",
        tag=5,
        more=True,
        comments=version.comments,
        number=real,
        finite=False,
    )


def read_run(path: bytes, qrels: Qrels, ties: Ties, depth: int, version: Version) -> RankedRun:
    """Read a run and rank it; Failure for a wrong file."""
    rules = Rules(ties=ties, scores=partial(_comparable, version, ties))
    parts: list[Columns] = []
    try:
        if version.standard_input and path.startswith(b"-"):
            parts = list(read_columns("-", layout(version), source=standard_input_blocks))
            alignment = align_columns(qrels, parts or [_no_lines()], rules)
        elif is_readable(path):
            file = os.fsdecode(path if path != b"-" else b"./-")
            alignment = _align_file(file, qrels, rules, layout(version))
            if alignment.duplicates and depth < alignment.judged.retrieved.max(initial=0):
                parts = list(read_columns(file, layout(version), source=run_blocks))
        else:
            raise cannot_read(path, READER, "results")
    except ChangedError:
        raise
    except InputError as error:
        raise malformed(path, READER, _line_of(error) or 1) from None
    return RankedRun(alignment, dict(_twice(alignment, parts, version, ties, depth)))


def _align_file(file: str, qrels: Qrels, rules: Rules, lines: Layout) -> Alignment:
    try:
        jobs = min(MOST_JOBS, os.cpu_count() or 1)
        read = partial(map_blocks, file, lines, jobs=jobs, source=run_blocks)
        return align_blocks(qrels, file, read, rules, jobs=jobs)
    except InputError as error:
        if isinstance(error, ChangedError) or _line_of(error) is not None:
            raise
    # No line is wrong, so the file has only comments and blank lines.
    return align_columns(qrels, [_no_lines()], rules)


def _line_of(error: InputError) -> int | None:
    """Return the line that an error names, or None."""
    number = error.place.rpartition(":")[2]
    return int(number) if number.isdigit() else None


def _no_lines() -> Columns:
    """Return a run without lines, as one with a topic that is not in the qrels."""
    return Columns(
        topics=(NO_TOPIC,),
        starts=np.array([0, 1]),
        docnos=PlainDocnos([NO_TOPIC]),
        values=np.zeros(1),
        lines=range(1, 2),
    )


def _comparable(version: Version, ties: Ties, columns: Columns) -> Floats:
    """Return scores to sort by: rounded if the version does so, and without NaN."""
    scores = _rounded(version, columns.values)
    unordered = np.isnan(scores)
    if not unordered.any():
        return scores
    scores = scores.copy()
    names = columns.docnos.tolist()
    for start, stop in zip(columns.starts[:-1].tolist(), columns.starts[1:].tolist(), strict=True):
        if unordered[start:stop].any():
            order = in_order(names[start:stop], scores[start:stop].tolist(), ties)
            scores[start + np.array(order)] = -np.arange(len(order), dtype=float)
    return scores


def _rounded(version: Version, scores: Floats) -> Floats:
    return single_precision(scores) if version.single_precision else scores


def single_precision(values: Floats) -> Floats:
    """Round to 4-byte floats; too large values become infinite."""
    with np.errstate(over="ignore"):
        return values.astype(np.float32).astype(np.float64)


def in_order(names: Sequence[bytes], scores: Sequence[float], ties: Ties) -> list[int]:
    """Rank documents by trec_eval's own sort, in which NaN equals every score."""

    def compare(a: int, b: int) -> float:
        if scores[a] > scores[b]:
            return -1
        if scores[a] < scores[b]:
            return 1
        ascending = (names[a] > names[b]) - (names[a] < names[b])
        return ascending if ties == "docno-ascending" else -ascending

    by_name = sorted(range(len(names)), key=names.__getitem__)
    return merge_sorted(by_name, compare)


def _twice(
    alignment: Alignment, parts: Sequence[Columns], version: Version, ties: Ties, depth: int
) -> Iterator[tuple[bytes, bytes]]:
    """Yield topics with a document twice in the first `depth` ranks, and the first by name."""
    code = {topic: i for i, topic in enumerate(alignment.judged.topics)}
    for topic in {duplicate.topic for duplicate in alignment.duplicates} & code.keys():
        twice = [one.docno for one in alignment.duplicates if one.topic == topic]
        if depth < alignment.judged.retrieved[code[topic]]:
            names, scores = _lines_of(topic, parts)
            rounded = _rounded(version, np.array(scores)).tolist()
            kept = Counter(names[row] for row in in_order(names, rounded, ties)[:depth])
            twice = [docno for docno, times in kept.items() if times > 1]
        if twice:
            yield topic, min(twice)


def _lines_of(topic: bytes, parts: Sequence[Columns]) -> tuple[list[bytes], list[float]]:
    names: list[bytes] = []
    scores: list[float] = []
    for part in parts:
        for stretch, name in enumerate(part.topics):
            if name == topic:
                start, stop = part.starts[stretch : stretch + 2].tolist()
                names += part.docnos.slice(start, stop).tolist()
                scores += part.values[start:stop].tolist()
    return names, scores
