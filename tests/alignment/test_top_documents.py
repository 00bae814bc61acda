"""The first documents of each topic of a run."""

from itertools import pairwise

import numpy as np
import pytest

from rankeval.alignment.qrels import from_mapping
from rankeval.alignment.top_documents import top_documents
from rankeval.io import trec
from rankeval.io.mappings import columns_of


@pytest.mark.parametrize("levels", [20, 10**9], ids=["tied", "distinct"])
def test_top_documents_are_those_of_the_whole_ranking(levels):
    rng = np.random.default_rng(5)
    run = {f"t{t}": {f"d{d}": float(rng.integers(0, levels)) for d in range(60)} for t in range(5)}
    qrels = from_mapping({topic: {"d1": 1} for topic in run})

    found = top_documents(qrels, run, 10)

    for topic, scores in run.items():
        # By score, descending, then by docno, descending.
        ranked = sorted(scores, key=lambda d: (scores[d], d), reverse=True)
        assert all(scores[a] >= scores[b] for a, b in pairwise(ranked))
        assert [docno.decode() for docno in found[topic.encode()]] == ranked[:10]
    assert len(columns_of(run, trec.RUN)) == 300
