"""Align a run of dictionaries with judgments, without a column of names.

Judged docnos are looked up in the dictionary of their topic, and their ranks are the places of
their scores among all sorted scores. Names are compared only where scores are equal. The result is
that of `align_columns` by the usual rules; a small run takes a fifth of the time.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, repeat
from struct import error as StructError  # noqa: N812  "error" alone says too little
from struct import pack
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from rankeval.alignment.qrels import Qrels
from rankeval.io.mappings import as_bytes
from rankeval.judgments import RankedJudgments
from rankeval.support.arrays import Floats, Integers, sizes_of, sorted_groups

Ranking = dict[str, Any]
"""A topic's {docno: score}."""

PLAIN_NUMBERS = {float, int, np.float64, np.float32, np.int64, np.int32}
"""Types of scores that need no closer look."""

_MISSING = repeat(float("nan"))


class Found(NamedTuple):
    """The scores of all N documents of T topics, and those of the J judged ones.

    ======== ============== ==============================================================
    scores   (N,) float64   scores of all documents, topic by topic
    starts   T+1 integers   topic t has the scores starts[t] to starts[t+1]
    score    (J,) float64   scores of judged documents, NaN for one that is not retrieved
    judgment (J,) int64     their judgments
    offsets  T+1 integers   topic t has the judged documents offsets[t] to offsets[t+1]
    ======== ============== ==============================================================
    """

    scores: Floats
    starts: list[int]
    score: Floats
    judgment: Integers
    offsets: list[int]


def align_dictionaries(
    qrels: Qrels,
    codes: Sequence[int],
    rankings: Sequence[Ranking],
    *,
    single_precision: bool = False,
) -> RankedJudgments | None:
    """Align rankings of topics, given by ascending index; None if one needs a closer look.

    That is where a docno is not text, or a score perhaps not a finite number. With
    `single_precision`, scores are compared as 32-bit floats.
    """
    found = _look_up(qrels, codes, rankings)
    if found is None:
        return None
    if single_precision:
        found = found._replace(scores=_single(found.scores), score=_single(found.score))
    starts, offsets, code = map(_integers, (found.starts, found.offsets, codes))
    ascending = sorted_groups(-found.scores, starts)
    there = (found.score == found.score).nonzero()[0]  # NaN differs from itself
    topic = np.arange(len(codes)).repeat(sizes_of(offsets))[there]
    judgment, score, start = found.judgment[there], found.score[there], starts[topic]
    first = _documents_above(ascending, found.starts, -score, topic) + start
    place = last = first
    if np.count_nonzero(ascending[1:] == ascending[:-1]):
        last = _ends_of_ties(ascending, starts, first)
        tied = (last > first).nonzero()[0]
        place = first.copy()
        place[tied] = _places_in_ties(
            qrels, codes, rankings, found, topic[tied], judgment[tied], score[tied], first[tied]
        )
    by_place = np.full(len(ascending), -1)
    by_place[place] = np.arange(len(place))
    order = by_place[by_place >= 0]
    above, judgment, n_topics = start - 1, judgment[order], len(qrels.topics)
    rank = place[order] - above  # rows of a topic stay together, and so does what they share
    retrieved = np.zeros(n_topics, dtype=np.int64)
    retrieved[code] = sizes_of(starts)
    return RankedJudgments(
        topics=qrels.topics,
        retrieved=retrieved,
        offsets=code[topic].searchsorted(np.arange(n_topics + 1)),
        rank=rank,
        grade=qrels.grade[judgment],
        judgment=judgment,
        score=score[order],
        tie_first=rank if last is first else first[order] - above,
        tie_last=rank if last is first else last[order] - above,
        ideal=qrels.ideal,
        highest_grade=qrels.highest_grade,
    )


