"""Measures for incomplete judgments: how much is judged, and measures that allow for it."""

import numpy as np

from rankeval.judgments import RankedJudgments
from rankeval.measures._registry import Cutoff, RequiredCutoff, Values, measure
from rankeval.measures.counts import hits, share

ANY_GRADE = -float("inf")


@measure("Judged", at="cutoff", tier=2)
def judged_share(judged: RankedJudgments, *, cutoff: Cutoff = None) -> Values:
    """Share of the first k documents that have a line in the qrels.

        Judged@k = |{ i ≤ k : judged }| / min(k, n)

    Edge cases
        - Nothing retrieved: 0.
        - Documents with a negative grade have a line, so they count.

    Source
        ir_measures, Judged.
    """
    considered = judged.retrieved if cutoff is None else np.minimum(judged.retrieved, cutoff)
    return share(hits(judged, rel=ANY_GRADE, cutoff=cutoff), considered)


@measure("Unjudged", at="cutoff", aliases=("unj",), tier=2, loss=True)
def unjudged_share(judged: RankedJudgments, *, cutoff: RequiredCutoff) -> Values:
    """Share of the first k places that hold a document without a judgment; a loss.

        Unjudged@k = |{ i ≤ min(k, n) : unjudged, or of negative grade }| / k

    Edge cases
        - Fewer than k retrieved: it still divides by k, so it differs from 1 - Judged@k then,
          and where grades are negative.

    Source
        trec_eval, unj.
    """
    considered = np.minimum(judged.retrieved, cutoff)
    return (considered - hits(judged, rel=0, cutoff=cutoff)) / cutoff
