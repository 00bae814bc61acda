"""The example collection, evaluated once for each kind of plot."""

from functools import cache

import numpy as np
import pytest

import rankeval
from rankeval import plots
from rankeval.plots.selection import with_measures
from tests.support.files import EXAMPLES

QRELS = EXAMPLES / "qrels" / "python-reference.qrels"
RUNS = sorted((EXAMPLES / "runs").glob("*.run"))


@cache
def evaluated(names, runs=tuple(RUNS)):
    return rankeval.evaluate(QRELS, runs, names)


@pytest.fixture
def example():
    """Return the results of the example's runs: for a kind of plot, or for measures."""
    return lambda kind, asked=None: evaluated(tuple(plots.measures(kind, asked)))


def panels(kind, found, measure=None, **choices):
    """Return the panels of a kind: of one measure, or of all."""
    if measure is not None:
        found = with_measures(found, [found.runs[0][measure].measure])
    return plots.plot_data(kind, found, plots.Choices(**choices))


def panel(kind, found, measure=None, **choices):
    """Return the first panel of a kind."""
    return panels(kind, found, measure, **choices)[0]


def values(rows):
    """Return the values of rows; NaN where undefined."""
    return np.array([row[rows.value] for row in rows.records], dtype=float)
