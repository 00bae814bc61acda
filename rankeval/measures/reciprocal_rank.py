"""Reciprocal rank."""

import numpy as np

from rankeval.judgments import RankedJudgments
from rankeval.measures._bounds import extremes
from rankeval.measures._registry import Cutoff, JudgedOnly, Rel, Values, measure
from rankeval.measures._ties import expected_at_first
from rankeval.measures.counts import found


@measure("RR", at="cutoff", aliases=("recip_rank", "MRR", "mrr"), expected=True, bounds=extremes)
def reciprocal_rank(
    judged: RankedJudgments,
    *,
    rel: Rel = 1,
    judged_only: JudgedOnly = False,
    cutoff: Cutoff = None,
) -> Values:
    """Reciprocal rank: one over the rank of the first relevant document; its mean is MRR.

        RR@k = 1 / min{ i ≤ k : g_i ≥ rel }

    Edge cases
        - No relevant document within the cutoff: 0.

    Source
        Voorhees, The TREC-8 Question Answering Track Report, TREC 1999.
    """
    judged = judged.condensed if judged_only else judged
    if judged.ties_open:
        relevant = found(judged, rel=rel)
        return expected_at_first(judged, relevant, lambda rank: 1.0 / rank, cutoff)
    relevant = found(judged, rel=rel, cutoff=cutoff)
    first = relevant & (judged.cumulative_count(relevant) == 1)
    return judged.sum_per_topic(np.where(first, 1.0 / judged.rank, 0.0))
