"""The tables of the benchmarks as one picture: bars of time beside rankeval's."""

from collections.abc import Mapping
from pathlib import Path

from benchmarks.processes import Figures


def draw(results: Mapping[str, Mapping[str, Figures]], path: Path) -> None:
    """Write a PNG with a row of bars for each case, as long as the median ratio of wall time."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    heights = [len(figures) + 1.6 for figures in results.values()]
    figure, axes = plt.subplots(
        len(results),
        figsize=(9, 0.28 * sum(heights)),
        height_ratios=heights,
        layout="constrained",
        squeeze=False,
    )
    for axis, (title, figures) in zip(axes[:, 0], results.items(), strict=True):
        names = list(figures)
        ratios = [figures[name].wall_ratio for name in names]
        ours = ["rankeval" in name for name in names]
        colours = ["#1f6f8b" if mine else "#b8b8b8" for mine in ours]
        bars = axis.barh(names, ratios, color=colours)
        axis.bar_label(
            bars,
            [f"{figures[n].wall_ratio:.2f}  ({figures[n].wall:.2f} s)" for n in names],
            padding=3,
            fontsize=8,
        )
        axis.set_title(title, loc="left", fontsize=9)
        axis.invert_yaxis()
        axis.set_xlim(0, max(ratios) * 1.2)
        axis.tick_params(axis="y", labelsize=8)
        axis.tick_params(axis="x", labelsize=7)
        axis.spines[["top", "right"]].set_visible(False)
    figure.supxlabel("wall time, times that of rankeval in the first row", fontsize=9)
    figure.savefig(path, dpi=120)
