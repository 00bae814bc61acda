import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

import rankeval
from rankeval.measures.areas import (
    area_under_gain_curve,
    expected_f_gain,
    f_gain,
    gain_at_recall_gain,
    precision_gain,
    recall_gain,
)
from tests.support.builders import from_dicts, judgments, ranked
from tests.support.oracles import area_of_pyprg, curve_of_pyprg
from tests.support.plain import Topic, efg, gain_curve
from tests.support.samples import collection

UNIVERSES = ("judged", "condensed", "retrieved")


def test_the_gains_of_precision_and_recall_rescale_from_the_share_of_positives():
    """Flach and Kull (2015), definition 1, with π = 1/4: 3 documents of 5, one of 2 relevant."""
    judged = ranked([1, 0, 0, 0, 1, 0, 0, 0])
    pi, precision, recall = 1 / 4, 1 / 3, 1 / 2

    prec_g = (precision - pi) / ((1 - pi) * precision)
    rec_g = (recall - pi) / ((1 - pi) * recall)

    assert precision_gain(judged, cutoff=3) == pytest.approx([prec_g])
    assert recall_gain(judged, cutoff=3) == pytest.approx([rec_g])
    assert f_gain(judged, cutoff=3) == pytest.approx([(prec_g + rec_g) / 2])
    assert f_gain(judged, beta=2.0, cutoff=3) == pytest.approx([(prec_g + 4 * rec_g) / 5])


@pytest.mark.parametrize(
    "undefined",
    [
        pytest.param(ranked([0, 1]), id="no relevant document in the first k"),
        pytest.param(ranked([1, 1]), id="no nonrelevant document"),
        pytest.param(ranked([0, 0]), id="no relevant document"),
        pytest.param(ranked([], missed=[[1, 0]]), id="no ranking"),
    ],
)
@pytest.mark.parametrize("gain", [precision_gain, recall_gain, f_gain])
def test_gains_that_would_be_minus_infinity_are_undefined(gain, undefined):
    assert np.isnan(gain(undefined, cutoff=1)).all()


@pytest.mark.parametrize(
    ("grades", "expected"),
    [
        # π = 1/2, from (0, 1) down to (0, 0), up to (1, 1/2) and down to (1, 0): while Δ goes
        # from -2 over 0 and 1 to 2, FG is 1/2, 0, 3/4 and 1/2, and linear between them.
        ([1, 0, 1, 0], (2 * (1 / 2 + 0) / 2 + (0 + 3 / 4) / 2 + (3 / 4 + 1 / 2) / 2) / 4),
        # π = 1/6 and n_pos² = n: the same with a vertical of 30 documents.
        ([1] + [0] * 30 + [1] * 5, None),
        ([0] * 10 + [1] + [0] * 20 + [1] * 5, None),
        ([1, 1, 0, 0, 1, 1, 0, 0, 0], None),
    ],
)
def test_expected_f_gain_begins_at_the_upper_end_of_a_vertical_curve(grades, expected):
    judged = ranked(grades)
    ranking = [(float(-i), grade) for i, grade in enumerate(grades)]

    assert expected_f_gain(judged) == pytest.approx([efg(Topic(ranking, []), 1, 1, "judged")])
    if expected is not None:
        assert expected_f_gain(judged) == pytest.approx([expected])


@examples(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=2, max_size=7))
def test_the_area_is_what_many_mixtures_of_contingency_tables_add_up_to(documents):
    """Independent of the interpolation theorem: precision and recall of 2,000 mixtures."""
    ranking = [(score, int(relevant)) for score, relevant in sorted(documents, reverse=True)]
    positive = sum(relevant for _, relevant in ranking)
    negative = len(ranking) - positive
    if not positive or not negative:
        return
    scores = sorted({score for score, _ in ranking}, reverse=True)
    tables = [
        (
            sum(s >= score and r for s, r in ranking),
            sum(s >= score and not r for s, r in ranking),
        )
        for score in scores
    ]
    tp, fp = np.array([(0, 0), *tables], dtype=float).T
    position = np.linspace(0, len(scores), 2000 * len(scores) + 1)
    tp = np.interp(position, np.arange(len(tp)), tp)
    fp = np.interp(position, np.arange(len(fp)), fp)
    tp, fp = tp[tp > 0], fp[tp > 0]
    pi = positive / len(ranking)
    precision_gains = (tp / (tp + fp) - pi) / ((1 - pi) * tp / (tp + fp))
    recall_gains = (tp / positive - pi) / ((1 - pi) * tp / positive)
    inside = recall_gains >= 0

    area = np.trapezoid(precision_gains[inside], recall_gains[inside])

    assert area_under_gain_curve(judgments([ranking])) == pytest.approx([area], abs=0.02, rel=0.02)


