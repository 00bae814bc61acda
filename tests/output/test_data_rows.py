"""TSV and CSV: full precision, and the two shapes."""

import csv
import io
from dataclasses import replace

import numpy as np

from rankeval.choices import Format, Shape
from rankeval.evaluation.results import GroupResult
from rankeval.evaluation.show import PRINTER
from rankeval.output.style import Style
from tests.support.results import NAN, results, score, two_runs


def rows(found, **style):
    printed = "".join(PRINTER.text(found, Format.TSV, Style(**style)))
    commas = "".join(PRINTER.text(found, Format.CSV, Style(**style)))
    assert [line.split("\t") for line in printed.splitlines()] == list(
        csv.reader(io.StringIO(commas))
    )
    return [line.split("\t") for line in printed.splitlines()]


def test_numbers_have_full_precision_unless_digits_are_asked_for():
    third = float(np.float64(1) / 3)
    found = results(
        {"a": [score("AP", [third, -0.0], third / 2), score("NumQ", [1, 1], 2, rule="sum")]}
    )

    full = rows(found, per_topic=True)
    assert [float(row[3]) for row in full[1:]] == [third, 1, -0.0, 1, third / 2, 2]
    assert [row[3] for row in full[1:]][1::2] == ["1", "1", "2"]
    assert full[3][3] == "0.0"  # no negative zero
    assert [row[3] for row in rows(found, digits=2)[1:]] == ["0.17", "2"]


def test_the_wide_shape_is_runs_by_measures():
    assert rows(two_runs(), shape=Shape.WIDE) == [
        ["run", "NumQ", "AP", "Unjudged@10"],
        ["bm25", "2", "0.375", "0.1"],
        ["dense", "2", "0.3125", "0.2"],
    ]


def test_the_wide_shape_of_topics_is_topics_by_runs():
    found = results({"a": [score("AP", [0.25, NAN], 0.25)], "b": [score("AP", [0, 1], 0.5)]})

    assert rows(found, shape=Shape.WIDE, per_topic=True) == [
        ["measure", "topic", "a", "b"],
        ["AP", "301", "0.25", "0.0"],
        ["AP", "302", "", "1.0"],
        ["AP", "all", "0.25", "0.5"],
    ]
    assert len(rows(found, shape=Shape.WIDE, per_topic=True, summary=False)) == 3


def test_groups_have_a_row_each_in_the_wide_shape():
    found = results({"a": [score("AP", [0.25, 0.75], 0.5)]})
    (run,) = found.runs
    run = replace(run, groups=(GroupResult("hard", 1, (0.25,)),), labels=("hard", ""))

    assert rows(replace(found, runs=(run,)), shape=Shape.WIDE) == [
        ["run", "topic", "AP"],
        ["a", "all:hard", "0.25"],
        ["a", "all", "0.5"],
    ]
