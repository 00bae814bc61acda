"""Drawings in characters: names, the right places, and any number of runs and topics."""

import numpy as np

from rankeval.plots.canvas import Axis, Canvas


def test_a_dot_lies_where_its_numbers_say():
    canvas = Canvas(11, 5, Axis(0.0, 10.0), Axis(0.0, 4.0), unicode=False)

    canvas.dots(np.array([0.0, 10.0, 5.0, 11.0]), np.array([0.0, 4.0, 2.0, 2.0]), "")

    assert [line.plain.rstrip() for line in canvas.rows()] == [
        "          *",
        "",
        "     *",
        "",
        "*",
    ]
