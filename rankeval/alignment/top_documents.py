"""Find the first documents of every judged topic, unjudged ones included, by name."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np

from rankeval.alignment.align import RUN, rank_all
from rankeval.alignment.qrels import Qrels
from rankeval.alignment.rank import descending, numbers_of, tie_keys
from rankeval.alignment.rules import BY_SCORE, Rules
from rankeval.alignment.run_source import RunSource
from rankeval.io.columns import Columns, stretches
from rankeval.io.form import Form
from rankeval.support.arrays import offsets_of


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
    order, scores = descending(numbers_of(block, rules), block.starts)
    order = np.arange(len(scores)) if order is None else order
    stretch = stretches(block)
    same = (scores[1:] == scores[:-1]) & (stretch[1:] == stretch[:-1])
    tied = np.bincount(stretch[1:][same], minlength=len(block.topics)) > 0
    places = np.flatnonzero(tied[stretch])
    if len(places):
        rows = order[places]
        keys = tie_keys(block, rows, rules.ties)
        order[places] = rows[np.lexsort((*keys, -scores[places], stretch[places]))]
    docnos = block.docnos.take(order).tolist()
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
    rows = np.flatnonzero(chosen)
    n_kept = np.bincount(stretches(columns)[rows], minlength=len(sizes))
    kept = columns.taken(rows, offsets_of(n_kept))
    topics = [topic for topic, is_judged in zip(columns.topics, judged, strict=True) if is_judged]
    return replace(kept, topics=topics, starts=kept.starts[np.append(True, judged)])
