"""Rainclouds: the values are those of the results, the clouds scipy's densities."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from rankeval import plots
from rankeval.plots.look import PAPERS, Appearance
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


@pytest.mark.parametrize("style", ["light", "dark"])
def test_quartiles_are_seen_before_their_cloud(style, example):
    colors = pytest.importorskip("matplotlib.colors")
    panels = plots.plot_data("rain", example("rain", "AP"))

    figure = plots.figure("rain", panels, appearance=Appearance(style))

    shown = {artist.get_gid(): artist for artist in figure.axes[0].get_children()}
    *shade, opacity = shown["cloud0"].get_facecolor()[0]
    paper = np.array(colors.to_rgb(PAPERS[style]))
    seen = opacity * np.array(shade) + (1.0 - opacity) * paper
    edge = shown["cloud0"].get_edgecolor()[0][:3]
    assert contrast(seen, colors.to_rgb(shown["run0"].get_color())) >= 3.0
    assert contrast(edge, paper) >= 3.0


def contrast(a, b):
    """The contrast of WCAG 2 of two colours in sRGB."""
    low, high = sorted(
        float(np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ WEIGHTS)
        for c in (np.asarray(a), np.asarray(b))
    )
    return (high + 0.05) / (low + 0.05)


WEIGHTS = np.array([0.2126, 0.7152, 0.0722])
