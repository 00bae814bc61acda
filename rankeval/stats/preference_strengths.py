"""Strengths of systems from pairwise preferences with ties (Bradley and Terry; Davidson)."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rankeval.base.arrays import Integers
from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.stats.checked_arrays import Floats, require_fraction

if TYPE_CHECKING:
    from scipy.sparse import csr_array

STEPS, PRECISION = 200, 1e-11
"""Steps of Newton's method at most, and the length of a step that is the last."""
ROUNDING = 1e-12
"""The share of a log likelihood by which rounding may lower it."""
LONGEST_STEP = 2.0
"""The farthest that a strength moves in one step, on the logarithmic scale."""


@frozen(eq=False)
class Strengths:
    """Strengths of k systems by the model of Bradley and Terry, with Davidson's ties.

    ============== ====================================================================
    strength       logarithms of the strengths, their mean being 0, shape (k,)
    standard_error of them, by topics, shape (k,); NaN for fewer than two topics
    low, high      ends of the intervals, shape (k,)
    ties           Davidson's nu: 0 without ties; equal systems tie with nu / (2 + nu)
    wins           times that the system of a row won against that of a column, shape (k, k)
    tied           times that the two tied, shape (k, k)
    beats          probability by the model that the row's system wins, shape (k, k)
    p_value        of equal strength, shape (k, k); 1 on the diagonal, NaN without an error
    n_topics       number of topics
    ============== ====================================================================
    """

    strength: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    ties: float
    wins: Floats
    tied: Floats
    beats: Floats
    p_value: Floats
    n_topics: int


def bradley_terry(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    score: npt.ArrayLike,
    topics: npt.ArrayLike | None = None,
    *,
    level: float = 0.95,
) -> Strengths:
    r"""Estimate the strengths of systems from preferences between two of them.

    .. math:: \Pr(i \textrm{ beats } j) = \frac{\pi_i}{\pi_i + \pi_j + \nu \sqrt{\pi_i \pi_j}},
        \qquad \Pr(\textrm{tie}) = \frac{\nu \sqrt{\pi_i \pi_j}}{\pi_i + \pi_j + \nu \sqrt{\pi_i
        \pi_j}}

    with the strengths pi and nu of the greatest likelihood. Preferences of one topic may depend on
    each other, those of different topics do not: with the negative second derivatives H of the log
    likelihood and the first ones g_t of topic t, of G topics, the variances are those of the
    sandwich

    .. math:: \frac{G}{G - 1} H^{-1} \Bigl(\sum_t g_t g_t^\top\Bigr) H^{-1}

    and intervals are Wald's, the strength and its error times a quantile of Student's t with G - 1
    degrees of freedom.

    Shapes: `first` and `second` have the numbers of the two systems of each preference, from 0,
    `score` has 1 where the first won, 0 where the second did and 0.5 for a tie, `topics` the number
    of its topic (n,). Without topics each preference is one of its own.

    Edge cases
        - No ties: nu = 0, the model of Bradley and Terry.
        - Strengths without a finite estimate, as where one system won against all others:
          UsageError, see `unbounded`.
        - One topic: no errors, NaN.

    Source: Bradley and Terry, "Rank analysis of incomplete block designs", Biometrika 39, 1952;
    Davidson, "On extending the Bradley-Terry model to accommodate ties in paired comparison
    experiments", Journal of the American Statistical Association 65, 1970; Liang and Zeger,
    "Longitudinal data analysis using generalized linear models", Biometrika 73, 1986.

    >>> found = bradley_terry([0, 0, 0, 0], [1, 1, 1, 1], [1, 1, 1, 0])
    >>> round(float(found.strength[0] - found.strength[1]), 6) == round(math.log(3), 6)
    True
    """
    level = require_fraction(level, "level")
    one, other, won = _preferences(first, second, score)
    of_topic = np.arange(one.size) if topics is None else np.asarray(topics)
    if of_topic.shape != one.shape:
        raise UsageError(f"found {of_topic.size} topics of {one.size} preferences")
    groups, topic = np.unique(of_topic, return_inverse=True)
    wins, tied = tables_of(one, other, won)
    _require_finite(wins, tied)
    strength, log_ties = _most_likely(wins, tied)
    *_, information = _derivatives(strength, log_ties, wins, tied)
    inverse = np.linalg.inv(information)
    gradients = _by_topic(strength, log_ties, (one, other, won), topic.reshape(-1))
    n_topics, k = groups.size, strength.size
    covariance = np.full((k, k), np.nan)
    quantile = math.nan
    p_value = np.where(np.eye(k, dtype=bool), 1.0, np.nan)
    if n_topics > 1:
        from scipy.special import stdtr, stdtrit

        between = np.asarray((gradients.T @ gradients).todense())
        covariance = (inverse @ between @ inverse * (n_topics / (n_topics - 1)))[:k, :k]
        quantile = float(stdtrit(n_topics - 1, (1.0 + level) / 2.0))
        apart = _spread(covariance)
        gap = np.abs(strength[:, None] - strength)
        ratio = np.divide(gap, apart, out=np.where(gap > 0, np.inf, 0.0), where=apart > 0)
        p_value = 2.0 * stdtr(n_topics - 1, -ratio)
    error = np.sqrt(np.diag(covariance))
    return Strengths(
        strength=strength,
        standard_error=error,
        low=strength - quantile * error,
        high=strength + quantile * error,
        ties=math.exp(log_ties),
        wins=wins,
        tied=tied,
        beats=_probabilities(strength, log_ties)[0],
        p_value=p_value,
        n_topics=n_topics,
    )


