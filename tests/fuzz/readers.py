"""All readers, cut anywhere and in any number of threads, find the same in a file."""

import hashlib
import tempfile
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from rankeval.choices import FILE_FORMATS
from rankeval.errors import RankevalError
from rankeval.io.column_names import parse_columns
from rankeval.io.columns import Columns
from rankeval.io.formats import QRELS, STRATUM, SUBTOPIC, Form
from rankeval.io.lines_parser import Problems
from rankeval.io.read import map_blocks
from rankeval.io.topic_order import held_whole
from rankeval.ranking.align import Alignment, Rules, align
from rankeval.ranking.items import ExtraNeeds
from rankeval.ranking.qrels import Qrels, from_columns, judgments_from
from tests.support.compiled import without_kernel
from tests.support.read_sizes import fast

PLAIN: dict[str, Any] = {"sizes": fast(plain_bytes=1 << 40)}
BY_BLOCKS = (
    "the compressed data is damaged or cut off",
    "holds a NUL byte",
    "is not a readable",
    "may hold ranks or scores",
)
"""Found beside what is wrong in a line, before its block or after it: other blocks, another order.

Of a damaged table Arrow tells how much it read, from a file more at once than from memory.
"""
MOST_BLOCKS = 12
SIZES = (3, 4, 7, 16, 33, 64, 100, 257, 1000, 4096)


class DisagreementError(AssertionError):
    """Two ways to read a file found different things."""


