"""Arrays of top documents give the values of the same lists as dictionaries."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval import Evaluator, InputError, Settings, UsageError

QRELS = st.dictionaries(
    st.integers(-2, 12),
    st.dictionaries(st.integers(-3, 40), st.integers(0, 3), min_size=1),
    min_size=1,
)
LISTS = st.lists(st.lists(st.integers(0, 40), unique=True, max_size=6), min_size=1, max_size=13)
MEASURES = "AP nDCG@3 P@2 RR NumRet"


def padded(lists, pad):
    width = max(1, *map(len, lists))
    return np.array([[*row, *[pad] * (width - len(row))] for row in lists])


@given(
    QRELS, LISTS, st.sampled_from([-1, -5, 99]), st.booleans(), st.sampled_from(["judged", "both"])
)
def test_lists_are_scored_as_dictionaries_are(qrels, lists, pad, scored, topics):
    ids = padded(lists, pad)
    scores = np.random.default_rng(1).integers(0, 5, ids.shape) / 2 if scored else None
    run = {
        str(topic): {
            str(item): float(-column if scores is None else scores[topic, column])
            for column, item in enumerate(row)
        }
        for topic, row in enumerate(lists)
    }
    evaluator = Evaluator(qrels, MEASURES, Settings(topics=topics))

    found = evaluator.per_topic(rankeval.from_topk(ids, scores, pad=pad))

    assert found == evaluator.per_topic(run)


def test_topics_may_be_named():
    run = rankeval.from_topk([[3, 1], [1, 2]], topics=[70, -5])

    assert Evaluator({"70": {"1": 1}, "-5": {"1": 1}}, "RR").per_topic(run) == {
        "-5": {"RR": 1.0},
        "70": {"RR": 0.5},
    }


def test_names_that_are_not_written_as_integers_are_others():
    qrels = {"0": {"007": 1, "+7": 1, "7": 0, "1e1": 1, "10": 0}}

    assert Evaluator(qrels, "RR").means(rankeval.from_topk([[7, 10]])) == {"RR": 0.0}


def test_equal_scores_are_ordered_by_the_digits_as_text():
    run = rankeval.from_topk([[10, 9]], [[1.0, 1.0]])

    assert Evaluator({0: {9: 1}}, "RR").means(run) == {"RR": 1.0}


def test_every_function_takes_lists():
    qrels, run = {"0": {"1": 1}, "1": {"2": 1}}, rankeval.from_topk([[1, 2], [1, 2]])

    (result,) = rankeval.evaluate(qrels, run, "RR").runs

    assert result.scores[0].values.tolist() == [1.0, 0.5]


@pytest.mark.parametrize(
    ("given_", "problem"),
    [
        (([1, 2],), "1 dimension"),
        (([[1.5]],), "float64"),
        (([[1, 2]], [[1.0]]), "shape"),
        (([[1, 2]], None, [1, 2]), "shape"),
        (([[1, 2], [3]],), "ids are no array"),
        (([[1, 2]], [["x", "y"]]), "scores are no array"),
        ((np.array([[2**63 + 1]], dtype=np.uint64),), "ids have 9223372036854775809"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(given_, problem):
    with pytest.raises(UsageError, match=problem):
        rankeval.from_topk(*given_)


def test_scores_that_are_not_finite_are_refused_where_documents_are():
    assert len(rankeval.from_topk([[1, -1]], [[1.0, np.nan]])) == 1
    with pytest.raises(InputError, match=r"the score at \[0, 1\] is nan"):
        rankeval.from_topk([[1, 2]], [[1.0, np.nan]])


@pytest.mark.parametrize("run", [([[1, 1]],), ([[1], [2]], None, [0, 0])])
def test_what_is_there_twice_is_refused(run):
    with pytest.raises(InputError, match=r"twice|two rows"):
        Evaluator({"0": {"1": 1}}, "AP").means(rankeval.from_topk(*run))


def test_masked_places_hold_no_document():
    qrels = {0: {1: 1, 2: 1}, 1: {3: 1}}
    ids, scores = [[1, 2, 9], [9, 3, 8]], [[3.0, 2.0, 1.0], [np.nan, 2.0, 1.0]]
    evaluator = rankeval.Evaluator(qrels, "RR P@2")
    masked = np.ma.masked_array(ids, mask=[[True, False, False], [False, False, True]])
    masked_scores = np.ma.masked_array(scores, mask=[[False, True, False], [True, False, False]])

    found = evaluator.per_topic(rankeval.from_topk(masked))
    scored = evaluator.per_topic(rankeval.from_topk(ids, masked_scores))

    assert found == {"0": {"RR": 1.0, "P@2": 0.5}, "1": {"RR": 0.5, "P@2": 0.5}}
    assert scored == {"0": {"RR": 1.0, "P@2": 0.5}, "1": {"RR": 1.0, "P@2": 0.5}}


def test_masked_topics_and_a_pad_that_is_no_integer_are_refused():
    with pytest.raises(rankeval.UsageError, match="topics have masked values"):
        rankeval.from_topk([[1], [2]], topics=np.ma.masked_array([1, 2], mask=[False, True]))
    with pytest.raises(rankeval.UsageError, match="pad is of the type NoneType"):
        rankeval.from_topk([[1], [2]], pad=None)


def test_a_run_of_ranx_is_refused_where_an_array_belongs():
    class Run(dict):
        """Stands for ranx's, whose look-up of an integer fails in compiled code."""

        __module__ = "ranx.data_structures.run"

        def to_dict(self):
            return dict(self)

    for more in ({}, {"scores": [[1.0]]}, {"topics": [1]}):
        with pytest.raises(rankeval.UsageError, match="ids are a Run of ranx"):
            rankeval.from_topk(Run({"1": {"7": 1.0}}), **more)
