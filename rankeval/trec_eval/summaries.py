"""Summarize the values of all topics in the line of the topic `all`."""

import math
from collections.abc import Callable

import numpy as np

from rankeval.support.arrays import Floats
from rankeval.support.frozen import frozen
from rankeval.trec_eval.binary import FLOOR


@frozen
class Totals:
    """Data that a summary needs in addition to the values.

    ========= ============================================================================
    averaged  number of topics over which means are taken
    evaluated number of topics with a value
    relevant  number of documents with a level above 0 in the whole qrels with -c, else None
    tag       tag of the run
    ========= ============================================================================
    """

    averaged: int
    evaluated: int
    relevant: int | None
    tag: bytes


Summary = Callable[[Floats, Totals], float | bytes | None]
"""A function from the values of the evaluated topics to the value to print; None for no line."""


def total(values: Floats, _totals: Totals) -> float:
    """Return the sum, added up one by one in the order of topics, beginning with 0."""
    return 0.0 + float(np.add.accumulate(values)[-1])


def mean(values: Floats, totals: Totals) -> float:
    """Return the sum divided by the number of averaged topics."""
    return total(values, totals) / totals.averaged


def geometric(values: Floats, totals: Totals) -> float:
    """Return exp of the mean of logarithms; topics without a value count as the floor."""
    lacking = (totals.averaged - totals.evaluated) * math.log(FLOOR)
    exponent = (total(values, totals) + lacking) / totals.averaged
    try:
        return math.exp(exponent)
    except OverflowError:
        return math.inf


def number_relevant(values: Floats, totals: Totals) -> float:
    """Return the sum; with -c, the number in the whole qrels."""
    return total(values, totals) if totals.relevant is None else totals.relevant


def number_of_topics(_values: Floats, totals: Totals) -> float:
    """Return the number of averaged topics."""
    return totals.averaged


def run_tag(_values: Floats, totals: Totals) -> bytes:
    """Return the tag of the run."""
    return totals.tag


def nothing(_values: Floats, _totals: Totals) -> None:
    """Return None: there is no line for all topics."""
