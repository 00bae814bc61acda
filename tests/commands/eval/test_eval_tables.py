"""Results of an evaluation in tables."""

import json

import pytest

from rankeval.evaluation.show import PRINTER
from rankeval.output.style import Style
from tests.support.results import NAN, results, score

QRELS_LINE = "qrels: robust.qrels (2 topics, 1,234 judgments, digest 3f9a1c)\n"


def table(found, **style):
    return "".join(PRINTER.text(found, "table", Style(**style)))


def test_runs_that_print_the_same_value_are_both_best():
    found = results(
        {run: [score("AP", [1], v)] for run, v in [("a", 0.50001), ("b", 0.50002), ("c", NAN)]}
    )

    assert table(found).splitlines()[2:5] == ["a    0.5000*", "b    0.5000*", "c         -"]


def test_topics_of_one_run_stand_beside_its_measures():
    found = results(
        {"bm25": [score("NumRet", [1, 1], 2, rule="sum"), score("AP", [0.25, NAN], 0.25)]}
    )

    assert table(found, per_topic=True) == (
        "run bm25\n"
        "topic  NumRet      AP\n"
        "---------------------\n"
        "301         1  0.2500\n"
        "302         1       -\n"
        "---------------------\n"
        "all         2  0.2500\n"
        "\n"
        f"{QRELS_LINE}"
        "sum over topics: NumRet\n"
        "- undefined, and left out of the value over all topics\n"
    )


def test_a_topic_that_only_one_run_was_evaluated_on_is_blank_for_the_other():
    one = results({"a": [score("AP", [0.25, 0.5], 0.375)]}, ["1", "2"])
    other = results({"b": [score("AP", [1], 1)]}, ["3"])
    both = type(one)(one.qrels, one.settings, one.runs + other.runs)

    assert table(both, per_topic=True).splitlines()[3:6] == [
        "1      0.2500",
        "2      0.5000",
        "3              1.0000",
    ]


@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
def test_people_read_which_values_are_sums_and_programs_have_the_rule(form):
    counts = [score(name, [2, 3], 5, rule="sum") for name in ("NumQ", "NumRel", "NumRet")]
    found = results({"a": [*counts, score("AP", [0, 1], 0.5)], "b": counts[1:]})

    assert "sum over topics: NumQ, NumRel, NumRet" in "".join(PRINTER.text(found, form, Style()))
    measures = json.loads("".join(PRINTER.text(found, "json", Style())))["runs"][0]["measures"]
    assert {name: one["rule"] for name, one in measures.items() if one["mean"] == 5} == (
        dict.fromkeys(["NumQ", "NumRel", "NumRet"], "sum")
    )
