"""Arrays of top documents give the values of the same lists as dictionaries."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval import Evaluator, InputError
from rankeval.options import Settings

pl = pytest.importorskip("polars")

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

    found = evaluator.per_topic(rankeval.Run.from_topk(ids, scores, pad=pad))

    assert found == evaluator.per_topic(run)


def test_equal_scores_are_ordered_by_the_digits_as_text():
    run = rankeval.Run.from_topk([[10, 9]], [[1.0, 1.0]])

    assert Evaluator({0: {9: 1}}, "RR").means(run) == {"RR": 1.0}


def test_masked_places_hold_no_document():
    qrels = {0: {1: 1, 2: 1}, 1: {3: 1}}
    ids, scores = [[1, 2, 9], [9, 3, 8]], [[3.0, 2.0, 1.0], [np.nan, 2.0, 1.0]]
    evaluator = rankeval.Evaluator(qrels, "RR P@2")
    masked = np.ma.masked_array(ids, mask=[[True, False, False], [False, False, True]])
    masked_scores = np.ma.masked_array(scores, mask=[[False, True, False], [True, False, False]])

    found = evaluator.per_topic(rankeval.Run.from_topk(masked))
    scored = evaluator.per_topic(rankeval.Run.from_topk(ids, masked_scores))

    assert found == {"0": {"RR": 1.0, "P@2": 0.5}, "1": {"RR": 0.5, "P@2": 0.5}}
    assert scored == {"0": {"RR": 1.0, "P@2": 0.5}, "1": {"RR": 1.0, "P@2": 0.5}}


NAMES = st.lists(
    st.lists(st.sampled_from(["a", "b", "é", "zz", "7", "-1", "10"]), unique=True, max_size=6),
    min_size=1,
    max_size=9,
)


def as_given(kind, rows, width):
    """Return rows of names in a form of the user's, filled with what stands for no document."""
    filled = {"text": "", "bytes": b"", "objects": None, "lists": None, "pandas": pd.NA}[kind]
    lists = [[*row, *[filled] * (width - len(row))] for row in rows]
    match kind:
        case "text":
            return np.array(lists, dtype=str)
        case "bytes":
            return np.char.encode(np.array(lists, dtype=str), "utf-8")
        case "objects":
            return np.array(lists, dtype=object)
        case "pandas":
            return pd.DataFrame(lists, dtype="string")
    return lists


@pytest.mark.parametrize("kind", ["text", "bytes", "objects", "lists", "pandas"])
@given(lists=NAMES, scored=st.booleans(), data=st.data())
def test_lists_of_names_are_scored_as_dictionaries_are(kind, lists, scored, data):
    width = max(1, *map(len, lists))  # "-1" is a document, as pad is another name
    ids = as_given(kind, lists, width)
    scores = np.random.default_rng(2).integers(0, 4, (len(lists), width)) / 2 if scored else None
    topics = [f"user {n}" for n in range(len(lists))]
    names = st.sampled_from(["a", "b", "é", "zz", "7", "-1", "10", "no"])
    judged = st.dictionaries(names, st.integers(0, 3), min_size=1)
    qrels = {topic: data.draw(judged) for topic in topics}
    run = {
        topic: {
            name: float(-place if scores is None else scores[number, place])
            for place, name in enumerate(row)
        }
        for number, (topic, row) in enumerate(zip(topics, lists, strict=True))
    }
    evaluator = Evaluator(qrels, MEASURES)

    found = rankeval.Run.from_topk(ids, scores, topics=topics, pad="none")

    assert evaluator.per_topic(found) == evaluator.per_topic(run)


@pytest.mark.parametrize(
    "topics",
    [
        ["ann", "7"],
        ("ann", 7),
        {"ann": 1, "7": 2}.keys(),
        iter(["ann", "7"]),
        np.array(["ann", "7"]),
        np.array([b"ann", b"7"]),
        np.array(["ann", 7], dtype=object),
        pd.Series(["ann", "7"], dtype="string", index=[5, 3]),
        pd.Index(["ann", "7"]),
        pd.CategoricalIndex(["ann", "7"]),
        pd.Series(["ann", "7"], dtype="category"),
        pa.array(["ann", "7"]),
        pl.Series(["ann", "7"]),
    ],
)
def test_topics_are_names_in_any_form(topics):
    run = rankeval.Run.from_topk([[3, 1], [1, 2]], topics=topics)

    found = Evaluator({"ann": {"1": 1}, "7": {"1": 1}}, "RR").per_topic(run)

    assert found == {"7": {"RR": 1.0}, "ann": {"RR": 0.5}}


@pytest.mark.parametrize(
    "ids",
    [
        pd.DataFrame([[3, 1], [1, None]], dtype="Int64"),
        pd.DataFrame([["3", "1"], ["1", None]]),
        pl.DataFrame([["3", "1"], ["1", None]], orient="row", schema=["first", "second"]),
        [["3", 1], [b"1", None]],
        [[3, 1], [1, -1]],
        [["3", "1"], [1, -1]],
        np.array([[3, 1], [1, -1]], dtype=np.int32),
        [np.array([3, 1]), np.array([1, -1])],
        [np.ma.masked_array([3, 1]), np.ma.masked_array([1, 5], mask=[False, True])],
    ],
)
def test_documents_are_names_in_any_form(ids):
    qrels = {0: {1: 1}, 1: {1: 1, 5: 1}}

    found = Evaluator(qrels, "RR NumRet").per_topic(rankeval.Run.from_topk(ids))

    assert found == {"0": {"RR": 0.5, "NumRet": 2.0}, "1": {"RR": 1.0, "NumRet": 1.0}}


