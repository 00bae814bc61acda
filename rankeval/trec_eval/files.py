"""Read judgments, a run and standard scores as trec_eval does, and rank the run by its rules.

Files are regular, not empty, and read only up to the first NUL.
"""

import os
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice
from operator import itemgetter

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.frozen import record
from rankeval.errors import InputError, printable
from rankeval.io.columns import Columns, Layout, as_single
from rankeval.io.files import STDIN, ChangedError
from rankeval.io.formats import QRELS, SUBTOPIC
from rankeval.io.names import Names
from rankeval.io.read import read_columns
from rankeval.ranking.align import Alignment, Rules, Ties, align, align_columns
from rankeval.ranking.qrels import Qrels, from_columns
from rankeval.trec_eval.flags import BAD_INPUT, BAD_ZSCORES, Failure, integer, real, shown

NUL, BOM = b"\0", b"\xef\xbb\xbf"
MOST_JOBS = 4


def _quit(path: bytes, reader: str, problem: str, status: int = BAD_INPUT) -> Failure:
    """Return the failure for a file that cannot be used."""
    name = printable(os.fsdecode(path))
    return Failure(status, f"trec_eval.{reader}: {problem}\ntrec_eval: Quit in file '{name}'")


def _cannot_read(path: bytes, reader: str, kind: str, status: int = BAD_INPUT) -> Failure:
    problem = f"Cannot read {kind} file '{printable(os.fsdecode(path))}'"
    return _quit(path, reader, problem, status)


def is_readable(path: bytes) -> bool:
    """Return True if this is a regular file that is not empty and may be read."""
    try:
        found = os.stat(path)  # noqa: PTH116 - a path of bytes
        return stat.S_ISREG(found.st_mode) and found.st_size > 0 and os.access(path, os.R_OK)
    except (OSError, ValueError):
        return False


def _lines(path: bytes, reader: str, kind: str, status: int = BAD_INPUT) -> list[bytes]:
    """Return the lines of a file up to a NUL; Failure if it cannot be read."""
    if not is_readable(path):
        raise _cannot_read(path, reader, kind, status)
    try:
        with open(path, "rb") as file:  # noqa: PTH123  importing pathlib takes 2 ms
            text = file.read().removeprefix(BOM).partition(NUL)[0]
    except OSError:
        raise _cannot_read(path, reader, kind, status) from None
    return text.removesuffix(b"\n").split(b"\n") if text else []


def _without_comments(lines: list[bytes]) -> list[bytes]:
    """Drop lines that begin with #, except that the line after a comment is always data."""
    data = []
    after_comment = False
    for line in lines:
        after_comment = line.startswith(b"#") and not after_comment
        if not after_comment:
            data.append(line)
    return data


@record
class Judgments:
    """Judgments of documents, or preferences between them.

    ========== =======================================================================
    qrels      the judged documents by topic; their groups, or subgroups, are subtopics
    ties       the order of documents with equal scores
    n_positive the number of judgments with a level above 0
    repeated   the first document by name that is judged twice, of topics that have one
    group_of   the topic and group of each subtopic
    ========== =======================================================================
    """

    qrels: Qrels
    ties: Ties
    n_positive: int
    repeated: Mapping[bytes, bytes]
    group_of: Sequence[tuple[bytes, bytes]]


FORMATS = {
    b"qrels": ("get_qrels", "qrels"),
    b"qrels_jg": ("get_qrels_jg", "qrels"),
    b"prefs": ("get_prefs", "prefs"),
    b"qrels_prefs": ("get_qrels_prefs", "qrels"),
}
"""The reader of each format of judgments, and what it calls its files."""


def read_judgments(path: bytes, form: bytes, version: int) -> Judgments:
    """Read judgments; Failure for a wrong file or format."""
    if form not in FORMATS:
        raise Failure(BAD_INPUT, f"trec_eval: Cannot find rel_info format '{shown(form)}'")
    reader, kind = FORMATS[form]
    lines = _lines(path, reader, kind)
    if version > 9:
        lines = _without_comments(lines)
    width = 5 if form == b"prefs" else 4
    are_preferences = form.endswith(b"prefs")
    fields: list[bytes] = []
    for number, line in enumerate(lines or [b""], 1):
        found = line.split()
        if len(found) != width:
            raise _quit(path, reader, f"Malformed line {number}")
        fields += found
    topic, docno = fields[::width], fields[width - 2 :: width]
    # A file has few levels and many lines.
    read = real if are_preferences else cache(integer)
    level = np.array([*map(read, fields[width - 1 :: width])], dtype=float)
    if are_preferences and version == 9:
        level = as_single(level)
    # No other name has a NUL, so that none of these is a placeholder; and groups come in order.
    labels = zip(fields[1::width], fields[width - 3 :: width], strict=True)
    label = [] if form == b"qrels" else [*map(NUL.join, labels)]
    kept = {SUBTOPIC: Names.from_names(label)} if label else {}
    places = np.arange(len(topic) + 1)  # a line of one topic may follow one of another
    columns = Columns(topic, places, Names.from_names(docno), level, places[1:], kept=kept)
    qrels = from_columns([columns], "qrels", QRELS, SUBTOPIC, duplicates="first")
    named = label or qrels.dropped
    rows = [*zip(topic, label or docno, docno, level.tolist(), strict=True)] if named else []
    twice = []
    if qrels.dropped:
        # Preferences may name a document twice in a class.
        times = Counter(row[:3] for row in (set(rows) if are_preferences else rows))
        twice = sorted(row for row, n in times.items() if n > 1)
    if twice and form == b"qrels_jg":
        raise _quit(path, reader, f"duplicate docs {shown(twice[0][2])}")
    return Judgments(
        qrels,
        "docno-ascending" if are_preferences else "docno",
        int(np.count_nonzero(level > 0)),
        {topic: docno for topic, _, docno in reversed(twice)},
        [(topic, name.partition(NUL)[0]) for topic, name in sorted({row[:2] for row in rows})],
    )


