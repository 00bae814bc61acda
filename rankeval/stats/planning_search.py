"""Search for the fewest topics, or the smallest effect, that simulations show with some power."""

import math
from collections.abc import Callable

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.stats.checked_arrays import Floats
from rankeval.stats.power_of_tests import MAX_TOPICS
from rankeval.stats.topic_draws import Draws, share_met

SHORT, LONG = 0.005, 0.025
"""How far below and above the wanted power a search may end."""
FINE = 0.01
"""Share of the topics below which a search looks no closer."""
MOST_TRIALS = 12
EDGE = 1e-9
"""Added to an effect that just suffices, so that rounding does not decide."""
RARE = 0.001
"""Power below which no simulated verdict may come out, or above which all may; for the quantile to
be finite."""


@frozen
class Planned:
    """A number of topics, or an effect, and the power that it has.

    If 0.8 was asked for, the power is 0.8 or some more: where each topic changes the power much,
    the smallest number that suffices has more of it.
    """

    value: float
    power: float


@frozen
class FirstGuess:
    """The root of a number of topics, and how fast the quantile of the power grows with it."""

    root: float
    slope: float


@frozen
class _Trial:
    """A number of topics, and the normal quantile of its power."""

    n_topics: int
    place: float

    @property
    def root(self) -> float:
        return math.sqrt(self.n_topics)


def fewest_topics(
    power_of: Callable[[int], float], wanted: float, guess: FirstGuess
) -> Planned | None:
    """Search for the fewest topics with the wanted power; None above a million.

    The normal quantile of the power grows nearly with the root of the number of topics, so few
    trials are needed.
    """
    aim = normal_quantile(min(wanted + (LONG - SHORT) / 2.0, 1.0 - RARE))
    low, high, best = _Trial(1, -math.inf), _Trial(2 * MAX_TOPICS, math.inf), None
    root = guess.root
    for count in range(MOST_TRIALS):
        n_topics = min(max(low.n_topics + 1, round(root * abs(root))), high.n_topics - 1)
        if n_topics > MAX_TOPICS:
            return None
        power = power_of(n_topics)
        tried = _Trial(n_topics, normal_quantile(min(max(power, RARE), 1.0 - RARE)))
        if power >= wanted - SHORT:
            high, best = tried, Planned(n_topics, power)
        else:
            low = tried
        if -SHORT <= power - wanted <= LONG:
            break
        if high.n_topics - low.n_topics <= max(1.0, FINE * low.n_topics):
            break
        between = math.isfinite(high.place) and math.isfinite(low.place)
        # Steps grow while they lead to one side, where the guess of the slope is wrong.
        slope = guess.slope / 2.0**count
        if between:
            slope = (high.place - low.place) / (high.root - low.root)
        root = tried.root + (aim - tried.place) / slope
        if not between:  # where one topic more or less decides, a step of one topic is no step
            least = FINE * 2.0**count
            edge = tried.root * math.sqrt(1.0 + least if tried is low else max(1.0 - least, 0.0))
            root = max(root, edge) if tried is low else min(root, edge)
        if between and count % 3 == 2:  # where the power is no such line
            root = (low.root + high.root) / 2.0
        elif count and tried is low and power <= RARE:  # where the guess was far too low
            root = max(root, 1.5 * low.root)
    return best


def smallest_effect(needed: Floats, draws: Draws, wanted: float) -> Planned:
    """Return the smallest true effect that samples show with the wanted power.

    Shapes: needed (r,), the effect above which each of the r samples shows it.
    """
    ordered, level = np.sort(needed), wanted
    weights = draws.sample_weights()
    for _ in range(2):  # the share of samples is not yet the power, see `sample_weights`
        place = min(max(math.ceil(level * ordered.size), 1), ordered.size) - 1
        # An effect of just what a sample needs is shown by it or not, as rounding has it.
        smallest = float(ordered[place]) + EDGE
        power = share_met(needed < smallest, weights)
        level += wanted - power
    while power < wanted - SHORT and smallest < ordered[-1]:  # where effects come in steps
        smallest = float(ordered[np.searchsorted(ordered, smallest)]) + EDGE
        power = share_met(needed < smallest, weights)
    return Planned(smallest, power)


def least_effect(
    power_of: Callable[[float], float], wanted: float, guess: float, largest: float
) -> Planned | None:
    """Search for the least effect with the wanted power, which grows with the effect.

    None where the `largest` effect has less.
    """
    low, high = 0.0, guess
    while (power := power_of(min(high, largest))) < wanted:
        if high >= largest:
            return None
        low, high = high, 2.0 * high
    found = Planned(min(high, largest), power)
    while found.value - low > FINE * found.value and found.power - wanted > SHORT:
        middle = (low + found.value) / 2.0
        power = power_of(middle)
        if power >= wanted:
            found = Planned(middle, power)
        else:
            low = middle
    return found


def normal_quantile(probability: float) -> float:
    """Return the standard normal quantile of a probability."""
    from scipy.special import ndtri

    return float(ndtri(probability))
