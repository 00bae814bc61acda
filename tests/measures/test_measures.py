"""What holds for every measure, whatever it measures."""

from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from rankeval.errors import MeasureError
from rankeval.measures import definitions, parse_measure
from tests.support.builders import judgments, ranked
from tests.support.plain import PLAIN, Topic, topics_of
from tests.support.samples import aligned, batches, collection
from tests.support.settings import ALL_SETTINGS, greatest, settings_of

# A value such as 1.0000000000000002 is a rounded 1, not one out of bounds.
ROUNDING = 1e-9

UNDEFINED_WITHOUT_RANKING = {
    *("AUC", "GAUC", "Accuracy", "precG", "recG", "FG", "PRG", "AUPRG", "EFG", "KAtRecall"),
}


def possible_values(measure, judged):
    """Its values, or None for parameters that do not go together or not with these grades."""
    try:
        return measure.values(judged)
    except MeasureError:
        return None


@pytest.mark.parametrize("highest", [4, 2])
@pytest.mark.parametrize("name", PLAIN)
def test_every_setting_of_a_measure_is_its_plain_loop(name, highest):
    topics = list(topics_of(*collection(highest, topics=8, grades=(-1, 0, 0, 1, highest)), highest))
    judged = judgments([t.ranking for t in topics], [t.missed for t in topics])
    compared = 0

    # A reader walks down a thousand places in each loop.
    most = 20 if "out" in definitions()[name].parameters else 500
    for measure in settings_of(definitions()[name], most=most):
        values = possible_values(measure, judged)
        if values is None:
            continue
        plain = [PLAIN[name](topic, **measure.parameters) for topic in topics]
        expected = [np.nan if value is None else value for value in plain]
        np.testing.assert_allclose(values, expected, rtol=1e-11, atol=1e-12, err_msg=str(measure))
        compared += 1

    assert compared


@examples(max_examples=60)
@given(batches(), st.data())
def test_a_value_is_its_plain_loop_on_any_small_batch(batch, data):
    measure = data.draw(st.sampled_from([s for s in ALL_SETTINGS if s.name in PLAIN]))
    judged = aligned(batch)
    values = possible_values(measure, judged)
    if values is None:
        return

    for value, (ranking, missed) in zip(values, batch, strict=True):
        topic = Topic(ranking, missed, judged.highest_grade)
        expected = PLAIN[measure.name](topic, **measure.parameters)
        assert value == pytest.approx(np.nan if expected is None else expected, nan_ok=True)


@examples(max_examples=150)
@given(batches(), st.sampled_from(ALL_SETTINGS))
def test_values_stay_in_the_declared_range(batch, measure):
    values = possible_values(measure, aligned(batch))
    if values is None:
        return
    defined = values[~np.isnan(values)]

    # Infinities are no values: what would be one is undefined.
    assert np.isfinite(defined).all()
    low, high = measure.range
    assert (defined >= max(low, measure.definition.low) - ROUNDING).all()
    assert (defined <= min(high, greatest(measure)) + ROUNDING).all()


@examples(max_examples=100)
@given(batches(), st.sampled_from(ALL_SETTINGS), st.randoms(use_true_random=False))
def test_the_order_of_topics_changes_no_value(batch, measure, random):
    order = list(range(len(batch)))
    random.shuffle(order)
    values = possible_values(measure, aligned(batch))
    shuffled = possible_values(measure, aligned([batch[i] for i in order]))

    if values is None:
        assert shuffled is None
    else:
        np.testing.assert_array_equal(shuffled, values[order])


@examples(max_examples=100)
@given(batches(), st.sampled_from(ALL_SETTINGS))
@example([([(0, None)] * 4 + [(0, 1)], []), ([], [])], parse_measure("IAP"))
def test_a_topic_beside_it_changes_no_value(batch, measure):
    together = aligned(batch)
    # The highest grade belongs to the whole qrels file, so it is kept.
    alone = replace(aligned(batch[:1]), highest_grade=together.highest_grade)
    values = possible_values(measure, together)

    if values is not None:
        np.testing.assert_array_equal(measure.values(alone), values[:1])


@examples(max_examples=100)
@given(batches(), st.sampled_from(ALL_SETTINGS))
def test_values_are_computed_of_a_few_topics_at_once(batch, measure):
    values = possible_values(measure, aligned(batch))
    with (
        patch("rankeval.ranking.ranked.AT_ONCE", 2),
        patch("rankeval.measures.definition.AT_ONCE", 2),
    ):
        in_parts = possible_values(measure, aligned(batch))

    np.testing.assert_array_equal(in_parts, values)


@pytest.mark.parametrize("name", definitions())
def test_a_topic_without_ranking_is_undefined_only_where_that_is_declared(name):
    absent = ranked([], missed=[[1, 0]])

    for measure in settings_of(definitions()[name]):
        values = possible_values(measure, absent)
        if values is not None:
            assert np.isnan(values).all() == (name in UNDEFINED_WITHOUT_RANKING), str(measure)


@pytest.mark.parametrize("name", definitions())
def test_a_batch_of_no_topics_has_no_values(name):
    empty = judgments([])

    for measure in settings_of(definitions()[name]):
        values = possible_values(measure, empty)
        assert values is None or values.shape == (0,), str(measure)


NEVER_HARMED_BY_BETTER_ORDER = [
    *("P@3", "R@3", "F@3", "R_cap@3", "Success@3", "Rprec", "Rprec(mult=0.5)"),
    *("IPrec@0.5", "IAP", "PAtRecall@0.5", "AP", "AP@3", "AP(norm='min')@3", "GMAP", "YAAP"),
    *("RR", "RR@3", "DCG", "DCG@3", "nDCG", "nDCG@3", "nDCG(dcg='exp-log2')@3"),
    *("nDCG(dcg='jk')", "nDCG(dcg='exp-jk')@3", "ERR", "ERR@3", "nERR", "nERR@3"),
    *("AUC", "GAUC", "Accuracy", "AUPRG", "AUPRG(universe='retrieved')"),
]


@examples(max_examples=150)
@given(
    st.lists(st.sampled_from([None, 0, 1, 2]), min_size=2, max_size=8),
    st.sampled_from(NEVER_HARMED_BY_BETTER_ORDER),
    st.data(),
)
def test_promoting_a_better_document_never_lowers_the_value(grades, name, data):
    i = data.draw(st.integers(0, len(grades) - 2))
    better_first = sorted(grades[i : i + 2], key=lambda g: g or 0, reverse=True)
    promoted = grades[:i] + better_first + grades[i + 2 :]

    before, after = parse_measure(name).values(ranked(grades, promoted))

    assert np.isnan(before) == np.isnan(after)
    assert np.isnan(before) or after >= before - 1e-12
