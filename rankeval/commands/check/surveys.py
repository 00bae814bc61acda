"""Survey the content of a file: facts about it, warnings, and errors counted by kind."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, pairwise
from typing import Any, NamedTuple

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers
from rankeval.base.wording import NAMED, count, listed, natural
from rankeval.evaluation.notices import likely_reason, unlike
from rankeval.evaluation.settings import RELEVANT
from rankeval.io.blocks import BYTE_ORDER_MARK
from rankeval.io.columns import Columns, stretches
from rankeval.io.formats import PLACEHOLDERS, QRELS
from rankeval.io.lines_parser import Problems
from rankeval.ranking.align import Rules, align_columns
from rankeval.ranking.duplicates import LABELS, duplicate_lines, repeated
from rankeval.ranking.qrels import Qrels, from_columns

CUTOFFS = (5, 10, 20, 100)


class Survey(NamedTuple):
    """What a file holds: facts by name, warnings, and errors counted by kind."""

    facts: dict[str, Any]
    warnings: list[str]
    wrong: dict[str, int]
    judgments: Qrels | None = None


def spread(values: Integers | Sequence[int]) -> dict[str, float]:
    """Return the least, the median and the greatest of some counts."""
    return {
        "min": int(np.min(values)),
        "median": float(np.median(values)),
        "max": int(np.max(values)),
    }


# --- judgments -----------------------------------------------------------------------------------

NAMES = {"iteration": "subtopics", "stratum": "strata"}
"""Columns of judgments, and the name of their values in the facts."""


def survey_judgments(columns: Columns, path: str, problems: Problems) -> Survey:
    """Survey judgments, which are held in memory."""
    problems.add(
        duplicate_lines(columns, repeated(columns, [x for x in LABELS if x in columns.kept]), path)
    )
    facts: dict[str, Any] = {"lines": len(columns), "topics": len(columns.topics)}
    for role, name in NAMES.items():
        labels = set(columns.kept[role].tolist()) if role in columns.kept else set()
        if not labels <= PLACEHOLDERS:
            facts[name] = len(labels)
    qrels = from_columns([columns], path, QRELS, duplicates="best")
    judged = np.diff(qrels.offsets)
    topic = np.repeat(np.arange(len(judged)), judged)
    relevant = np.bincount(topic[qrels.grade >= RELEVANT], minlength=len(judged))
    facts |= {"judged_per_topic": spread(judged), "relevant_per_topic": spread(relevant)}
    grades, times = np.unique(qrels.grade, return_counts=True)
    facts["grades"] = dict(zip(map(_name, grades.tolist()), times.tolist(), strict=True))
    warnings = list(_grade_warnings(qrels, int(np.count_nonzero(relevant == 0))))
    return Survey(facts, warnings, {}, qrels)


def _name(grade: float) -> str:
    """Return a grade as text that no other grade has."""
    return short if float(short := f"{grade:g}") == grade else repr(grade)


def _grade_warnings(qrels: Qrels, n_without: int) -> Iterator[str]:
    if n_without:
        yield f"{count(n_without, 'topic')} without a relevant document"
    if qrels.fractions:
        yield f"{count(qrels.fractions, 'grade')} with a fraction, which trec_eval does not read"
    if between := qrels.fractions_below_one:
        yield f"{count(between, 'grade')} between 0 and 1, relevant only with -l or rel="


# --- runs ----------------------------------------------------------------------------------------


def survey_run(
    parts: Iterable[Columns], path: str, qrels: Qrels | None, problems: Problems
) -> Survey | None:
    """Survey a run, which comes in parts of whole topics; None for one without a line."""
    sizes: list[Integers] = []
    tags: set[bytes] = set()
    topics_with: Counter[str] = Counter()
    tied = 0
    against = None if qrels is None else _AgainstJudgments(path, qrels)
    for columns in parts:
        sizes.append(np.diff(columns.starts))
        tags |= columns.tags
        names = columns.docnos.tolist()
        topics_with.update({words: find(columns, names) for words, find in FINDINGS.items()})
        tied += _count_ties(columns)
        problems.add(duplicate_lines(columns, repeated(columns), path))
        if against is not None:
            against.add(columns)
    if not sizes:
        return None
    per_topic = np.concatenate(sizes)
    lines = int(per_topic.sum())
    facts = {
        "lines": lines,
        "topics": len(per_topic),
        "documents_per_topic": spread(per_topic),
        "tags": [tag.decode("utf-8", "backslashreplace") for tag in sorted(tags)],
        "tied_documents": tied / lines,
    }
    warnings = [words.format(count(n, "topic")) for words, n in topics_with.items() if n]
    if tied:
        warnings.append(f"{tied / lines:.1%} of the documents have equal scores")
    more = Survey({}, [], {}) if against is None else against.found()
    return Survey(facts | more.facts, more.warnings + warnings, more.wrong)


def _count_ties(columns: Columns) -> int:
    """Return the number of documents with equal scores in their topic."""
    stretch = stretches(columns)
    order = np.lexsort((-columns.values, stretch))
    equal = (_signs(columns.values[order]) == 0) & (np.diff(stretch) == 0)
    return int(np.count_nonzero(np.append(equal, False) | np.append(False, equal)))


def _signs(values: Floats) -> Integers:
    """Return 1 where a value rises, -1 where it falls, and 0 where it stays."""
    before, after = values[:-1], values[1:]
    return (after > before).astype(np.int64) - (after < before)


def _topics_of(columns: Columns, between: Booleans) -> int:
    """Count the topics in which a condition holds for two consecutive lines."""
    stretch = stretches(columns)
    return len(np.unique(stretch[1:][between & (stretch[1:] == stretch[:-1])]))


def _with_own_name(columns: Columns, names: list[bytes]) -> int:
    """Count the topics that have retrieved a document of their own name."""
    bounds = zip(columns.topics, pairwise(columns.starts.tolist()), strict=True)
    return sum(topic in names[start:stop] for topic, (start, stop) in bounds)


def _rising(columns: Columns, _names: list[bytes]) -> int:
    return _topics_of(columns, _signs(columns.values) > 0)


def _against_ranks(columns: Columns, _names: list[bytes]) -> int:
    """Count the topics whose ranks and scores order documents differently."""
    if (ranks := columns.kept.get("rank")) is None:
        return 0
    try:
        rank = np.array([float(text) for text in ranks.tolist()])
    except ValueError:
        return len(columns.topics)
    return _topics_of(columns, _signs(rank) * _signs(columns.values) > 0)


def _ranks_from_0(columns: Columns, _names: list[bytes]) -> int:
    """Count the topics whose ranks begin with 0 in MS MARCO's columns, which have no tags."""
    ranks = columns.kept.get("rank")
    if ranks is None or columns.tags:
        return 0
    return ranks.take(columns.starts[:-1]).tolist().count(b"0")


