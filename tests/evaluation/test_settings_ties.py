"""What the order of equal scores can do to a value: best and worst are its bounds."""

from random import Random
from typing import get_args

import numpy as np
import pytest

import rankeval
from rankeval.choices import TieRule
from rankeval.evaluation.settings import EQUAL
from rankeval.measures import parse_measure
from tests.measures.test_measures import NEVER_HARMED_BY_BETTER_ORDER
from tests.support.samples import collection

BOUNDED = [*NEVER_HARMED_BY_BETTER_ORDER, "RBP", "RBP(p=0.5,max_rel=4)", "Bpref", "DCG@2"]
LOSSES = ["KAtRecall@0.5", "SetE"]
BY_ORDER = ("docno", "input")


def values(qrels, run, names, ties):
    settings = rankeval.options.Settings(ties=ties)
    (result,) = rankeval.evaluate(qrels, run, names, settings).runs
    return {score.measure: score.values for score in result.scores}


def shuffled(run, random):
    """The same scores, in another order of documents."""
    return {
        topic: dict(random.sample(list(scores.items()), len(scores)))
        for topic, scores in run.items()
    }


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(4))
def test_every_order_of_equal_scores_lies_between_worst_and_best(seed):
    qrels, run = collection(seed)
    names = [*BOUNDED, *LOSSES]
    worst, best = (values(qrels, run, names, ties) for ties in ("worst", "best"))
    random = Random(seed)
    differ = 0

    for order in range(12):
        found = values(qrels, shuffled(run, random), names, BY_ORDER[order > 0])
        for name, between in found.items():
            low, high = worst[name], best[name]
            if parse_measure(name).definition.loss:
                low, high = high, low
            # What is never reached is undefined in each order.
            assert (np.isnan(between) == np.isnan(low)).all(), name
            assert not (between < low - 1e-12).any(), name
            assert not (between > high + 1e-12).any(), name
            differ += int((low < high).sum())

    assert differ > 100


def test_the_expected_value_lies_between_worst_and_best():
    qrels, run = collection(9)
    names = [n for n in BOUNDED if parse_measure(n).definition.expected]
    low, mean, high = (values(qrels, run, names, ties) for ties in ("worst", "expected", "best"))

    for name in mean:
        np.testing.assert_array_less(low[name] - 1e-12, mean[name], err_msg=name)
        np.testing.assert_array_less(mean[name] - 1e-12, high[name], err_msg=name)


def test_the_line_under_a_table_has_words_for_every_rule_but_the_usual_one():
    """A doctest has one of them."""
    assert {"docno", *EQUAL} == {*get_args(TieRule)}
