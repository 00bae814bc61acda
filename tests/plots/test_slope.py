"""Ranks under several measures, or under two sets of judgments, are scipy's."""

import numpy as np
import pytest
import scipy.stats

from rankeval.errors import UsageError
from tests.plots.conftest import panels
from tests.support.results import results, score

NAN = float("nan")


def test_ranks_are_those_of_the_values(example):
    found = example("slope", "AP RR Unjudged@10")

    (data,) = panels("slope", found)

    assert data.under == ("AP", "RR", "Unjudged@10")
    for i, loss in enumerate((False, False, True)):
        values = np.array([run.scores[i].aggregate for run in found.runs])
        assert data.values[i] == pytest.approx(values)
        assert data.ranks[i] == pytest.approx(scipy.stats.rankdata(values if loss else -values))


def test_other_judgments_have_a_panel_for_each_measure():
    one = results({r: [score("AP", [v], v)] for r, v in (("a", 0.1), ("b", 0.2), ("c", 0.2))}, "1")
    two = results({r: [score("AP", [v], v)] for r, v in (("a", 0.3), ("b", NAN), ("c", 0.1))}, "1")

    (data,) = panels("slope", one, against=("new.qrels", two))

    rows = [(row["run"], row["under"], row["value"], row["rank"]) for row in data.records]
    assert rows == [
        ("a", "robust.qrels", 0.1, 3.0),
        ("b", "robust.qrels", 0.2, 1.5),
        ("c", "robust.qrels", 0.2, 1.5),
        ("a", "new.qrels", 0.3, 1.0),
        ("b", "new.qrels", None, None),
        ("c", "new.qrels", 0.1, 2.0),
    ]


def test_one_measure_has_no_slope(example):
    with pytest.raises(UsageError, match="joins ranks under two measures"):
        panels("slope", example("slope", "AP"))
