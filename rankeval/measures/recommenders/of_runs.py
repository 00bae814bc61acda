"""Register measures of recommenders: of a whole run, and of the list of each user.

They stand in the one table of measures, so that `-m "Coverage@10 nDCG@10"` reads both kinds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, cast

import numpy as np

from rankeval.measures.arithmetic.exposure import Exposure
from rankeval.measures.declare.aggregates import WHOLE_RUN
from rankeval.measures.declare.definition import Function, RequiredCutoff, RunFunction
from rankeval.measures.declare.measure_parameters import Meaning
from rankeval.measures.declare.measure_registry import measure
from rankeval.measures.declare.needs import CATALOG, LISTS, NO_STEPS, Need, Steps


def of_run(
    name: str,
    *,
    aliases: tuple[str, ...] = (),
    needs: tuple[Need, ...] = (),
    high: float = 1.0,
    loss: bool = False,
) -> Callable[[RunFunction], RunFunction]:
    """Register a function from `Exposure` and a cutoff to one number: a measure of a whole run."""
    register = measure(
        name,
        at="cutoff",
        aliases=aliases,
        aggregate=WHOLE_RUN,
        high=high,
        loss=loss,
        tier=2,
        needs=(LISTS, *needs),
        of_run=True,
    )
    return cast("Callable[[RunFunction], RunFunction]", register)


def of_users(
    name: str,
    *,
    aliases: tuple[str, ...] = (),
    needs: tuple[Need, ...] = (),
    high: float = 1.0,
    loss: bool = False,
    steps: Steps = NO_STEPS,
) -> Callable[[Function], Function]:
    """Register a function from judgments to the values of users: a measure of their lists."""
    return measure(
        name,
        at="cutoff",
        aliases=aliases,
        high=high,
        loss=loss,
        tier=2,
        needs=(LISTS, *needs),
        steps=steps,
    )


@of_run("Coverage", aliases=("CatalogCoverage", "ItemCoverage"), needs=(CATALOG,))
def coverage(exposure: Exposure, *, cutoff: RequiredCutoff) -> float:  # noqa: ARG001  counted already
    """Catalogue coverage at k: share of the catalogue that is recommended to any user.

        Coverage@k = |items among the first k of any list| / |catalogue|

    Example: a catalogue of 5 items, of which the lists a b, a c and b a are shown.

        Coverage@2 = |{a, b, c}| / 5 = 0.6        Coverage@1 = |{a, b}| / 5 = 0.4

    All topics of the run count, also those without judgments.

    Edge cases
        - A run that recommends nothing: 0.
        - An item that the catalogue lacks, or more items than it has: an error.

    Differences
        - RecTools: CatalogCoverage(normalize=True). It also counts items outside the catalogue.

    Source
        Herlocker, Konstan, Terveen and Riedl, "Evaluating collaborative filtering recommender
        systems", ACM TOIS 22(1), 2004; Ge, Delgado-Battenfeld and Jannach, "Beyond accuracy",
        RecSys 2010.
    """
    return len(exposure.counts) / exposure.catalogue


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
