"""Scores of nuggets are results: other commands read them as those of rankings."""

import json
import statistics

import pytest
from scipy.stats import ttest_rel

import rankeval
from rankeval.errors import InputError

TOPICS = [f"q{number}" for number in range(8)]
ASSIGNMENTS = ("support", "partial_support", "not_support")


def nuggets(number):
    return [
        {"text": f"fact {number}.{i}", "importance": "vital" if i % 3 else "okay"} for i in range(4)
    ]


GOLD = [{"qid": topic, "nuggets": nuggets(number)} for number, topic in enumerate(TOPICS)]


def answered(run, shift, *, text=None):
    """The nuggets of every topic, assigned to the answers of a run."""
    for number, record in enumerate(GOLD):
        assigned = [
            {**nugget, "assignment": ASSIGNMENTS[(number * i + shift * i * i) % 3]}
            for i, nugget in enumerate(record["nuggets"])
        ]
        yield {**record, "nuggets": assigned, "run_id": run} | (
            {} if text is None else {"answer_text": text * (number + 1)}
        )


def lines(records):
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.fixture
def files(shell):
    shell.path("gold.jsonl").write_text(lines(GOLD))
    for name, shift in (("a", 1), ("b", 2)):
        shell.path(f"{name}.jsonl").write_text(lines(answered(name, shift, text="word " * 60)))
        assert shell("nuggets", f"{name}.jsonl", "-o", f"{name}.json").code == 0
    return shell


def values(name, score):
    report = rankeval.nuggets(f"{name}.jsonl")
    return [topic.scores[score] for topic in report.runs[0].topics]


def test_compare_tests_the_scores_of_answers(files):
    outcome = files("compare", "gold.jsonl", "a.json", "b.json", "-m", "vital_score", "-f", "json")

    assert outcome.code == 0
    (pair,) = json.loads(outcome.out)["comparisons"]
    before, after = values("a", "vital_score"), values("b", "vital_score")
    assert pair["measure"] == "vital_score"
    assert pair["p"] == pytest.approx(ttest_rel(before, after).pvalue)


def test_compare_takes_all_scores_without_a_name(files):
    outcome = files("compare", "gold.jsonl", "a.json", "b.json")

    assert outcome.code == 0
    for name in ("strict_vital_score", "weighted_score", "nugget_precision", "nugget_f_score"):
        assert name in outcome.out


def test_a_file_of_assignments_stands_for_the_nuggets(files):
    gold = files("compare", "gold.jsonl", "a.json", "b.json")

    assert files("compare", "a.jsonl", "a.json", "b.json").out == gold.out


def test_a_gate_judges_scores_of_answers(files):
    words = ("gate", "gold.jsonl", "a.json", "b.json", "--max-drop")
    drop = statistics.mean(values("a", "all_score")) - statistics.mean(values("b", "all_score"))

    assert drop != 0
    assert files(*words, "all_score=1").code == 0
    assert files("gate", "gold.jsonl", "a.json", "b.json", "--min", "all_score=0.99").code == 1


def test_pictures_are_drawn_of_scores_of_answers(files):
    outcome = files(
        *("plot", "box", "gold.jsonl", "a.json", "b.json", "-m", "vital_score", "--data", "-")
    )

    assert outcome.code == 0
    assert "vital_score" in outcome.out


def test_results_are_loaded_in_python(files):
    found = rankeval.load(files.path("a.json"))

    assert found["a"]["vital_score"].mean == pytest.approx(
        statistics.mean(values("a", "vital_score"))
    )
    assert list(found["a"]["vital_score"].per_topic) == TOPICS
    assert found["a"]["nugget_f_score"].mean == pytest.approx(
        statistics.mean(values("a", "f_score"))
    )


def test_another_beta_is_another_measure(files):
    files("nuggets", "b.jsonl", "--beta", "5", "-o", "b.json")
    outcome = files("compare", "gold.jsonl", "a.json", "b.json", "-m", "nugget_f_score")

    assert outcome.code == 2
    assert "has no values of nugget_f_score" in outcome.err


def test_other_nuggets_are_refused(files):
    changed = [dict(record) for record in GOLD]
    changed[3] = {"qid": "q3", "nuggets": [{"text": "another fact", "importance": "vital"}]}
    files.path("new.jsonl").write_text(lines(changed))

    outcome = files("compare", "new.jsonl", "a.json", "b.json")

    assert outcome.code == 2
    assert "was evaluated with other judgments" in outcome.err
    assert "1 topic changed: q3" in outcome.err


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("runs", {}, "has no runs"),
        ("qrels", None, "has no object for qrels"),
        ("beta", "x", "has no number for beta"),
    ],
)
def test_a_damaged_file_is_refused(files, key, value, problem):
    document = json.loads(files.path("a.json").read_text())
    files.path("a.json").write_text(json.dumps({**document, key: value}))

    with pytest.raises(InputError, match=problem):
        rankeval.load("a.json")
