"""Gini index of exposure."""

from typing import Annotated

import numpy as np

from rankeval.measures.arithmetic.exposure import Exposure
from rankeval.measures.declare.definition import RequiredCutoff
from rankeval.measures.declare.measure_parameters import Meaning
from rankeval.measures.declare.needs import CATALOG
from rankeval.measures.recommenders.of_runs import of_run

Corrected = Annotated[
    bool, Meaning("divide by n - 1 rather than n, so that one item shown alone gives 1")
]


@of_run("Gini", aliases=("GiniIndex",), needs=(CATALOG,), loss=True)
def gini(
    exposure: Exposure,
    *,
    corrected: Corrected = False,
    cutoff: RequiredCutoff,  # noqa: ARG001  counted already
) -> float:
    """Gini index at k: how unequally recommendations are spread over the catalogue.

        Gini@k = Σ_j (2j - n - 1) x_j / (n Σ_j x_j)

    with x_1 ≤ ... ≤ x_n how often each of the n items of the catalogue is among the first k of a
    list; items that are never shown have 0. It is 0 if all items are shown equally often.

    Example: a catalogue of 5 items and the lists a b, a c and b a. The counts are 0 0 1 2 3.

        Gini@2 = (0·1 + 2·2 + 4·3) / (5 · 6) = 16/30 = 0.5333

    All topics of the run count, also those without judgments.

    Edge cases
        - A run that recommends nothing: undefined.
        - A catalogue of one item: 0.

    Differences
        - RecBole: the same formula. Elliot: 1 - Gini(corrected=True). RecTools has no Gini index.

    Source
        Fleder and Hosanagar, "Blockbuster culture's next rise or fall", Management Science 55(5),
        2009; Shani and Gunawardana, "Evaluating recommendation systems", Recommender Systems
        Handbook, 2011, for corrected=True.
    """
    n, counts = exposure.catalogue, np.sort(exposure.counts)
    total = int(counts.sum())
    if not total:
        return float("nan")
    if n == 1:
        return 0.0
    place = np.arange(n - len(counts) + 1, n + 1)
    return float(((2.0 * place - n - 1) * counts).sum() / ((n - 1 if corrected else n) * total))