def read_run(
    path: bytes, qrels: Qrels, ties: Ties, depth: int, version: int
) -> tuple[Alignment, Mapping[bytes, bytes]]:
    """Read a run and rank it; Failure for a wrong file.

    The mapping has the topics with a document twice in the first `depth` ranks, and the first such
    document by name.
    """
    layout = Layout(
        what="run",
        fields=("topic", "iteration", "docno", "rank", "score", "tag"),
        value=4,
        value_name="score",
        tag=5,
        more=True,
        comments=version > 9,
        number=real,
        finite=False,
    )
    rules = Rules(ties=ties, scores=partial(_scores, version))
    file = os.fsdecode(path if path != b"-" else b"./-")
    every: list[Columns] = []
    try:
        if version > 9 and path.startswith(b"-"):
            every = [*read_columns(STDIN, layout)]
            alignment = align_columns(qrels, every, rules)
        elif not is_readable(path):
            raise _cannot_read(path, "get_results", "results")
        else:
            jobs = min(MOST_JOBS, os.cpu_count() or 1)
            alignment = align(qrels, file, rules, layout, jobs=jobs)
    except ChangedError:
        raise
    except InputError as error:
        line = error.place.rpartition(":")[2]
        if line.isdigit():
            raise _quit(path, "get_results", f"Malformed line {line}") from None
        # There are only comments and blank lines: a topic that no file can contain.
        docno, one = Names.from_names([NUL]), np.array([0, 1])
        nothing = Columns((NUL,), one, docno, np.zeros(1), one[1:])
        alignment = align_columns(qrels, [nothing], rules)
    lines: dict[bytes, list[tuple[float, bytes]]] = {one.topic: [] for one in alignment.duplicates}
    for columns in (every or read_columns(file, layout)) if lines else ():
        rows = zip(_scores(version, columns).tolist(), columns.docnos.tolist(), strict=True)
        for topic, size in zip(columns.topics, np.diff(columns.starts).tolist(), strict=True):
            lines.get(topic, []).extend(islice(rows, size))
    return alignment, dict(_repeated_above(depth, lines, ties))


def _repeated_above(
    depth: int, lines: Mapping[bytes, list[tuple[float, bytes]]], ties: Ties
) -> Iterator[tuple[bytes, bytes]]:
    """Yield topics with a document twice in the first ranks, and the first such document by name.

    `lines` are their scores and documents.
    """
    for topic, rows in lines.items():
        by_name = sorted(rows, key=itemgetter(1), reverse=ties == "docno")
        ranked = sorted(by_name, key=itemgetter(0), reverse=True)
        times = Counter(docno for _, docno in ranked[:depth])
        if twice := [docno for docno, n in times.items() if n > 1]:
            yield topic, min(twice)


def _scores(version: int, columns: Columns) -> Floats:
    """Return scores to sort by: rounded if the version does so, NaN as the least."""
    scores = as_single(columns.values) if version == 9 else columns.values
    return np.where(np.isnan(scores), -np.inf, scores)


UNKNOWN = -1000000.0
"""The score of a value without a mean in the file, or off the mean at a deviation of 0."""


def read_zscores(path: bytes, version: int) -> Callable[[bytes, bytes, float], float]:
    """Read lines of topic, measure, mean and deviation; Failure for a wrong file.

    Return the function of a topic, a measure and a value to its standard score.
    """
    reader = "get_prefs" if version == 9 else "get_zscores"
    moments: dict[tuple[bytes, bytes], tuple[float, float]] = {}
    for number, line in enumerate(_lines(path, reader, "zscores", BAD_ZSCORES), 1):
        try:
            topic, measure, mean, deviation = line.split()
        except ValueError:
            raise _quit(path, reader, f"Malformed line {number}", BAD_ZSCORES) from None
        moments.setdefault((topic, measure), (real(mean), real(deviation)))

    def score(topic: bytes, measure: bytes, value: float) -> float:
        mean, deviation = moments.get((topic, measure), (value + 1, 0.0))
        if deviation == 0:
            return 0.0 if value == mean else UNKNOWN
        return (value - mean) / deviation

    return score
