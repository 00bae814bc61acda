"""Closeness of a reproduction to the original experiment, from per-topic values."""

import math

import numpy as np
import numpy.typing as npt

from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import NOISE, Floats, as_vector
from rankeval.stats.differences import ordered_mean, paired_differences


def rmse(original: npt.ArrayLike, reproduced: npt.ArrayLike) -> float | None:
    r"""Return the root mean square error between original and reproduced values of topics.

    .. math:: \mathrm{RMSE} = \sqrt{\frac1n \sum_t (m_t - m'_t)^2}

    Shapes: two arrays (n,) of the same topics in the same order.

    Edge cases
        - No topic with both values: None.
        - NaN: the pair is left out.

    Source: Breuer et al., "How to measure the reproducibility of system-oriented IR experiments",
    SIGIR 2020.
    """
    before, after = _pairs(original, reproduced)
    return _root_mean_square(before - after)


def nrmse(original: npt.ArrayLike, reproduced: npt.ArrayLike) -> float | None:
    r"""Return the root mean square error, divided by the largest possible one.

    .. math:: \mathrm{nRMSE} = \sqrt{\frac{\sum_t (m_t - m'_t)^2}{\sum_t \max(m_t, 1 - m_t)^2}}

    Shapes: two arrays (n,) of the same topics in the same order, values from 0 to 1; 0 is
    perfect, 1 the worst possible.

    Edge cases
        - No topic with both values: None.
        - A value outside 0 to 1 has no largest error: UsageError.
        - NaN: the pair is left out.

    Source: as `rmse`.
    """
    before, after = _pairs(original, reproduced)
    if before.size and not (
        min(before.min(), after.min()) >= 0.0 and max(before.max(), after.max()) <= 1.0
    ):
        problem = "nRMSE found a value outside 0 to 1"
        raise UsageError(problem, expected="a measure that lies between 0 and 1", remedy="use RMSE")
    error = _root_mean_square(before - after)
    worst = _root_mean_square(np.maximum(before, 1.0 - before))
    return None if error is None or worst is None else error / worst


def effect_ratio(
    original_baseline: npt.ArrayLike,
    original_advanced: npt.ArrayLike,
    reproduced_baseline: npt.ArrayLike,
    reproduced_advanced: npt.ArrayLike,
) -> float | None:
    r"""Return the effect ratio (ER): the mean improvement, reproduced divided by original.

    .. math:: \mathrm{ER} = \frac{\frac1{n'} \sum_t (a'_t - b'_t)}{\frac1n \sum_t (a_t - b_t)}

    1 is a perfect reproduction, 0 < ER < 1 a weaker effect, ER <= 0 a failure.

    Shapes: baseline and advanced have the same topics; the reproduction may have others (n').

    Edge cases
        - No improvement in the original, or no topics on a side: None.
        - NaN: the pair is left out.

    Source: as `rmse`.
    """
    original = _mean_improvement(original_baseline, original_advanced)
    reproduced = _mean_improvement(reproduced_baseline, reproduced_advanced)
    return reproduced / original if original and reproduced is not None else None


def delta_relative_improvement(
    original_baseline: npt.ArrayLike,
    original_advanced: npt.ArrayLike,
    reproduced_baseline: npt.ArrayLike,
    reproduced_advanced: npt.ArrayLike,
) -> float | None:
    r"""Return delta relative improvement (DRI): the original one minus the reproduced one.

    .. math:: \mathrm{DRI} = \mathrm{RI} - \mathrm{RI}', \qquad
        \mathrm{RI} = \frac{\bar a - \bar b}{\bar b}

    0 is a perfect reproduction; above 0, the improvement shrank.

    Shapes: baseline and advanced have the same topics; the reproduction may have others.

    Edge cases
        - A baseline with mean 0, or no topics on a side: None.
        - NaN: the pair is left out.

    Source: as `rmse`.
    """
    original = _relative_improvement(original_baseline, original_advanced)
    reproduced = _relative_improvement(reproduced_baseline, reproduced_advanced)
    return original - reproduced if original is not None and reproduced is not None else None


def _pairs(first: npt.ArrayLike, second: npt.ArrayLike) -> tuple[Floats, Floats]:
    left, right = as_vector(first, "first"), as_vector(second, "second")
    valid = ~np.isnan(paired_differences(left, right))
    return left[valid], right[valid]


def _root_mean_square(values: Floats) -> float | None:
    return math.sqrt(float(np.mean(values**2))) if values.size else None


def _mean_improvement(baseline: npt.ArrayLike, advanced: npt.ArrayLike) -> float | None:
    differences = paired_differences(
        as_vector(baseline, "baseline"), as_vector(advanced, "advanced")
    )
    mean = ordered_mean(differences[~np.isnan(differences)])
    # Gains and losses that cancel leave rounding noise, and a ratio of noise has no meaning.
    return 0.0 if mean is not None and abs(mean) <= NOISE else mean


def _relative_improvement(baseline: npt.ArrayLike, advanced: npt.ArrayLike) -> float | None:
    before, after = _pairs(baseline, advanced)
    mean_before, mean_after = ordered_mean(before), ordered_mean(after)
    return (
        (mean_after - mean_before) / mean_before if mean_before and mean_after is not None else None
    )
