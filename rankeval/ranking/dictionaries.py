"""Align a run of dictionaries with judgments, without a column of names.

The scores of a topic are put in one row: first those of the judged documents, in the order of the
judgments, so that the place of a score tells its judgment. Sorting the scores gives the ranks;
names are compared only where a judged document's score is not the only one. The result is that of
`align_columns` by the usual rules; a small run takes a tenth of the time.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, pairwise, repeat
from operator import itemgetter
from struct import error as StructError  # noqa: N812  "error" alone says too little
from struct import pack
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from rankeval.base.arrays import Floats, Integers, descending_order, offsets_of, owner, sizes_of
from rankeval.io.columns import as_single
from rankeval.io.python_values import as_bytes
from rankeval.ranking import RankedJudgments
from rankeval.ranking.qrels import Qrels, TextTables

Ranking = dict[str, Any]
"""A topic's {docno: score}."""

PLAIN_NUMBERS = {float, int, np.float64, np.float32, np.int64, np.int32}
"""Types of scores that need no closer look."""

_NOT_RETRIEVED = repeat(-math.inf)
_CODE = itemgetter(0)


class Found(NamedTuple):
    """The N documents that T topics retrieved, topic by topic, the judged ones of each first.

    Places are those among all judged or retrieved documents of all topics.

    ====== ============ =================================================================
    starts (T+1,) int64 topic t has the documents starts[t] to starts[t+1]
    sizes  (T,) int64   the number of its documents
    score  (N,) float64 their scores
    place  (N,) int64   their places
    firsts (T,) int64   the first place of each topic: there its judged documents begin
    ends   (T,) int64   the place after its judged documents
    ====== ============ =================================================================
    """

    starts: Integers
    sizes: Integers
    score: Floats
    place: Integers
    firsts: Integers
    ends: Integers

    def judged(self, place: Integers) -> Integers:
        """Return where documents of these places, topic by topic, are judged ones."""
        return (place < self.ends.repeat(self.sizes)).nonzero()[0]


def align_run(
    qrels: Qrels,
    run: dict[Any, Any],
    *,
    single_precision: bool = False,
    relevant_only: bool = False,
) -> tuple[RankedJudgments, list[int]] | None:
    """Align {topic: {docno: score}}, and return the indices of its judged topics, too.

    None if it needs a closer look: where a name is not text, or a score perhaps not a finite
    number, and where no judged topic has a ranking. With `single_precision`, scores are compared as
    32-bit floats; with `relevant_only`, documents of grade 0 or less are left out, as if nobody had
    judged them.
    """
    if not set(map(type, run.values())) <= {dict}:
        return None
    pairs = zip(map(qrels.code_of_text.get, run), run.values(), strict=True)
    of_judged = sorted([(code, r) for code, r in pairs if code is not None], key=_CODE)
    if len(of_judged) < len(run) and not all(isinstance(topic, str) for topic in run):
        return None
    codes, rankings = [code for code, _ in of_judged], [ranking for _, ranking in of_judged]
    every = qrels.positive_by_text if relevant_only else qrels.by_text
    n_topics = len(every.tables)
    judgments = every if len(codes) == n_topics else every.select(codes)
    found = _look_up(judgments, rankings)
    if found is None or not rankings or not _are_surely_numbers(found.score, rankings):
        return None
    score, starts = found.score, found.starts
    if single_precision:
        score = as_single(score)
    order = descending_order(score, starts, stable=False)
    ranked = score[order]
    ties = _equal_scores(ranked, starts)
    if ties is not None:
        _settle(ties, judgments.tables, rankings, found, order)
    place = found.place[order]
    at = found.judged(place)
    offsets = at.searchsorted(starts)
    topic = owner(offsets)
    above = (starts - 1)[topic]
    rank = at - above
    judgment = judgments.judgment[place[at] + (judgments.starts - found.firsts)[topic]]
    retrieved = found.sizes
    if len(codes) < n_topics:
        offsets = offsets_of(_spread(sizes_of(offsets), codes, n_topics))
        retrieved = _spread(retrieved, codes, n_topics)
    aligned = RankedJudgments(
        topics=qrels.topics,
        retrieved=retrieved,
        offsets=offsets,
        rank=rank,
        grade=qrels.grade[judgment],
        judgment=judgment,
        score=ranked[at],
        tie_first=rank if ties is None else ties.first[ties.group[at]] - above,
        tie_last=rank if ties is None else ties.last[ties.group[at]] - above,
        ideal=qrels.ideal,
        highest_grade=qrels.highest_grade,
    )
    if len(codes) == n_topics:
        vars(aligned)["topic"] = topic  # it need not be computed again
    return aligned, codes


