"""Align a run with judgments: order, ties, duplicates and topics are settled here, once."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal, NamedTuple, Self

import numpy as np

from rankeval.costs import DocumentCosts
from rankeval.errors import InputError, UsageError
from rankeval.extras import Costs, Extras, Ranks
from rankeval.io import trec
from rankeval.io.columns import Columns, Layout
from rankeval.io.formats import Form
from rankeval.io.reading import SMALL, map_blocks
from rankeval.io.source import BLOCK_SIZE, BlockSource, blocks, display_name, is_rereadable
from rankeval.io.topics import TopicComesBackError, gathered, joined
from rankeval.judgments import Booleans, Floats, Grades, Integers, RankedJudgments
from rankeval.qrels import DistinctDocnos, Qrels
from rankeval.repetitions import Collapse, Duplicates, collapsed, without_duplicates

RUN = Form("run")
"""A run in any format that its content tells."""

Ties = Literal["docno", "docno-ascending", "input", "rank", "best", "worst"]


@dataclass(frozen=True)
class Rules:
    """How a ranking is made from lines.

    ======== =============================================================================
    ties     the order of documents with equal scores: docno descending as trec_eval has it,
             docno ascending, the order of the file, the rank column ascending, or better
             grades first or last, where what is unjudged or negative counts as 0
    scores   what the scores of whole topics become before they are compared
    no_self  leave out a document that is named as its topic is
    repeated which line of a document counts that stands twice in a topic; "refuse" leaves all
    chunks   the documents that chunks belong to
    ======== =============================================================================

    Where ranks or grades are equal too, docno decides.
    """

    ties: Ties = "docno"
    scores: Callable[[Columns], Floats] | None = None
    no_self: bool = False
    repeated: Duplicates = "refuse"
    chunks: Collapse | None = None


@dataclass(frozen=True, eq=False)
class Kept:
    """What is kept of a ranking beside its judged documents; by default nothing.

    ========= ==============================================================================
    elsewhere the ranks of documents that are judged for other topics only
    costs     the costs of all documents down to rank DEEPEST_COST, taken from this table
    ========= ==============================================================================
    """

    elsewhere: bool = False
    costs: DocumentCosts | None = None


NOTHING = Kept()
DEEPEST_COST = 1000
"""Documents further down have no cost: the measures that know costs look no further."""


@dataclass(frozen=True)
class Duplicate:
    """A document that stands twice in the ranking of a topic."""

    topic: bytes
    docno: bytes
    first_line: int
    line: int


@dataclass(frozen=True, eq=False)
class Alignment:
    """A run aligned with judgments, and what was noticed on the way.

    ============ =========================================================================
    judged       the ranking of the judged documents, for every topic of the qrels
    tags         run tags that occur in the file
    last_tag     the tag of its last line
    without      topics of the run that have no judgments
    tied         (T,) topics in which a tie decided the rank of a relevant document
    duplicates   documents that stand twice in a topic
    lines        lines of the run
    dropped      lines that are wrong and were left out, counted by kind
    ============ =========================================================================
    """

    judged: RankedJudgments
    tags: frozenset[bytes]
    last_tag: bytes
    without: tuple[bytes, ...]
    tied: Booleans
    duplicates: tuple[Duplicate, ...]
    lines: int
    dropped: Mapping[str, int] = field(default_factory=dict)


class Stretch(NamedTuple):
    """Some documents that are not kept as judged ones: topic, rank, and cost if it is known."""

    code: Integers
    rank: Integers
    cost: Floats


NO_COST: Floats = np.zeros(0)
NONE = Stretch(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), NO_COST)


@dataclass(frozen=True, eq=False)
class _Ranked:
    """Whole topics of a run, ranked: what is kept of them, once per topic and per judged row."""

    topics: tuple[bytes, ...]
    code: Integers
    retrieved: Integers
    tied: Booleans
    row_code: Integers
    rank: Integers
    judgment: Integers
    score: Floats
    tie_first: Integers
    tie_last: Integers
    duplicates: tuple[Duplicate, ...]
    elsewhere: Stretch
    costs: Stretch


def align(
    qrels: Qrels,
    path: str,
    rules: Rules = Rules(),
    layout: Layout | Form = RUN,
    *,
    kept: Kept = NOTHING,
    jobs: int = 1,
    block_size: int = BLOCK_SIZE,
    small: int = SMALL,
    progress: Callable[[int], None] | None = None,
    source: BlockSource = blocks,
) -> Alignment:
    """Read a run and align it with judgments; InputError for a file that cannot be used.

    The topics of a block are ranked at once and only their judged documents are kept, so
    memory does not grow with the file. Where the lines of a topic are scattered over the
    file, or the file cannot be read twice to find that out, all names and scores are held.
    """
    read = partial(
        map_blocks,
        path,
        layout,
        jobs=jobs,
        block_size=block_size,
        small=small,
        progress=progress,
        source=source,
    )
    if is_rereadable(path):
        try:
            splits = read(partial(_split, qrels, rules, kept))
            return _align_in_passing(qrels, splits, rules, kept, path)
        except TopicComesBackError:
            pass
    return align_columns(qrels, list(read(lambda columns: columns)), rules, path, kept=kept)


def align_columns(
    qrels: Qrels,
    parts: Sequence[Columns],
    rules: Rules = Rules(),
    path: str = "run",
    *,
    kept: Kept = NOTHING,
) -> Alignment:
    """Align parsed lines, in any order of topics."""
    ranked = [_rank(qrels, rules, kept, gathered(parts))] if parts else []
    return _assembled(qrels, ranked, [_Facts.of(part) for part in parts], kept, path)


@dataclass(frozen=True, eq=False)
class Ranking:
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


def rank_all(parts: Sequence[Columns], rules: Rules = Rules()) -> Ranking:
    """Rank all documents of the one topic that the lines are of.

    None may stand there twice, unless the rules choose one of its lines.
    """
    settled, _ = _settled(gathered(parts), rules)
    names = settled.docnos.tolist()
    if not names:
        return Ranking((), np.zeros(0), *np.zeros((2, 0), dtype=np.int64))
    # As if everything were judged: then the order is that of the judged documents.
    everything = Qrels(
        path="",
        topics=parts[0].topics[:1],
        offsets=np.array([0, len(names)]),
        docno=np.arange(len(names)),
        grade=np.zeros(len(names), dtype=np.int64),
        docnos=DistinctDocnos({name: number for number, name in enumerate(names)}),
    )
    order = Rules(ties=rules.ties, scores=rules.scores)
    judged = align_columns(everything, [settled], order).judged
    return Ranking(
        docnos=tuple(names[row] for row in judged.judgment.tolist()),
        score=judged.score,
        tie_first=judged.tie_first,
        tie_last=judged.tie_last,
    )


@dataclass(frozen=True)
class _Facts:
    """What is remembered of a block's lines apart from its rankings."""

    tags: frozenset[bytes]
    last_tag: bytes
    lines: int

    @classmethod
    def of(cls, columns: Columns) -> Self:
        return cls(columns.tags, columns.last_tag, len(columns))


