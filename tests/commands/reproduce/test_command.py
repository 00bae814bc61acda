import json
from pathlib import Path

import pytest

import rankeval
from rankeval import plots
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


def test_a_picture_has_the_numbers_of_the_table(shell):
    pytest.importorskip("matplotlib")
    words = [*WORDS, "-m", "AP", "--cutoffs", "5,10,20"]

    outcome = shell(*words, "-f", "json", "--plot", "close.svg")

    assert outcome.code == 0, outcome.err
    assert "<svg" in shell.path("close.svg").read_text()
    cutoffs = json.loads(outcome.out)["cutoffs"]
    found = rankeval.reproduce(
        EXAMPLE_QRELS,
        (RUN["bm25"], RUN["lsa"]),
        (RUN["tfidf"], RUN["qld"]),
        "AP",
        cutoffs=(5, 10, 20),
    )
    drawn = plots.reproduction_data(found)
    assert drawn[0].measure == "RBO"
    assert drawn[0].runs == ("tfidf (base)", "qld (advanced)")
    for place, cutoff in enumerate(cutoffs):
        rbo = cutoffs[cutoff]["rbo"]
        assert drawn[0].x[place] == int(cutoff)
        assert drawn[0].y[:, place].tolist() == [rbo["base"], rbo["advanced"]]


def test_tau_union_is_drawn_where_it_is_defined():
    runs = [{"1": {"a": 2.0, "b": 1.0}}, {"1": {"b": 2.0, "a": 1.0}}]

    found = rankeval.reproduce({"1": {"a": 1}}, runs, runs, "AP", cutoffs=[1, 2])

    rbo, tau = plots.reproduction_data(found)
    assert (rbo.measure, tau.measure) == ("RBO", "tau Union")
    assert rbo.y.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert tau.y[:, 1].tolist() == [1.0, 1.0]


def test_other_topics_have_no_picture(shell):
    outcome = shell(*WORDS, "--other-qrels", str(EXAMPLE_QRELS), "--plot", "close.svg")

    assert outcome.code == 2
    assert "rankings of other topics cannot be compared" in outcome.err
    assert not shell.path("close.svg").exists()
