"""Rank all documents of a topic, judged or not."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.base.frozen import frozen
from rankeval.io.formats.file_format import Form
from rankeval.io.parsers.columns import Columns
from rankeval.io.topic_order import gathered
from rankeval.ranking.align import RUN
from rankeval.ranking.duplicates import rows_of_topics
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.rank import (
    BY_SCORE,
    Rules,
    apply_rules,
    descending,
    numbers_of,
    rank_order,
    tie_bounds,
)
from rankeval.ranking.run_source import RunSource


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
    qrels: Qrels,
    run: RunSource,
    top: int,
    rules: Rules = BY_SCORE,
    form: Form = RUN,
    *,
    jobs: int = 1,
) -> dict[bytes, tuple[bytes, ...]]:
    """Return the first `top` documents of each judged topic of the run, in rank order.

    Only candidates are kept of each block, so memory does not grow with the file, unless the
    rules drop lines or collapse chunks.
    """
    keep = partial(_candidates, qrels, top, rules)
    blocks = list(run.map_parts(form, keep, jobs=jobs))
    by_topic: dict[bytes, list[tuple[Columns, int]]] = {}
    names: dict[bytes, tuple[bytes, ...]] = {}
    for block in blocks:
        for i, topic in enumerate(block.topics):
            by_topic.setdefault(topic, []).append((block, i))
        if not _every_line_counts(rules):
            names.update(zip(block.topics, _ordered(block, top, rules), strict=True))
    for topic, stretches_of_it in by_topic.items():
        if topic not in names or len(stretches_of_it) > 1:
            parts = [block.part(i, i + 1) for block, i in stretches_of_it]
            names[topic] = rank_all(parts, rules).docnos[:top]
    return names


def _ordered(block: Columns, top: int, rules: Rules) -> Sequence[tuple[bytes, ...]]:
    """Return the first documents of each stretch, as if it had all lines of its topic."""
    docnos = block.docnos.take(rank_order(block, rules)).tolist()
    return [
        tuple(docnos[start : min(start + top, stop)])
        for start, stop in pairwise(block.starts.tolist())
    ]


def _every_line_counts(rules: Rules) -> bool:
    """Return True if rules drop lines or collapse chunks before the ranking."""
    return rules.chunks is not None or rules.repeated != "refuse" or rules.no_self


def _candidates(qrels: Qrels, top: int, rules: Rules, columns: Columns) -> Columns:
    """Select from each stretch of a judged topic the lines that can be among its first.

    Lines that tie with the last of them are kept: the order of ties is settled later.
    """
    sizes = np.diff(columns.starts)
    judged = np.array([topic in qrels.code for topic in columns.topics], dtype=bool)
    chosen = np.repeat(judged, sizes)
    if not _every_line_counts(rules):
        top = min(top, len(columns.docnos))  # any integer may be asked for
        scores, longer = numbers_of(columns, rules), sizes > top
        _, ordered = descending(scores, columns.starts)
        least = np.full(len(sizes), -np.inf)
        least[longer] = ordered[(columns.starts[:-1] + top - 1)[longer]]
        chosen &= scores >= np.repeat(least, sizes)
    return rows_of_topics(columns, np.flatnonzero(chosen))