FINDINGS = {
    "a document named like its topic in {}: see --drop-self": _with_own_name,
    "scores that rise down the file in {}": _rising,
    "ranks that disagree with scores in {}": _against_ranks,
    "ranks that begin with 0 in {}; MS MARCO's begin with 1": _ranks_from_0,
}
"""What is odd about some topics of a run, and how these are counted."""


class _AgainstJudgments:
    """Counts over a run that need the judgments it will be evaluated with."""

    def __init__(self, path: str, qrels: Qrels) -> None:
        self._path = path
        self._qrels = qrels
        self._present = np.zeros(len(qrels.topics), dtype=bool)
        self._without: list[bytes] = []
        self._n_without = 0
        self._n_top = np.zeros(len(CUTOFFS))
        self._n_judged = np.zeros(len(CUTOFFS))
        self._first: Columns  # after a first `add`

    def add(self, columns: Columns) -> None:
        """Count the content of some whole topics."""
        if not self._present.any():
            self._first = columns
        aligned = align_columns(self._qrels, [columns], Rules(repeated="first"), self._path)
        self._n_without += len(aligned.without)
        self._without += aligned.without[: NAMED - len(self._without)]
        judged = aligned.judged
        self._present |= judged.retrieved > 0
        self._n_top += np.minimum(judged.retrieved[:, None], CUTOFFS).sum(axis=0)
        self._n_judged += (judged.rank[:, None] <= CUTOFFS).sum(axis=0)

    def found(self) -> Survey:
        """Return the facts, warnings and errors."""
        missing = [*compress(self._qrels.topics, ~self._present)]
        shares = zip(CUTOFFS, self._n_judged.tolist(), self._n_top.tolist(), strict=True)
        facts = {
            "topics_without_judgments": self._n_without,
            "judged_topics_missing": len(missing),
            "unjudged_in_the_top": {str(k): 1 - n / top if top else None for k, n, top in shares},
        }
        nothing = not self._present.any()
        wrong = {"no topic in common with the judgments": 1} if nothing else {}
        return Survey(facts, list(self._warnings(missing)), wrong)

    def _warnings(self, missing: Sequence[bytes]) -> Iterator[str]:
        nothing = len(missing) == len(self._qrels.topics)
        if nothing and (how := unlike(self._without, self._qrels.topics)):
            yield f"topics {how}"
        if n := self._n_without:
            yield f"{count(n, 'topic')} without judgments: {listed(self._without, n)}"
        if missing:
            names = listed(sorted(missing, key=natural))
            yield f"{count(len(missing), 'judged topic')} missing: {names}"
        if not nothing and not self._n_judged.any():
            reason = likely_reason(self._qrels, self._first)
            yield f"no document in the first {CUTOFFS[-1]} ranks is judged: {reason}"