@dataclass(frozen=True, eq=False)
class _Split:
    """A block of a file: its inner topics ranked, its first and last topic still open."""

    facts: _Facts
    first: Columns
    inner: _Ranked | None
    last: Columns | None


def _split(qrels: Qrels, rules: Rules, kept: Kept, columns: Columns) -> _Split:
    n_stretches = len(columns.topics)
    if len(set(columns.topics)) < n_stretches:
        raise TopicComesBackError
    if n_stretches == 1:
        return _Split(_Facts.of(columns), columns, None, None)
    inner = columns.part(1, n_stretches - 1)
    return _Split(
        _Facts.of(columns),
        columns.part(0, 1),
        _rank(qrels, rules, kept, inner) if n_stretches > 2 else None,
        columns.part(n_stretches - 1, n_stretches),
    )


def _align_in_passing(
    qrels: Qrels, splits: Iterable[_Split], rules: Rules, kept: Kept, path: str
) -> Alignment:
    ranked: list[_Ranked] = []
    seen: set[bytes] = set()
    facts: list[_Facts] = []
    pending: list[Columns] = []

    def complete(new: _Ranked) -> None:
        if not seen.isdisjoint(new.topics):
            raise TopicComesBackError
        seen.update(new.topics)
        ranked.append(new)

    def close() -> None:
        if pending:
            complete(_rank(qrels, rules, kept, joined(pending)))
            pending.clear()

    for split in splits:
        if pending and pending[0].topics != split.first.topics:
            close()
        pending.append(split.first)
        if split.last is not None:
            close()
            if split.inner is not None:
                complete(split.inner)
            pending.append(split.last)
        facts.append(split.facts)
    close()
    return _assembled(qrels, ranked, facts, kept, path)


def _without_self(columns: Columns) -> Columns:
    """Leave out documents that are named as their topic is, and topics that hold nothing else."""
    names = DistinctDocnos({topic: number for number, topic in enumerate(columns.topics)})
    sizes = np.diff(columns.starts)
    stretch = np.repeat(np.arange(len(sizes)), sizes)
    kept = columns.docnos.find(names) != stretch
    if kept.all():
        return columns
    sizes = np.bincount(stretch[kept], minlength=len(sizes))
    left = tuple(topic for topic, n in zip(columns.topics, sizes.tolist(), strict=True) if n)
    starts = np.concatenate(([0], np.cumsum(sizes[sizes > 0])))
    return replace(columns.taken(np.flatnonzero(kept), starts), topics=left)


