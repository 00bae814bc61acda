"""The values that a picture shows on hover, by the name of the drawn thing."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rankeval.plots.between_measures import Agreement
from rankeval.plots.by_cost import Tradeoff
from rankeval.plots.by_run import Boxes, MeanRanks, Means
from rankeval.plots.curves import Curves, GainCurves
from rankeval.plots.draw_curves import marked_places
from rankeval.plots.topic_data import TopicDifferences, TopicPairs
from rankeval.stats.checked_arrays import Floats

Titles = Mapping[str, Sequence[str]]
"""By the gid of a drawn thing, a text for each of its shapes in the order of drawing."""


def hover_titles(kind: str, panel: Any, part: int = 0) -> dict[str, Sequence[str]]:
    """Return the texts of a panel; `part` counts the axes that draw the same panel."""
    return dict(_TITLES[kind](panel, part))


Found = Iterator[tuple[str, Sequence[str]]]


def _along(runs: Sequence[str], x: Floats, y: Floats, marked: Callable[[int], Any]) -> Found:
    """Yield for each run its name on the line, and the values on the markers."""
    for i, run in enumerate(runs):
        at = [place for place in marked(i) if not np.isnan(y[i][place])]
        values = [f"{run}: {y[i][place]:.4f} at {x[place]:g}" for place in at]
        yield f"run{i}", [run, *values]


def _curves(data: Curves, _: int) -> Found:
    yield from _along(data.runs, data.x, data.y, lambda i: marked_places(data, i))


def _gains(data: GainCurves, _: int) -> Found:
    yield from _along(
        data.runs, data.recall_gain, data.precision_gain, lambda i: marked_places(data, i)
    )


def _means(data: Means, _: int) -> Found:
    texts = []
    for run, mean, low, high in zip(data.runs, data.mean, data.low, data.high, strict=True):
        ends = "" if np.isnan(low) else f" [{low:.4f}, {high:.4f}]"
        texts.append(f"{run}: {mean:.4f}{ends}")
    yield "means", [text for text, mean in zip(texts, data.mean, strict=True) if not np.isnan(mean)]
    yield "intervals", texts


def _costs(data: Tradeoff, _: int) -> Found:
    every = zip(data.runs, data.costs.tolist(), data.values.tolist(), strict=True)
    for i, (run, cost, value) in enumerate(every):
        yield f"run{i}", [f"{run}: {value:.4f}, {data.cost} {cost:g}"]


def _boxes(data: Boxes, _: int) -> Found:
    for i, box in enumerate(data.boxes):
        if box.median is None or box.first is None or box.third is None or box.mean is None:
            continue
        quartiles = f"quartiles {box.first:.4f} and {box.third:.4f}, mean {box.mean:.4f}"
        words = f"{box.run}: median {box.median:.4f}, {quartiles}, {box.n_topics} topics"
        yield f"box{i}", [words]
        yield f"outliers{i}", [f"{box.run}: {value:.4f}" for value in box.outliers.tolist()]


def _ranks(data: MeanRanks, _: int) -> Found:
    for i, (run, rank) in enumerate(zip(data.runs, data.ranks.tolist(), strict=True)):
        yield f"run{i}", [f"{run}: mean rank {rank:.4f}"]


def _topics(data: TopicDifferences, _: int) -> Found:
    for i, (topic, value) in enumerate(zip(data.topics, data.differences.tolist(), strict=True)):
        yield f"topic{i}", [f"{topic}: {value:+.4f}"]


def _pairs(data: TopicPairs, _: int) -> Found:
    texts = [
        f"{topic}: {x:.4f}, {y:.4f}"
        for topic, x, y in zip(data.topics, data.x.tolist(), data.y.tolist(), strict=True)
    ]
    for name, chosen in (
        ("above", data.y > data.x),
        ("below", data.y < data.x),
        ("equal", data.y == data.x),
    ):
        yield name, [texts[i] for i in np.flatnonzero(chosen).tolist()]


def _agreement(data: Agreement, part: int) -> Found:
    values = data.tau_ap if part else data.tau
    yield (
        "cells",
        [
            f"{row} and {column}: {value:.4f}"
            for row, heights in zip(data.measures, values, strict=True)
            for column, value in zip(data.measures, heights, strict=True)
        ],
    )


_TITLES: Mapping[str, Callable[[Any, int], Found]] = {
    "pr": _curves,
    "prg": _gains,
    "cutoff": _curves,
    "tradeoff": _costs,
    "judged": _curves,
    "ci": _means,
    "box": _boxes,
    "ranks": _ranks,
    "topics": _topics,
    "scatter": _pairs,
    "agreement": _agreement,
}
