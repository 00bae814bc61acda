"""Shannon entropy of exposure."""

import numpy as np

from rankeval.measures.arithmetic.exposure import Exposure
from rankeval.measures.declare.definition import RequiredCutoff
from rankeval.measures.recommenders.of_runs import of_run


@of_run("Entropy", aliases=("ShannonEntropy",), high=float("inf"))
def entropy(exposure: Exposure, *, cutoff: RequiredCutoff) -> float:  # noqa: ARG001  counted already
    """Entropy at k: how evenly recommendations are spread over items, in bits.

        Entropy@k = - Σ_i p_i log2 p_i        p_i = x_i / Σ_j x_j

    with x_i how often item i is among the first k of a list. It is log2 n if n items are shown
    equally often, and 0 if one item is shown alone.

    Example: the lists a b, a c and b a. The counts of a, b and c are 3, 2 and 1.

        Entropy@2 = 3/6 log2 6/3 + 2/6 log2 6/2 + 1/6 log2 6/1 = 1.4591

    All topics of the run count, also those without judgments.

    Edge cases
        - A run that recommends nothing: undefined.

    Differences
        - Elliot: the same if all lists have one length. RecBole takes natural logarithms, and
          divides by the number of items that are shown. RecTools has no entropy.

    Source
        Shannon, "A mathematical theory of communication", Bell System Technical Journal 27, 1948;
        Shani and Gunawardana, "Evaluating recommendation systems", Recommender Systems Handbook,
        2011.
    """
    total = exposure.counts.sum()
    if not total:
        return float("nan")
    share = np.sort(exposure.counts) / total
    return float(-(share * np.log2(share)).sum()) + 0.0  # one item alone gives -0.0
