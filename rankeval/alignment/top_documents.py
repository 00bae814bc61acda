"""Find the first documents of every judged topic, unjudged ones included, by name."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from rankeval.alignment.align import RUN, rank_all
from rankeval.alignment.inputs import LoadedRun, RunLike, path_or_lines
from rankeval.alignment.qrels import Qrels
from rankeval.alignment.rules import BY_SCORE, Rules
from rankeval.io.columns import Columns
from rankeval.io.form import Form
from rankeval.io.read import map_blocks


def top_documents(
    qrels: Qrels,
    run: RunLike,
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
    lines = path_or_lines(run, form)
    if isinstance(lines, LoadedRun):
        blocks = [keep(part) for part in lines.parts]
    else:
        blocks = list(map_blocks(lines, form, keep, jobs=jobs))
    by_topic: dict[bytes, list[Columns]] = {}
    for block in blocks:
        for part in block:
            by_topic.setdefault(part.topics[0], []).append(part)
    return {topic: _first_names(parts, top, rules) for topic, parts in by_topic.items()}


def _first_names(parts: Sequence[Columns], top: int, rules: Rules) -> tuple[bytes, ...]:
    """Return the first documents of a topic; sort by score alone if no score is repeated."""
    if len(parts) == 1 and not _every_line_counts(rules):
        (lines,) = parts
        scores = lines.values if rules.scores is None else rules.scores(lines)
        order = np.argsort(-scores)
        if (np.diff(scores[order]) < 0).all():
            return tuple(lines.docnos.take(order[:top]).tolist())
    return rank_all(parts, rules).docnos[:top]


def _every_line_counts(rules: Rules) -> bool:
    """Return True if rules drop lines or collapse chunks before the ranking."""
    return rules.chunks is not None or rules.repeated != "refuse" or rules.no_self


def _candidates(qrels: Qrels, top: int, rules: Rules, columns: Columns) -> Sequence[Columns]:
    """Select from each stretch of a judged topic the lines that can be among its first.

    Lines that tie with the last of them are kept: the order of ties is settled later.
    """
    every_line_counts = _every_line_counts(rules)
    kept = []
    for i, topic in enumerate(columns.topics):
        if topic not in qrels.code:
            continue
        stretch = columns.part(i, i + 1)
        scores = stretch.values if rules.scores is None else rules.scores(stretch)
        if len(scores) > top and not every_line_counts:
            least = np.partition(scores, len(scores) - top)[len(scores) - top]
            rows = np.flatnonzero(scores >= least)
            stretch = stretch.taken(rows, np.array([0, len(rows)]))
        kept.append(stretch)
    return kept
