"""The JSON of `eval` that others rely on: values by topic, undefined values, warnings."""

import json

import pytest

from tests.support.files import BM25, DENSE, QRELS, qrels_of, run_of


def parsed(text):
    """The document, whose schema the fixture `shell` has checked, without NaN and infinity."""

    def refuse(constant):
        raise AssertionError(constant)

    return json.loads(text, parse_constant=refuse)


@pytest.fixture
def files(shell):
    return shell.write(qrels=QRELS, bm25=BM25, dense=DENSE)


def test_values_by_topic_come_with_per_topic_in_full_precision(files):
    document = parsed(files("qrels.txt", "bm25.txt", "-q", "-m", "AP RR NumQ", "-f", "json").out)

    measures = document["runs"][0]["measures"]
    assert measures["AP"]["per_topic"] == {"301": pytest.approx(5 / 6, abs=1e-15), "302": 0.5}
    assert measures["RR"]["per_topic"] == {"301": 1.0, "302": 0.5}
    assert measures["NumQ"] == {
        "mean": 2.0,
        "rule": "sum",
        "loss": False,
        "signature": measures["NumQ"]["signature"],
        "per_topic": {"301": 1.0, "302": 1.0},
    }


def test_an_undefined_value_is_null_counted_and_left_out_of_the_mean(shell):
    # AUC needs both a relevant and a nonrelevant document: the topic u has no nonrelevant one.
    shell.write(qrels=qrels_of(t="a1 b0", u="a1"), run=run_of(t="a b", u="a"))

    outcome = shell("qrels.txt", "run.txt", "-m", "AUC", "-q", "-f", "json")

    (run,) = parsed(outcome.out)["runs"]
    assert run["measures"]["AUC"]["per_topic"] == {"t": 1.0, "u": None}
    assert run["measures"]["AUC"]["mean"] == 1.0
    assert run["warnings"] == ["AUC is undefined for 1 topic, left out of its mean"]


def test_each_run_has_its_own_warnings_even_when_stderr_is_quiet(shell):
    shell.write(
        qrels=qrels_of(t="a1", u="b1"),
        full=run_of("full", t="a", u="b"),
        half=run_of("half", t="a"),
    )

    outcome = shell("qrels.txt", "full.txt", "half.txt", "-f", "json", "--quiet")

    assert outcome.err == ""
    full, half = parsed(outcome.out)["runs"]
    assert full["warnings"] == []
    assert half["warnings"] == ["the run lacks 1 of 2 judged topics (scored 0): u"]
