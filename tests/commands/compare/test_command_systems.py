"""Tests of all runs at once in `rankeval compare`: what their figures hold for."""

import numpy as np
import pytest

import rankeval
from rankeval.stats import dunnett
from tests.support.comparisons import FILES, RUNS, rows
from tests.support.files import EXAMPLE_QRELS

NAMES = ["bm25", "lsa", "tfidf"]
MEASURES = ("-m", "nDCG@10 AP P@10")


@pytest.fixture(scope="module")
def tables():
    """Values by measure, topics by runs, from the evaluation alone."""
    runs = [str(RUNS[name]) for name in NAMES]
    results = rankeval.evaluate(str(EXAMPLE_QRELS), runs, MEASURES[1])
    return {
        score.measure: np.stack([run.scores[i].values for run in results.runs], axis=1)
        for i, score in enumerate(results.runs[0].scores)
    }


def test_dunnett_compares_with_the_baseline_only(shell, tables):
    found = rows(shell(*FILES, "-m", "AP", "--test", "dunnett", "-f", "tsv", "--digits", "12"))

    for row, pair in zip(found, dunnett(tables["AP"]).pairs, strict=True):
        assert float(row["p"]) == pytest.approx(pair.p_value, abs=1e-9)
        assert float(row["low"]) == pytest.approx(pair.low, abs=1e-9)
    refused = shell(*FILES, "--test", "dunnett", "--all-pairs")
    assert refused.code == 2
    assert "compares with the baseline only" in refused.err
