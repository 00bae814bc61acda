"""Student's t distribution: its lower tail and its quantiles, without the import of scipy."""

import math

SMALL = 1e-300
"""Stands for 0 in divisors of a continued fraction."""

LEAST_CHANGE, LEAST_STEP = 1e-16, 1e-15

AS_GAMMA = 170.0
"""Up to here `math.gamma` does not overflow; from here the first terms of a series suffice."""


def t_lower_tail(freedom: float, t: float) -> float:
    r"""Return P(T <= t) for T with the given degrees of freedom, which need not be whole.

    .. math:: P(T \le -|t|) = \tfrac12 I_x(\nu/2, 1/2), \quad x = \nu / (\nu + t^2)

    with I the regularised incomplete beta function, by its continued fraction.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 1964, 26.5.8 and 26.7.1.

    >>> round(t_lower_tail(10, -2.2281), 4)
    0.025
    """
    if math.isnan(t) or math.isinf(t):
        return t if math.isnan(t) else float(t > 0.0)
    a, square = freedom / 2.0, t * t / freedom
    below = 0.5 * _incomplete_beta(a, square) if t else 0.5
    return below if t <= 0.0 else 1.0 - below


def _incomplete_beta(a: float, square: float) -> float:
    """Return I_x(a, 1/2) for x = 1 / (1 + square)."""
    x, y = 1.0 / (1.0 + square), square / (1.0 + square)
    weight = math.exp(-a * math.log1p(square)) * math.sqrt(y / math.pi) * _gamma_ratio(a)
    if x < (a + 1.0) / (a + 2.5):
        return weight * _fraction(a, 0.5, x) / a
    return 1.0 - weight * _fraction(0.5, a, y) / 0.5


def _gamma_ratio(a: float) -> float:
    """Return Gamma(a + 1/2) / Gamma(a)."""
    if a < AS_GAMMA:
        return math.gamma(a + 0.5) / math.gamma(a)
    z = 1.0 / a
    series = 1.0 - z / 8.0 + z**2 / 128.0 + 5.0 * z**3 / 1024.0 - 21.0 * z**4 / 32768.0
    return math.sqrt(a) * series


def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of I_x(a, b), evaluated forwards (Lentz)."""
    above, below = 1.0, 1.0 / _not_zero(1.0 - (a + b) * x / (a + 1.0))
    value = below
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        for term in (even, odd):
            below = 1.0 / _not_zero(1.0 + term * below)
            above = _not_zero(1.0 + term / above)
            value *= above * below
        if abs(above * below - 1.0) < LEAST_CHANGE:
            break
    return value


def _not_zero(number: float) -> float:
    return number if abs(number) > SMALL else SMALL


def t_quantile(freedom: float, probability: float) -> float:
    """Return the t with P(T <= t) = probability.

    Newton's method finds the logarithm of -t, of which that of the tail is a concave function.

    >>> round(t_quantile(10, 0.025), 4)
    -2.2281
    """
    if probability > 0.5:
        return -t_quantile(freedom, 1.0 - probability)
    if not 0.0 < probability < 0.5:
        return 0.0 if probability == 0.5 else -math.inf if probability == 0.0 else math.nan
    scale = _gamma_ratio(freedom / 2.0) / math.sqrt(freedom * math.pi)
    distance = 1.0
    for _ in range(200):
        tail = t_lower_tail(freedom, -distance)
        density = scale * math.exp(-(freedom + 1.0) / 2.0 * math.log1p(distance**2 / freedom))
        if not tail or not density:  # far beyond, where both are 0
            distance /= 16.0
            continue
        step = math.log(tail / probability) * tail / (distance * density)
        distance *= math.exp(min(step, 8.0))
        if abs(step) < LEAST_STEP:
            break
    return -distance
