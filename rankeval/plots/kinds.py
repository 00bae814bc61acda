"""The table of the kinds of plots, and the choices that kinds read.

`rankeval plot`, its help and completion read the table without numpy. The function of a kind lies
in the module that its record names, under the kind's name: it takes results, a measure and choices,
and returns a form, or several. The first run is the baseline.
"""

from collections.abc import Mapping
from typing import NamedTuple

from rankeval.base.frozen import frozen
from rankeval.errors import UsageError

USUAL = "nDCG@10"
SEVERAL = "AP nDCG@10 P@10 RR Rprec R@100 RBP(p=0.8) Bpref"
"""Measures whose agreement is drawn where none is named."""


class Kind(NamedTuple):
    """The record of a kind of plot.

    =========== ====================================================================================
    words       what it draws, for --help and the gallery
    module      where its function lies
    measures    those that it draws if none is named
    over        of a curve, the parameter whose places are drawn: "recall", "level" or "cutoff"
    together    True if one call draws all measures, and the function gets "" for the measure
    option      the option that only some kinds use
    =========== ====================================================================================
    """

    words: str
    module: str
    measures: str = USUAL
    over: str = ""
    together: bool = False
    option: str = ""


ROWS, LINES, BOXES, CELLS, VERSUS, SLOPE, TRADEOFF = (
    f"rankeval.plots.{module}"
    for module in ("rows", "lines", "boxes", "cells", "versus", "slope", "tradeoff")
)
KINDS: dict[str, Kind] = {
    "pr": Kind("precision by recall", LINES, "IPrec@0", over="recall"),
    "prg": Kind("precision gain by recall gain", LINES, "AUPRG PRG@0", over="level"),
    "cutoff": Kind("a measure by cutoff", LINES, over="cutoff"),
    "forest": Kind("mean differences from the baseline", ROWS, together=True, option="--alpha"),
    "topics": Kind("differences from the baseline by topic", VERSUS),
    "scatter": Kind("two runs, topic by topic", VERSUS),
    "box": Kind("distributions over topics", BOXES),
    "ecdf": Kind("share of topics up to each value", LINES),
    "heatmap": Kind("all values", CELLS),
    "ci": Kind("means with intervals", ROWS, option="--alpha"),
    "ranks": Kind("mean ranks, with the critical difference", ROWS, option="--alpha"),
    "pairs": Kind("p-values and topics won of all pairs", CELLS, together=True, option="--alpha"),
    "slope": Kind("ranks under two measures or more", SLOPE, "nDCG@10 AP", together=True),
    "agreement": Kind("Kendall's tau and tau-AP between measures", CELLS, SEVERAL, together=True),
    "tradeoff": Kind("a measure against --run-costs", TRADEOFF, option="--run-costs"),
    "judged": Kind("share unjudged in the top k", LINES, "Unjudged@1 NumRet@1", over="cutoff"),
}
"""The kinds of plots, in the order of --help."""


@frozen
class Choices:
    """Choices that some kinds depend on in addition to the results.

    ======== =======================================================================================
    alpha    risk: intervals have the level 1 - alpha, mean ranks the critical difference at alpha
    costs    cost of each run, by name or path
    cost     name of the cost
    ======== =======================================================================================
    """

    alpha: float = 0.05
    costs: Mapping[str, float] | None = None
    cost: str = "cost"


CHOICES = Choices()


def kind_named(name: str) -> Kind:
    """Return the record of a kind; UsageError for one that does not exist."""
    if name not in KINDS:
        raise UsageError(f"there is no plot '{name}'", expected=f"one of {', '.join(KINDS)}")
    return KINDS[name]
