r"""Values of rankings from a random sample of judged documents, helped by a machine's grades.

Each document of a pool gets an unbiased guess of its gain: by the machine, lambda m, plus where it
was drawn (y - lambda m)/pi, with y the gain by people and pi the probability of being drawn.
Measures are computed from these guesses: sums without bias, ratios of two sums nearly so. The
variance within a topic is that of draws without replacement, of the measure made linear.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers, accumulate, offsets_of, sums
from rankeval.base.frozen import frozen

NOISE = 1e-9
"""A share of a sum of squares below this is what rounding leaves of it."""

TOTAL, SHARE, PRECISION, STAT_AP = "total", "share", "precision", "statAP"
"""The ways in which gains make a value: a weighted sum, its share of the pool's gains, the mean of
the precisions at relevant documents, and that as if documents were drawn independently."""


@frozen(eq=False)
class Drawn:
    """D documents of T topics, drawn from S strata.

    =========== ============ ========================================================
    topic       (D,) int64   the topic of each document
    stratum     (D,) int64   its stratum; strata of two topics differ
    probability (D,) float64 probability of having been drawn
    drawn       (D,) bool    True where it was
    n_topics    int          T
    =========== ============ ========================================================
    """

    topic: Integers
    stratum: Integers
    probability: Floats
    drawn: Booleans
    n_topics: int

    @cached_property
    def rows(self) -> Integers:
        """The documents that were drawn, (n,)."""
        return np.flatnonzero(self.drawn)

    @cached_property
    def stratum_of_rows(self) -> Integers:
        """The stratum of each of them, numbered among those from which anything was drawn, (n,)."""
        _, stratum = np.unique(self.stratum[self.rows], return_inverse=True)
        return stratum

    @property
    def freedom(self) -> int:
        """The degrees of freedom of variances: documents drawn, less their strata."""
        return len(self.rows) - int(self.stratum_of_rows.max(initial=-1)) - 1


@frozen(eq=False)
class Ranking:
    """The N documents of the pool that a run retrieved, topic by topic in the order of ranks.

    document (N,) their numbers; weight (N,) the weights that a measure gives to their ranks.
    """

    document: Integers
    weight: Floats


@frozen(eq=False)
class SampledValues:
    """The values of a run by topic, and how much each drawn document moves them.

    value  (T,)
    slope  (n,) by how much a gain of 1 more of each drawn document changes its topic's value,
           times its probability
    moved  (n,) what each drawn document adds to its topic's value, which is made linear
    """

    value: Floats
    slope: Floats
    moved: Floats


def topic_values(
    drawn: Drawn,
    ranking: Ranking,
    human: Floats,
    machine: Floats,
    way: str,
    *,
    hajek: bool = False,
) -> SampledValues:
    r"""Estimate the values of a run; `human` and `machine` have the gains of documents, (D,).

    .. math:: \hat y_i = m_i + \frac{[i \in s]}{\pi_i} (y_i - m_i), \qquad
        \hat V = \sum_r w_r \hat y_r, \qquad \frac{\hat V}{\sum_i \hat y_i}, \qquad
        \frac{\sum_r w_r \hat y_r (1 + \sum_{j<r} \hat y_j)}{\sum_i \hat y_i}

    for a sum, a share and precisions; `machine` is what counts of it, lambda m. In products of two
    documents of one stratum, what draws add to both is divided by the probability of having drawn
    both, n (n - 1) / (N (N - 1)), so that the numerator has no bias; statAP divides by each one's.
    With `hajek` the part of a sum that the draws give is divided by the estimated sum of the
    weights and multiplied by the known one.

    Edge cases
        - A stratum with one draw has no pairs: those of its documents are lacking.
        - No gain in a topic: a share and precisions are 0.
        - The sum of the guesses below the gain that was found, or below 1: it is that, so that a
          wrong machine divides nothing by next to nothing.
        - Nothing of the ranking was drawn: Hajek's sum is the machine's.

    Source: Horvitz and Thompson, "A generalization of sampling without replacement from a finite
    universe", JASA 47, 1952; Särndal, Swensson and Wretman, Model Assisted Survey Sampling, 1992,
    chapters 5 and 6; Pavlu and Aslam, "A practical sampling strategy for efficient retrieval
    evaluation", Northeastern University, 2007.
    """
    inverse = np.where(drawn.drawn, 1.0 / drawn.probability, 0.0)
    left = human - machine
    guess = machine + inverse * left
    at, weight = ranking.document, ranking.weight
    topic, n = drawn.topic[at], drawn.n_topics
    slope = np.zeros(len(guess))
    if way == TOTAL and hajek:
        known, found = sums(topic, weight, n), sums(topic, weight * inverse[at], n)
        scale = np.divide(known, found, out=np.zeros(n), where=found > 0.0)
        centre = np.divide(
            sums(topic, weight * (inverse * left)[at], n), found, out=np.zeros(n), where=found > 0.0
        )
        slope[at] = weight * scale[topic]
        left = left - centre[drawn.topic]
        return _moved(drawn, sums(topic, weight * machine[at], n) + known * centre, slope, left)
    if way == TOTAL:
        slope[at] = weight
        return _moved(drawn, sums(topic, weight * guess[at], n), slope, left)
    whole = sums(drawn.topic, guess, n)
    if way == SHARE:
        slope[at] = weight
        total = sums(topic, weight * guess[at], n)
    else:
        offsets = offsets_of(np.bincount(topic, minlength=n))
        terms = weight * guess[at]
        above = accumulate(np.add, guess[at], offsets) - guess[at]
        below = sums(topic, terms, n)[topic] - accumulate(np.add, terms, offsets)
        slope[at] = weight * (1.0 + above) + below
        total = sums(topic, terms * (1.0 + above), n)
        if way == PRECISION:
            beside, more = _pairs_of_strata(drawn, ranking, inverse * left)
            total += sums(topic, beside, n)
            slope[at] += more
    least = np.maximum(sums(drawn.topic[drawn.rows], human[drawn.rows], n), 1.0)
    free = whole > least
    size = np.where(free, whole, least)
    value = total / size
    slope = (slope - (free * value)[drawn.topic]) / size[drawn.topic]
    return _moved(drawn, value, slope, left)


def _pairs_of_strata(drawn: Drawn, ranking: Ranking, added: Floats) -> tuple[Floats, Floats]:
    """Return what pairs of one stratum lack in the sum of precisions, by row, and its slope.

    `added` is what draws add to each document's gain, (D,). A pair is given the weight 1 / the
    probability of having drawn both; a stratum with one draw has no pair.
    """
    rows = np.flatnonzero(drawn.drawn[ranking.document])
    at = ranking.document[rows]
    by_stratum = np.argsort(drawn.stratum[at], kind="stable")  # in the order of ranks within each
    rows, at = rows[by_stratum], at[by_stratum]
    stratum = drawn.stratum[at]
    count = np.bincount(drawn.stratum[drawn.rows], minlength=int(drawn.stratum.max(initial=0)) + 1)
    n = count[stratum].astype(np.float64)
    size = n / drawn.probability[at]
    both = n * (size - 1.0) / np.maximum(size * (n - 1.0), 1.0) - 1.0
    lacking = np.where(n > 1.0, both, 0.0)
    offsets = offsets_of(np.bincount(stratum, minlength=len(count)))
    found, terms = added[at], ranking.weight[rows] * added[at]
    above = accumulate(np.add, found, offsets) - found
    below = sums(stratum, terms, len(count))[stratum] - accumulate(np.add, terms, offsets)
    beside, slope = np.zeros(len(ranking.document)), np.zeros(len(ranking.document))
    beside[rows] = lacking * terms * above
    slope[rows] = lacking * (ranking.weight[rows] * above + below)
    return beside, slope


def _moved(drawn: Drawn, value: Floats, slope: Floats, left: Floats) -> SampledValues:
    rows = drawn.rows
    return SampledValues(value, slope[rows], slope[rows] * left[rows] / drawn.probability[rows])


def variances(drawn: Drawn, moved: Floats) -> Floats:
    r"""Return the variance within each topic of values that the drawn documents move so, (T,).

    .. math:: \hat V = \sum_h \frac{n_h}{n_h - 1} \sum_{i \in s_h} (1 - \pi_i) (z_i - \bar z_h)^2,
        \qquad \bar z_h = \frac{\sum (1 - \pi_i) z_i}{\sum (1 - \pi_i)}

    which for n_h of N_h documents is the unbiased N² (1 - n/N) s²/n of the gains. A stratum with
    one draw shows no variance: its (1 - pi) z² is on average at least the variance that it has.

    Source: Cochran, Sampling Techniques, 1977, chapter 5; for unequal probabilities Hájek,
    "Asymptotic theory of rejective sampling with varying probabilities from a finite population",
    Annals of Mathematical Statistics 35, 1964.
    """
    return covariances(drawn, moved, moved)


def covariances(drawn: Drawn, first: Floats, second: Floats) -> Floats:
    """Return the covariance within each topic of two values, as `variances` has it, (T,)."""
    rows, stratum = drawn.rows, drawn.stratum_of_rows
    rest = 1.0 - drawn.probability[rows]
    count = np.bincount(stratum)
    room = np.bincount(stratum, rest)
    alone = count[stratum] == 1

    def centred(moved: Floats) -> Floats:
        mean = np.divide(
            np.bincount(stratum, rest * moved), room, out=np.zeros(len(room)), where=room > 0.0
        )
        return np.where(alone, moved, moved - mean[stratum])

    scale = np.where(alone, 1.0, count[stratum] / np.maximum(count[stratum] - 1, 1))
    squares = scale * rest * centred(first) * centred(second)
    return sums(drawn.topic[rows], squares, drawn.n_topics)


def machine_weights(
    drawn: Drawn, alone: Sequence[SampledValues], human: Floats, machine: Floats
) -> Floats:
    r"""Return the weight lambda of the machine's gains in each topic, from 0 to 1, shape (T,).

    It is the one with the least variance of the runs' values in all other topics, so that it does
    not depend on the draws in its own, and estimates of sums stay unbiased. `alone` are the runs'
    values without the machine; ratios are made linear there, gains in both of their sums:

    .. math:: \lambda_t = \frac{\sum_{s \ne t} \mathrm{cov}_s(y, m)}
        {\sum_{s \ne t} \mathrm{var}_s(m)}

    Edge cases
        - One topic: 1, the difference estimator.
        - The machine gives the drawn documents of all other topics the same gain: 0.
    """
    together, spread = np.zeros(drawn.n_topics), np.zeros(drawn.n_topics)
    if drawn.n_topics == 1:
        return np.ones(1)
    chance = drawn.probability[drawn.rows]
    for found in alone:
        by_people, by_machine = (
            found.slope * gains[drawn.rows] / chance for gains in (human, machine)
        )
        together += covariances(drawn, by_people, by_machine)
        spread += covariances(drawn, by_machine, by_machine)
    others, range_ = together.sum() - together, spread.sum() - spread
    weight = np.divide(
        others, range_, out=np.zeros(len(others)), where=range_ > NOISE * spread.sum()
    )
    return np.clip(weight, 0.0, 1.0)
