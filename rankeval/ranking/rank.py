"""Rank whole topics of a run: drop duplicates, collapse chunks, sort, break ties."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from rankeval.base.arrays import (
    Booleans,
    Floats,
    Grades,
    Integers,
    descending_order,
    sizes_of,
    small,
    stretch_of,
)
from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.io.parsers.columns import Columns, stretches
from rankeval.ranking.chunks import Collapse, collapsed
from rankeval.ranking.costs import DocumentCosts
from rankeval.ranking.duplicates import Duplicate, Duplicates, duplicates_of, without_duplicates
from rankeval.ranking.judged_lines import DistinctDocnos
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.recommended import (
    NO_FACTS,
    NOTHING_LISTED,
    ItemFacts,
    Listed,
    without_rows,
    without_seen,
)

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
    def beyond_judged(self) -> bool:
        """True if the measures need more of a ranking than its judged documents."""
        return self.elsewhere or self.costs is not None or self.listed > 0


NO_EXTRA_NEEDS = ExtraNeeds()


DEEPEST_COST = 1000
"""Documents further down have no cost: the measures that know costs look no further."""


class Others(NamedTuple):
    """Documents judged for other topics only: topic, rank, first and last tied rank."""

    code: Integers
    rank: Integers
    tie_first: Integers
    tie_last: Integers


class Costly(NamedTuple):
    """Documents, judged or not, whose cost is known: topic, rank and cost."""

    code: Integers
    rank: Integers
    cost: Floats


_NONE: Integers = np.zeros(0, dtype=np.int64)
NO_OTHERS = Others(_NONE, _NONE, _NONE, _NONE)
NO_COSTS = Costly(_NONE, _NONE, np.zeros(0))


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
    elsewhere: Others = NO_OTHERS
    costs: Costly = NO_COSTS
    listed: Listed = NOTHING_LISTED


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
    return Ranked(
        topics=columns.topics,
        code=code,
        retrieved=sizes_of(columns.starts),
        rows=JudgedRows(
            code=found.topic,
            rank=found.rank,
            judgment=found.judgment,
            score=scores[found.rows],
            tie_first=found.tie_first,
            tie_last=found.tie_last,
        ),
        duplicates=(),
        named=_named(columns),
        tags=columns.tags,
        last_tag=columns.last_tag,
        lines=len(columns),
    )


def _ranked(qrels: Qrels, rules: Rules, needs: ExtraNeeds, columns: Columns) -> Ranked:
    given = columns
    columns, duplicates = apply_rules(given, rules)
    starts, sizes = columns.starts, sizes_of(columns.starts)
    code = qrels.codes_of(columns.topics)
    # Lines with equal scores keep their order only where the rule is that they do.
    numbers = numbers_of(columns, rules)
    order, scores = descending(numbers, starts, stable=rules.ties == "input")
    rows, stretch, judgment, known = _rows_to_keep(qrels, needs, columns, code)
    place, by_place = _places_by_score(order, rows)
    if by_place is not None:
        rows, judgment, known = rows[by_place], judgment[by_place], known[by_place]
    tie_start, tie_stop = place, place + 1
    if (scores[1:] == scores[:-1]).any():
        tie_start, tie_stop = tie_bounds(scores, starts, place)
        tied = tie_stop - tie_start > 1
        if rules.ties != "input" and tied.any():
            grade = np.where(judgment[tied] >= 0, qrels.grade[judgment[tied]], 0)
            bounds = tie_start[tied], tie_stop[tied]
            place[tied] = _places_in_ties(columns, order, *bounds, rows[tied], grade, rules.ties)
    ahead = starts[stretch]
    kept = _Kept(rows, stretch, judgment, place, tie_start - ahead + 1, tie_stop - ahead)
    elsewhere, costs, listed = _beyond_judged(needs, columns, code, kept, known)
    if needs.beyond_judged:
        kept = kept.of(judgment >= 0)
    return Ranked(
        topics=columns.topics,
        code=code,
        retrieved=sizes,
        rows=JudgedRows(
            code=small(code[kept.stretch]),
            rank=small(kept.rank(starts)),
            judgment=small(kept.judgment),
            score=numbers[kept.row],
            tie_first=small(kept.tie_first),
            tie_last=small(kept.tie_last),
        ),
        duplicates=duplicates,
        elsewhere=elsewhere,
        costs=costs,
        listed=listed,
        named=_named(given),
        tags=given.tags,
        last_tag=given.last_tag,
        lines=len(given),
    )


def _named(columns: Columns) -> Sequence[bytes]:
    return (*columns.topics, *columns.empty) if columns.empty else columns.topics


class _Kept(NamedTuple):
    """Rows that are kept of a ranking: those of judged documents, and others that measures need.

    `place` is the row's place among all lines by rank; ties are from rank tie_first to tie_last.
    """

    row: Integers
    stretch: Integers
    judgment: Integers
    place: Integers
    tie_first: Integers
    tie_last: Integers

    def of(self, chosen: Booleans) -> "_Kept":
        return _Kept(*(column[chosen] for column in self))

    def rank(self, starts: Integers) -> Integers:
        return self.place - starts[self.stretch] + 1


def _beyond_judged(
    needs: ExtraNeeds, columns: Columns, code: Integers, kept: _Kept, known: Booleans
) -> tuple[Others, Costly, Listed]:
    """Return what the measures need besides judged documents; `known` are judged for any topic."""
    elsewhere, costs, listed = NO_OTHERS, NO_COSTS, NOTHING_LISTED
    if not needs.beyond_judged:
        return elsewhere, costs, listed
    rank, topic = kept.rank(columns.starts), code[kept.stretch]
    if needs.elsewhere:
        others = known & (kept.judgment < 0) & (topic >= 0)
        elsewhere = Others(
            topic[others], rank[others], kept.tie_first[others], kept.tie_last[others]
        )
    if needs.costs is not None:
        near = (rank <= DEEPEST_COST) & (topic >= 0)
        cost = needs.costs.of_documents(columns.docnos, kept.row[near])
        costs = Costly(topic[near], rank[near], cost)
    if needs.listed:
        shown = rank <= needs.listed
        listed = Listed(kept.stretch[shown], rank[shown], columns.docnos.take(kept.row[shown]))
    return elsewhere, costs, listed


def _without_self(columns: Columns) -> Columns:
    """Drop documents whose docno is the name of their topic, and topics without others."""
    names = DistinctDocnos({topic: number for number, topic in enumerate(columns.topics)})
    rows, topic = columns.docnos.find(names)
    themselves = rows[stretches(columns)[rows] == topic]
    return without_rows(columns, themselves)


def _rows_to_keep(
    qrels: Qrels, needs: ExtraNeeds, columns: Columns, code: Integers
) -> tuple[Integers, Integers, Integers, Booleans]:
    """Return the rows to keep, their stretches, judgments, and True if their docno is judged.

    The judgment is -1 where the document is not judged for this topic.
    """
    if not needs.beyond_judged:
        rows, judgment = columns.docnos.find_judged(qrels, code, columns.starts)
        stretch = stretch_of(rows, columns.starts)
        return rows, stretch, judgment, np.ones(len(rows), dtype=bool)
    rows, docno = columns.docnos.find(qrels.docnos)
    if needs.costs is not None or needs.listed:
        every = np.full(len(columns), -1)
        every[rows] = docno
        rows, docno = np.arange(len(columns)), every
    stretch = stretch_of(rows, columns.starts)
    judgment = qrels.find(code[stretch], docno)
    wanted = (code[stretch] >= 0) | (needs.listed > 0)
    return rows[wanted], stretch[wanted], judgment[wanted], docno[wanted] >= 0


def _places_by_score(order: Integers | None, rows: Integers) -> tuple[Integers, Integers | None]:
    """Return the places of rows in ascending order, and which row is at each; None if in order."""
    if order is None:
        return rows.copy(), None
    number = np.full(len(order), -1)
    number[rows] = np.arange(len(rows))
    number = number[order]
    place = np.flatnonzero(number >= 0)
    return place, number[place]


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


def _places_in_ties(
    columns: Columns,
    order: Integers | None,
    tie_start: Integers,
    tie_stop: Integers,
    rows: Integers,
    grade: Grades,
    ties: Ties,
) -> Integers:
    """Return the places of judged rows within their groups of equal scores, by the rule for ties.

    Only groups that hold a judged document are looked at: nothing else depends on their order.
    """
    starts, group = np.unique(tie_start, return_inverse=True)
    stops = np.empty(len(starts), dtype=np.int64)
    stops[group] = tie_stop
    sizes = stops - starts
    member_group = np.repeat(np.arange(len(starts)), sizes)
    offsets = np.cumsum(sizes) - sizes
    members = np.arange(sizes.sum()) + np.repeat(starts - offsets, sizes)
    members = members if order is None else order[members]
    by_row = np.argsort(members)
    mine = by_row[np.searchsorted(members, rows, sorter=by_row)]
    keys = tie_keys(columns, members, ties)
    if ties in ("best", "worst"):
        worth = np.zeros(len(members))
        worth[mine] = np.maximum(grade, 0)
        keys.append(-worth if ties == "best" else worth)
    ranked = np.lexsort((*keys, member_group))
    place_in_members = np.empty(len(members), dtype=np.int64)
    place_in_members[ranked] = np.arange(len(members))
    return place_in_members[mine] - offsets[group] + starts[group]
