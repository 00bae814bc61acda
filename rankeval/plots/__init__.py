"""Plots of results: the numbers drawn, and their drawing with matplotlib.

Each kind has a function that draws it on axes, such as `box(results, ax)`, and one that returns the
numbers drawn as arrays, such as `box_data(results)`. `measures` names the measures to evaluate for
a kind. `figure` draws all panels of `plot_data` on one figure, and `save` gives its bytes.

>>> from rankeval import evaluate, plots
>>> results = evaluate("qrels.txt", "bm25.run", plots.measures("box"))  # doctest: +SKIP
>>> ax = plots.box(results)  # doctest: +SKIP
"""

from rankeval.plots.axes import (
    agreement,
    box,
    ci,
    cutoff,
    heatmap,
    judged,
    pr,
    prg,
    ranks,
    scatter,
    topics,
    tradeoff,
)
from rankeval.plots.between_measures import Agreement, agreement_data
from rankeval.plots.by_cost import Tradeoff, tradeoff_data
from rankeval.plots.by_night import NightCurves, trend_data
from rankeval.plots.by_reproduction import reproduction_data
from rankeval.plots.by_run import Box, Boxes, MeanRanks, Means, box_data, ci_data, ranks_data
from rankeval.plots.curves import (
    Curves,
    GainCurves,
    cutoff_data,
    isometric,
    judged_data,
    pr_data,
    prg_data,
)
from rankeval.plots.figure import check_picture, figure, figure_size, save, write_picture
from rankeval.plots.kinds import Choices, plot_data, rows_of
from rankeval.plots.needed import KINDS, measures
from rankeval.plots.topic_data import (
    TopicDifferences,
    TopicPairs,
    TopicValues,
    heatmap_data,
    scatter_data,
    topics_data,
)

__all__ = [
    "KINDS",
    "Agreement",
    "Box",
    "Boxes",
    "Choices",
    "Curves",
    "GainCurves",
    "MeanRanks",
    "Means",
    "NightCurves",
    "TopicDifferences",
    "TopicPairs",
    "TopicValues",
    "Tradeoff",
    "agreement",
    "agreement_data",
    "box",
    "box_data",
    "check_picture",
    "ci",
    "ci_data",
    "cutoff",
    "cutoff_data",
    "figure",
    "figure_size",
    "heatmap",
    "heatmap_data",
    "isometric",
    "judged",
    "judged_data",
    "measures",
    "plot_data",
    "pr",
    "pr_data",
    "prg",
    "prg_data",
    "ranks",
    "ranks_data",
    "reproduction_data",
    "rows_of",
    "save",
    "scatter",
    "scatter_data",
    "topics",
    "topics_data",
    "tradeoff",
    "tradeoff_data",
    "trend_data",
    "write_picture",
]