class Tensor:
    """Stands for PyTorch's: NumPy takes it only without gradients, and no bfloat16."""

    def __init__(self, values, *, grad=False, bfloat16=False):
        self.values, self.grad, self.bfloat16 = np.asarray(values), grad, bfloat16

    def __len__(self):
        return len(self.values)

    def __getitem__(self, place):
        return Tensor(self.values[place], grad=self.grad, bfloat16=self.bfloat16)

    def __array__(self, dtype=None, copy=None):
        if self.grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        if self.bfloat16:
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self.values

    def detach(self):
        return Tensor(self.values, bfloat16=self.bfloat16)

    def cpu(self):
        return self

    def float(self):
        return Tensor(self.values, grad=self.grad)


def test_tensors_may_need_gradients_and_be_of_bfloat16():
    ids, scores = Tensor([[3, 1], [1, 2]]), [[0.5, 0.75], [0.5, 0.25]]
    evaluator = Evaluator({7: {1: 1}, 9: {1: 1}}, "RR")

    run = rankeval.Run.from_topk(ids, Tensor(scores, grad=True, bfloat16=True), Tensor([7, 9]))

    assert evaluator.means(run) == {"RR": 1.0}
    rows = [Tensor(row, grad=True) for row in scores]
    assert evaluator.means(rankeval.Run.from_topk(ids, rows, [7, 9])) == {"RR": 1.0}


def test_documents_of_nineteen_digits_are_found():
    largest = 2**63 - 1

    run = rankeval.Run.from_topk([[largest, -largest - 1]])

    assert Evaluator({0: {largest: 1, -largest - 1: 1}}, "AP").means(run) == {"AP": 1.0}


@pytest.mark.parametrize("ids", [np.array([[3, 1]]), np.array([["3", "1"]])])
def test_a_run_stays_as_it_is_where_the_arrays_change(ids):
    scores, topics = np.array([[2.0, 1.0]]), np.array([7])
    evaluator = Evaluator({7: {1: 1}}, "RR")
    run = rankeval.Run.from_topk(ids, scores, topics)

    ids[:], scores[:], topics[:] = ids[:, ::-1].copy(), [[0.0, -1.0]], 8

    assert evaluator.means(run) == {"RR": 0.5}


@pytest.mark.parametrize(
    "column",
    [
        pd.Series,
        pl.Series,
        pa.array,
        lambda rows: pa.chunked_array([rows]),
        lambda rows: np.array([*rows, None], dtype=object)[:-1],
    ],
)
def test_a_column_of_lists_is_an_array(column):
    run = rankeval.Run.from_topk(column([["a", "b"], ["b", "c"]]), column([[1.0, 2.0]] * 2))

    assert {topic: dict(run[topic]) for topic in run} == {
        "0": {"a": 1.0, "b": 2.0},
        "1": {"b": 1.0, "c": 2.0},
    }


WRONG = [
    (([1, 2],), "1 dimension"),
    (([[1.5]],), "float64"),
    (([[1, 2]], [[1.0]]), "shape"),
    (([[1, 2]], None, [1, 2]), "shape"),
    (([[1, 2], [3]],), "row 1 of ids has 1 values, row 0 2"),
    (([[1], [2]], None, None, None), "pad is None"),
    ((np.array([[2**63 + 1]], dtype=np.uint64),), "ids have 9223372036854775809"),
    (([[1, 2]], [[1.0, np.nan]]), r"the score at \[0, 1\] is nan"),
    (([["a", "b"]], [["x", 1.0]]), "scores: scores are no numbers"),
    (([["a", "b"], ["a", 1.5]],), "docno 1.5 is of the type float"),
    (([["a", True]],), "docno True is of the type bool"),
    (([["a", {}]],), "docno {} is of the type dict"),
    ((np.array([["2020-01-01"]], dtype="M8[D]"),), "datetime64"),
    (({"a": [1]},), r"\(dict\)"),
    ((pd.DataFrame([[3, 1], [1, None]]),), "fillna"),
    (([[1], [2]], None, ["a", None]), "topic None is of the type NoneType"),
    (([[1], [2]], None, ["a", ""]), "the topic of row 1 is empty"),
    (([[1], [2]], None, ["7", 7]), 'topic "7" has two rows'),
    (([[1], [2]], None, [1.0, 2.0]), "topics are of the type float64"),
    (
        ([[1], [2]], None, np.ma.masked_array([1, 2], mask=[False, True])),
        "the topic of row 1 is empty",
    ),
]


@pytest.mark.parametrize(("arrays", "problem"), WRONG)
def test_arrays_that_make_no_run_are_refused(arrays, problem):
    with pytest.raises(rankeval.RankevalError, match=problem):
        rankeval.Run.from_topk(*arrays)


def test_a_document_that_is_there_twice_is_named():
    run = rankeval.Run.from_topk([["a", "-", "b"], ["c", "-", "c"]], topics=[7, 9], pad="-")
    said = r'run: document "c" is listed twice in topic "9"'

    with pytest.raises(InputError, match=said):
        rankeval.evaluate({7: {"a": 1}, 9: {"c": 1}}, run)
    with pytest.raises(InputError, match=said):
        Evaluator({9: {"c": 1}}, "AP").update(run).compute()
