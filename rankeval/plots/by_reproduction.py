"""Data of a reproduction by cutoff: how close its rankings come to the original ones."""

import numpy as np

from rankeval.errors import UsageError
from rankeval.plots.curves import Curves
from rankeval.tasks.reproduce import Reproduction


def reproduction_data(found: Reproduction) -> tuple[Curves, ...]:
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
    return tuple(one for one in curves if not np.isnan(one.y).all())
