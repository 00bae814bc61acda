"""`rankeval nuggets`: scores of answers are results, which other commands take."""

import json
import statistics

import pytest
from scipy.stats import ttest_rel

import rankeval
from tests.support.files import ANSWERS
from tests.support.schemas import assert_valid

TOPICS = [f"q{number}" for number in range(8)]
ASSIGNMENTS = ("support", "partial_support", "not_support")


def nuggets(number):
    return [
        {"text": f"fact {number}.{i}", "importance": "vital" if i % 3 else "okay"} for i in range(4)
    ]


GOLD = [{"qid": topic, "nuggets": nuggets(number)} for number, topic in enumerate(TOPICS)]


def answered(run, shift):
    """The nuggets of every topic, assigned to the answers of a run."""
    for number, record in enumerate(GOLD):
        assigned = [
            {**nugget, "assignment": ASSIGNMENTS[(number * i + shift * i * i) % 3]}
            for i, nugget in enumerate(record["nuggets"])
        ]
        text = "word " * 60 * (number + 1)
        yield {**record, "nuggets": assigned, "run_id": run, "answer_text": text}


def lines(records):
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.fixture
def files(shell):
    shell.path("gold.jsonl").write_text(lines(GOLD))
    for name, shift in (("a", 1), ("b", 2)):
        shell.path(f"{name}.jsonl").write_text(lines(answered(name, shift)))
        assert shell("nuggets", f"{name}.jsonl", "-o", f"{name}.json").code == 0
    return shell


def values(name, score):
    return rankeval.nuggets(f"{name}.jsonl")[name, score].values.tolist()


def test_json_always_has_the_topics(shell):
    """Other commands read it as results."""
    shell.path("a.jsonl").write_text(ANSWERS)

    document = assert_valid(json.loads(shell("nuggets", "a.jsonl", "-f", "json").out), "rankeval/1")

    (run,) = document["runs"]
    assert run["measures"]["vital_score"]["per_topic"] == {"301": 1.0, "302": 0.5}
    assert run["measures"]["vital_score"]["mean"] == 0.75


def test_standard_input_is_read_once(shell):
    assert shell("nuggets", "-", "-").code == 2


def test_compare_tests_the_scores_of_answers(files):
    """A file of assignments is as good as one of nuggets."""
    for gold in ("gold.jsonl", "a.jsonl"):
        outcome = files("compare", gold, "a.json", "b.json", "-f", "json")
        pairs = {pair["measure"]: pair for pair in json.loads(outcome.out)["comparisons"]}

        assert {"strict_vital_score", "nugget_precision", "nugget_f_score"} <= {*pairs}
        before, after = values("a", "vital_score"), values("b", "vital_score")
        assert pairs["vital_score"]["p"] == pytest.approx(ttest_rel(before, after).pvalue)


def test_a_gate_judges_scores_of_answers(files):
    gate = ("gate", "gold.jsonl", "a.json", "b.json")

    assert statistics.mean(values("a", "all_score")) != statistics.mean(values("b", "all_score"))
    assert files(*gate, "--max-drop", "all_score=1").code == 0
    assert files(*gate, "--min", "all_score=0.99").code == 1


def test_other_nuggets_are_refused(files):
    changed = [dict(record) for record in GOLD]
    changed[3] = {"qid": "q3", "nuggets": [{"text": "another fact", "importance": "vital"}]}
    files.path("new.jsonl").write_text(lines(changed))

    outcome = files("compare", "new.jsonl", "a.json", "b.json")

    assert outcome.code == 2
    assert "was evaluated with other judgments" in outcome.err
    assert "1 topic changed: q3" in outcome.err
