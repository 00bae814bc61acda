"""The example collection, evaluated once for each kind of plot."""

from dataclasses import replace
from functools import cache

import pytest

import rankeval
from rankeval import plots
from rankeval.evaluation.comparable_runs import with_measures
from rankeval.plots.kinds import Choices
from rankeval.plots.selection import plot_data
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
        kept = [with_measures(run, [run[measure].measure], "") for run in found.runs]
        found = replace(found, runs=tuple(kept))
    return plot_data(kind, found, Choices(**choices))


def panel(kind, found, measure=None, **choices):
    """Return the first panel of a kind."""
    return panels(kind, found, measure, **choices)[0]


def records(kind, found, measure=None, **choices):
    """Return the records of all panels."""
    return [row for one in panels(kind, found, measure, **choices) for row in one.records]
