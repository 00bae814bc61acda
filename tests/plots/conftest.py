"""The example collection, evaluated once for each kind of plot."""

from functools import cache

import pytest

import rankeval
from rankeval import plots
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