# --- bytes ---------------------------------------------------------------------------------------

ODDITIES = {
    "a carriage return": "\r",
    "a NUL byte": "\0",
    "an invisible character": "[\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u2069\ufeff]",
    "bytes that are not UTF-8": "[\udc80-\udcff]",
}
"""Kinds of odd lines, and what they hold where other bytes are decoded to surrogates."""


class Oddities:
    """Lines with oddities, counted by kind while the pieces of a file pass."""

    def __init__(self) -> None:
        self._lines: dict[str, list[int]] = {}
        self._complete = False

    def passing(self, pieces: Iterable[bytes], _path: str = "") -> Iterator[bytes]:
        """Yield the pieces of a file as they are; a file that is read again counts once."""
        if self._complete:
            yield from pieces
            return
        self._lines, line, begun = {}, 1, b""
        for number, piece in enumerate(pieces):
            if not number and piece.startswith(BYTE_ORDER_MARK):
                self._note("a byte order mark", 1)
            text = begun + (piece if number else piece.removeprefix(BYTE_ORDER_MARK))
            lines, newline, begun = text.rpartition(b"\n")
            if newline:
                self._look(lines, line)
                line += lines.count(b"\n") + 1
            yield piece
        self._look(begun, line)
        self._complete = True

    def _look(self, text: bytes, first: int) -> None:
        if text.isascii() and b"\r" not in text and b"\0" not in text:
            return
        lines = text.decode(errors="surrogateescape").split("\n")
        for number, line in enumerate(lines, first):
            for kind, pattern in ODDITIES.items():
                if re.search(pattern, line):
                    self._note(kind, number)

    def _note(self, kind: str, line: int) -> None:
        self._lines.setdefault(kind, [0, line])[0] += 1

    def warnings(self) -> list[str]:
        """Return a sentence for each kind, in the order of their first lines."""
        return [
            f"{kind} in {count(often, 'line')}, first in line {first}"
            for kind, (often, first) in self._lines.items()
        ]
