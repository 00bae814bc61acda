"""TSV and CSV: full precision, and the two shapes."""

import csv
import io

import numpy as np

from rankeval.choices import Format
from rankeval.evaluation.show import PRINTER
from rankeval.output.style import Style
from tests.support.results import results, score


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
