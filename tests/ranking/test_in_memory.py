"""Runs and judgments of many kinds mean the same as dictionaries, and errors name the value."""

import gzip
import io
from collections import namedtuple
from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import rankeval
from rankeval import InputError, UsageError

ir_measures = pytest.importorskip("ir_measures")
pl = pytest.importorskip("polars")


QRELS = {"1": {"d1": 2, "d2": 0, "7": 1}, "2": {"d3": 1, "d4": 3}}
RUN = {"1": {"d9": 3.5, "d2": 3.0, "d1": 2.5, "7": 2.25}, "2": {"d4": 0.25, "d5": 0.125}}
MEASURES = "AP nDCG@3 RR Judged@3"

Turned = namedtuple("Turned", "score doc_id query_id")  # noqa: PYI024  as libraries have them
Judged = namedtuple("Judged", "relevance iteration doc_id query_id")  # noqa: PYI024


class Stream:
    """A table that offers nothing but Arrow's stream."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


def rows(mapping):
    return [(t, d, v) for t, documents in mapping.items() for d, v in documents.items()]


def columns(mapping, names):
    return dict(zip(names, map(list, zip(*rows(mapping), strict=True)), strict=True))


def kinds(mapping, names, line, turned, own):
    """Makers of the same in every kind; some can be read once only."""
    lists = columns(mapping, names)
    text = "".join(line.format(*row) for row in rows(mapping))
    return {
        "rows": lambda: rows(mapping),
        "rows as lists": lambda: [list(row) for row in rows(mapping)],
        "rows one by one": lambda: iter(rows(mapping)),
        "interleaved rows": lambda: rows(mapping)[::-1],
        "rows with integers and bytes": lambda: [
            (int(t), d.encode(), v) for t, d, v in rows(mapping)
        ],
        "records": lambda: [dict(zip(names, row, strict=True)) for row in rows(mapping)],
        "named tuples": lambda: [own(*row) for row in rows(mapping)],
        "other named tuples": lambda: (turned(t, d, v) for t, d, v in rows(mapping)),
        "lists": lambda: lists,
        "tuples": lambda: {name: tuple(values) for name, values in lists.items()},
        "series": lambda: {name: pd.Series(values) for name, values in lists.items()},
        "pandas": lambda: pd.DataFrame(lists),
        "categories": lambda: pd.DataFrame(lists).astype(dict.fromkeys(names[:2], "category")),
        "shuffled index": lambda: pd.DataFrame(lists).sort_index(ascending=False),
        "arrow in chunks": lambda: pa.concat_tables(
            [pa.table(lists).slice(0, 2), pa.table(lists).slice(2)]
        ),
        "arrays": lambda: {name: np.array(column) for name, column in lists.items()},
        "objects": lambda: {n: np.array(column, dtype=object) for n, column in lists.items()},
        "polars": lambda: pl.DataFrame(lists),
        "stream": lambda: Stream(pa.table(lists)),
        "records of numpy": lambda: pd.DataFrame(lists).to_records(index=False),
        "open in text": lambda: io.StringIO(text),
        "open in bytes": lambda: io.BytesIO(text.encode()),
        "open and compressed": lambda: io.BytesIO(gzip.compress(text.encode())),
    }


RUNS = kinds(
    RUN,
    ("query_id", "doc_id", "score"),
    "{0} Q0 {1} 1 {2} tag\n",
    lambda t, d, v: Turned(v, d, t),
    ir_measures.ScoredDoc,
)
JUDGMENTS = kinds(
    QRELS,
    ("query_id", "doc_id", "relevance"),
    "{0} 0 {1} {2}\n",
    lambda t, d, v: Judged(v, "0", d, t),
    ir_measures.Qrel,
)


def values(results):
    return [(score.measure, score.per_topic) for score in results.runs[0].scores]


@pytest.fixture(scope="module")
def expected():
    return values(rankeval.evaluate(QRELS, RUN, MEASURES))


@pytest.mark.parametrize("kind", RUNS)
def test_a_run_of_any_kind_means_the_same(kind, expected):
    assert values(rankeval.evaluate(QRELS, RUNS[kind](), MEASURES)) == expected
    assert values(rankeval.evaluate(QRELS, [RUNS[kind]()], MEASURES)) == expected
    named = rankeval.evaluate(QRELS, {"a": RUNS[kind](), "b": RUN}, MEASURES)
    assert [*named] == ["a", "b"]
    assert values(named) == expected
    evaluator = rankeval.Evaluator(QRELS, MEASURES)
    assert values(evaluator.evaluate({"a": RUNS[kind]()})) == expected
    assert evaluator.means(RUNS[kind]()) == evaluator.means(RUN)


@pytest.mark.parametrize("kind", JUDGMENTS)
def test_judgments_of_any_kind_mean_the_same(kind, expected):
    assert values(rankeval.evaluate(JUDGMENTS[kind](), RUN, MEASURES)) == expected


def test_an_open_file_is_read_by_its_path(tmp_path, expected):
    path = tmp_path / "run.txt"
    path.write_text("".join(f"{t} Q0 {d} 1 {v} tag\n" for t, d, v in rows(RUN)))

    with path.open() as text, path.open("rb") as data:
        results = rankeval.evaluate(QRELS, [text, data], MEASURES)

    assert values(results) == expected
    assert {run.path for run in results.runs} == {str(path)}


def test_a_closed_file_is_refused():
    file = io.BytesIO(b"q 0 a 1\n")
    file.close()

    for read in rankeval.Run, rankeval.Qrels, partial(rankeval.evaluate, runs=RUN):
        with pytest.raises(InputError, match="is closed"):
            len(read(file))


def test_the_rest_of_an_open_file_is_read(tmp_path, expected):
    path = tmp_path / "run.txt"
    path.write_text("title\n" + "".join(f"{t} Q0 {d} 1 {v} tag\n" for t, d, v in rows(RUN)))

    with path.open() as file:
        next(file)
        assert values(rankeval.evaluate(QRELS, file, MEASURES)) == expected


def test_a_run_of_ranx_has_its_name(expected):
    ranx = pytest.importorskip("ranx")
    run = ranx.Run.from_dict(RUN, name="bm25")
    qrels = ranx.Qrels(QRELS)

    results = rankeval.evaluate(qrels, [run, RUN], MEASURES)

    assert values(results) == expected
    assert results.runs[0].name == "bm25"


def test_integers_bytes_and_text_are_one_name():
    qrels = {7: {b"d1": 1, 12: 1}}

    for run in (
        {"7": {"d1": 2.0, "12": 1.0}},
        {7: {b"d1": 2.0, 12: 1.0}},
        {b"7": {"d1": 2, "12": 1}},
    ):
        results = rankeval.evaluate(qrels, run, "AP")
        assert results.runs[0]["AP"].per_topic == {"7": 1.0}


@pytest.mark.parametrize(
    ("run", "told"),
    [
        (
            {"1": {"d1": "high"}},
            r"run, topic '1': the score of document 'd1' is 'high' \(str\)",
        ),
        (
            {"1": {"d1": 1.0}, "2": {"d3": None}},
            "run, topic '2': the score of document 'd3' is None",
        ),
        (
            [("1", "d1", 1.0), ("2", "d3", "x")],
            r"run, row 1 \(from 0\): the score is 'x' \(str\)",
        ),
        ([("1", "d1", 1.0), ("2", "d3")], r"run, row 1 \(from 0\): the row is \('2', 'd3'\)"),
        ({"topic": ["1"], "docno": ["d1", "d2"], "score": [1.0]}, "different lengths"),
        ({"1": [0.5]}, r"topic '1': the docno 0.5 is of the type float"),
        ({"1": {"d1"}}, r"topic '1' has \{'d1'\} \(set\) where its documents belong"),
        ([("1", "d1", float("nan"))], r"run, row 0 \(from 0\): the score is nan"),
        (io.StringIO("1 Q0 d1 1 x tag\n"), "file object:1: .*x"),
        (
            pd.DataFrame({"topic": ["1"], "docno": [None], "score": [1.0]}),
            "column 'docno' is of the type null",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_place(run, told):
    with pytest.raises(InputError, match=told):
        rankeval.evaluate(QRELS, run, "AP")


@pytest.mark.parametrize(
    "run", [5, None, 1.5, object(), [5], [None], {"a": RUN, "b": 5}, np.array([["1", "d1", "0.5"]])]
)
def test_what_is_no_run_is_refused_with_what_is_one(run):
    with pytest.raises(UsageError, match=r"expected: .*topic"):
        rankeval.evaluate(QRELS, run, "AP")


def test_iterations_of_named_tuples_are_subtopics_where_measures_need_them():
    judged = [ir_measures.Qrel("1", "a", 1, "x"), ir_measures.Qrel("1", "b", 1, "y")]
    mapping = {"1": {"a": {"x": 1}, "b": {"y": 1}}}
    run = {"1": {"a": 2.0, "b": 1.0}}

    found = rankeval.evaluate(judged, run, "alpha_nDCG@2 StRecall@1")

    assert found.to_dict() == rankeval.evaluate(mapping, run, "alpha_nDCG@2 StRecall@1").to_dict()