def _preferences(
    first: npt.ArrayLike, second: npt.ArrayLike, score: npt.ArrayLike
) -> tuple[Integers, Integers, Floats]:
    """Check preferences, and return them as arrays."""
    one, other = np.asarray(first), np.asarray(second)
    won = np.asarray(score, dtype=np.float64)
    if not (one.ndim == other.ndim == won.ndim == 1 and one.size == other.size == won.size):
        raise UsageError(
            "found arrays of other shapes", expected="two systems and a score per preference"
        )
    if not one.size:
        raise UsageError("found no preference", expected="one or more")
    if min(one.min(), other.min()) < 0 or (one == other).any():
        raise UsageError(
            "a preference has a negative number or the same system twice",
            expected="two systems, by numbers from 0",
        )
    if not np.isin(won, (0.0, 0.5, 1.0)).all():
        raise UsageError("a score is not possible", expected="1, 0 or 0.5")
    return one.astype(np.int64), other.astype(np.int64), won


def tables_of(
    first: npt.ArrayLike, second: npt.ArrayLike, score: npt.ArrayLike
) -> tuple[Floats, Floats]:
    """Return how often the row's system won against the column's, and how often the two tied."""
    one, other, won = _preferences(first, second, score)
    k = int(max(one.max(), other.max())) + 1

    def counted(rows: Integers, columns: Integers) -> Floats:
        return np.bincount(rows * k + columns, minlength=k * k).reshape(k, k).astype(np.float64)

    up, down, even = won == 1.0, won == 0.0, won == 0.5
    wins = counted(one[up], other[up]) + counted(other[down], one[down])
    tied = counted(one[even], other[even])
    return wins, tied + tied.T


def unbounded(wins: npt.ArrayLike, tied: npt.ArrayLike) -> tuple[tuple[int, ...], ...]:
    """Return groups of systems, the best first, between which no finite strength is to be found.

    From each group to a later one, wins run in one direction, or there is no preference at all; a
    tie counts as a win of both. An estimate needs one group of all systems.

    Source: Ford, "Solution of a ranking problem from binary comparisons", American Mathematical
    Monthly 64(8), 1957.

    >>> unbounded([[0, 3, 1], [1, 0, 2], [0, 0, 0]], [[0, 0, 0]] * 3)
    ((0, 1), (2,))
    """
    from scipy.sparse.csgraph import connected_components

    reached = np.asarray(wins, dtype=float) + np.asarray(tied, dtype=float) > 0
    n_groups, group = connected_components(reached, connection="strong")
    members = [tuple(np.flatnonzero(group == g).tolist()) for g in range(n_groups)]
    # A group that beats another one reaches all that this one does.
    power = reached.copy()
    for _ in range(max(1, len(power).bit_length())):
        power |= power @ power
    return tuple(sorted(members, key=lambda group: (-int(power[group[0]].sum()), group)))


def _require_finite(wins: Floats, tied: Floats) -> None:
    """Raise UsageError unless there is a finite estimate."""
    groups = unbounded(wins, tied)
    if len(groups) > 1:
        parts = "; ".join(", ".join(map(str, group)) for group in groups)
        raise UsageError(
            f"no finite strengths: wins between these groups of systems run one way: {parts}",
            expected="a win or a tie in both directions between any two groups",
        )
    if tied.any() and not decisions_contradict(wins, tied):
        raise UsageError(
            "no finite strengths: all wins are in line with the ties, as if nothing but ties could "
            "be expected",
            expected="more wins than ties along some cycle, such as a win in both directions",
        )