def _look_up(qrels: Qrels, codes: Sequence[int], rankings: Sequence[Ranking]) -> Found | None:
    """Find the scores of the judged documents; None if a ranking needs a closer look.

    One topic after the other, so that what it needs stays in the processor's cache.
    """
    scores, score, judgment, sizes = [], [], [], []
    tables = qrels.by_text
    try:
        for code, ranking in zip(codes, rankings, strict=True):
            SimpleNamespace(**ranking)  # TypeError for a docno that is not text, at little cost
            scores.append(pack(f"{len(ranking)}d", *ranking.values()))
            table, numbers = tables[code]
            if len(table) <= len(ranking):
                of_judged = map(ranking.get, table, _MISSING)
                size = len(table)
            else:
                hits = ranking.keys() & table.keys()
                of_judged = map(ranking.__getitem__, hits)
                size = len(hits)
                numbers = pack(f"{size}q", *map(table.__getitem__, hits))
            score.append(pack(f"{size}d", *of_judged))
            judgment.append(numbers)
            sizes.append(size)
    except (TypeError, ValueError, OverflowError, StructError):
        return None
    every = np.frombuffer(b"".join(scores))
    if not _are_finite_numbers(every, rankings):
        return None
    return Found(
        scores=every,
        starts=list(accumulate(map(len, rankings), initial=0)),
        score=np.frombuffer(b"".join(score)),
        judgment=np.frombuffer(b"".join(judgment), dtype=np.int64),
        offsets=list(accumulate(sizes, initial=0)),
    )


def _are_finite_numbers(values: Floats, rankings: Iterable[Ranking]) -> bool:
    """Return True if scores are finite, and surely numbers: False and True count as 0 and 1."""
    size = len(values)
    if not np.count_nonzero(values) == size == np.count_nonzero(values - 1.0):
        kinds = set(map(type, chain.from_iterable(ranking.values() for ranking in rankings)))
        if not kinds <= PLAIN_NUMBERS:
            return False
    return np.count_nonzero(np.isfinite(values)) == size


def _single(values: Floats) -> Floats:
    with np.errstate(over="ignore"):  # what is too large becomes infinite
        return values.astype(np.float32).astype(np.float64)


def _integers(numbers: Sequence[int]) -> Integers:
    return np.array(numbers, dtype=np.int64)


def _documents_above(
    ascending: Floats, starts: list[int], wanted: Floats, topic: Integers
) -> Integers:
    """Count the documents of its topic that come before each wanted one."""
    if len(starts) == 2:
        return ascending.searchsorted(wanted)
    ends = topic.searchsorted(np.arange(len(starts))).tolist()
    bounds = zip(starts, starts[1:], ends, ends[1:], strict=False)
    above = [ascending[a:b].searchsorted(wanted[c:d]) for a, b, c, d in bounds]
    return np.concatenate([_integers([]), *above])


def _ends_of_ties(ascending: Floats, starts: Integers, first: Integers) -> Integers:
    """Return the last place of each group of equal scores, given its first one."""
    ends = np.empty(len(ascending), dtype=bool)
    np.not_equal(ascending[1:], ascending[:-1], out=ends[:-1])
    ends[starts[1:] - 1] = True
    last = ends.nonzero()[0]
    return last[last.searchsorted(first)]


def _places_in_ties(
    qrels: Qrels,
    codes: Sequence[int],
    rankings: Sequence[Ranking],
    found: Found,
    *rows: Integers | Floats,
) -> list[int]:
    """Return the places of judged documents with equal scores: docno descending, as bytes.

    A row has a topic, a judgment, a score, and the first place of the documents with that score.
    """
    starts: dict[int, dict[float, int]] = {}
    topics, judgments, scores, places = (column.tolist() for column in rows)
    for topic, score, place in zip(topics, scores, places, strict=True):
        starts.setdefault(topic, {})[score] = place
    place_of: dict[int, int] = {}
    for topic, start_of in starts.items():
        names: dict[float, list[str]] = {score: [] for score in start_of}
        every = found.scores[found.starts[topic] : found.starts[topic + 1]].tolist()
        for name, score in zip(rankings[topic], every, strict=True):
            if score in names:
                names[score].append(name)
        table = qrels.by_text[codes[topic]].judgments
        for score, group in names.items():
            group.sort(key=_docno_bytes, reverse=True)
            numbers = map(table.get, group)
            place_of |= {j: at for at, j in enumerate(numbers, start_of[score]) if j is not None}
    return [place_of[judgment] for judgment in judgments]


def _docno_bytes(name: str) -> bytes:
    return as_bytes(name, "docno")
