"""Rank whole topics of a run: drop duplicates, collapse chunks, sort, break ties."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from rankeval.base.arrays import (
    Booleans,
    Floats,
    Integers,
    descending_order,
    position,
    sizes_of,
    small,
    stretch_of,
)
from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.io.formats import Form
from rankeval.io.parsers.columns import Columns, Docnos, stretches
from rankeval.io.topic_order import gathered
from rankeval.ranking.duplicates import (
    Collapse,
    Duplicate,
    Duplicates,
    collapsed,
    duplicates_of,
    rows_of_topics,
    without_duplicates,
    without_rows,
)
from rankeval.ranking.items import NO_FACTS, DocumentCosts, ItemFacts, without_seen
from rankeval.ranking.judged_lines import DistinctDocnos
from rankeval.ranking.qrels import Qrels

if TYPE_CHECKING:
    from rankeval.ranking.run_source import RunSource

Ties = Literal["docno", "docno-ascending", "input", "rank", "best", "worst"]


@frozen
class Rules:
    """Rules that make a ranking from lines.

    ======== =============================================================================
    ties     the order of documents with equal scores: docno descending as in trec_eval, docno
             ascending, the order of the file, the rank column ascending, or better grades
             first or last; unjudged documents and negative grades count as 0
    scores   function that replaces scores before they are compared
    no_self  leave out a document whose docno is the topic's name
    seen     leave out documents that a topic has these interactions with
    repeated which line counts of a document listed twice for a topic; "refuse" leaves all
    chunks   the documents that chunks belong to
    ======== =============================================================================

    Equal ranks or grades are ordered by docno.
    """

    ties: Ties = "docno"
    scores: Callable[[Columns], Floats] | None = None
    no_self: bool = False
    seen: Qrels | None = None
    repeated: Duplicates = "refuse"
    chunks: Collapse | None = None


BY_SCORE = Rules()

DEEPEST_COST = 1000
"""Documents further down have no cost: the measures that know costs look no further."""


@frozen(eq=False)
class ExtraNeeds:
    """The data to keep of a ranking besides its judged documents; by default none.

    ========= ==============================================================================
    elsewhere the ranks of documents that are judged for other topics only
    costs     the costs of all documents down to rank DEEPEST_COST, taken from this table
    listed    the documents of every ranking down to this rank, with
    facts     what is known of them
    ========= ==============================================================================
    """

    elsewhere: bool = False
    costs: DocumentCosts | None = None
    listed: int = 0
    facts: ItemFacts = NO_FACTS

    @property
    def deepest(self) -> int:
        """The rank down to which all documents are needed, judged or not."""
        return self.listed if self.costs is None else max(self.listed, DEEPEST_COST)

    @property
    def beyond_judged(self) -> bool:
        """True if the measures need more of a ranking than its judged documents."""
        return self.elsewhere or self.deepest > 0


NO_EXTRA_NEEDS = ExtraNeeds()


class Beyond(NamedTuple):
    """Rows that measures need besides the judged ones, as ExtraNeeds says.

    `topic` and `code` are the places of a row's topic among those of its part and of the qrels, -1
    for none. `elsewhere` marks documents that are judged for other topics only. `cost` has costs
    where they are needed, and `docnos` is of lists that are: otherwise it is empty.
    """

    topic: Integers
    code: Integers
    rank: Integers
    tie_first: Integers
    tie_last: Integers
    elsewhere: Booleans
    cost: Floats
    docnos: Docnos


class JudgedRows(NamedTuple):
    """Judged documents: topic, rank, judgment, score, first and last rank with that score."""

    code: Integers
    rank: Integers
    judgment: Integers
    score: Floats
    tie_first: Integers
    tie_last: Integers


class Ranked(NamedTuple):
    """Ranked topics of a run: data per topic, the judged rows, and facts about their lines.

    `topics` are those with documents; `named` are those of the lines, also where rules drop all
    documents of one, and those without a line.
    """

    topics: Sequence[bytes]
    code: Integers
    retrieved: Integers
    rows: JudgedRows
    duplicates: tuple[Duplicate, ...]
    named: Sequence[bytes]
    tags: frozenset[bytes]
    last_tag: bytes
    lines: int
    beyond: Beyond | None = None


def rank(qrels: Qrels, rules: Rules, needs: ExtraNeeds, columns: Columns) -> Ranked:
    """Rank whole topics; the lines of each follow one another."""
    return _ranked_at_once(qrels, rules, needs, columns) or _ranked(qrels, rules, needs, columns)


ORDERS = {"docno": -1, "docno-ascending": 1, "input": 0}
"""What equal scores are ordered by, for rows that are ranked at once."""


def _ranked_at_once(
    qrels: Qrels, rules: Rules, needs: ExtraNeeds, columns: Columns
) -> Ranked | None:
    """Rank lines that no rule drops or changes, by the compiled reader; None where it cannot."""
    changed = rules.no_self or rules.seen is not None or rules.chunks is not None
    if changed or needs.beyond_judged or rules.ties not in ORDERS:
        return None
    if not hasattr(columns.docnos, "ranked"):  # as those of tables may not
        return None
    code, scores = qrels.codes_of(columns.topics), numbers_of(columns, rules)
    found = columns.docnos.ranked(qrels, code, columns.starts, scores, ORDERS[rules.ties])
    if found is None:
        return None
    rows, (topic, judgment, ranks, first, last) = found
    return Ranked(
        topics=columns.topics,
        code=code,
        retrieved=sizes_of(columns.starts),
        rows=JudgedRows(topic, ranks, judgment, scores[rows], first, last),
        duplicates=(),
        named=_named(columns),
        tags=columns.tags,
        last_tag=columns.last_tag,
        lines=len(columns),
    )


def _ranked(qrels: Qrels, rules: Rules, needs: ExtraNeeds, columns: Columns) -> Ranked:
    given = columns
    columns, duplicates = apply_rules(given, rules)
    starts, code = columns.starts, qrels.codes_of(columns.topics)
    numbers = numbers_of(columns, rules)
    rows, judgment, known = _rows_to_keep(qrels, needs, columns, code)
    worth = None
    if rules.ties in ("best", "worst"):
        grade = np.where(judgment >= 0, qrels.grade[judgment], 0)
        worth = np.zeros(len(columns))
        worth[rows] = np.maximum(grade, 0) if rules.ties == "worst" else -np.maximum(grade, 0)
    order = rank_order(columns, rules, rows, worth)
    every_place = np.empty(len(order), dtype=np.int64)
    every_place[order] = np.arange(len(order))
    place = every_place[rows]
    near = np.flatnonzero(known | (place - starts[stretch_of(rows, starts)] < needs.deepest))
    by_rank = near[np.argsort(place[near])]
    rows, place, judgment, known = rows[by_rank], place[by_rank], judgment[by_rank], known[by_rank]
    stretch = stretch_of(rows, starts)
    tie_start, tie_stop = tie_bounds(numbers[order], starts, place)
    above = starts[stretch] - 1
    ranks = place - above, tie_start - above, tie_stop - above - 1
    facts = small(np.array([stretch, code[stretch], *ranks]))
    judged = judgment >= 0
    _, topic, rank, first, last = facts[:, judged]
    return Ranked(
        topics=columns.topics,
        code=code,
        retrieved=sizes_of(starts),
        rows=JudgedRows(
            code=topic,
            rank=rank,
            judgment=small(judgment[judged]),
            score=numbers[rows[judged]],
            tie_first=first,
            tie_last=last,
        ),
        duplicates=duplicates,
        named=_named(given),
        tags=given.tags,
        last_tag=given.last_tag,
        lines=len(given),
        beyond=_beyond(needs, columns.docnos, rows, facts, known & ~judged),
    )


def _beyond(
    needs: ExtraNeeds, docnos: Docnos, rows: Integers, facts: Integers, elsewhere: Booleans
) -> Beyond | None:
    """Return the rows that measures need besides judged ones; None if they need none.

    `facts` are the first columns of Beyond; `elsewhere` marks rows judged for other topics only.
    """
    if not needs.beyond_judged:
        return None
    _, code, rank, _, _ = facts
    elsewhere = elsewhere & (code >= 0)
    wanted = elsewhere | (rank <= needs.deepest)
    cost = np.zeros(len(rows))
    if needs.costs is not None:
        near = (rank <= DEEPEST_COST) & (code >= 0)
        cost[near] = needs.costs.of_documents(docnos, rows[near])
    listed = docnos.take(rows[wanted] if needs.listed else rows[:0])
    topic, code, rank, first, last = facts[:, wanted]
    return Beyond(topic, code, rank, first, last, elsewhere[wanted], cost[wanted], listed)


def _named(columns: Columns) -> Sequence[bytes]:
    return (*columns.topics, *columns.empty) if columns.empty else columns.topics


def _without_self(columns: Columns) -> Columns:
    """Drop documents whose docno is the name of their topic, and topics without others."""
    names = DistinctDocnos({topic: number for number, topic in enumerate(columns.topics)})
    rows, topic = columns.docnos.find(names)
    themselves = rows[stretches(columns)[rows] == topic]
    return without_rows(columns, themselves)


def _rows_to_keep(
    qrels: Qrels, needs: ExtraNeeds, columns: Columns, code: Integers
) -> tuple[Integers, Integers, Booleans]:
    """Return the rows to keep, their judgments, and True if their docno is judged.

    The judgment is -1 where the document is not judged for this topic.
    """
    if not needs.beyond_judged:
        rows, judgment = columns.docnos.find_judged(qrels, code, columns.starts)
        return rows, judgment, np.ones(len(rows), dtype=bool)
    rows, docno = columns.docnos.find(qrels.docnos)
    if needs.deepest:
        every = np.full(len(columns), -1)
        every[rows] = docno
        rows, docno = np.arange(len(columns)), every
    topic = code[stretch_of(rows, columns.starts)]
    wanted = (topic >= 0) | (needs.listed > 0)
    return rows[wanted], qrels.find(topic, docno)[wanted], docno[wanted] >= 0


def apply_rules(columns: Columns, rules: Rules) -> tuple[Columns, tuple[Duplicate, ...]]:
    """Drop lines as the rules say; return the remaining lines and the repeated documents."""
    if rules.no_self:
        columns = _without_self(columns)
    pairs = columns.docnos.duplicates(columns.starts)
    duplicates: tuple[Duplicate, ...] = ()
    if pairs:
        duplicates = duplicates_of(columns, pairs)
        if rules.repeated != "refuse":
            columns = without_duplicates(columns, pairs, rules.repeated, numbers_of(columns, rules))
    if rules.chunks is not None:
        columns = collapsed(
            columns,
            rules.chunks,
            numbers_of(columns, rules),
            tie_keys(columns, np.arange(len(columns)), rules.ties),
            ties_open=rules.ties in ("best", "worst"),
        )
    if rules.seen is not None:  # users have interactions with documents, not with their chunks
        columns = without_seen(columns, rules.seen)
    return columns, duplicates


def numbers_of(columns: Columns, rules: Rules) -> Floats:
    """Return the numbers that lines are ordered by, descending."""
    return columns.values if rules.scores is None else rules.scores(columns)


def tie_keys(columns: Columns, rows: Integers, ties: Ties) -> list[Integers | Floats]:
    """Return sort keys for rows of equal scores, the most significant last; without grades."""
    if ties == "input":
        return []
    name = columns.docnos.order(rows)
    keys: list[Integers | Floats] = [name if ties == "docno-ascending" else -name]
    if ties == "rank":
        if columns.ranks is None:
            raise UsageError(
                "ties cannot be broken by rank: the run has no rank column",
                expected="a run with ranks, such as TREC's format has them",
            )
        keys.append(columns.ranks[rows])
    return keys


def descending(
    scores: Floats, starts: Integers, *, stable: bool = True
) -> tuple[Integers | None, Floats]:
    """Sort by descending score within stretches; no order if it is sorted already."""
    rises = scores[1:] > scores[:-1]
    rises[starts[1:-1] - 1] = False
    if not rises.any():
        return None, scores
    order = descending_order(scores, starts, stable=stable)
    return order, scores[order]


def rank_order(
    columns: Columns,
    rules: Rules = BY_SCORE,
    rows: Integers | None = None,
    worth: Floats | None = None,
) -> Integers:
    """Return the rows in the order of their ranks, topic by topic.

    Equal scores are ordered by `rules.ties`; where these need grades, by `worth` first, ascending.
    With `rows`, only scores that one of these has are ordered: nothing else depends on the others.
    """
    starts = columns.starts
    order, scores = descending(numbers_of(columns, rules), starts, stable=rules.ties == "input")
    if order is None:
        order = np.arange(len(columns))
    if rules.ties == "input":
        return order
    same = scores[1:] == scores[:-1]
    same[starts[1:-1] - 1] = False
    if not same.any():
        return order
    ahead, behind = np.append(same, False), np.insert(same, 0, False)
    places = np.flatnonzero(ahead | behind)
    group = np.cumsum(~behind)[places]
    if rows is not None:
        matters, with_one = np.zeros(len(order), dtype=bool), np.zeros(group[-1] + 1, dtype=bool)
        matters[rows] = True
        with_one[group[matters[order[places]]]] = True
        places, group = places[with_one[group]], group[with_one[group]]
    tied = order[places]
    keys = tie_keys(columns, tied, rules.ties) + ([] if worth is None else [worth[tied]])
    order[places] = tied[np.lexsort((*keys, group))]
    return order


def tie_bounds(scores: Floats, starts: Integers, place: Integers) -> tuple[Integers, Integers]:
    """Return the first place of each row's group of equal scores, and the place after its last."""
    new = np.empty(len(scores) + 1, dtype=bool)
    np.not_equal(scores[1:], scores[:-1], out=new[1:-1])
    new[starts] = True
    start, stop = place.copy(), place + 1
    tied = np.flatnonzero(~(new[place] & new[place + 1]))
    if len(tied):
        bounds = np.flatnonzero(new)
        group = np.searchsorted(bounds, place[tied], side="right")
        start[tied], stop[tied] = bounds[group - 1], bounds[group]
    return start, stop


