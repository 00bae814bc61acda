"""Align a run with judgments: read it, rank its topics, keep the judged documents."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import Any

import numpy as np

from rankeval.base.arrays import Booleans, Integers
from rankeval.base.frozen import frozen
from rankeval.base.threads import give_back
from rankeval.errors import InputError, placed
from rankeval.io import formats
from rankeval.io.formats import Form
from rankeval.io.parsers.columns import Columns, Layout
from rankeval.io.read import map_blocks
from rankeval.io.sources.blocks import USUAL, ReadSizes, display_name
from rankeval.io.topic_order import BlockReader, stream_or_hold, work_on_held
from rankeval.ranking import Costs, Extras, RankedJudgments, Ranks
from rankeval.ranking.duplicates import Duplicate
from rankeval.ranking.items import with_lists
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.rank import (
    BY_SCORE,
    DEEPEST_COST,
    NO_EXTRA_NEEDS,
    ExtraNeeds,
    Ranked,
    Rules,
    rank,
)

IN_CACHE = 1 << 15
"""Lines in memory that are ranked at once."""

RUN = Form("run")
"""A run whose format is found by its content."""


@frozen(eq=False)
class Alignment:
    """A run aligned with judgments, and facts about its file for warnings.

    ============ =========================================================================
    judged       the ranking of the judged documents, for every topic of the qrels
    present      the topics that the run names, those without any document included
    tags         run tags that occur in the file
    last_tag     the tag of its last line
    without      topics of the run that have no judgments, in increasing byte order
    duplicates   documents listed twice for a topic
    lines        lines of the run
    dropped      lines that are wrong and were left out, counted by kind
    n_further    number of topics without judgments that are not in `without`
    ============ =========================================================================
    """

    judged: RankedJudgments
    present: Booleans
    tags: frozenset[bytes]
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
    progress: Callable[[int], None] | None = None,
    sizes: ReadSizes = USUAL,
) -> Alignment:
    """Read a run and align it with judgments; InputError for an unusable file.

    Only judged documents are kept of a block, so that memory does not grow with the file.
    """
    how: dict[str, Any] = {"jobs": jobs, "progress": progress, "sizes": sizes}
    read = partial(map_blocks, path, layout, **how)
    return align_blocks(qrels, path, read, rules, needs=needs, jobs=jobs, sizes=sizes)


def align_blocks(
    qrels: Qrels,
    path: str,
    read: BlockReader,
    rules: Rules = BY_SCORE,
    *,
    needs: ExtraNeeds = NO_EXTRA_NEEDS,
    jobs: int = 1,
    sizes: ReadSizes = USUAL,
) -> Alignment:
    """Align the blocks of a run, whose topics are ranked at once.

    Where the lines of a topic are scattered over a file of several blocks, or the file cannot be
    read twice to find that out, all lines are held.
    """
    try:
        parts = stream_or_hold(
            path,
            read,
            partial(rank, qrels, rules, needs),
            list[Ranked],
            at_once=sizes.ranked_lines,
            jobs=jobs,
            sizes=sizes,
        )
    except InputError as error:
        raise error if error.place else placed(error, display_name(path)) from None
    found = assembled(qrels, parts, needs, path)
    give_back(len(found.judged.rank))
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
    work = partial(rank, qrels, rules, needs)
    names = [topic for part in parts for topic in part.topics] if len(parts) > 1 else []
    # Lines that belong together need not be copied into one array where parts have whole topics.
    together = [[part] for part in parts] if len(set(names)) == len(names) else [parts]
    held = (work_on_held(some, work, at_once=IN_CACHE) for some in together)
    return assembled(qrels, list(chain.from_iterable(held)), needs, path)


def assembled(qrels: Qrels, parts: Sequence[Ranked], needs: ExtraNeeds, path: str) -> Alignment:
    """Put the topics into the order of the qrels."""
    if not parts:
        raise InputError(
            "has no rankings",
            place=display_name(path),
            expected=f"lines of {' '.join(formats.RUN.fields)}",
            remedy="check that the file is complete",
        )
    # Topics without documents, given so or left without any by rules, may come in every part.
    named = [
        (part.named, part.code if part.named is part.topics else qrels.codes_of(part.named))
        for part in parts
    ]
    without = {topics[at] for topics, code in named for at in (code < 0).nonzero()[0].tolist()}
    n_topics = len(qrels.topics)
    retrieved = np.zeros(n_topics + 1, dtype=np.int64)  # the last one is of other topics
    for part in parts:
        retrieved[part.code] = part.retrieved
    topic, rank, judgment, score, tie_first, tie_last = (
        np.concatenate(column, dtype=column[0].dtype if column[0].dtype == float else np.int64)
        for column in zip(*(part.rows for part in parts), strict=True)
    )
    order = _by_topic_and_rank(topic, rank)
    judgment = judgment[order]
    judged = RankedJudgments(
        topics=qrels.topics,
        retrieved=retrieved[:-1],
        offsets=topic[order].searchsorted(np.arange(n_topics + 1)),
        rank=rank[order],
        grade=qrels.grade[judgment],
        judgment=judgment,
        score=score[order],
        tie_first=tie_first[order],
        tie_last=tie_last[order],
        ideal=qrels.ideal,
        highest_grade=qrels.highest_grade,
        extras=_extras(qrels, parts, needs),
    )
    present = np.zeros(n_topics + 1, dtype=bool)
    for _, code in named:
        present[code] = True
    return Alignment(
        judged=judged,
        present=present[:-1],
        tags=frozenset().union(*(part.tags for part in parts)),
        last_tag=parts[-1].last_tag,
        without=tuple(sorted(without)),
        duplicates=tuple(
            sorted((d for part in parts for d in part.duplicates), key=attrgetter("line"))
        ),
        lines=sum(part.lines for part in parts),
    )


def _by_topic_and_rank(topic: Integers, rank: Integers) -> Integers | slice:
    """Return the order of rows; a slice of all if they are sorted already."""
    key = topic * (rank.max(initial=0) + 1) + rank
    if (key[1:] > key[:-1]).all():
        return slice(None)
    return np.argsort(key, kind="stable")  # fast where few rows are out of order


def _extras(qrels: Qrels, parts: Sequence[Ranked], needs: ExtraNeeds) -> Extras | None:
    """Return the optional data for measures; None if no measure needs any."""
    if not needs.beyond_judged and qrels.subtopics is None and qrels.strata is None:
        return None
    extras = Extras(np.arange(len(qrels.topics)), qrels.subtopics, qrels.strata)
    found = [(part.code, part.beyond) for part in parts if part.beyond is not None]
    if not found:
        return extras
    topic, rank, tie_first, tie_last = (
        np.concatenate([getattr(beyond, name) for _, beyond in found], dtype=np.int64)
        for name in ("code", "rank", "tie_first", "tie_last")
    )
    if needs.elsewhere:
        rows = np.flatnonzero(np.concatenate([beyond.elsewhere for _, beyond in found]))
        rows = rows[np.lexsort((rank[rows], topic[rows]))]
        offsets = np.searchsorted(topic[rows], np.arange(len(qrels.topics) + 1))
        ranks = Ranks(offsets, rank[rows], tie_first[rows], tie_last[rows])
        extras = replace(extras, elsewhere=ranks)
    if needs.costs is not None:
        near = (rank <= DEEPEST_COST) & (topic >= 0)
        by_rank = np.zeros((len(qrels.topics), rank[near].max(initial=1)))
        cost = np.concatenate([beyond.cost for _, beyond in found])[near]
        by_rank[topic[near], rank[near] - 1] = cost
        extras = replace(extras, costs=Costs(by_rank, needs.costs.digest))
    if needs.listed:
        lists = []
        for code, beyond in found:
            shown = np.flatnonzero(beyond.rank <= needs.listed)
            lists.append((code, beyond.topic[shown], beyond.rank[shown], beyond.docnos.take(shown)))
        extras = with_lists(extras, lists, needs.facts)
    return extras