def agree(path: Path, what: str) -> None:
    """Read a file in every way; DisagreementError when one differs from the plain parser.

    What else is chosen, such as the sizes of blocks, follows from the content alone, so that a
    file that was kept fails again.
    """
    data = path.read_bytes()
    rng = Random(hashlib.sha256(data).digest())
    ways = list(_ways(rng, least=len(data) // MOST_BLOCKS))
    for form in _forms(rng, what):
        _compare(ways, lambda way, form=form: _read(path, form, way), f"{form}")
    if what == "qrels":
        rule = rng.choice(("refuse", "refuse", "first", "last", "best"))
        label = rng.choice((None, None, SUBTOPIC, STRATUM))
        _compare(ways, lambda way: _judgments(path, rule, label, way), f"{rule} {label}")
        return
    qrels = _judged(path, rng)
    if qrels is None:
        return
    rules = Rules(
        ties=rng.choice(("docno", "docno", "docno-ascending", "input", "best", "worst")),
        repeated=rng.choice(("refuse", "refuse", "first", "last", "best")),
        no_self=rng.random() < 0.1,
    )
    needs = ExtraNeeds(elsewhere=rng.random() < 0.2)
    _compare(
        ways,
        lambda way: _bits(align(qrels, str(path), rules, needs=needs, **way)),
        f"{rules} {needs}",
    )


def _ways(rng: Random, least: int) -> Iterator[dict[str, Any]]:
    """Ways to read a file; the plain parser at once comes first.

    The compiled reader reads what is not for the plain one, and with "kernel" False Arrow does.
    """

    def size() -> int:
        return max(least, rng.choice(SIZES))

    yield PLAIN
    yield {"sizes": fast()}
    yield {"sizes": fast(), "kernel": False}
    yield {"sizes": fast(block_bytes=size()), "jobs": rng.choice((1, 2, 3))}
    yield {"sizes": fast(block_bytes=size()), "jobs": rng.choice((1, 2)), "kernel": False}
    yield {"sizes": fast(block_bytes=size()), "jobs": 1}
    yield {"sizes": fast(plain_bytes=rng.choice((50, 200)), block_bytes=size()), "jobs": 2}
    yield {"sizes": fast(plain_bytes=1 << 40, block_bytes=size())}


def _forms(rng: Random, what: str) -> Iterator[Form]:
    yield Form(what)
    number = "score" if what == "run" else "grade"
    yield rng.choice(
        [
            Form(what, keep=True),
            Form(what, problems=Problems()),
            Form(what, problems=Problems(2)),
            Form(what, ranks=what == "run"),
            Form(what, label=rng.choice(("iteration", "stratum")) if what == "qrels" else None),
            Form(what, name=rng.choice(FILE_FORMATS)),
            Form(what, columns=parse_columns(f"topic=qid,docno=docno,{number}=score")),
        ]
    )


def _compare(
    ways: list[dict[str, Any]], read: Callable[[dict[str, Any]], object], about: str
) -> None:
    found = []
    for way in ways:
        how = {name: value for name, value in way.items() if name != "kernel"}
        with nullcontext() if way.get("kernel", True) else without_kernel():
            try:
                found.append(read(how))
            except RankevalError as error:
                found.append(_told(error))
    if all(isinstance(one, str) for one in found) and any(
        problem in str(one) for problem in BY_BLOCKS for one in found
    ):
        return
    for way, other in zip(ways[1:], found[1:], strict=True):
        if other != found[0]:
            raise DisagreementError(f"{about}, {way} {_difference(found[0], other)}")


def _told(error: RankevalError) -> str:
    message = str(error)
    if not all(line.isprintable() for line in message.split("\n")) or message.count("\n") > 2:
        raise DisagreementError(f"a message that a terminal obeys: {message!r}")
    return message


def _difference(one: object, other: object, where: str = "") -> str:
    """Where two results differ first, and how."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        for i, (a, b) in enumerate(zip(one, other, strict=True)):
            if a != b:
                return _difference(a, b, f"{where}[{i}]")
    return f"at {where or 'all'}: {repr(one)[:1000]}\nbut: {repr(other)[:1000]}"


def _read(path: Path, form: Form, way: dict[str, Any]) -> object:
    """Every row, the tags, and the lines that were left out."""
    if form.problems is not None:
        form = replace(form, problems=Problems(form.problems.most))
    parts = list(map_blocks(str(path), form, lambda columns: columns, **way))
    left = ([], []) if form.problems is None else _left_out(form.problems)
    tags = frozenset().union(*(part.tags for part in parts))
    return (
        [row for part in parts for row in _rows(part)],
        tags,
        parts[-1:] and parts[-1].last_tag,
        left,
    )


def _judgments(path: Path, rule: Any, label: str | None, way: dict[str, Any]) -> object:
    """Judgments with every number, as `judgments_from` makes them of blocks."""
    parts = map_blocks(str(path), Form("qrels", label=label), lambda columns: columns, **way)
    qrels = from_columns(held_whole(parts, str(path)), str(path), QRELS, label, rule)
    whole = [qrels.offsets, qrels.docno, qrels.grade]
    assert list(qrels.docnos.plain.values()) == list(range(len(qrels.docnos.plain)))
    labels = [
        part and (part.digest, part.offsets.tolist(), part.number.tolist(), part.grade.tolist())
        for part in (qrels.subtopics, qrels.strata)
    ]
    return [
        *(qrels.topics, list(qrels.docnos.plain), qrels.dropped, labels, qrels.digest),
        *((part.dtype.str, part.tolist()) for part in whole),
    ]


def _left_out(problems: Problems) -> tuple[object, object]:
    return sorted(problems.counts.items()), [str(error) for error in problems.first]


def _rows(part: Columns) -> Iterator[tuple[Any, ...]]:
    topics = np.repeat(np.arange(len(part.topics)), np.diff(part.starts)).tolist()
    columns = [part.docnos.tolist(), part.values.view(np.int64).tolist(), list(part.lines)]
    columns += [part.kept[role].tolist() for role in sorted(part.kept)]
    columns += [part.ranks.tolist()] if part.ranks is not None else []
    for topic, *row in zip(topics, *columns, strict=True):
        yield part.topics[topic], *row


def _judged(path: Path, rng: Random) -> Qrels | None:
    """Judgments of some of a run's documents; None when the run cannot be read."""
    try:
        rows = _read(path, Form("run"), PLAIN)[0]  # type: ignore[index]
    except RankevalError:
        return None
    judged = {(row[0], row[1]): rng.choice((-1, 0, 0, 1, 2)) for row in rows if rng.random() < 0.5}
    lines = [b"%b\t%b\t%d\n" % (topic, docno, grade) for (topic, docno), grade in judged.items()]
    with tempfile.NamedTemporaryFile(suffix=".tsv") as file:
        file.write(b"topic\tdocno\tgrade\nnobody\tnothing\t1\n" + b"".join(lines))
        file.flush()
        try:
            return judgments_from(file.name)
        except RankevalError:  # a name from JSON may hold a tab
            return None


def _bits(alignment: Alignment) -> list[object]:
    """All of an alignment but how it was read, in a form that compares."""
    judged = [getattr(alignment.judged, field.name) for field in fields(alignment.judged)]
    others = [getattr(alignment, field.name) for field in fields(alignment)[1:]]
    return [
        (part.dtype.str, part.tobytes()) if isinstance(part, np.ndarray) else part
        for part in (*judged, *others)
        if not hasattr(part, "elsewhere")
    ]