@pytest.mark.parametrize("universe", UNIVERSES)
def test_area_agrees_with_pyprg_where_the_curve_stays_above_the_axis(universe):
    """pyprg adds what lies below the axis, so those topics are left out."""
    compared = 0
    for seed in range(3):
        qrels, run = collection(seed, topics=30)
        areas = area_under_gain_curve(from_dicts(qrels, run), universe=universe)
        for topic, area in zip(sorted(qrels), areas, strict=True):
            documents = universe_of(qrels[topic], run.get(topic, {}), universe)
            curve = gain_curve(Topic(documents, []), 1, "retrieved") if documents else None
            if curve is None or min(y for _, y in curve[1]) < 0:
                continue
            labels = [int((grade or 0) >= 1) for _, grade in documents]
            scores = [score for score, _ in documents]
            expected = area_of_pyprg(labels, scores)
            assert area == pytest.approx(expected, abs=1e-9)
            compared += 1
    assert compared > 10


def test_the_height_of_the_curve_is_pyprgs_where_segments_are_straight():
    """pyprg's points, joined by straight lines, but for levels at which its curve is vertical."""
    compared = 0
    qrels, run = collection(5, topics=30)
    judged = from_dicts(qrels, run)
    levels = [0.05, 0.23, 0.41, 0.68, 0.97]
    heights = np.array([gain_at_recall_gain(judged, level=level) for level in levels])
    for topic, found in zip(sorted(qrels), heights.T, strict=True):
        documents = universe_of(qrels[topic], run.get(topic, {}), "judged")
        labels = [int((grade or 0) >= 1) for _, grade in documents]
        if not labels or len({*labels}) < 2:
            assert np.isnan(found).all()
            continue
        curve = curve_of_pyprg(labels, [score for score, _ in documents])
        x, y = np.array(curve["recall_gain"]), np.array(curve["precision_gain"])
        inside = x >= 0
        for level, height in zip(levels, found, strict=True):
            if np.abs(x - level).min() > 1e-9:
                assert height == pytest.approx(np.interp(level, x[inside], y[inside]), abs=1e-9)
                compared += 1
    assert compared > 50


def universe_of(judged, retrieved, universe):
    """(score, grade) of the documents that count, those not retrieved with one low score."""
    if not retrieved:
        return []
    documents = dict.fromkeys(retrieved) if universe == "retrieved" else {}
    documents |= {d: g for d, g in judged.items() if universe == "judged" or d in retrieved}
    return [
        (retrieved.get(docno, -1e6), grade)
        for docno, grade in documents.items()
        if universe == "retrieved" or grade >= 0
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        # a and b are retrieved; c and e, one of them relevant, follow in no order.
        ("recG@100", 1.0),  # all four count: tp = 2, fn = 0
        ("precG@100", 0.0),  # the baseline: tp = 2, fp = 2
        ("recG@3", 2 / 3),  # tp = 1.5, fn = 0.5
        ("precG@3", 0.0),  # tp = 1.5, fp = 1.5
        ("FG@100", 0.5),
        ("recG(universe='condensed')@100", 1.0),
        ("recG@2", 0.0),  # tp = 1, fn = 1
    ],
)
def test_judged_documents_that_were_not_retrieved_follow_the_others(name, value):
    qrels = {"q": {"a": 1, "b": 0, "c": 1, "e": 0}}

    found = rankeval.evaluate(qrels, {"q": {"a": 2.0, "b": 1.0}}, name)

    assert found["run"][name].mean == pytest.approx(value)
