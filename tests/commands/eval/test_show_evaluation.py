"""Results of an evaluation in tables."""

import json

import pytest

import rankeval
from rankeval.choices import Format
from rankeval.commands.eval.show import render
from rankeval.output.style import Style
from tests.support.results import NAN, results, score, two_runs

QRELS_LINE = "qrels: robust.qrels (2 topics, 1,234 judgments, digest 3f9a1c)\n"


def table(found, **style):
    return "".join(render(found, Format.TABLE, Style(**style)))


def test_a_row_is_a_run_and_the_best_values_have_a_star():
    assert table(two_runs()) == (
        "run    NumQ      AP   Unjudged@10\n"
        "---------------------------------\n"
        "bm25      2  0.3750*      0.1000*\n"
        "dense     2  0.3125       0.2000\n"
        "\n"
        f"{QRELS_LINE}"
        "topics with a value: Unjudged@10 1\n"
        "* best value of the measure\n"
    )


def test_runs_that_print_the_same_value_are_both_best():
    found = results(
        {run: [score("AP", [1], v)] for run, v in [("a", 0.50001), ("b", 0.50002), ("c", NAN)]}
    )

    assert table(found).splitlines()[2:5] == ["a    0.5000*", "b    0.5000*", "c         -"]


def test_one_run_is_not_marked():
    found = results({"bm25": [score("AP", [0, 1], 0.5)]})

    assert table(found) == f"run       AP\n------------\nbm25  0.5000\n\n{QRELS_LINE}"


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
        "topics with a value: AP 1\n"
        "sum over topics: NumRet\n"
        "- undefined, and left out of the value over all topics\n"
    )


def test_topics_of_several_runs_stand_beside_the_runs_measure_by_measure():
    found = results({"a": [score("AP", [0.25, 0.5], 0.375)], "b": [score("AP", [0, 1], 0.5)]})

    assert table(found, per_topic=True) == (
        "AP\n"
        "topic       a       b\n"
        "----------------------\n"
        "301    0.2500  0.0000\n"
        "302    0.5000  1.0000\n"
        "----------------------\n"
        "all    0.3750  0.5000*\n"
        "\n"
        f"{QRELS_LINE}"
        "* best value of the measure\n"
    )


def test_a_summary_follows_the_topics_of_several_runs_and_measures():
    printed = table(two_runs(), per_topic=True)

    assert table(two_runs()).partition("\n\n")[0] in printed
    assert "run " not in table(two_runs(), per_topic=True, summary=False)


def test_a_topic_that_only_one_run_was_evaluated_on_is_blank_for_the_other():
    one = results({"a": [score("AP", [0.25, 0.5], 0.375)]}, ["1", "2"])
    other = results({"b": [score("AP", [1], 1)]}, ["3"])
    both = type(one)(one.qrels, one.settings, one.runs + other.runs)

    assert table(both, per_topic=True).splitlines()[3:6] == [
        "1      0.2500",
        "2      0.5000",
        "3              1.0000",
    ]


def test_signatures_are_listed_below():
    found = results({"bm25": [score("AP", [0, 1], 0.5)]})

    assert table(found, signature=True).endswith(
        "signatures:\n  AP  rankeval:0.1|AP|qrels:3f9a1c\n"
    )


def test_wide_characters_are_aligned():
    found = results({"検索": [score("AP", [0, 1], 0.5)], "bm25": [score("AP", [0, 1], 0.25)]})

    assert table(found).splitlines()[2:4] == ["検索  0.5000*", "bm25  0.2500"]


def test_the_number_of_topics_is_left_out_of_tables_of_topics():
    one = results({"a": [score("NumQ", [1, 1], 2, rule="sum"), score("AP", [0, 1], 0.5)]})
    only = results({"a": [score("NumQ", [1, 1], 2, rule="sum", as_given="num_q")]})

    assert "NumQ" not in table(one, per_topic=True)
    assert "NumQ" in table(one)
    assert "NumQ" in table(only, per_topic=True)
    topics, _, summary = table(two_runs(), per_topic=True, names="as-given").rpartition("run ")
    assert "num_q" not in topics
    assert "num_q" in summary


@pytest.mark.parametrize("form", [Format.TABLE, Format.MARKDOWN, Format.LATEX])
def test_people_read_which_values_are_sums_and_programs_have_the_rule(form):
    counts = [score(name, [2, 3], 5, rule="sum") for name in ("NumQ", "NumRel", "NumRet")]
    found = results({"a": [*counts, score("AP", [0, 1], 0.5)], "b": counts[1:]})

    assert "sum over topics: NumRel, NumRet" in "".join(render(found, form, Style()))
    measures = json.loads("".join(render(found, Format.JSON, Style())))["runs"][0]["measures"]
    assert {name: one["rule"] for name, one in measures.items() if one["mean"] == 5} == (
        dict.fromkeys(["NumQ", "NumRel", "NumRet"], "sum")
    )


def test_sums_that_are_not_shown_are_not_named():
    found = results({"a": [score("NumRet", [1, 1], 2, rule="sum")]})

    assert "sum" not in table(found, per_topic=True, summary=False)


def test_usual_measures_leave_the_number_of_topics_to_the_line_below():
    judged = {"a": {"x": 1}, "b": {"y": 1}}
    run = {"a": {"x": 1.0}, "b": {"y": 1.0, "z": 2.0}}
    usual, named = (rankeval.evaluate(judged, run, asked) for asked in (None, "NumQ AP"))

    text, markdown = (
        "".join(render(usual, Format(form), Style())) for form in ("table", "markdown")
    )

    assert "NumQ" not in text
    assert "NumQ" not in markdown
    assert "2 topics" in text
    assert "2 topics" in markdown
    for form in (Format.TSV, Format.CSV, Format.JSON, Format.JSONL):
        assert "NumQ" in "".join(render(usual, form, Style()))
    assert "NumQ" in table(named)


def test_runs_of_different_numbers_of_topics_are_told_apart_by_numq():
    judged = {"a": {"x": 1}, "b": {"y": 1}}
    runs = {"one": {"a": {"x": 1.0}}, "two": {"a": {"x": 1.0}, "b": {"y": 1.0}}}
    found = rankeval.evaluate(judged, runs, settings=rankeval.options.Settings(topics="both"))

    assert "NumQ" in table(found)
