"""Plots of results: the numbers drawn, and their drawing.

Each kind has a function that returns its numbers as arrays, such as `box_data(results)`. `measures`
names the measures to evaluate for a kind.

>>> from rankeval import evaluate, plots
>>> results = evaluate("qrels.txt", "bm25.run", plots.measures("box"))  # doctest: +SKIP
>>> plots.box_data(results).boxes[0].median  # doctest: +SKIP
"""

from rankeval.plots.agreement import Agreement, agreement_data
from rankeval.plots.curves import (
    Curves,
    GainCurves,
    cutoff_data,
    isometric,
    judged_data,
    pr_data,
    prg_data,
)
from rankeval.plots.needed import KINDS, measures
from rankeval.plots.runs import (
    Box,
    Boxes,
    MeanRanks,
    Means,
    Tradeoff,
    box_data,
    ci_data,
    ranks_data,
    tradeoff_data,
)
from rankeval.plots.topics import (
    TopicDifferences,
    TopicPairs,
    TopicTable,
    heatmap_data,
    scatter_data,
    topics_data,
)

__all__ = [
    "KINDS",
    "Agreement",
    "Box",
    "Boxes",
    "Curves",
    "GainCurves",
    "MeanRanks",
    "Means",
    "TopicDifferences",
    "TopicPairs",
    "TopicTable",
    "Tradeoff",
    "agreement_data",
    "box_data",
    "ci_data",
    "cutoff_data",
    "heatmap_data",
    "isometric",
    "judged_data",
    "measures",
    "pr_data",
    "prg_data",
    "ranks_data",
    "scatter_data",
    "topics_data",
    "tradeoff_data",
]
