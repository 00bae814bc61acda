"""Rainclouds: the values are those of the results, the clouds scipy's densities."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from rankeval import plots
from rankeval.plots.rain_plot import cloud
from tests.support.results import results, score

NAN = float("nan")


def test_the_rows_are_the_values_of_all_topics(example):
    found = example("rain", "AP")

    rows = list(plots.rain_data(found).rows())

    assert [row["value"] for row in rows] == pytest.approx(
        [value for run in found.runs for value in run.scores[0].values.tolist()], abs=1e-9
    )
    assert {row["topic"] for row in rows} == set(found.runs[0].topics)


def test_undefined_values_are_rows_without_a_value():
    found = results({"a": [score("AP", [0.5, NAN], 0.5)]})

    assert [row["value"] for row in plots.rain_data(found).rows()] == [0.5, None]


@given(st.lists(st.integers(0, 20).map(lambda i: i / 20), min_size=2, max_size=60))
@settings(deadline=None, max_examples=50)
def test_a_cloud_is_the_density_by_gaussian_kernels(values):
    places = np.linspace(0, 1, 11)

    found = cloud(np.array(values), places)

    if len(set(values)) == 1:
        assert not found.any()
    else:
        assert found == pytest.approx(scipy.stats.gaussian_kde(values)(places), abs=1e-9)
