"""The first documents of every judged topic, unjudged ones included, by name."""

import os
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from rankeval.align import Ranking, rank_all
from rankeval.api import RunLike
from rankeval.io import trec
from rankeval.io.columns import Columns
from rankeval.io.reading import map_blocks
from rankeval.io.runs import columns_of
from rankeval.qrels import Qrels
from rankeval.readings import AS_FOUND


def top_documents(
    qrels: Qrels, run: RunLike, top: int, *, jobs: int = 1
) -> dict[bytes, tuple[bytes, ...]]:
    """The first `top` documents of each judged topic that the run has, in rank order.

    Of every block only what could be among them is kept, so memory does not grow with the file.
    """
    keep = partial(_candidates, qrels, top)
    if isinstance(run, Mapping):
        blocks = [keep(columns_of(run, trec.RUN))]
    else:
        blocks = list(map_blocks(os.fspath(run), AS_FOUND.run, keep, jobs=jobs))
    by_topic: dict[bytes, list[Columns]] = {}
    for block in blocks:
        for part in block:
            by_topic.setdefault(part.topics[0], []).append(part)
    return {topic: _first(rank_all(parts), top) for topic, parts in by_topic.items()}


def _first(ranking: Ranking, top: int) -> tuple[bytes, ...]:
    return ranking.docnos[:top]


def _candidates(qrels: Qrels, top: int, columns: Columns) -> Sequence[Columns]:
    """Of each stretch of a judged topic, the lines that could be among its first documents.

    Lines that tie with the last of them are kept: the order of ties is settled later.
    """
    kept = []
    for i, topic in enumerate(columns.topics):
        if topic not in qrels.code:
            continue
        stretch = columns.part(i, i + 1)
        scores = stretch.values
        if len(scores) > top:
            least = np.partition(scores, len(scores) - top)[len(scores) - top]
            rows = np.flatnonzero(scores >= least)
            stretch = Columns(
                topics=stretch.topics,
                starts=np.array([0, len(rows)]),
                docnos=stretch.docnos.take(rows),
                values=scores[rows],
                lines=np.asarray(stretch.lines)[rows],
                tags=stretch.tags,
                last_tag=stretch.last_tag,
            )
        kept.append(stretch)
    return kept
