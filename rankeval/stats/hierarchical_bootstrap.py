"""The hierarchical bootstrap: collections with replacement, and topics in each that is drawn."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rankeval.errors import UsageError
from rankeval.stats.arrays import (
    Floats,
    as_columns,
    random_numbers,
    require_count,
    require_fraction,
)
from rankeval.stats.bootstrap import sample_weights
from rankeval.support.frozen import frozen

SAMPLES = 10_000


@frozen
class MacroInterval:
    """A bootstrap interval of a mean over collections of the means over their topics.

    ==========  ===================================================================================
    mean        the macro mean
    low, high   ends of the interval
    level       the confidence level, such as 0.95
    collections the number of collections
    samples     bootstrap samples
    seed        of the samples
    ==========  ===================================================================================
    """

    mean: float
    low: float
    high: float
    level: float
    collections: int
    samples: int
    seed: int


def hierarchical_bootstrap(
    collections: Sequence[Sequence[npt.ArrayLike]],
    *,
    level: float = 0.95,
    samples: int = SAMPLES,
    seed: int = 0,
) -> tuple[MacroInterval, ...]:
    r"""Bound the macro mean of the population that collections and topics were drawn from.

    .. math::
        \bar d = \frac{1}{C} \sum_{c=1}^{C} \frac{1}{P_c} \sum_{p=1}^{P_c}
            \frac{1}{n_{cp}} \sum_{t=1}^{n_{cp}} d_{cpt}

    with C collections, P_c parts of collection c (one, if it has no parts), and n_cp topics. Each
    sample draws C collections with replacement, and for each that is drawn, all of its parts with
    new samples of their topics. The interval is between the quantiles (1 - level)/2 and
    (1 + level)/2 of the samples' macro means.

    The values of a collection vary with its topics, and drawing topics again adds their variance a
    second time: with few topics the interval is wide. Percentiles of few collections make it
    narrow. docs/statistics.md has the coverage.

    Shapes: for each collection a sequence of parts, each of shape (n, m), or (n,) for m = 1:
    values, or differences, of m columns on n topics. Gives m intervals, from the same samples.

    Edge cases
        - A topic with a NaN in any column is left out.
        - Fewer than two collections, or a part without a topic: UsageError.

    Source: Davison and Hinkley, Bootstrap Methods and their Application, 1997, section 3.8;
    Saravanan, Berman and Sober, "Application of the hierarchical bootstrap to multi-level data in
    neuroscience", Neurons, Behavior, Data Analysis, and Theory 3(5), 2020.

    >>> found = hierarchical_bootstrap([[[0.1, 0.2]], [[0.3, 0.2, 0.1]], [[0.0, 0.2]]], samples=500)
    >>> round(found[0].mean, 2), 0.0 <= found[0].low < found[0].high <= 0.3
    (0.15, True)
    """
    require_fraction(level, "level")
    draws = require_count(samples, "samples")
    parts = [[_complete(part) for part in collection] for collection in collections]
    if len(parts) < 2:
        raise UsageError(
            f"found {len(parts)} collections", expected="two or more, to see how they differ"
        )
    means = np.mean([np.mean([part.mean(axis=0) for part in one], axis=0) for one in parts], axis=0)
    rng = random_numbers(seed)
    chosen = rng.integers(0, len(parts), size=(draws, len(parts)))
    total = np.zeros((draws, means.size))
    for at, collection in enumerate(parts):
        times = (chosen == at).sum(axis=1)
        drawn = np.repeat(np.arange(draws), times)  # the sample that each drawn one is for
        if drawn.size:
            of_topics = np.mean(
                [_sample_means(part, drawn.size, int(rng.integers(2**63))) for part in collection],
                axis=0,
            )
            np.add.at(total, drawn, of_topics)
    low, high = np.quantile(total / len(parts), [(1 - level) / 2, (1 + level) / 2], axis=0)
    return tuple(
        MacroInterval(float(mean), float(a), float(b), level, len(parts), draws, seed)
        for mean, a, b in zip(means, low, high, strict=True)
    )


def _complete(part: npt.ArrayLike) -> Floats:
    """Return the topics with a value in each column; UsageError for none."""
    columns = as_columns(part, "values")
    complete: Floats = columns[~np.isnan(columns).any(axis=1)]
    if not len(complete):
        raise UsageError("a collection has no topic with values", expected="one topic or more")
    return complete


def _sample_means(values: Floats, samples: int, seed: int) -> Floats:
    """Return the means of bootstrap samples of the topics, shape (samples, columns)."""
    n_topics = len(values)
    return np.concatenate(
        [weights @ values / n_topics for weights in sample_weights(n_topics, samples, seed)]
    )
