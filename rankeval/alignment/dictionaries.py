"""Align a run of dictionaries with judgments, without a column of names.

Either the judged docnos of a topic are looked up in its ranking, or the ranking's docnos among the
judged ones, whichever are fewer. The rank of a judged document is its score's place among the
sorted scores; names are compared only where such a score is not the only one. The result is that of
`align_columns` by the usual rules; a small run takes a tenth of the time.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, compress, pairwise, repeat
from struct import error as StructError  # noqa: N812  "error" alone says too little
from struct import pack
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from rankeval.alignment.qrels import Qrels, TextTables
from rankeval.io.mappings import as_bytes
from rankeval.judgments import RankedJudgments
from rankeval.support.arrays import Floats, Integers, offsets_of, owner, sizes_of

Ranking = dict[str, Any]
"""A topic's {docno: score}."""

PLAIN_NUMBERS = {float, int, np.float64, np.float32, np.int64, np.int32}
"""Types of scores that need no closer look."""

_MISSING = repeat(-math.inf)
_NOWHERE = repeat(-1)


class Found(NamedTuple):
    """The N documents of T topics, and the K judged ones among them, topic by topic.

    ========= ============ =====================================================================
    score     (N,) float64 the scores of all documents
    starts    (T+1,) int64 topic t has the scores starts[t] to starts[t+1]
    judged    (K,) float64 the scores of the judged documents
    judgment  (K,) int64   their judgments, as indices of those that are looked up
    offsets   (T+1,) int64 topic t has the judged documents offsets[t] to offsets[t+1]
    topic     (K,) int64   their topics, as indices of the rankings
    ========= ============ =====================================================================
    """

    score: Floats
    starts: Integers
    judged: Floats
    judgment: Integers
    offsets: Integers
    topic: Integers


class JudgedPlaces(NamedTuple):
    """Where the K judged documents stand among all N, which are in rank order topic by topic.

    ===== ========== ======================================================================
    order (K,) int64 the judged documents in rank order, as indices of those of `Found`
    place (K,) int64 the place of each of them, ascending
    first (K,) int64 the first place of the documents with its score; `last` is the last one
    ===== ========== ======================================================================
    """

    order: Integers
    place: Integers
    first: Integers
    last: Integers


def align_dictionaries(
    qrels: Qrels,
    codes: Sequence[int],
    rankings: Sequence[Ranking],
    *,
    single_precision: bool = False,
    relevant_only: bool = False,
) -> RankedJudgments | None:
    """Align rankings of topics, given by ascending index; None if one needs a closer look.

    That is where a docno is not text, or a score perhaps not a finite number, and where there is
    no ranking. With `single_precision`, scores are compared as 32-bit floats; with `relevant_only`,
    documents of grade 0 or less are left out, as if nobody had judged them.
    """
    judgments = qrels.positive_by_text if relevant_only else qrels.by_text
    found = _look_up(judgments, codes, rankings)
    if found is None or not rankings or not _are_surely_numbers(found.score, rankings):
        return None
    if single_precision:
        found = found._replace(score=_single(found.score), judged=_single(found.judged))
    places = _places(judgments, codes, rankings, found)
    # The places of a topic stay together.
    above = -1 if len(rankings) == 1 else found.starts[found.topic] - 1
    rank = places.place - above
    tied = places.last is not places.place
    judgment = judgments.judgment[found.judgment[places.order]]
    offsets, retrieved = found.offsets, sizes_of(found.starts)
    n_topics = len(qrels.topics)
    if len(codes) < n_topics:
        offsets = offsets_of(_spread(sizes_of(offsets), codes, n_topics))
        retrieved = _spread(retrieved, codes, n_topics)
    return RankedJudgments(
        topics=qrels.topics,
        retrieved=retrieved,
        offsets=offsets,
        rank=rank,
        grade=qrels.grade[judgment],
        judgment=judgment,
        score=found.judged[places.order],
        tie_first=places.first - above if tied else rank,
        tie_last=places.last - above if tied else rank,
        ideal=qrels.ideal,
        highest_grade=qrels.highest_grade,
    )