def _look_up(judgments: TextTables, rankings: Sequence[Ranking]) -> Found | None:
    """Find the judged documents of rankings; None if a ranking needs a closer look.

    One topic after the other, so that what it needs stays in the processor's cache.
    """
    try:
        scores = list(map(_judged_first, judgments.tables, rankings))
    except (TypeError, ValueError, OverflowError, StructError):
        return None
    every = np.frombuffer(b"".join(scores))
    place = np.isfinite(every).nonzero()[0]
    starts = _offsets(map(len, rankings))
    if len(place) != starts[-1]:
        return None
    sizes = sizes_of(starts)
    firsts = _offsets(map(len, scores))[:-1] // every.itemsize
    return Found(starts, sizes, every[place], place, firsts, firsts + judgments.sizes)


def _judged_first(table: Ranking, ranking: Ranking) -> bytes:
    """Return the scores of all judged documents of a topic, and then of the other retrieved ones.

    The score is that of the table, -inf, where a judged document is not retrieved. TypeError for a
    docno that is not text.
    """
    others = SimpleNamespace(**ranking).__dict__  # a copy; it checks the docnos at little cost
    judged = list(map(others.pop, table, _NOT_RETRIEVED))
    return pack(f"{len(judged) + len(others)}d", *judged, *others.values())


def _are_surely_numbers(scores: Floats, rankings: Iterable[Ranking]) -> bool:
    """Return True if no score may be False or True, which count as 0 and 1."""
    if not (np.count_nonzero(scores == 0.0) or np.count_nonzero(scores == 1.0)):
        return True
    every = chain.from_iterable(map(dict.values, rankings))
    return set(map(type, every)) <= PLAIN_NUMBERS


def _offsets(sizes: Iterable[int]) -> Integers:
    return np.array(list(accumulate(sizes, initial=0)))


def _spread(values: Integers, codes: Sequence[int], n_topics: int) -> Integers:
    """Give the values of some topics to all topics, 0 to the others."""
    every = np.zeros(n_topics, dtype=np.int64)
    every[codes] = values
    return every


class EqualScores(NamedTuple):
    """Groups of equal scores among N documents in rank order, G in all, most of one document.

    ===== ============ ==================================
    group (N,) int64   the group of each document
    first (G,) int64   the first document of each group
    last  (G,) int64   the last one
    ===== ============ ==================================
    """

    group: Integers
    first: Integers
    last: Integers


def _equal_scores(ranked: Floats, starts: Integers) -> EqualScores | None:
    """Find equal scores of a topic; None if there are none."""
    same = ranked[1:] == ranked[:-1]
    if not np.count_nonzero(same):
        return None
    new = np.ones(len(ranked) + 1, dtype=bool)
    new[1:-1] = ~same
    new[starts] = True
    bounds = new.nonzero()[0]
    return EqualScores(new[:-1].cumsum() - 1, bounds[:-1], bounds[1:] - 1)


def _settle(
    ties: EqualScores,
    tables: Sequence[Ranking],
    rankings: Sequence[Ranking],
    found: Found,
    order: Integers,
) -> None:
    """Order documents of equal scores by docno, descending as bytes, where one is judged."""
    several = ties.first < ties.last
    with_judged = np.zeros(len(several), dtype=bool)
    with_judged[ties.group[found.judged(found.place[order])]] = True
    at = (several & with_judged)[ties.group].nonzero()[0]
    bounds = at.searchsorted(found.starts)
    documents = order[at]
    columns = found.place[documents] - found.firsts.repeat(sizes_of(bounds))
    falling: list[int] = []  # indices of `documents`, in each topic by docno
    for (begin, end), table, ranking in zip(
        pairwise(bounds.tolist()), tables, rankings, strict=True
    ):
        if begin < end:
            names = itemgetter(*columns[begin:end].tolist())([*(table | ranking)])
            # Text is in the order of its bytes unless it holds parts of surrogate pairs.
            if not "".join(names).isascii():
                names = tuple(as_bytes(name, "docno") for name in names)
            places = sorted(range(end - begin), key=names.__getitem__, reverse=True)
            falling += [begin + place for place in places]
    by_name = np.array(falling, dtype=np.int64)
    order[at] = documents[by_name[ties.group[at[by_name]].argsort(kind="stable")]]
