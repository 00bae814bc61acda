"""A gate's verdict on a system of several runs, such as one per random seed."""

from typing import Unpack

import numpy.typing as npt

from rankeval.errors import UsageError
from rankeval.stats.arrays import as_columns
from rankeval.stats.judging import GateOptions
from rankeval.stats.macro_gate import macro_verdict
from rankeval.stats.verdicts import GateVerdict


def seeded_verdict(
    baseline: npt.ArrayLike,
    seeds: npt.ArrayLike,
    *,
    limit: float,
    share: bool = False,
    **options: Unpack[GateOptions],
) -> GateVerdict:
    """Judge the drop from a baseline to a candidate, of which one or both have several runs.

    The verdicts are those of `gate_verdicts`, and p-values and bounds are by Student's t with the
    variance of topics and of runs (`macro_mean`), so that a system is judged and not the seeds
    that were drawn. With two or three runs whose spread outweighs that of topics, a test at alpha
    0.05 errs more often than that. Rates of errors: docs/statistics.md.

    A baseline of one run is taken as it is, also where its system has several seeds, and so is a
    candidate of one run. p-values are not corrected, and no topics are planned. For measures where
    less is better, negate the values.

    Shapes: (n,), or (n, k) of k runs.

    Edge cases
        - A topic with NaN in the baseline or in a run: left out.
        - Fewer topics than the t bound takes: cannot tell.
        - One run on both sides: UsageError, as it has no spread.
    """
    before, runs = as_columns(baseline, "baseline"), as_columns(seeds, "seeds")
    if max(before.shape[1], runs.shape[1]) < 2:
        raise UsageError(f"found {runs.shape[1]} run", expected="two runs or more of a system")
    return macro_verdict([before], [runs], limit=limit, share=share, **options)