def decisions_contradict(wins: npt.ArrayLike, tied: npt.ArrayLike) -> bool:
    r"""Return True if Davidson's nu has a finite estimate.

    It has none if there are numbers u with u_i - u_j of 1 or more for each win of i over j and of 1
    at most for each tie: the likelihood then grows with nu and u together, without end. There are
    none if along some cycle, from winners to losers and over ties either way, wins are more than
    ties: a negative cycle of lengths -1 for a win and 1 for a tie.

    >>> decisions_contradict([[0, 1], [0, 0]], [[0, 1], [1, 0]])
    False
    >>> decisions_contradict([[0, 2], [1, 0]], [[0, 1], [1, 0]])
    True
    """
    length = np.where(np.asarray(tied, dtype=float) > 0, 1.0, np.inf)
    length = np.where(np.asarray(wins, dtype=float) > 0, -1.0, length)
    np.fill_diagonal(length, 0.0)
    for through in range(len(length)):  # Floyd and Warshall
        np.minimum(length, length[:, through, None] + length[through], out=length)
        if (np.diag(length) < 0).any():
            return True
    return False


def _probabilities(strength: Floats, log_ties: float) -> tuple[Floats, Floats]:
    """Return the probabilities that the row's system wins, and that the two tie."""
    half = (strength[:, None] - strength) / 2.0
    tie = np.full_like(half, log_ties)
    top = np.maximum(np.abs(half), tie)
    up, down, even = np.exp(half - top), np.exp(-half - top), np.exp(tie - top)
    total = up + down + even
    return up / total, even / total


def _derivatives(
    strength: Floats, log_ties: float, wins: Floats, tied: Floats
) -> tuple[float, Floats, Floats]:
    """Return the log likelihood, its first derivatives, and the information of all parameters.

    The parameters are the strengths and, where there are ties, the logarithm of nu last. Strengths
    matter up to a constant: a row of ones is added to the information, which fixes their mean.
    """
    k = strength.size
    beats, tie = _probabilities(strength, log_ties)
    number = wins + wins.T + tied
    share = beats + tie / 2.0
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(wins > 0, wins * np.log(beats), 0.0).sum()
        logs += np.where(tied > 0, tied * np.log(tie), 0.0).sum() / 2.0
    gradient = (wins + tied / 2.0 - number * share).sum(axis=1)
    spread = number * (beats + tie / 4.0 - share**2)
    information = np.diag(spread.sum(axis=1)) - spread + np.full((k, k), 1.0 / k)
    if not tied.any():
        return float(logs), gradient, information
    across = (number * tie * (0.5 - share)).sum(axis=1)
    of_ties = (number * tie * (1.0 - tie)).sum() / 2.0
    gradient = np.append(gradient, (tied - number * tie).sum() / 2.0)
    information = np.block([[information, across[:, None]], [across[None], np.array([[of_ties]])]])
    return float(logs), gradient, information


def _most_likely(wins: Floats, tied: Floats) -> tuple[Floats, float]:
    """Return the strengths and the logarithm of nu, by Newton's method with shorter steps."""
    k = len(wins)
    decided, even = wins.sum(), tied.sum() / 2.0
    log_ties = math.log(2.0 * even / decided) if even else -math.inf
    strength = np.zeros(k)
    logs, gradient, information = _derivatives(strength, log_ties, wins, tied)
    for _ in range(STEPS):
        step = np.linalg.solve(information, gradient)
        step *= min(1.0, LONGEST_STEP / max(float(np.abs(step).max()), PRECISION))
        while True:
            tried = strength + step[:k], log_ties + (float(step[k]) if even else 0.0)
            found = _derivatives(*tried, wins, tied)
            length = float(np.abs(step).max())
            if found[0] >= logs - ROUNDING * abs(logs) or length < PRECISION:
                break
            step /= 2.0
        (strength, log_ties), (logs, gradient, information) = tried, found
        if length < PRECISION:
            break
    return strength - strength.mean(), log_ties


def _by_topic(
    strength: Floats,
    log_ties: float,
    preferences: tuple[Integers, Integers, Floats],
    topic: Integers,
) -> "csr_array":
    """Return the first derivatives of each topic's log likelihood, in a sparse matrix."""
    from scipy.sparse import csr_array

    one, other, won = preferences
    beats, tie = _probabilities(strength, log_ties)
    gained = won - (beats[one, other] + tie[one, other] / 2.0)
    parts: Sequence[tuple[Integers, Floats]] = [(one, gained), (other, -gained)]
    width = strength.size
    if math.isfinite(log_ties):
        parts = [*parts, (np.full(one.size, width), (won == 0.5) - tie[one, other])]
        width += 1
    columns = np.concatenate([column for column, _ in parts])
    values = np.concatenate([value for _, value in parts])
    rows = np.tile(topic, len(parts))
    return csr_array((values, (rows, columns)), shape=(int(topic.max()) + 1, width))


def _spread(covariance: Floats) -> Floats:
    """Return the standard errors of the differences between every two."""
    variance = np.diag(covariance)
    return np.sqrt(np.maximum(variance[:, None] + variance - 2.0 * covariance, 0.0))
