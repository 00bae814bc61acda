"""Set measures: compare the set of retrieved documents with the relevant ones, ignoring ranks."""

import math
from typing import Annotated

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.errors import MeasureError
from rankeval.measures.counts import hits, share, share_of_relevant
from rankeval.measures.declare.definition import Alias, JudgedOnly, Rel, Values
from rankeval.measures.declare.measure_parameters import AtLeast, Meaning, MoreThan
from rankeval.measures.declare.measure_registry import measure
from rankeval.measures.declare.needs import Steps
from rankeval.measures.declare.value_bounds import extremes
from rankeval.ranking import RankedJudgments

Beta = Annotated[float, MoreThan(0), Meaning("recall weighs beta times as much as precision")]
Coefficient = Annotated[float, Meaning("worth of each document of the kind")]
Placeholder = Annotated[
    bool,
    Meaning(
        "score a topic missing from the run as if a single unjudged document was retrieved, as "
        "trec_eval 10 does for names with parameters"
    ),
]
CollectionSize = Annotated[int | None, AtLeast(0), Meaning("documents in the collection")]


def f_beta(
    n_found: Integers | Floats, n_retrieved: Integers | int, n_relevant: Integers, beta: float
) -> Values:
    """Return (1+b²)·tp / (b²·R + n), the weighted harmonic mean of tp/n and tp/R; 0 when tp = 0."""
    return share(
        (1 + beta**2) * n_found, np.where(n_found > 0, beta**2 * n_relevant + n_retrieved, 0)
    )


def _considered(judged: RankedJudgments, *, judged_only: bool) -> RankedJudgments:
    return judged.condensed if judged_only else judged


@measure("SetP", aliases=("set_P", "precision"), expected=True, bounds=extremes)
def set_precision(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    relative: Annotated[bool, Meaning("divide by min(n, R) instead of n")] = False,
    judged_only: JudgedOnly = False,
) -> Values:
    """Precision of the retrieved set: the share of relevant documents in it.

        SetP                = tp / n
        SetP(relative=True) = tp / min(n, R)

    with tp relevant documents among the n retrieved, and R relevant ones in all.

    Edge cases
        - Nothing retrieved: 0.

    Source
        trec_eval, set_P; ranx, precision without a cutoff.
    """
    judged = _considered(judged, judged_only=judged_only)
    n_relevant = judged.count_judged(min_grade=rel)
    whole = np.minimum(judged.retrieved, n_relevant) if relative else judged.retrieved
    return share(hits(judged, rel=rel), whole)


@measure("SetRelP", aliases=("set_relative_P",), tier=2, expected=True, bounds=extremes)
def set_relative_precision(judged: RankedJudgments, *, rel: Rel = 1) -> Values:
    """Relative precision of the retrieved set: SetP divided by the best possible SetP.

        SetRelP = tp / min(n, R) = SetP(relative=True)

    Edge cases
        - Nothing retrieved, or nothing relevant: 0.

    Source
        trec_eval, set_relative_P.
    """
    return set_precision(judged, rel=rel, relative=True)


@measure("SetR", aliases=("set_recall", "Recall"), expected=True, bounds=extremes)
def set_recall(judged: RankedJudgments, *, rel: Rel = 1) -> Values:
    """Recall of the retrieved set: the share of the relevant documents in it.

        SetR = tp / R

    Edge cases
        - R = 0: 0.

    Source
        trec_eval, set_recall; ranx, recall without a cutoff.
    """
    return share_of_relevant(hits(judged, rel=rel), judged, rel=rel)


@measure(
    "SetF",
    aliases=(Alias("set_F", suffix="beta", convert=lambda x: math.sqrt(float(x))), "f1", "F1"),
    steps=Steps(parts=("SetP", "SetR")),
    expected=True,
    bounds=extremes,
)
def set_f(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    beta: Beta = 1.0,
    judged_only: JudgedOnly = False,
) -> Values:
    """F measure of the retrieved set: the weighted harmonic mean of precision and recall.

        SetF = (1+β²)·P·R / (β²·P + R);  for β = 1 it is 2·tp / (n + R)

    with P = SetP and R = SetR in the first form, n retrieved and R relevant in the second.

    Edge cases
        - tp = 0: 0.

    Differences
        - trec_eval's set_F_x and ir_measures' beta use x where the textbook has β²: their
          beta=2 is SetF(beta=1.4142…); the name set_F_x is read with that meaning.

    Source
        van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7.
    """
    judged = _considered(judged, judged_only=judged_only)
    n_relevant = judged.count_judged(min_grade=rel)
    return f_beta(hits(judged, rel=rel), judged.retrieved, n_relevant, beta)


