"""Describe files, and find what is wrong or strange in them: all of it in one pass."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rankeval.align import align_columns
from rankeval.errors import UsageError
from rankeval.io import conventions, delimited
from rankeval.io.columns import Columns
from rankeval.io.formats import Form
from rankeval.io.plain import quoted
from rankeval.io.problems import Problems
from rankeval.io.reading import read_columns
from rankeval.io.source import BYTE_ORDER_MARK, display_name, is_rereadable, pieces
from rankeval.judgments import Booleans, Integers, RankedJudgments
from rankeval.measures import parse_measure
from rankeval.qrels import Qrels, from_columns
from rankeval.wording import count, listed

CUTOFFS = (5, 10, 20, 100)
_CHUNK = re.compile(rb"(?:#|_p(?:assage)?|[-_]chunk[-_]?)\d+$")
_INVISIBLE = re.compile("[\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u2069\ufeff]")


@dataclass(frozen=True)
class FileReport:
    """What is in a file.

    ======== ============================================================================
    path     the file
    what     "run" or "qrels"
    facts    what it holds, by name
    warnings what a reader of its numbers should know
    errors   the first lines that are wrong, as they would be told
    wrong    lines that are wrong, counted by kind
    ======== ============================================================================
    """

    path: str
    what: str
    facts: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    wrong: dict[str, int] = field(default_factory=dict)


def check(paths: Sequence[str], *, max_problems: int = 20) -> list[FileReport]:
    """Describe files; the first may hold judgments, which the others are then compared with.

    InputError for a file that cannot be read at all; lines that are wrong are reported.
    """
    if not paths:
        raise UsageError("no file to check", expected="one file or more")
    reports = []
    qrels: Qrels | None = None
    for number, path in enumerate(paths):
        what = "qrels" if number == 0 and holds_judgments(path, alone=len(paths) == 1) else "run"
        problems = Problems(max_problems)
        parts = list(read_columns(path, Form(what, problems=problems, keep=True)))
        report = FileReport(
            display_name(path),
            what,
            errors=[str(error) for error in problems.first],
            wrong=dict(problems.counts),
        )
        reports.append(report)
        if is_rereadable(path):
            report.warnings.extend(oddities(path))
        if not parts:
            report.warnings.append("the file holds no line of data")
        elif what == "qrels":
            qrels = _check_qrels(parts, report)
        else:
            _check_run(parts, report, qrels)
    return reports


def holds_judgments(path: str, *, alone: bool) -> bool:
    """Tell judgments from a run by the first line; what could be both is one if runs follow."""
    if not is_rereadable(path):
        return not alone
    head = b""
    for piece in pieces(path, 1 << 16):
        head += piece
        break
    lines = head.removeprefix(BYTE_ORDER_MARK).split(b"\n")
    line = next((text for text in lines if text.strip() and text.lstrip()[:1] != b"#"), b"")
    if line[:1] in (b"{", b"[") or b"\0" in line:
        return not alone
    for separator in (*delimited.SEPARATORS, b""):
        names = delimited.names_in(line, separator)
        if names and conventions.find_roles(names, "qrels", {}):
            return not (conventions.find_roles(names, "run", {}) and alone)
    return len(line.split()) in (2, 4)


def oddities(path: str) -> list[str]:
    """What is strange about the bytes of a file of text, with the first line of each."""
    found: dict[str, tuple[int, int]] = {}

    def note(kind: str, number: int, times: int = 1) -> None:
        before, first = found.get(kind, (0, number))
        found[kind] = before + times, first

    line, carry = 1, b""
    for start, piece in enumerate(pieces(path)):
        if start == 0 and piece.startswith((b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")):
            return []
        if start == 0 and piece.startswith(BYTE_ORDER_MARK):
            note("a byte order mark", 1)
            piece = piece.removeprefix(BYTE_ORDER_MARK)  # noqa: PLW2901
        text, _, carry = (carry + piece).rpartition(b"\n")
        _note_oddities(text, line, note)
        line += text.count(b"\n") + bool(text)
    _note_oddities(carry, line, note)
    return [
        f"{kind} in {count(times, 'line')}, first in line {first}"
        for kind, (times, first) in found.items()
    ]


def _note_oddities(text: bytes, first: int, note: Any) -> None:
    if text.isascii() and b"\r" not in text and b"\0" not in text:
        return
    for number, line in enumerate(text.split(b"\n"), first):
        if b"\r" in line:
            note("a carriage return", number)
        if b"\0" in line:
            note("a NUL byte", number)
        if not line.isascii():
            try:
                if _INVISIBLE.search(line.decode()):
                    note("an invisible character", number)
            except UnicodeDecodeError:
                note("bytes that are no UTF-8", number)


def _sizes(parts: Sequence[Columns]) -> dict[bytes, int]:
    sizes: Counter[bytes] = Counter()
    for part in parts:
        for topic, size in zip(part.topics, np.diff(part.starts).tolist(), strict=True):
            sizes[topic] += size
    return sizes


def _describe(parts: Sequence[Columns], report: FileReport) -> None:
    sizes = np.array(list(_sizes(parts).values()))
    report.facts.update(
        lines=int(sizes.sum()),
        topics=len(sizes),
        documents_per_topic={
            "min": int(sizes.min()),
            "median": float(np.median(sizes)),
            "max": int(sizes.max()),
        },
    )
    alike: dict[bytes, set[bytes]] = {}
    for part in parts:
        for docno in part.docnos.tolist():
            alike.setdefault(b"".join(docno.lower().split()), set()).add(docno)
    twins = [sorted(names) for names in alike.values() if len(names) > 1]
    if twins:
        report.warnings.append(
            f"{count(len(twins), 'docno')} in several spellings of case or blanks, "
            f"such as {listed(twins[0])}"
        )


def _check_qrels(parts: Sequence[Columns], report: FileReport) -> Qrels:
    _describe(parts, report)
    qrels = from_columns(parts, report.path, _layout(), duplicates="best")
    repeated = qrels.dropped.get("documents judged twice", 0)
    if repeated:
        report.warnings.append(f"{count(repeated, 'judgment')} of a document judged before")
    judged = np.diff(qrels.offsets)
    topic = np.repeat(np.arange(len(judged)), judged)
    relevant = np.bincount(topic[qrels.grade > 0], minlength=len(judged))
    grades, times = np.unique(qrels.grade, return_counts=True)
    report.facts.update(
        grades={f"{grade:g}": int(n) for grade, n in zip(grades, times, strict=True)},
        judged_per_topic=_range(judged),
        relevant_per_topic=_range(relevant),
    )
    if not relevant.all():
        report.warnings.append(
            f"{count(int((relevant == 0).sum()), 'topic')} without a relevant document"
        )
    return qrels


def _layout() -> Any:
    from rankeval.io import trec

    return trec.QRELS


def _range(values: Integers) -> dict[str, float]:
    return {
        "min": int(values.min()),
        "median": float(np.median(values)),
        "max": int(values.max()),
    }


def _check_run(parts: Sequence[Columns], report: FileReport, qrels: Qrels | None) -> None:
    _describe(parts, report)
    tags = sorted(frozenset().union(*(part.tags for part in parts)))
    report.facts["tags"] = [tag.decode("utf-8", "backslashreplace") for tag in tags]
    if len(tags) > 1:
        report.warnings.append(f"{len(tags)} run tags: {listed(tags)}")
    rising, against = _disorder(parts)
    if rising:
        report.warnings.append(f"scores that rise down the file in {count(rising, 'topic')}")
    if against:
        report.warnings.append(f"ranks that disagree with scores in {count(against, 'topic')}")
    _chunks(parts, report)
    one = (
        from_columns(parts, report.path, _layout(), duplicates="first") if qrels is None else qrels
    )
    alignment = align_columns(one, list(parts), path=report.path)
    _ties(parts, report)
    if alignment.duplicates:
        first = min(alignment.duplicates, key=lambda found: found.line)
        report.warnings.append(
            f"{count(len(alignment.duplicates), 'line')} of a document that stands before, first "
            f"{quoted(first.docno)} in line {first.line}"
        )
    if qrels is not None:
        _against_judgments(alignment.judged, alignment.without, report)


def _disorder(parts: Sequence[Columns]) -> tuple[int, int]:
    """Topics whose scores rise in the file, and whose ranks order documents otherwise."""
    rising: set[bytes] = set()
    against: set[bytes] = set()
    for part in parts:
        stretch = np.repeat(np.arange(len(part.topics)), np.diff(part.starts))
        same = stretch[1:] == stretch[:-1]
        up = (np.diff(part.values) > 0) & same
        rising.update(part.topics[i] for i in stretch[1:][up].tolist())
        ranks = part.kept.get("rank")
        if ranks is None:
            continue
        try:
            rank = np.array([float(text) for text in ranks.tolist()])
        except ValueError:
            against.update(part.topics)
            continue
        wrong = (np.diff(rank) * np.diff(part.values) > 0) & same
        against.update(part.topics[i] for i in stretch[1:][wrong].tolist())
    return len(rising), len(against)


def _chunks(parts: Sequence[Columns], report: FileReport) -> None:
    """Notice several docnos of a topic that differ by the number of a chunk only."""
    topics: set[bytes] = set()
    for part in parts:
        for topic, start, stop in zip(
            part.topics, part.starts[:-1].tolist(), part.starts[1:].tolist(), strict=True
        ):
            names = part.docnos.slice(start, stop).tolist()
            chunks = [_CHUNK.sub(b"", name) for name in names if _CHUNK.search(name)]
            if len(set(chunks)) < len(chunks):
                topics.add(topic)
    if topics:
        report.warnings.append(
            f"docnos that look like chunks of one document in {count(len(topics), 'topic')}: "
            r"see --collapse-sep '#' or --collapse '_p\d+$'"
        )


def _ties(parts: Sequence[Columns], report: FileReport) -> None:
    """Documents that share their score, and topics in which a tie spans a cutoff."""
    scores: dict[bytes, list[Any]] = {}
    for part in parts:
        for i, topic in enumerate(part.topics):
            scores.setdefault(topic, []).append(part.values[part.starts[i] : part.starts[i + 1]])
    tied = 0
    spans: Counter[int] = Counter()
    for values in scores.values():
        ordered = -np.sort(-np.concatenate(values))
        equal = ordered[1:] == ordered[:-1]
        tied += int(np.count_nonzero(np.append(equal, False) | np.append(False, equal)))
        spans.update(cutoff for cutoff in CUTOFFS if len(equal) >= cutoff and equal[cutoff - 1])
    report.facts["tied_documents"] = tied / report.facts["lines"]
    report.facts["topics_with_a_tie_across"] = {str(cutoff): spans[cutoff] for cutoff in CUTOFFS}
    if tied:
        share = f"{tied / report.facts['lines']:.1%}"
        across = f"; a tie spans rank 10 in {count(spans[10], 'topic')}" if spans[10] else ""
        report.warnings.append(f"{share} of the documents have equal scores{across}")


def _against_judgments(
    judged: RankedJudgments, without: Sequence[bytes], report: FileReport
) -> None:
    present = judged.retrieved > 0
    missing = [t for t, there in zip(judged.topics, present.tolist(), strict=True) if not there]
    report.facts.update(topics_without_judgments=len(without), judged_topics_missing=len(missing))
    if without:
        report.warnings.append(
            f"{count(len(without), 'topic')} without judgments: {listed(without)}"
        )
    if missing:
        report.warnings.append(f"{count(len(missing), 'judged topic')} missing: {listed(missing)}")
    unjudged = {}
    for cutoff in CUTOFFS:
        top = int(np.minimum(judged.retrieved, cutoff).sum())
        n_judged = int(judged.count_per_topic(judged.rank <= cutoff).sum())
        unjudged[str(cutoff)] = 1 - n_judged / top if top else None
    report.facts["unjudged_in_the_top"] = unjudged
    measure = parse_measure("nDCG@10")
    low, high = (
        float(measure.values(_tie_order(judged, best=best)).mean()) for best in (False, True)
    )
    report.facts["ndcg_at_10_over_tie_orders"] = [low, high]


def _tie_order(judged: RankedJudgments, *, best: bool) -> RankedJudgments:
    """The rankings with documents of equal scores in the best or the worst order."""
    key = np.lexsort((-judged.grade, judged.tie_first, judged.topic))
    topic, first = judged.topic[key], judged.tie_first[key]
    new: Booleans = np.append(
        True,
        (topic[1:] != topic[:-1]) | (first[1:] != first[:-1]),
    )[: len(key)]
    start = np.flatnonzero(new)[np.cumsum(new) - 1] if len(key) else key
    place = np.arange(len(key)) - start
    rank = first + place if best else judged.tie_last[key] - place
    order = np.lexsort((rank, topic))
    key = key[order]
    return replace(
        judged,
        rank=rank[order],
        grade=judged.grade[key],
        judgment=judged.judgment[key],
        score=judged.score[key],
        tie_first=judged.tie_first[key],
        tie_last=judged.tie_last[key],
    )