@frozen(eq=False)
class FullRanking:
    """Every document of one topic in rank order, unjudged ones included; n in all.

    ========== ============ ===============================================================
    docnos     n names
    score      (n,) float64
    tie_first  (n,) int64   first rank of the documents that share the score
    tie_last   (n,) int64   last rank of them
    ========== ============ ===============================================================
    """

    docnos: tuple[bytes, ...]
    score: Floats
    tie_first: Integers
    tie_last: Integers


def rank_all(parts: Sequence[Columns], rules: Rules = BY_SCORE) -> FullRanking:
    """Rank all documents of the one topic that the lines are of; ties as in `rank_order`."""
    lines, _ = apply_rules(gathered(parts), rules)
    order = rank_order(lines, rules)
    scores = numbers_of(lines, rules)[order]
    start, stop = tie_bounds(scores, lines.starts, np.arange(len(order)))
    return FullRanking(tuple(lines.docnos.take(order).tolist()), scores, start + 1, stop)


def top_documents(
    qrels: Qrels, run: "RunSource", top: int, rules: Rules, form: Form, *, jobs: int = 1
) -> dict[bytes, tuple[bytes, ...]]:
    """Return the first `top` documents of each judged topic of the run, in rank order.

    Only candidates are kept of each block, so memory does not grow with the file, unless the
    rules drop lines or collapse chunks.
    """
    keep = partial(_candidates, qrels, top, rules)
    parts = [part for part in run.map_parts(form, keep, jobs=jobs) if len(part)]
    if not parts:
        return {}
    lines, _ = apply_rules(gathered(parts), rules)
    rank, top = position(lines.starts), min(top, len(lines))
    docnos = lines.docnos.take(rank_order(lines, rules)[rank < top]).tolist()
    ends = np.cumsum(np.minimum(sizes_of(lines.starts), top)).tolist()
    return {
        topic: tuple(docnos[start:end])
        for topic, (start, end) in zip(lines.topics, pairwise([0, *ends]), strict=True)
    }


def _candidates(qrels: Qrels, top: int, rules: Rules, columns: Columns) -> Columns:
    """Select from each stretch of a judged topic the lines that can be among its first.

    Lines that tie with the last of them are kept: the order of ties is settled later.
    """
    sizes = sizes_of(columns.starts)
    judged = np.array([topic in qrels.code for topic in columns.topics], dtype=bool)
    chosen = np.repeat(judged, sizes)
    if rules.chunks is None and rules.repeated == "refuse" and not rules.no_self:
        top = min(top, len(columns.docnos))  # any integer may be asked for
        scores, longer = numbers_of(columns, rules), sizes > top
        _, ordered = descending(scores, columns.starts)
        least = np.full(len(sizes), -np.inf)
        least[longer] = ordered[(columns.starts[:-1] + top - 1)[longer]]
        chosen &= scores >= np.repeat(least, sizes)
    return rows_of_topics(columns, np.flatnonzero(chosen))
