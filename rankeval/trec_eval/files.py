"""Read judgments, a run and standard scores as trec_eval does, and rank the run by its rules.

Files are regular, not empty, and read only up to the first NUL.
"""

import os
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from functools import cache, partial
from operator import itemgetter
from typing import Any

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.errors import InputError, printable
from rankeval.io.columns import Columns, Layout
from rankeval.io.files import STDIN, ChangedError, unchanged
from rankeval.io.formats import SUBTOPIC
from rankeval.io.lines_parser import parse
from rankeval.io.names import Names
from rankeval.io.read import read_columns
from rankeval.ranking.align import Alignment, Rules, Ties, align, align_columns
from rankeval.ranking.qrels import Qrels, from_columns
from rankeval.trec_eval.flags import (
    BAD_INPUT,
    BAD_ZSCORES,
    Failure,
    Version,
    integer,
    real,
    shown,
)

NUL, BOM = b"\0", b"\xef\xbb\xbf"
SUBGROUP = "subgroup"
MOST_JOBS = 4
NO_TOPIC = b"\0"
"""A topic that no file can contain."""


def _quit(path: bytes, reader: str, problem: str, status: int = BAD_INPUT) -> Failure:
    """Return the failure for a file that cannot be used."""
    name = printable(os.fsdecode(path))
    return Failure(status, f"trec_eval.{reader}: {problem}\ntrec_eval: Quit in file '{name}'")


def _cannot_read(path: bytes, reader: str, kind: str, status: int = BAD_INPUT) -> Failure:
    name = printable(os.fsdecode(path))
    return _quit(path, reader, f"Cannot read {kind} file '{name}'", status)


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
        # Importing pathlib takes 2 ms.
        with unchanged(os.fsdecode(path)), open(os.fsdecode(path), "rb") as file:  # noqa: PTH123
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


@frozen(eq=False)
class Judgments:
    """Judgments of documents, or preferences between them.

    ========== =======================================================================
    qrels      the judged documents by topic, with the groups of `-R qrels_jg`
    ties       the order of documents with equal scores
    n_positive the number of judgments with a level above 0
    repeated   the first document by name that is judged twice, of topics that have one
    groups     the preferences of each topic: a list of groups, which are lists of subgroups,
               which are lists of judgments in `qrels` with their levels
    ========== =======================================================================
    """

    qrels: Qrels
    ties: Ties = "docno"
    n_positive: int = 0
    repeated: Mapping[bytes, bytes] = field(default_factory=dict)
    groups: tuple[list[list[list[tuple[int, float]]]], ...] | None = None


FORMATS = {
    b"qrels": ("get_qrels", "qrels"),
    b"qrels_jg": ("get_qrels_jg", "qrels"),
    b"prefs": ("get_prefs", "prefs"),
    b"qrels_prefs": ("get_qrels_prefs", "qrels"),
}
"""The reader of each format of judgments, and what it calls its files."""


def read_judgments(path: bytes, form: bytes, version: Version) -> Judgments:
    """Read judgments; Failure for a wrong file or format."""
    if form not in FORMATS:
        raise Failure(BAD_INPUT, f"trec_eval: Cannot find rel_info format '{shown(form)}'")
    reader, kind = FORMATS[form]
    lines = _lines(path, reader, kind)
    if version.comments:
        lines = _without_comments(lines)
    groups = {b"qrels": (), b"prefs": (SUBTOPIC, SUBGROUP)}.get(form, (SUBTOPIC,))
    fields = ("topic", *(groups or [SUBTOPIC]), "docno", "level")
    layout = Layout(
        what="qrels",
        fields=fields,
        value=fields.index("level"),
        value_name="level",
        comments=False,
        # A file has few levels and many lines.
        number=real if form.endswith(b"prefs") else cache(integer),
        decimal=False,
        finite=False,
        docno=fields.index("docno"),
        kept=tuple((name, fields.index(name)) for name in groups),
    )
    try:
        columns = parse(b"\n".join([*lines, b""]), layout, "", 1)
    except InputError:
        columns = None
    if columns is None or len(columns) < len(lines) or not lines:
        sizes = (len(line.split()) for line in lines)
        wrong = next((at for at, size in enumerate(sizes, 1) if size != len(fields)), 1)
        raise _quit(path, reader, f"Malformed line {wrong}")
    if form.endswith(b"prefs"):
        return _preferences(columns, layout, version)
    if form == b"qrels_jg":
        return _groups(columns, layout, partial(_quit, path, reader))
    qrels = from_columns([columns], "qrels", layout, duplicates="first")
    twice = _repeated(columns) if qrels.dropped else []
    return Judgments(
        qrels,
        n_positive=int(np.count_nonzero(columns.values > 0)),
        repeated=dict(reversed(twice)),
    )


