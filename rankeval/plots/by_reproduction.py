"""Data of a reproduction by cutoff: how close its rankings come to the original ones."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from rankeval.errors import UsageError
from rankeval.evaluation.results import RunResult
from rankeval.plots.curves import Curves


class Reproduced(Protocol):
    """The runs and the agreement of rankings by cutoff, as those of `rankeval.reproduce`."""

    @property
    def runs(self) -> Sequence[RunResult]:
        """The original runs, and the replicated ones."""

    @property
    def orders(self) -> Sequence[Any]:
        """The agreement of rankings, by cutoff."""


def reproduction_data(found: Reproduced) -> tuple[Curves, ...]:
    """Return rank-biased overlap by cutoff, and Kendall's tau Union if it is defined anywhere.

    Each has a curve for the baseline and one for the advanced run, named as the replicated runs
    are. `rankeval.plots.figure("cutoff", panels)` draws them.

    Raises UsageError for a replication with judgments of its own, whose rankings cannot be
    compared.

    Source: Breuer et al., "How to measure the reproducibility of system-oriented IR experiments",
    SIGIR 2020.
    """
    if not found.orders:
        raise UsageError(
            "nothing to draw: rankings of other topics cannot be compared",
            remedy="drop --other-qrels, or --plot",
        )
    cutoffs = np.array([order.cutoff for order in found.orders], dtype=np.float64)
    names = (f"{found.runs[2].name} (base)", f"{found.runs[3].name} (advanced)")
    pairs = {
        "RBO": [order.rbo for order in found.orders],
        "tau Union": [order.ktu for order in found.orders],
    }
    curves = [
        Curves(
            name,
            "cutoff",
            names,
            cutoffs,
            np.array(
                [[pair.base for pair in some], [pair.advanced for pair in some]], dtype=np.float64
            ),
        )
        for name, some in pairs.items()
    ]
    return tuple(curve for curve in curves if not np.isnan(curve.y).all())