def _look_up(
    judgments: TextTables, codes: Sequence[int], rankings: Sequence[Ranking]
) -> Found | None:
    """Find the judged documents of rankings; None if a ranking needs a closer look.

    One topic after the other, so that what it needs stays in the processor's cache.
    """
    tables, of_topics, _ = judgments
    every_topic = len(codes) == len(tables)
    tables = tables if every_topic else tuple(tables[code] for code in codes)
    sizes = list(map(len, rankings))
    starts = _offsets(sizes)
    bounds = of_topics if every_topic else _offsets(map(len, tables))
    few_judged = bounds[-1] <= starts[-1]
    look_up = _scores_of_judged if few_judged else _judgments_of_documents
    scores: list[bytes] = []
    looked_up: list[bytes] = []
    try:
        for ranking, table, size in zip(rankings, tables, sizes, strict=True):
            SimpleNamespace(**ranking)  # TypeError for a docno that is not text, at little cost
            scores.append(pack(f"{size}d", *ranking.values()))
            looked_up.append(look_up(ranking, table))
    except (TypeError, ValueError, OverflowError, StructError):
        return None
    score = np.frombuffer(b"".join(scores))
    if np.count_nonzero(np.isfinite(score)) < len(score):
        return None
    if few_judged:
        judged = np.frombuffer(b"".join(looked_up))
        hits = (judged > -math.inf).nonzero()[0]
        offsets = hits.searchsorted(bounds)
        topic = owner(offsets)
        judged, judgment = judged[hits], hits
        if not every_topic:
            judgment = hits + (of_topics[codes] - bounds[:-1])[topic]
    else:
        numbers = np.frombuffer(b"".join(looked_up), dtype=np.int32)
        hits = (numbers >= 0).nonzero()[0]
        offsets = hits.searchsorted(starts)
        topic = owner(offsets)
        judged, judgment = score[hits], numbers[hits] + of_topics[codes][topic]
    return Found(score, starts, judged, judgment, offsets, topic)


def _scores_of_judged(ranking: Ranking, table: dict[str, int]) -> bytes:
    """Return the scores of all judged documents of a topic, -inf for one that is not retrieved."""
    return pack(f"{len(table)}d", *map(ranking.get, table, _MISSING))


def _judgments_of_documents(ranking: Ranking, table: dict[str, int]) -> bytes:
    """Return the number of each document's judgment in its topic, -1 for one without."""
    return pack(f"{len(ranking)}i", *map(table.get, ranking, _NOWHERE))


def _are_surely_numbers(scores: Floats, rankings: Iterable[Ranking]) -> bool:
    """Return True if no score may be False or True, which count as 0 and 1."""
    if np.count_nonzero(scores) == len(scores) == np.count_nonzero(scores - 1.0):
        return True
    every = chain.from_iterable(ranking.values() for ranking in rankings)
    doubtful = compress(every, ((scores == 0) | (scores == 1)).tolist())
    return set(map(type, doubtful)) <= PLAIN_NUMBERS


def _single(values: Floats) -> Floats:
    with np.errstate(over="ignore"):  # what is too large becomes infinite
        return values.astype(np.float32).astype(np.float64)


def _offsets(sizes: Iterable[int]) -> Integers:
    return np.array(list(accumulate(sizes, initial=0)))


def _spread(values: Integers, codes: Sequence[int], n_topics: int) -> Integers:
    """Give the values of some topics to all topics, 0 to the others."""
    every = np.zeros(n_topics, dtype=np.int64)
    every[codes] = values
    return every


