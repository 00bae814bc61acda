"""The JSON that others rely on: the schema rankeval/1, checked strictly."""

import json
import math

import pytest

import rankeval
from tests.support.files import BM25, DENSE, QRELS, qrels_of, run_of

TEXT, WHOLE, NUMBER = (str,), (int,), (int, float)
DOCUMENT = {
    "schema": TEXT,
    "rankeval": TEXT,
    "qrels": (dict,),
    "settings": (dict,),
    "runs": (list,),
}
FACTS = {"path": TEXT, "topics": WHOLE, "judgments": WHOLE, "digest": TEXT, "dropped": (dict,)}
RUN = {
    "name": TEXT,
    "path": TEXT,
    "topics": WHOLE,
    "warnings": (list,),
    "measures": (dict,),
    "dropped": (dict,),
}
MEASURE = {
    "mean": (*NUMBER, type(None)),
    "rule": TEXT,
    "loss": (bool,),
    "signature": TEXT,
}
SETTINGS = {
    "ties": TEXT,
    "topics": TEXT,
    "require_coverage": (bool,),
    "skip_no_relevant": (bool,),
    "min_grade": (*NUMBER, type(None)),
    "depth": (*WHOLE, type(None)),
    "judged_only": (bool,),
    "collection_size": (*WHOLE, type(None)),
    "aggregate": (str, type(None)),
    "order": TEXT,
    "single_precision": (bool,),
    "drop_self": (bool,),
    "unjudged": TEXT,
    "like": (str, type(None)),
    "weights": (str, type(None)),
    "groups": (str, type(None)),
    "group_by": (str, type(None)),
    "on_error": TEXT,
    "duplicates": TEXT,
    "collapse": (str, type(None)),
    "collapse_sep": (str, type(None)),
    "collapse_by": TEXT,
}


def assert_has(found, keys):
    """All the keys in this order, others may follow; values of these types, a bool no number."""
    assert list(found)[: len(keys)] == list(keys)
    for name, types in keys.items():
        assert type(found[name]) in types, name


def parsed(text, *, per_topic=False):
    """The document, after its form has been checked."""

    def refuse(constant):
        raise AssertionError(constant)

    document = json.loads(text, parse_constant=refuse)
    assert_has(document, DOCUMENT)
    assert document["schema"] == "rankeval/1"
    assert document["rankeval"] == rankeval.__version__
    assert_has(document["qrels"], FACTS)
    assert_has(document["settings"], SETTINGS)
    for run in document["runs"]:
        assert_has(run, RUN)
        assert {type(warning) for warning in run["warnings"]} <= {str}
        for measure in run["measures"].values():
            assert_has(measure, {**MEASURE, "per_topic": (dict,)} if per_topic else MEASURE)
            for value in measure.get("per_topic", {}).values():
                assert value is None or (type(value) in NUMBER and math.isfinite(value))
            if per_topic:
                assert len(measure["per_topic"]) == run["topics"]
    return document


@pytest.fixture
def files(shell):
    return shell.write(qrels=QRELS, bm25=BM25, dense=DENSE)


def test_document_has_the_form_that_others_rely_on(files):
    document = parsed(files("qrels.txt", "bm25.txt", "dense.txt", "-f", "json").out)

    assert document["qrels"]["path"] == "qrels.txt"
    assert (document["qrels"]["topics"], document["qrels"]["judgments"]) == (2, 5)
    assert [(run["name"], run["path"]) for run in document["runs"]] == (
        [("bm25", "bm25.txt"), ("dense", "dense.txt")]
    )
    assert [run["topics"] for run in document["runs"]] == [2, 2]


def test_values_by_topic_come_with_per_topic_in_full_precision(files):
    document = parsed(
        files("qrels.txt", "bm25.txt", "-q", "-m", "AP RR NumQ", "-f", "json").out, per_topic=True
    )

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


def test_settings_are_those_that_were_chosen(files):
    outcome = files(
        *("qrels.txt", "bm25.txt", "-f", "json", "-l", "2", "-M", "5", "-J", "-N", "9"),
        *("--topics", "both", "--require-coverage", "--skip-no-relevant"),
    )

    settings = parsed(outcome.out)["settings"]
    assert {name: settings[name] for name in SETTINGS} == {
        "ties": "docno",
        "topics": "both",
        "require_coverage": True,
        "skip_no_relevant": True,
        "min_grade": 2,
        "depth": 5,
        "judged_only": True,
        "collection_size": 9,
        "aggregate": None,
        "order": "score",
        "single_precision": False,
        "drop_self": False,
        "unjudged": "remove",
        "like": None,
        "on_error": "refuse",
        "duplicates": "refuse",
        "collapse": None,
        "collapse_sep": None,
        "collapse_by": "first",
        "weights": None,
        "groups": None,
        "group_by": None,
    }


def test_an_undefined_value_is_null_counted_and_left_out_of_the_mean(shell):
    # AUC needs both a relevant and a nonrelevant document: the topic u has no nonrelevant one.
    shell.write(qrels=qrels_of(t="a1 b0", u="a1"), run=run_of(t="a b", u="a"))

    outcome = shell("qrels.txt", "run.txt", "-m", "AUC", "-q", "-f", "json")

    (run,) = parsed(outcome.out, per_topic=True)["runs"]
    assert run["measures"]["AUC"]["per_topic"] == {"t": 1.0, "u": None}
    assert run["measures"]["AUC"]["mean"] == 1.0
    assert run["warnings"] == ["AUC is undefined for 1 topic, left out of its mean"]


def test_a_measure_that_is_undefined_everywhere_has_a_null_mean(shell):
    shell.write(qrels=qrels_of(t="a1"), run=run_of(t="a"))

    (run,) = parsed(shell("qrels.txt", "run.txt", "-m", "AUC", "-f", "json").out)["runs"]

    assert run["measures"]["AUC"]["mean"] is None


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


def test_names_from_files_cannot_break_the_document(shell):
    hostile = 'x"},{\\u0000'
    shell.write(qrels=qrels_of(t="a1"), run=run_of(tag=hostile, t="a"))

    (run,) = parsed(shell("qrels.txt", "run.txt", "-f", "json").out)["runs"]

    assert run["name"] == hostile