def _topics(columns: Columns) -> list[bytes]:
    """Return the topic of each line."""
    sizes = np.diff(columns.starts).tolist()
    return [topic for topic, size in zip(columns.topics, sizes, strict=True) for _ in range(size)]


def _repeated(columns: Columns, *labels: str) -> list[Any]:
    """Return the topic, labels and document of lines that there are twice, in order."""
    kept = [columns.kept[label].tolist() for label in labels]
    times = Counter(zip(_topics(columns), *kept, columns.docnos.tolist(), strict=True))
    return sorted(line for line, n in times.items() if n > 1)


def _groups(columns: Columns, layout: Layout, failure: Callable[[str], Failure]) -> Judgments:
    """Return judgments by group; Failure for a document that a group judges twice."""
    twice = _repeated(columns, SUBTOPIC)
    if twice:
        raise failure(f"duplicate docs {shown(twice[0][-1])}")
    # With a letter before them, no names are placeholders for no name.
    names = [b"g" + name for name in columns.kept[SUBTOPIC].tolist()]
    columns = replace(columns, kept={SUBTOPIC: Names.from_names(names)})
    return Judgments(from_columns([columns], "qrels", layout, SUBTOPIC))


def _preferences(columns: Columns, layout: Layout, version: Version) -> Judgments:
    levels = single_precision(columns.values) if version.single_precision else columns.values
    qrels = from_columns([columns], "qrels", layout, duplicates="first")
    topic = qrels.codes_of(_topics(columns))
    docno = np.array([qrels.docnos.plain[name] for name in columns.docnos.tolist()])
    judgment = qrels.find(topic, docno).tolist()
    group = columns.kept[SUBTOPIC].tolist()
    subgroup = columns.kept[SUBGROUP].tolist() if SUBGROUP in columns.kept else group
    found: list[dict[tuple[bytes, bytes], list[tuple[int, float]]]] = [{} for _ in qrels.topics]
    for code, *key, one, level in zip(
        topic.tolist(), group, subgroup, judgment, levels.tolist(), strict=True
    ):
        found[code].setdefault(tuple(key), []).append((one, level))
    by_topic = []
    for subgroups in found:
        groups: dict[bytes, list[list[tuple[int, float]]]] = {}
        for (name, _), lines in sorted(subgroups.items(), key=lambda one: one[0]):
            groups.setdefault(name, []).append(lines)
        by_topic.append(list(groups.values()))
    return Judgments(qrels, "docno-ascending", groups=tuple(by_topic))


def read_run(
    path: bytes, qrels: Qrels, ties: Ties, depth: int, version: Version
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
        comments=version.comments,
        number=real,
        finite=False,
    )
    rules = Rules(ties=ties, scores=partial(_scores, version))
    file = os.fsdecode(path if path != b"-" else b"./-")
    every: list[Columns] = []
    try:
        if version.standard_input and path.startswith(b"-"):
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
        docnos = Names.from_names([NO_TOPIC])
        none = Columns((NO_TOPIC,), np.array([0, 1]), docnos, np.zeros(1), range(1, 2))
        alignment = align_columns(qrels, [none], rules)
    lines: dict[bytes, list[tuple[float, bytes]]] = {one.topic: [] for one in alignment.duplicates}
    for columns in (every or read_columns(file, layout)) if lines else ():
        rows = zip(_scores(version, columns).tolist(), columns.docnos.tolist(), strict=True)
        for topic, row in zip(_topics(columns), rows, strict=True):
            lines.get(topic, []).append(row)
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


def _scores(version: Version, columns: Columns) -> Floats:
    """Return scores to sort by: rounded if the version does so, NaN as the least."""
    scores = single_precision(columns.values) if version.single_precision else columns.values
    return np.where(np.isnan(scores), -np.inf, scores)


def single_precision(values: Floats) -> Floats:
    """Round to 4-byte floats; too large values become infinite."""
    with np.errstate(over="ignore"):
        return values.astype(np.float32).astype(np.float64)


UNKNOWN = -1000000.0
"""The score of a value without a mean in the file, or off the mean at a deviation of 0."""


def read_zscores(path: bytes, version: Version) -> Callable[[bytes, bytes, float], float]:
    """Read lines of topic, measure, mean and deviation; Failure for a wrong file.

    Return the function of a topic, a measure and a value to its standard score.
    """
    reader = version.zscores_reader
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