def _rank(qrels: Qrels, rules: Rules, kept: Kept, columns: Columns) -> _Ranked:
    """Rank whole topics; the lines of each stand together."""
    columns, duplicates = _settled(columns, rules)
    starts, sizes = columns.starts, np.diff(columns.starts)
    code = np.array([qrels.code.get(topic, -1) for topic in columns.topics], dtype=np.int64)
    scores = columns.values if rules.scores is None else rules.scores(columns)
    order, scores = _descending(scores, starts)
    stretch = np.repeat(np.arange(len(sizes)), sizes)

    docno = columns.docnos.find(qrels.docnos)
    judgment = qrels.find(code[stretch], docno)
    wanted = judgment >= 0
    if kept.elsewhere:
        wanted |= (docno >= 0) & (code[stretch] >= 0)
    if kept.costs is not None:
        wanted |= code[stretch] >= 0
    rows = np.flatnonzero(wanted)
    if order is None:
        place = rows.copy()
    else:
        place_of = np.empty(len(order), dtype=np.int64)
        place_of[order] = np.arange(len(order))
        place = place_of[rows]

    tie_start, tie_stop = _tie_bounds(scores, starts, place)
    tied = tie_stop - tie_start > 1
    grade = np.where(judgment[rows] >= 0, qrels.grade[judgment[rows]], 0)
    if tied.any() and rules.ties != "input":
        place[tied] = _places_in_ties(
            columns, order, tie_start[tied], tie_stop[tied], rows[tied], grade[tied], rules.ties
        )
    rank = place - starts[stretch[rows]] + 1
    elsewhere, costs = NONE, NONE
    if kept is not NOTHING:
        if kept.elsewhere:
            others = (judgment[rows] < 0) & (docno[rows] >= 0)
            elsewhere = Stretch(code[stretch[rows]][others], rank[others], NO_COST)
        if kept.costs is not None:
            near = rank <= DEEPEST_COST
            cost = kept.costs.of(columns.docnos, rows[near])
            costs = Stretch(code[stretch[rows]][near], rank[near], cost)
        mine = judgment[rows] >= 0
        rows, place, rank, tied = rows[mine], place[mine], rank[mine], tied[mine]
        tie_start, tie_stop, grade = tie_start[mine], tie_stop[mine], grade[mine]
    first = starts[stretch[rows]]
    decided = _decided_by_tie(tie_start[tied], tie_stop[tied], grade[tied])
    return _Ranked(
        topics=columns.topics,
        code=code,
        retrieved=sizes,
        tied=np.bincount(stretch[rows][tied][decided], minlength=len(sizes)) > 0,
        row_code=code[stretch[rows]],
        rank=rank,
        judgment=judgment[rows],
        score=scores[place],
        tie_first=tie_start - first + 1,
        tie_last=tie_stop - first,
        duplicates=duplicates,
        elsewhere=elsewhere,
        costs=costs,
    )


def _settled(columns: Columns, rules: Rules) -> tuple[Columns, tuple[Duplicate, ...]]:
    """The lines that are left where rules choose, and the documents that stand twice."""
    if rules.no_self:
        columns = _without_self(columns)
    pairs = columns.docnos.duplicates(columns.starts)
    duplicates: tuple[Duplicate, ...] = ()
    if pairs:
        stretch = np.searchsorted(columns.starts, [later for _, later in pairs], "right") - 1
        duplicates = tuple(
            Duplicate(
                columns.topics[at],
                columns.docnos[later],
                int(columns.lines[earlier]),
                int(columns.lines[later]),
            )
            for (earlier, later), at in zip(pairs, stretch.tolist(), strict=True)
        )
        if rules.repeated != "refuse":
            columns = without_duplicates(columns, pairs, rules.repeated)
    if rules.chunks is not None:
        order = None
        if rules.ties != "input":
            name = columns.docnos.order(np.arange(len(columns)))
            order = name if rules.ties == "docno-ascending" else -name
        columns = collapsed(columns, rules.chunks, order)
    return columns, duplicates


def _descending(scores: Floats, starts: Integers) -> tuple[Integers | None, Floats]:
    """The order by descending score within stretches, stable; None if it is so already."""
    rises = scores[1:] > scores[:-1]
    rises[starts[1:-1] - 1] = False
    if not rises.any():
        return None, scores
    stretch = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    order = np.lexsort((-scores, stretch))
    return order, scores[order]


def _tie_bounds(scores: Floats, starts: Integers, place: Integers) -> tuple[Integers, Integers]:
    """First place of each row's group of equal scores, and the place after its last."""
    new = np.empty(len(scores) + 1, dtype=bool)
    np.not_equal(scores[1:], scores[:-1], out=new[1:-1])
    new[starts] = True
    if new.all():
        return place, place + 1
    bounds = np.flatnonzero(new)
    group = np.searchsorted(bounds, place, side="right")
    return bounds[group - 1], bounds[group]


