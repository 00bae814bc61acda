import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from rankeval.render import Format, Style, render
from rankeval.support.visible import visible
from tests.render.test_escape import HOSTILE
from tests.support.results import NAN, results, score, two_runs

DEFAULT = ["NumQ", "AP", "Rprec", "RR", "P@10", "nDCG@10", "ERR@20", "SetF", "R@1000"]
DEFAULT.append("Unjudged@10")
FIVE = [
    "bm25",
    "bm25+rm3",
    "splade-v3",
    "monoT5-3b-rerank-100",
    "anserini-bm25-default-k1=0.9-b=0.4",
]
QRELS_LINE = "qrels: robust.qrels (2 topics, 1,234 judgments, digest 3f9a1c)\n"


def table(found, **style):
    return "".join(render(found, Format.TABLE, Style(**style)))


def default_evaluation(runs):
    """Each value is a different number of four decimals."""
    random = np.random.default_rng(7)
    values = iter(random.permutation(9000) / 1e4 + 0.1)
    return results(
        {
            run: [
                score(m, [1, 1], 2, rule="sum")
                if m == "NumQ"
                else score(m, [next(values), next(values)], next(values), loss=m[0] == "U")
                for m in DEFAULT
            ]
            for run in runs
        }
    )


def test_a_row_is_a_run_and_the_best_values_have_a_star():
    assert table(two_runs()) == (
        "run    NumQ      AP   Unjudged@10\n"
        "----------------------------------\n"
        "bm25      2  0.3750*       0.1000*\n"
        "dense     2  0.3125        0.2000\n"
        "\n"
        f"{QRELS_LINE}"
        "* best value of the measure\n"
    )


def test_the_best_values_are_bold_where_escape_codes_are_wanted():
    assert table(two_runs(), colour=True, unicode=True) == (
        "run    NumQ      AP  Unjudged@10\n"
        "────────────────────────────────\n"
        "bm25      2  \x1b[1m0.3750\x1b[0m       \x1b[1m0.1000\x1b[0m\n"
        "dense     2  0.3125       0.2000\n"
        "\n"
        f"{QRELS_LINE}"
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
        {"bm25": [score("NumQ", [1, 1], 2, rule="sum"), score("AP", [0.25, NAN], 0.25)]}
    )

    assert table(found, per_topic=True) == (
        "run bm25\n"
        "topic  NumQ      AP\n"
        "-------------------\n"
        "301       1  0.2500\n"
        "302       1       -\n"
        "-------------------\n"
        "all       2  0.2500\n"
        "\n"
        f"{QRELS_LINE}"
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


def test_the_default_measures_of_five_runs_are_turned_about_at_80_columns():
    lines = table(default_evaluation(FIVE), width=80).splitlines()

    heads = "".join(lines[:3])
    assert all(part in heads for part in ("monoT5-3b-", "rerank-100", "default-k1=0.9-", "b=0.4"))
    assert [line.split()[0] for line in lines[4:14]] == DEFAULT
    assert max(map(len, lines)) <= 80


def test_there_is_room_for_a_row_per_run_at_200_columns():
    lines = table(default_evaluation(FIVE), width=200).splitlines()

    assert lines[0].split() == ["run", *DEFAULT]
    assert [line.split()[0] for line in lines[2:7]] == FIVE


@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("width", [30, 40, 80, 120, 200])
@pytest.mark.parametrize("runs", [FIVE[:1], FIVE, [f"run{i}" for i in range(12)]])
@pytest.mark.parametrize("per_topic", [True, False])
def test_no_width_loses_a_number_or_sticks_out(width, runs, per_topic, colour):
    found = default_evaluation(runs)

    printed = table(found, width=width, per_topic=per_topic, colour=colour).replace(QRELS_LINE, "")
    printed = re.sub(r"\x1b\[\d*m", "", printed)

    assert max(map(len, printed.splitlines())) <= width
    for run in found.runs:
        for s in run.scores[1:]:
            assert f"{s.aggregate:.4f}" in printed
            assert not per_topic or all(f"{v:.4f}" in printed for v in s.values)
    assert "…" not in printed
    assert "..." not in printed


@given(st.text(max_size=60) | st.sampled_from(HOSTILE), st.integers(10, 100))
def test_a_folded_name_is_whole_and_takes_no_effect(name, width):
    found = results({name: [score("AP", [0, 1], 0.5)], "other": [score("AP", [0, 1], 0.25)]})

    lines = table(found, width=width).split("\n\n")[0].split("\n")
    end = next(i for i, line in enumerate(lines) if line.startswith("other") and "0.2500" in line)
    labels = [re.sub(r" +0\.5000\*$", "", line) for line in lines[2:end]]

    assert all(line.isprintable() for line in lines)
    assert all(cell_len(line) <= max(width, 17) for line in lines)
    # A blank at the end of a line is not seen.
    assert "".join(labels).replace(" ", "") == visible(name).replace(" ", "")


def test_wide_characters_are_aligned():
    found = results({"検索": [score("AP", [0, 1], 0.5)], "bm25": [score("AP", [0, 1], 0.25)]})

    assert table(found).splitlines()[2:4] == ["検索  0.5000*", "bm25  0.2500"]


def test_a_number_too_wide_for_the_terminal_sticks_out():
    found = results({"a-run-with-a-name": [score("AP", [0, 1], 123456.789)]})

    assert "123456.7890" in table(found, width=5)


def test_measures_with_long_names_fold_their_heads():
    long = "nDCG(dcg='exp-log2',gains={0:0,1:1,2:3})@10"
    found = results({"bm25": [score(long, [0, 1], 0.5), score("AP", [0, 1], 0.25)]})

    lines = table(found, width=40).split("\n\n")[0].splitlines()

    assert max(map(len, lines)) <= 40
    heads = lines[: next(i for i, line in enumerate(lines) if set(line) == {"-"})]
    words = (line.removeprefix("run").removesuffix("AP").strip() for line in heads)
    assert "".join(words) == long


@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=12),
    st.integers(1, 100),
    st.integers(1, 60),
)
def test_parts_of_a_table_hold_as_many_columns_as_fit(lengths, width, label):
    """A plain search, column by column: a further one in any part would stick out."""
    measures = [score(f"{i:02}" + "x" * n, [0.25, 1], 0.5) for i, n in enumerate(lengths)]
    found = results({"bm25": measures}, topics=("t" * label, "u"))

    printed = table(found, per_topic=True, width=width)

    rules = [i for i, line in enumerate(printed.split("\n")) if line and set(line) <= {"-"}]
    lines = printed.split("\n")
    narrowest = 24 if width >= 72 else max(width // 3, 8)
    room = [max(6, min(10, n + 2)) + 2 for n in lengths]
    expected, left = [], list(room)
    while left:
        total, n = min(narrowest, max(label, 5)), 0
        while n < len(left) and total + left[n] <= width:
            total += left[n]
            n += 1
        expected.append(max(n, 1))
        left = left[max(n, 1) :]
    # The rule stands below the heads, and again above the last row.
    assert [len(lines[i + 1].split()) - 1 for i in rules[::2]] == expected
