"""Equivalence, probabilities, and topics on which a measure is defined for one run only."""

import json

import pytest

from rankeval.stats import posterior_probabilities
from tests.support.comparisons import FILES, rows, values_of_each_run
from tests.support.files import qrels_of, run_of

multipletests = pytest.importorskip("statsmodels.stats.multitest").multipletests
ttost_paired = pytest.importorskip("statsmodels.stats.weightstats").ttost_paired


@pytest.fixture(scope="module")
def values():
    return values_of_each_run()


# --- equivalence --------------------------------------------------------------------------


def test_equivalence_is_statsmodels_corrected_over_the_measures_that_have_a_margin(shell, values):
    outcome = shell(*FILES, "--equivalent", "ndcg_cut_10=0.1", "-f", "tsv", "--digits", "12")

    found = rows(outcome)
    tested = [row for row in found if row["p_equivalent"]]
    assert [row["measure"] for row in tested] == ["nDCG@10", "nDCG@10"]
    raw = [
        ttost_paired(values[row["run"], "nDCG@10"], values["bm25", "nDCG@10"], -0.1, 0.1)[0]
        for row in tested
    ]
    corrected = multipletests(raw, method="holm")[1]
    assert [float(row["p_equivalent"]) for row in tested] == pytest.approx(corrected)


# --- probabilities ------------------------------------------------------------------------


def test_bayes_gives_probabilities_of_the_posterior(shell, values):
    outcome = shell(*FILES, "--test", "bayes", "--equivalent", "AP=0.02", "-f", "json")

    for one in json.loads(outcome.out)["comparisons"]:
        differences = values[one["run"], one["measure"]] - values["bm25", one["measure"]]
        margin = 0.02 if one["measure"] == "AP" else 0.01
        expected = posterior_probabilities(differences, margin=margin)
        assert one["posterior"]["worse"] == pytest.approx(expected.worse)
        assert one["posterior"]["better"] == pytest.approx(expected.better)
        assert one["low"] == pytest.approx(expected.low)
        assert one["p"] is one["p_raw"] is one["equivalence"] is None


def test_of_a_loss_worse_is_what_grows(shell):
    rankings = {"t1": "x r", "t2": "x y r", "t3": "r", "t4": "x r"}
    better = dict.fromkeys(rankings, "r")
    shell.write(
        qrels=qrels_of(**dict.fromkeys(rankings, "r1")),
        base=run_of("base", **rankings),
        run=run_of("run", **better),
    )

    (row,) = rows(
        shell(
            "compare", "qrels.txt", "base.txt", "run.txt", "-m", "KAtRecall@1", "--test", "bayes",
            "-f", "tsv",
        )
    )  # fmt: skip

    assert float(row["difference"]) == -1.0
    assert float(row["p_better"]) > 0.9
    assert float(row["low"]) < float(row["difference"]) < float(row["high"])