def _places_in_ties(
    columns: Columns,
    order: Integers | None,
    tie_start: Integers,
    tie_stop: Integers,
    rows: Integers,
    grade: Grades,
    ties: Ties,
) -> Integers:
    """Places of judged rows within their groups of equal scores, by what the rule says.

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
    name = columns.docnos.order(members)
    keys: list[Integers | Floats] = [name if ties == "docno-ascending" else -name]
    if ties == "rank":
        if columns.ranks is None:
            raise UsageError(
                "ties cannot be broken by rank: the run has no rank column",
                expected="a run in TREC's or MS MARCO's format",
            )
        keys.append(columns.ranks[members])
    elif ties in ("best", "worst"):
        worth = np.zeros(len(members))
        worth[mine] = np.maximum(grade, 0)
        keys.append(-worth if ties == "best" else worth)
    ranked = np.lexsort((*keys, member_group))
    place_in_members = np.empty(len(members), dtype=np.int64)
    place_in_members[ranked] = np.arange(len(members))
    return place_in_members[mine] - offsets[group] + starts[group]


def _decided_by_tie(tie_start: Integers, tie_stop: Integers, grade: Grades) -> Booleans:
    """Mark relevant rows whose group of equal scores holds a document of another grade."""
    same = np.stack((tie_start, grade), axis=1)
    _, which, counts = np.unique(same, axis=0, return_inverse=True, return_counts=True)
    return (grade > 0) & (counts[which.ravel()] < tie_stop - tie_start)


def _assembled(
    qrels: Qrels, parts: Sequence[_Ranked], facts: Sequence[_Facts], kept: Kept, path: str
) -> Alignment:
    """Put the topics into the order of the qrels."""
    if not parts:
        raise InputError(
            "holds no ranking",
            place=display_name(path),
            expected=f"lines of {' '.join(trec.RUN.fields)}",
            remedy="check that the file is complete",
        )
    n_topics = len(qrels.topics)
    code = np.concatenate([part.code for part in parts])
    known = code >= 0
    retrieved = np.zeros(n_topics, dtype=np.int64)
    retrieved[code[known]] = np.concatenate([part.retrieved for part in parts])[known]
    tied = np.zeros(n_topics, dtype=bool)
    tied[code[known]] = np.concatenate([part.tied for part in parts])[known]
    topic = np.concatenate([part.row_code for part in parts])
    rank = np.concatenate([part.rank for part in parts])
    order = np.lexsort((rank, topic))
    judgment = np.concatenate([part.judgment for part in parts])[order]
    return Alignment(
        judged=RankedJudgments(
            topics=qrels.topics,
            retrieved=retrieved,
            offsets=np.searchsorted(topic[order], np.arange(n_topics + 1)),
            rank=rank[order],
            grade=qrels.grade[judgment],
            judgment=judgment,
            score=np.concatenate([part.score for part in parts])[order],
            tie_first=np.concatenate([part.tie_first for part in parts])[order],
            tie_last=np.concatenate([part.tie_last for part in parts])[order],
            judged_offsets=qrels.offsets,
            judged_grade=qrels.grades_descending,
            highest_grade=qrels.highest_grade,
            extras=_extras(qrels, parts, kept),
        ),
        tags=frozenset().union(*(fact.tags for fact in facts)),
        last_tag=facts[-1].last_tag,
        without=tuple(
            topic
            for part in parts
            for topic, c in zip(part.topics, part.code.tolist(), strict=True)
            if c < 0
        ),
        tied=tied,
        duplicates=tuple(duplicate for part in parts for duplicate in part.duplicates),
        lines=sum(fact.lines for fact in facts),
    )


def _extras(qrels: Qrels, parts: Sequence[_Ranked], kept: Kept) -> Extras | None:
    """What was asked for beside grades and ranks; None when nothing was."""
    if kept is NOTHING and qrels.subtopics is None and qrels.strata is None:
        return None
    code = np.arange(len(qrels.topics))
    elsewhere = costs = None
    if kept.elsewhere:
        topic = np.concatenate([part.elsewhere.code for part in parts])
        rank = np.concatenate([part.elsewhere.rank for part in parts])
        order = np.lexsort((rank, topic))
        offsets = np.searchsorted(topic[order], np.arange(len(code) + 1))
        elsewhere = Ranks(offsets, rank[order])
    if kept.costs is not None:
        topic = np.concatenate([part.costs.code for part in parts])
        rank = np.concatenate([part.costs.rank for part in parts])
        by_rank = np.zeros((len(code), rank.max(initial=1)))
        by_rank[topic, rank - 1] = np.concatenate([part.costs.cost for part in parts])
        costs = Costs(by_rank, kept.costs.digest)
    return Extras(code, qrels.subtopics, qrels.strata, elsewhere, costs)
