"""Numbers of topics that a gate needs: closed formulas for topics like those observed."""

import math
from statistics import NormalDist

import numpy as np

from rankeval.choices import Bound
from rankeval.stats.checked_arrays import NOISE, Floats
from rankeval.stats.confidence_bounds import (
    LARGEST_STAKE,
    LEAST_CHANGED,
    LEAST_TOPICS,
    Drop,
    stakes,
)
from rankeval.stats.power_of_tests import MAX_TOPICS
from rankeval.stats.students_distribution import t_quantile


def topics_to_clear(
    drop: Drop, limit: float, *, alpha: float, power: float, bound: Bound, two_sided: bool = False
) -> int | None:
    r"""Return about how many topics call an equal candidate "not worse" with a power.

    .. math:: t: n = \left(\frac{t_{1-\alpha,n-1} + z_p}{\bar x / s}\right)^2 \qquad
        \text{betting}: n \bar g_j - z_p \sqrt n \, s_j = -\ln(\alpha w_j)
        \text{ for the best stake } j

    with x the part of the limit that is left of each topic if the candidate were equal, and g_j the
    logarithm of what a bet of the stake j with the weight w_j wins on a topic. Two-sided, both
    bounds are to be within the margin, so that each has half of the risk of missing.

    Edge cases: limit 0, fewer than two topics, no spread for t, over a million topics: None.

    Source: Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988, chapter 2; for the
    bets see `log_capital`.
    """
    if drop.gains.size < 2 or limit * float(drop.allowance.mean()) <= NOISE:
        return None
    centred = drop.gains - drop.gains.mean()
    equal = centred * math.sqrt(centred.size / (centred.size - 1))  # with the unbiased variance
    reach = _normal_quantile((1.0 + power) / 2.0 if two_sided else power)
    losses = [(1.0, -drop.least(limit)), (-1.0, -drop.least_shortfall(-limit))]
    needed = [
        _topics_of_bets((sign * equal + limit * drop.allowance) / max(loss, NOISE), alpha, reach)
        if bound is Bound.BETTING
        else _topics_of_t(sign * equal + limit * drop.allowance, alpha, reach, drop.n_changed)
        for sign, loss in losses[: 1 + two_sided]
    ]
    found = max(needed)
    return math.ceil(found) if found <= MAX_TOPICS else None


def _topics_of_t(values: Floats, alpha: float, reach: float, n_changed: int) -> float:
    """Solve for t, which takes some topics, and some that differ."""
    deviation = float(values.std())
    if deviation <= NOISE:
        return math.inf
    effect, topics = float(values.mean()) / deviation, math.inf
    critical = -_normal_quantile(alpha)
    for _ in range(3):  # the quantile of t depends on the number of topics, a little
        topics = ((critical + reach) / effect) ** 2
        critical = -t_quantile(max(topics, 2.0) - 1.0, alpha)
    changed = LEAST_CHANGED + max(reach, 0.0) * math.sqrt(LEAST_CHANGED)
    return max(topics, float(LEAST_TOPICS), changed * values.size / max(n_changed, 1))


def _topics_of_bets(units: Floats, alpha: float, reach: float) -> float:
    """Solve for the best stake; the stakes depend on the number of topics, a little."""
    topics = float(units.size)
    for _ in range(4):
        shares, weights = stakes(min(max(2, round(topics)), MAX_TOPICS))
        growth = np.log(np.maximum(1.0 + np.outer(units, shares), 1.0 - LARGEST_STAKE))
        rising, spread = np.maximum(growth.mean(axis=0), NOISE), growth.std(axis=0)
        falling = reach * spread
        roots = (falling + np.sqrt(falling**2 - 4.0 * rising * np.log(alpha * weights))) / (
            2.0 * rising
        )
        topics = float(roots.min()) ** 2
    return max(topics, 2.0)


def _normal_quantile(probability: float) -> float:
    return NormalDist().inv_cdf(probability)