def _places(
    judgments: TextTables, codes: Sequence[int], rankings: Sequence[Ranking], found: Found
) -> JudgedPlaces:
    """Find the places of judged documents: by falling score, then by docno, descending as bytes."""
    starts = found.starts.tolist()
    ascending = np.empty(starts[-1] + 1)
    np.negative(found.score, out=ascending[:-1])
    ascending[-1] = np.nan  # equal to no score
    if starts == [*range(0, starts[-1] + 1, starts[1] or 1)]:
        ascending[:-1].reshape(len(rankings), -1).sort(axis=1)
    else:
        for start, end in pairwise(starts):
            ascending[start:end].sort()
    wanted = -found.judged
    if len(rankings) == 1:
        order = wanted.argsort()
        first = ascending[:-1].searchsorted(wanted[order])
    else:
        orders: list[Integers] = []
        above: list[Integers] = []
        groups = zip(pairwise(starts), pairwise(found.offsets.tolist()), strict=True)
        for (start, end), (left, right) in groups:
            own = wanted[left:right]
            orders.append(by_score := own.argsort())
            above.append(ascending[start:end].searchsorted(own[by_score]))
        order = np.concatenate(orders)
        order += found.offsets[found.topic]
        first = np.concatenate(above)
        first += found.starts[found.topic]
    tied = ascending[first + 1] == wanted[order]
    if not np.count_nonzero(tied):
        return JudgedPlaces(order, first, first, first)
    last = _ends_of_ties(ascending[:-1], found.starts, first)
    place = first.copy()
    rows = tied.nonzero()[0]
    place[rows] = _places_in_ties(
        judgments, codes, rankings, found, order[rows], first[rows], last[rows]
    )
    again = place.argsort()
    return JudgedPlaces(order[again], place[again], first[again], last[again])


def _ends_of_ties(ascending: Floats, starts: Integers, first: Integers) -> Integers:
    """Return the last place of each group of equal scores, given its first one."""
    ends = np.empty(len(ascending), dtype=bool)
    np.not_equal(ascending[1:], ascending[:-1], out=ends[:-1])
    ends[starts[1:] - 1] = True
    last = ends.nonzero()[0]
    return last[last.searchsorted(first)]


def _places_in_ties(
    judgments: TextTables,
    codes: Sequence[int],
    rankings: Sequence[Ranking],
    found: Found,
    tied: Integers,
    first: Integers,
    last: Integers,
) -> Integers:
    """Return the places of tied judged documents, given by falling score: docno descending.

    All documents of a topic with these scores are sorted; a group begins among them after those of
    higher scores.
    """
    topic = found.topic[tied]
    scores = found.judged[tied].tolist()
    numbers = (found.judgment[tied] - judgments.offsets[codes][topic]).tolist()
    new_topic = np.append(0, (topic[1:] != topic[:-1]).nonzero()[0] + 1)
    positions: list[int] = []
    for begin, end in pairwise([*new_topic.tolist(), len(tied)]):
        at = int(topic[begin])
        wanted = set(scores[begin:end])
        every = found.score[found.starts[at] : found.starts[at + 1]].tolist()
        score_of = dict(zip(rankings[at], every, strict=True))
        docnos = [docno for docno, score in score_of.items() if score in wanted]
        # Text is in the order of its bytes unless it holds parts of surrogate pairs.
        docnos.sort(key=None if "".join(docnos).isascii() else _docno_bytes, reverse=True)
        docnos.sort(key=score_of.__getitem__, reverse=True)
        position = dict(zip(docnos, range(len(docnos)), strict=True))
        judged = list(judgments.tables[codes[at]])
        positions += [position[judged[number]] for number in numbers[begin:end]]
    new = np.append(True, first[1:] != first[:-1])
    above = np.cumsum(np.where(new, last - first + 1, 0)) - (last - first + 1)
    above -= above[new_topic].repeat(np.diff(new_topic, append=len(tied)))
    return first + np.array(positions) - above


def _docno_bytes(name: str) -> bytes:
    return as_bytes(name, "docno")
