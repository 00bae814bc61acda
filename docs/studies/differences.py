"""Draw paired differences whose true mean is known, as populations of topics have them.

Each function returns differences (run minus baseline, so a loss is below 0) of shape
(repetitions, n), all of them from -1 to 1, as measures from 0 to 1 have them:

    SHAPES["sparse"](mean=-0.02, repetitions=20_000, n=25, seed=1)

`seed` is a number or a generator of numpy.
"""

import math
from collections.abc import Mapping
from typing import Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

DEVIATION = 0.1  # of normal and skewed differences
LOSING = 0.05  # share of the topics that lose, among sparse differences
DROP = 0.2  # what each of these loses more than the others, where the mean does not say it


class Shape(Protocol):
    """A population of differences."""

    def __call__(
        self, mean: float, repetitions: int, n: int, seed: int | np.random.Generator
    ) -> Floats: ...


def normal(
    mean: float,
    repetitions: int,
    n: int,
    seed: int | np.random.Generator,
    *,
    deviation: float = DEVIATION,
) -> Floats:
    """Normal differences, cut symmetrically about their mean, which therefore stays."""
    rng = np.random.default_rng(seed)
    reach = 1.0 - abs(mean)
    noise = rng.normal(0.0, deviation, (repetitions, n))
    return mean + np.clip(noise, -reach, reach)


def sparse(
    mean: float,
    repetitions: int,
    n: int,
    seed: int | np.random.Generator,
    *,
    losing: float = LOSING,
    drop: float | None = None,
    jitter: float = 0.0,
) -> Floats:
    """A few topics lose much; the others are equal, or nearly so.

    Below 0, the mean says how much the topics lose that lose, and the others differ by exactly 0.
    With a `drop`, and with means from 0 up (0.2 then), topics that lose stand so much below the
    others, which gain a little. `jitter` moves every topic by a uniform number up to it.
    """
    rng = np.random.default_rng(seed)
    below = (-mean / losing if mean < 0 else DROP) if drop is None else drop
    gain = mean + losing * below
    _require_bounded(gain - below - jitter, gain + jitter)
    found = np.where(rng.random((repetitions, n)) < losing, gain - below, gain)
    return found + rng.uniform(-jitter, jitter, found.shape) if jitter else found


def skewed(
    mean: float,
    repetitions: int,
    n: int,
    seed: int | np.random.Generator,
    *,
    sigma: float = 1.0,
    deviation: float = DEVIATION,
) -> Floats:
    r"""Lognormal losses: most topics gain a little, some lose much.

    With X = exp(sigma Z) cut at c, the least difference being -1, the difference is
    mean - scale (X - E X), where

    .. math:: E\min(X, c) = e^{\sigma^2/2}\,\Phi(\ln c/\sigma - \sigma) + c\,\Phi(-\ln c/\sigma)

    and scale gives the standard deviation before the cut.
    """
    from scipy.special import ndtr

    rng = np.random.default_rng(seed)
    scale = deviation / math.sqrt(math.expm1(sigma**2) * math.exp(sigma**2))
    cut = (1.0 + min(mean, 0.0)) / scale
    place = math.log(cut) / sigma
    expected = math.exp(sigma**2 / 2) * float(ndtr(place - sigma)) + cut * float(ndtr(-place))
    _require_bounded(mean - scale * (cut - expected), mean + scale * expected)
    losses = np.minimum(np.exp(rng.normal(0.0, sigma, (repetitions, n))), cut)
    return mean - scale * (losses - expected)


def _require_bounded(least: float, greatest: float) -> None:
    if least < -1.0 or greatest > 1.0:
        raise ValueError(f"differences from {least:.3g} to {greatest:.3g}, expected -1 to 1")


SHAPES: Mapping[str, Shape] = {"normal": normal, "sparse": sparse, "skewed": skewed}
