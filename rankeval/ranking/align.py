"""Align a run with judgments: rank its topics, keep the judged documents, put them in order."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers, descending_order, owner, sizes_of
from rankeval.base.frozen import field, record
from rankeval.base.threads import give_back
from rankeval.errors import InputError, UsageError, placed
from rankeval.io import formats
from rankeval.io.blocks import USUAL, Progress, ReadSizes, display_name
from rankeval.io.columns import Columns, Layout, stretches
from rankeval.io.formats import Form
from rankeval.io.read import map_blocks
from rankeval.io.topic_order import gathered, stream_or_hold, work_on_held
from rankeval.ranking import RankedJudgments
from rankeval.ranking.duplicates import (
    Collapse,
    Duplicate,
    Duplicates,
    collapsed,
    duplicates_of,
    without_duplicates,
    without_rows,
)
from rankeval.ranking.items import NO_EXTRA_NEEDS, Beyond, ExtraNeeds, extras_of
from rankeval.ranking.judged_lines import DistinctDocnos
from rankeval.ranking.qrels import Qrels

if TYPE_CHECKING:
    from rankeval.ranking.run_source import RunSource

IN_CACHE = 1 << 15
"""Lines in memory that are ranked at once."""

RUN = Form("run")
"""A run whose format is found by its content."""

Ties = Literal["docno", "docno-ascending", "input", "rank", "best", "worst"]


@record
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


class Ranked(NamedTuple):
    """Ranked topics of some lines: data per topic, the judged rows, and facts about the lines.

    ========== ===========================================================================
    code       index in the qrels of each topic with documents, -1 for none
    retrieved  number of documents of each
    rows       columns of the judged documents: index of the topic, judgment, rank, score, first
               and last rank with that score
    present    indices of the judged topics that the lines name, those of no document included
    without    topics of the lines that have no judgments
    duplicates documents listed twice for a topic
    last_tag   the tag of the last line
    lines      their number
    beyond     rows that measures need besides the judged ones; None for none
    ========== ===========================================================================
    """

    code: Integers
    retrieved: Integers
    rows: tuple[Integers, Integers, Integers, Floats, Integers, Integers]
    present: Integers
    without: Sequence[bytes]
    duplicates: Sequence[Duplicate]
    last_tag: bytes
    lines: int
    beyond: Beyond | None = None


@record
class Alignment:
    """A run aligned with judgments, and facts about its file for warnings.

    ============ =========================================================================
    judged       the ranking of the judged documents, for every topic of the qrels
    present      the topics that the run names, those without any document included
    last_tag     the tag of the last line of the file
    without      topics of the run that have no judgments, in increasing byte order
    duplicates   documents listed twice for a topic
    lines        lines of the run
    dropped      lines that are wrong and were left out, counted by kind
    n_further    number of topics without judgments that are not in `without`
    ============ =========================================================================
    """

    judged: RankedJudgments
    present: Booleans
    last_tag: bytes
    without: tuple[bytes, ...]
    duplicates: tuple[Duplicate, ...]
    lines: int
    dropped: Mapping[str, int] = field(default_factory=dict)
    n_further: int = 0

    @property
    def n_without(self) -> int:
        """The number of topics of the run that have no judgments."""
        return len(self.without) + self.n_further


def align(
    qrels: Qrels,
    path: str,
    rules: Rules = BY_SCORE,
    layout: Layout | Form = RUN,
    *,
    needs: ExtraNeeds = NO_EXTRA_NEEDS,
    jobs: int = 1,
    progress: Progress = None,
    sizes: ReadSizes = USUAL,
) -> Alignment:
    """Read a run and align it with judgments; InputError for an unusable file.

    Only judged documents are kept of a block, so that memory does not grow with the file. Where the
    lines of a topic are scattered over a file of several blocks, or the file cannot be read twice
    to find that out, all lines are held.
    """
    how: dict[str, Any] = {"jobs": jobs, "progress": progress, "sizes": sizes}
    try:
        parts = stream_or_hold(
            path,
            partial(map_blocks, path, layout, **how),
            partial(rank, qrels, rules, needs),
            list[Ranked],
            at_once=sizes.ranked_lines,
            jobs=jobs,
            sizes=sizes,
        )
    except InputError as error:
        raise error if error.place else placed(error, display_name(path)) from None
    n_rows = sum(len(part.rows[0]) for part in parts)
    give_back(n_rows)
    found = assembled(qrels, parts, needs, path)
    del parts
    give_back(n_rows)
    return found


def align_columns(
    qrels: Qrels,
    parts: Sequence[Columns],
    rules: Rules = BY_SCORE,
    path: str = "run",
    *,
    needs: ExtraNeeds = NO_EXTRA_NEEDS,
) -> Alignment:
    """Align parsed lines, in any order of topics."""
    held = work_on_held(parts, partial(rank, qrels, rules, needs), at_once=IN_CACHE)
    return assembled(qrels, list(held), needs, path)


def assembled(qrels: Qrels, parts: Sequence[Ranked], needs: ExtraNeeds, path: str) -> Alignment:
    """Put the topics into the order of the qrels."""
    if not parts:
        raise InputError(
            "has no rankings",
            place=display_name(path),
            expected=f"lines of {' '.join(formats.RUN.fields)}",
            remedy="check that the file is complete",
        )
    n_topics = len(qrels.topics)
    retrieved = np.zeros(n_topics + 1, dtype=np.int64)  # the last one is of other topics
    present = np.zeros(n_topics, dtype=bool)
    for part in parts:
        retrieved[part.code] = part.retrieved
        present[part.present] = True
    topic, judgment, rank, score, tie_first, tie_last = (
        np.concatenate(column, dtype=column[0].dtype if column[0].dtype == float else np.int64)
        for column in zip(*(part.rows for part in parts), strict=True)
    )
    key = topic * (rank.max(initial=0) + 1) + rank
    order: Integers | slice = slice(None)
    if not (key[1:] > key[:-1]).all():
        order = np.argsort(key, kind="stable")  # fast where few rows are out of order
    judgment, rank, score = judgment[order], rank[order], score[order]
    if (tie_first == tie_last).all():  # without ties, three columns are one
        tie_first = tie_last = rank
    else:
        tie_first, tie_last = tie_first[order], tie_last[order]
    offsets = topic[order].searchsorted(np.arange(n_topics + 1))
    del topic, key, order
    extras = None
    if needs.beyond_judged or qrels.subtopics is not None or qrels.strata is not None:
        extras = extras_of(qrels, [(part.code, part.beyond) for part in parts], needs)
    judged = RankedJudgments(
        topics=qrels.topics,
        retrieved=retrieved[:-1],
        offsets=offsets,
        rank=rank,
        grade=qrels.grade[judgment],
        judgment=judgment,
        score=score,
        tie_first=tie_first,
        tie_last=tie_last,
        ideal=qrels.ideal,
        highest_grade=qrels.highest_grade,
        extras=extras,
    )
    return Alignment(
        judged=judged,
        present=present,
        last_tag=parts[-1].last_tag,
        # Topics without documents, given so or left without any by rules, may come in every part.
        without=tuple(sorted({topic for part in parts for topic in part.without})),
        duplicates=tuple(sorted(again for part in parts for again in part.duplicates)),
        lines=sum(part.lines for part in parts),
    )


def rank(qrels: Qrels, rules: Rules, needs: ExtraNeeds, columns: Columns) -> Ranked:
    """Rank whole topics; the lines of each follow one another."""
    named = (*columns.topics, *columns.empty) if columns.empty else columns.topics
    code = qrels.codes_of(named)
    facts: dict[str, Any] = {
        "present": code[code >= 0],
        "without": [named[at] for at in (code < 0).nonzero()[0].tolist()],
        "last_tag": columns.last_tag,
        "lines": len(columns),
    }
    code = code[: len(columns.topics)]
    changed = rules.no_self or rules.seen is not None or rules.chunks is not None
    if rules.ties in ORDERS and not (changed or needs.beyond_judged):
        scores = numbers_of(columns, rules)
        found = columns.docnos.ranked(qrels, code, columns.starts, scores, ORDERS[rules.ties])
        if found is not None:
            rows, (topic, judgment, ranks, first, last) = found
            kept = topic, judgment, ranks, scores[rows], first, last
            return Ranked(code, sizes_of(columns.starts), kept, duplicates=(), **facts)
    return _ranked(qrels, rules, needs, columns, facts)


ORDERS = {"docno": -1, "docno-ascending": 1, "input": 0}
"""What equal scores are ordered by, for rows that the compiled reader ranks at once."""


def _ranked(
    qrels: Qrels, rules: Rules, needs: ExtraNeeds, columns: Columns, facts: dict[str, Any]
) -> Ranked:
    columns, duplicates = apply_rules(columns, rules)
    starts, code = columns.starts, qrels.codes_of(columns.topics)
    numbers = numbers_of(columns, rules)
    if needs.beyond_judged:
        rows, known = np.arange(len(columns)), np.full(len(columns), -1)
        there, docno = columns.docnos.find(qrels.docnos)
        known[there] = docno
        judgment = qrels.find(code[stretches(columns)], known)
    else:
        rows, judgment = columns.docnos.find_judged(qrels, code, starts)
        known = judgment
    worth = None
    if rules.ties in ("best", "worst"):
        grade = np.where(judgment >= 0, qrels.grade[judgment], 0)
        worth = np.zeros(len(columns))
        worth[rows] = np.maximum(grade, 0) if rules.ties == "worst" else -np.maximum(grade, 0)
    order = rank_order(columns, rules, rows, worth)
    every_place = np.empty(len(order), dtype=np.int64)
    every_place[order] = np.arange(len(order))
    place = every_place[rows]
    begun = starts[owner(rows.searchsorted(starts))]
    near = np.flatnonzero((known >= 0) | (place - begun < needs.deepest))
    by_rank = near[np.argsort(place[near])]
    rows, place, judgment, known = rows[by_rank], place[by_rank], judgment[by_rank], known[by_rank]
    stretch = owner(rows.searchsorted(starts))
    tie_start, tie_stop = tie_bounds(numbers[order], starts, place)
    above = starts[stretch] - 1
    ranks = place - above, tie_start - above, tie_stop - above - 1
    every = np.array([stretch, code[stretch], *ranks]).astype("i4")
    judged = judgment >= 0
    _, topic, rank, first, last = every[:, judged]
    beyond = None
    if needs.beyond_judged:
        elsewhere = (known >= 0) & ~judged
        beyond = Beyond.judged(needs, columns.docnos, rows, every[:3], elsewhere)
    return Ranked(
        code=code,
        retrieved=sizes_of(starts),
        rows=(topic, judgment[judged].astype("i4"), rank, numbers[rows[judged]], first, last),
        duplicates=duplicates,
        beyond=beyond,
        **facts,
    )


def _without_self(columns: Columns) -> Columns:
    """Drop documents whose docno is the name of their topic, and topics without others."""
    names = DistinctDocnos({topic: number for number, topic in enumerate(columns.topics)})
    rows, topic = columns.docnos.find(names)
    themselves = rows[stretches(columns)[rows] == topic]
    return without_rows(columns, themselves)


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
        code = rules.seen.codes_of(columns.topics)
        rows, _ = columns.docnos.find_judged(rules.seen, code, columns.starts)
        columns = without_rows(columns, rows)
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
    starts, scores = columns.starts, numbers_of(columns, rules)
    order, as_given = np.arange(len(columns)), rules.ties == "input"
    rises = scores[1:] > scores[:-1]
    rises[starts[1:-1] - 1] = False
    if rises.any():
        order = descending_order(scores, starts, stable=as_given)
        scores = scores[order]
    same = scores[1:] == scores[:-1]
    same[starts[1:-1] - 1] = False
    if as_given or not same.any():
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


@record
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

    Only these are kept of a block, so that memory does not grow with the file.
    """
    work = partial(rank, qrels, rules, ExtraNeeds(listed=top))
    run = run.lines(form)
    parts: Sequence[Ranked]
    if run.parts is not None:
        parts = [*work_on_held(run.parts, work, at_once=IN_CACHE)]
    else:
        read = partial(map_blocks, run.path, form, jobs=jobs)
        parts = stream_or_hold(
            run.path, read, work, list[Ranked], at_once=USUAL.ranked_lines, jobs=jobs
        )
    found: dict[bytes, tuple[bytes, ...]] = {}
    for part in parts:
        beyond = cast("Beyond", part.beyond)  # as documents are listed
        shown = np.flatnonzero(beyond.rank <= top)  # others are judged for another topic
        docnos = beyond.docnos.take(shown).tolist()
        bounds = beyond.topic[shown].searchsorted(np.arange(len(part.code) + 1)).tolist()
        for code, start, stop in zip(part.code.tolist(), bounds, bounds[1:], strict=False):
            if code >= 0:
                found[qrels.topics[code]] = tuple(docnos[start:stop])
    return found