@measure("SetE", loss=True, steps=Steps(parts=("SetF",)), expected=True, bounds=extremes)
def set_e(judged: RankedJudgments, *, rel: Rel = 1, beta: Beta = 1.0) -> Values:
    """van Rijsbergen's effectiveness E: 1 - F, a loss.

        SetE = 1 - SetF;  for β = 1 it is (fp + fn) / (2·tp + fp + fn)

    which is the symmetric difference of the retrieved and the relevant set over the sum of
    their sizes.

    Edge cases
        - tp = 0: 1, also when both sets are empty.

    Source
        van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7.
    """
    return 1.0 - set_f(judged, rel=rel, beta=beta)


@measure("SetJaccard", expected=True, bounds=extremes)
def set_jaccard(judged: RankedJudgments, *, rel: Rel = 1) -> Values:
    """Jaccard index of the retrieved and the relevant set.

        SetJaccard = tp / (n + R - tp);  F1 = 2J / (1 + J)

    Edge cases
        - Both sets empty: 0.

    Source
        Jaccard, The distribution of the flora in the alpine zone, New Phytologist 11, 1912.
    """
    n_found = hits(judged, rel=rel)
    return share(n_found, judged.retrieved + judged.count_judged(min_grade=rel) - n_found)


@measure(
    "SetAP",
    aliases=("set_map",),
    tier=2,
    steps=Steps(parts=("SetP", "SetR")),
    expected=True,
    bounds=extremes,
)
def set_average_precision(
    judged: RankedJudgments, *, rel: Rel = 1, judged_only: JudgedOnly = False
) -> Values:
    """Precision times recall of the retrieved set.

        SetAP = tp² / (n·R)

    Edge cases
        - Nothing retrieved, or nothing relevant: 0.

    Source
        trec_eval, set_map.
    """
    judged = _considered(judged, judged_only=judged_only)
    n_found = hits(judged, rel=rel)
    return share(n_found * n_found, judged.retrieved * judged.count_judged(min_grade=rel))


@measure(
    "SetUtility",
    aliases=("utility",),
    low=-float("inf"),
    high=float("inf"),
    tier=2,
    expected=True,
    bounds=extremes,
)
def set_utility(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    a: Coefficient = 1.0,
    b: Coefficient = -1.0,
    c: Coefficient = 0.0,
    d: Coefficient = 0.0,
    N: CollectionSize = None,  # noqa: N803 - the field's letter for the collection size
    placeholder: Placeholder = False,
) -> Values:
    """Linear utility of the retrieved set.

        SetUtility = a·tp + b·fp + c·fn + d·(N - tp - fp - fn)

    with fp = n - tp, fn = R - tp and N documents in the collection.

    Edge cases
        - d ≠ 0 needs N, the size of the collection.

    Differences
        - trec_eval's utility.a,b,c,d has N=0 unless -N is given, and counts a topic missing
          from the run as one with a single unjudged document. That name is read with N=0 and
          placeholder=True.

    Source
        trec_eval, utility; the TREC filtering track.
    """
    if d and N is None:
        raise MeasureError(
            "SetUtility with d≠0 needs the size of the collection",
            remedy="give it as N=… or with -N",
        )
    n_found = hits(judged, rel=rel)
    n_relevant = judged.count_judged(min_grade=rel)
    n_retrieved = np.maximum(judged.retrieved, 1) if placeholder else judged.retrieved
    n_false = n_retrieved - n_found
    n_missed = n_relevant - n_found
    rest = (N or 0) - n_found - n_false - n_missed
    return a * n_found + b * n_false + c * n_missed + d * rest
