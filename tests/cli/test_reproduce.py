import json
from pathlib import Path

import pytest

from tests.support.files import EXAMPLE_QRELS, EXAMPLE_RUNS

RUN = {path.stem: str(path) for path in map(Path, EXAMPLE_RUNS)}
WORDS = [
    *("reproduce", str(EXAMPLE_QRELS), "--original", RUN["bm25"], f"better={RUN['lsa']}"),
    *("--replicated", RUN["tfidf"], RUN["qld"]),
]


def test_json_has_each_statistic_by_measure(shell):
    found = json.loads(shell(*WORDS, "-m", "AP", "-f", "json").out)

    assert found["runs"]["original_advanced"]["name"] == "better"
    assert found["rmse"]["AP"] == pytest.approx({"base": 0.2095, "advanced": 0.2449}, abs=5e-5)
    assert found["effect_ratio"]["AP"] == pytest.approx(1.1244, abs=5e-5)
    assert found["ktu"] == {"base": None, "advanced": None}
    assert list(found["cutoffs"]) == ["5", "10", "20", "100", "1000"]


def test_other_judgments_leave_out_what_needs_the_same_topics(shell):
    outcome = shell(*WORDS, "-m", "AP", "--other-qrels", str(EXAMPLE_QRELS))

    assert "Unpaired t tests" in outcome.out
    assert "RMSE" not in outcome.out
    assert "RBO" not in outcome.out


@pytest.mark.parametrize("cutoffs", ["0", "5,x", ""])
def test_cutoffs_are_whole_numbers(shell, cutoffs):
    outcome = shell(*WORDS, "--cutoffs", cutoffs)

    assert outcome.code == 2
    assert "whole numbers of at least 1" in outcome.err


def test_both_runs_of_an_experiment_are_needed(shell):
    outcome = shell("reproduce", str(EXAMPLE_QRELS), "--original", RUN["bm25"], RUN["lsa"])

    assert outcome.code == 2
    assert "--replicated" in outcome.err
