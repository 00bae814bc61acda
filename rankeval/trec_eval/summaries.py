"""How the values of all topics become the line that says `all`."""

import math
from collections.abc import Callable

import numpy as np

from rankeval.support.arrays import Floats
from rankeval.support.frozen import frozen
from rankeval.trec_eval.binary import FLOOR


@frozen
class Totals:
    """What a summary needs beyond the values.

    ========= ============================================================================
    averaged  topics that means are taken over
    evaluated topics that have a value
    relevant  documents of a level above 0 in all of the qrels, if -c was given
    tag       the run's tag
    ========= ============================================================================
    """

    averaged: int
    evaluated: int
    relevant: int | None
    tag: bytes


Summary = Callable[[Floats, Totals], float | bytes | None]
"""From the values of the evaluated topics to what is printed; None for no line."""


def total(values: Floats, _totals: Totals) -> float:
    """The sum, one addition after the other in the order of topics, from 0 on."""
    return 0.0 + float(np.add.accumulate(values)[-1])


def mean(values: Floats, totals: Totals) -> float:
    """The sum over the number of topics that are averaged."""
    return total(values, totals) / totals.averaged


def geometric(values: Floats, totals: Totals) -> float:
    """exp of the mean of logarithms; a topic without a value counts with the floor."""
    lacking = (totals.averaged - totals.evaluated) * math.log(FLOOR)
    exponent = (total(values, totals) + lacking) / totals.averaged
    try:
        return math.exp(exponent)
    except OverflowError:
        return math.inf


def number_relevant(values: Floats, totals: Totals) -> float:
    """The sum; with -c, the count over all of the qrels."""
    return total(values, totals) if totals.relevant is None else totals.relevant


def number_of_topics(_values: Floats, totals: Totals) -> float:
    """How many topics are averaged."""
    return totals.averaged


def run_tag(_values: Floats, totals: Totals) -> bytes:
    """The run's tag."""
    return totals.tag


def nothing(_values: Floats, _totals: Totals) -> None:
    """No line for all topics."""
