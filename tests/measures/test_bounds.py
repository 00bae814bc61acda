"""Bounds on what judging could lead to, against all judgings one after the other."""

import math
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from rankeval.errors import MeasureError
from rankeval.measures import definitions, parse_measure
from tests.support.builders import UNJUDGED, judgments, ranked
from tests.support.samples import aligned, batches
from tests.support.settings import ALL_SETTINGS

ABLE = [setting for setting in ALL_SETTINGS if setting.definition.bounds]
MOST_JUDGINGS = 3000


def every_judging(batch, highest, grades):
    """For each topic, RankedJudgments with one topic per judging of its unjudged documents."""
    for ranking, missed in batch:
        n_unjudged = sum(grade is UNJUDGED for _, grade in ranking)
        if len(grades) ** n_unjudged > MOST_JUDGINGS:
            yield None
            continue
        judged = []
        for judging in product(grades, repeat=n_unjudged):
            left = iter(judging)
            judged.append([(s, next(left) if g is UNJUDGED else g) for s, g in ranking])
        yield replace(judgments(judged, [missed] * len(judged)), highest_grade=highest)


def compare(measure, batch):
    """Compare the bounds with all judgings; None where there are no bounds, else exactness."""
    judged = aligned(batch)
    try:
        bounds = measure.bounds(judged)
    except MeasureError:
        return None
    if bounds is None:
        return None
    # Measures that take fractions may meet any grade in between.
    grades = range(int(max(judged.highest_grade, 1)) + 1)
    values = measure.values(judged)
    for i, all_judged in enumerate(every_judging(batch, judged.highest_grade, grades)):
        if all_judged is None:
            continue
        found = measure.values(all_judged)
        words = f"{measure} of {batch[i]}"
        if bounds.exact:
            assert bounds.low[i] == pytest.approx(found.min(), abs=1e-11), words
            assert bounds.high[i] == pytest.approx(found.max(), abs=1e-11), words
        assert bounds.low[i] - 1e-11 <= found.min(), words
        assert bounds.high[i] + 1e-11 >= found.max(), words
        assert bounds.low[i] - 1e-11 <= values[i] <= bounds.high[i] + 1e-11, words
    return bounds.exact


@pytest.mark.slow
@examples(max_examples=250, deadline=None)
@given(batches(highest=2), st.sampled_from(ABLE))
def test_bounds_are_those_of_all_judgings(batch, measure):
    assume(compare(measure, batch) is not None)


@examples(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from([UNJUDGED, UNJUDGED, 0, 1]), min_size=1, max_size=9),
    st.lists(st.sampled_from([0, 1]), max_size=3),
    st.sampled_from([m for m in ABLE if m.name in ("AP", "Rprec", "R", "F", "R_cap")]),
)
def test_bounds_are_exact_with_binary_judgments(grades, missed, measure):
    exact = compare(measure, [([(-i, grade) for i, grade in enumerate(grades)], missed)])

    assert exact in (True, None)


@pytest.mark.parametrize("name", [n for n, d in definitions().items() if d.bounds])
def test_each_measure_with_bounds_has_those_of_all_judgings(name):
    batch = [
        ([(9, UNJUDGED), (8, 1), (7, UNJUDGED), (6, 0), (5, UNJUDGED), (4, 2), (3, -1)], [1, 2]),
        ([(9, UNJUDGED), (8, UNJUDGED), (7, UNJUDGED), (6, UNJUDGED)], []),
        ([(9, 1), (8, UNJUDGED), (7, UNJUDGED), (6, 2), (5, UNJUDGED)], [1]),
        ([], [1]),
        ([(9, 0), (8, 1)], []),
        ([(9, UNJUDGED), (8, UNJUDGED)], [0]),
    ]

    assert any(compare(measure, batch) is not None for measure in ABLE if measure.name == name)


def test_bounds_by_hand():
    """The ranking is unjudged, relevant, unjudged; one more relevant document was missed."""
    judged = ranked([None, 1, None], missed=[[1]])
    expected = {
        "P@1": (0, 1),
        "P@3": (1 / 3, 1),
        "RR": (1 / 2, 1),
        "Success@1": (0, 1),
        "RBP(p=0.5)": (0.25, 0.5 * (1 + 0.5 + 0.25)),
        "R@2": (1 / 3, 2 / 3),
        "AP": (min(1 / 4, (1 / 2 + 2 / 3) / 3), 3 / 4),
    }

    for name, (low, high) in expected.items():
        bounds = parse_measure(name).bounds(judged)
        assert (bounds.low[0], bounds.high[0]) == pytest.approx((low, high)), name
        assert bounds.exact


def test_bounds_of_ndcg_by_hand():
    """The ranking is unjudged, relevant, unjudged; one more relevant document was missed."""
    worth = [1, 1 / math.log2(3), 1 / 2, 1 / math.log2(5)]
    bounds = parse_measure("nDCG").bounds(ranked([None, 1, None], missed=[[1]]))
    at_two = parse_measure("nDCG@2").bounds(ranked([None, 1, None], missed=[[1]]))

    assert (bounds.low[0], bounds.high[0]) == pytest.approx((worth[1] / sum(worth), 1))
    assert (at_two.low[0], at_two.high[0]) == pytest.approx((worth[1] / sum(worth[:2]), 1))
    assert not bounds.exact


@pytest.mark.parametrize("name", ["Bpref", "infAP", "AP(judged_only=True)", "nDCG(gains={1:2})"])
def test_what_no_rule_is_known_for_has_no_bounds(name):
    assert parse_measure(name).bounds(ranked([None, 1])) is None
