"""Runs and judgments from memory: mappings, tables and arrays all mean the same."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import rankeval
from rankeval import InputError, Reading

QRELS = {"1": {"d1": 2, "d2": 0, "d7": 1}, "2": {"d3": 1, "d4": 3}}
RUN = {
    "1": {"d9": 3.5, "d2": 3.0, "d1": 2.5, "d7": 2.5},
    "2": {"d4": 0.25, "d5": 0.125},
    "3": {"d1": 1.0},
}
MEASURES = "AP nDCG@3 RR Judged@3"


def rows(mapping, names):
    found = [(t, d, v) for t, documents in mapping.items() for d, v in documents.items()]
    return dict(zip(names, map(list, zip(*found, strict=True)), strict=True))


def frames(mapping, names):
    columns = rows(mapping, names)
    plain = pd.DataFrame(columns)
    table = pa.table(columns)
    return {
        "pandas": plain,
        "shuffled index": plain.set_index(np.arange(len(plain))[::-1]),
        "categories": plain.astype({names[0]: "category", names[1]: "category"}),
        "interleaved": plain.iloc[::-1].reset_index(drop=True),
        "arrow": table,
        "arrow in chunks": pa.concat_tables([table.slice(0, 2), table.slice(2)]),
        "arrays": {name: np.array(values) for name, values in columns.items()},
        "arrays of objects": {n: np.array(values, dtype=object) for n, values in columns.items()},
    }


RUNS = frames(RUN, ("qid", "docid", "score"))
JUDGMENTS = frames(QRELS, ("query_id", "doc_id", "relevance"))


def values(results):
    return [(score.measure, list(score.values)) for score in results.runs[0].scores]


@pytest.fixture(scope="module")
def expected():
    return values(rankeval.evaluate(QRELS, RUN, MEASURES))


@pytest.mark.parametrize("kind", RUNS)
def test_a_run_means_the_same_as_a_table_and_as_arrays(kind, expected):
    assert values(rankeval.evaluate(QRELS, RUNS[kind], MEASURES)) == expected


@pytest.mark.parametrize("kind", JUDGMENTS)
def test_judgments_mean_the_same_as_a_table_and_as_arrays(kind, expected):
    assert values(rankeval.evaluate(JUDGMENTS[kind], RUN, MEASURES)) == expected


def test_topics_and_docnos_may_be_integers():
    qrels = {"user": np.array([7, 7, 12]), "item": np.array([10, 11, 10]), "rating": np.ones(3)}
    run = {
        "user": np.array([12, 7, 7], dtype=np.int32),
        "item": np.array([10, 5, 11]),
        "score": np.array([1, 3, 2], dtype=np.float32),
    }
    reading = Reading(columns="topic=user,docno=item")

    found = rankeval.evaluate(qrels, run, "RR NumRel", reading=reading)

    assert values(found) == [("RR", [1.0, 0.5]), ("NumRel", [1.0, 2.0])]
    assert found.runs[0].topics == ("12", "7")


def test_several_tables_are_several_runs():
    runs = [RUNS["pandas"], RUN, RUNS["arrays"]]

    found = rankeval.evaluate(QRELS, runs, "AP")

    assert len({run.scores[0].aggregate for run in found.runs}) == 1
    assert len(found.runs) == 3


def test_a_table_with_ranks_only_is_ranked_by_them():
    ranks = pd.DataFrame({"qid": ["1"] * 3, "docno": ["d9", "d1", "d2"], "rank": [2, 1, 3]})

    assert values(rankeval.evaluate(QRELS, ranks, "RR")) == [("RR", [1.0, 0.0])]


def test_the_tag_of_a_table_names_the_run():
    tagged = RUNS["pandas"].assign(tag="bm25")

    assert rankeval.evaluate(QRELS, tagged, "AP").runs[0].name == "bm25"


def test_subtopics_come_from_their_column():
    judged = pd.DataFrame(
        {"qid": ["1"] * 3, "subtopic": ["a", "b", "a"], "docno": ["d1", "d1", "d2"], "rel": 1}
    )
    nested = {"1": {"d1": {"a": 1, "b": 1}, "d2": {"a": 1}}}

    found = rankeval.evaluate(judged, RUN, "alpha_nDCG@3 AP")

    assert values(found) == values(rankeval.evaluate(nested, RUN, "alpha_nDCG@3 AP"))


def test_every_function_takes_tables():
    frame, other = RUNS["pandas"], RUNS["arrays"]
    swapped = {**other, "score": -other["score"]}

    compared = rankeval.compare(JUDGMENTS["arrow"], frame, swapped, "AP")
    same = rankeval.compare(QRELS, RUN, swapped, "AP")
    assert [pair.p_value for pair in compared.pairs] == [pair.p_value for pair in same.pairs]
    assert rankeval.explain(QRELS, frame, "1", "AP")[0].value == pytest.approx(
        rankeval.explain(QRELS, RUN, "1", "AP")[0].value
    )
    assert rankeval.gate(QRELS, frame, other, "max-drop AP=0.01").passed
    assert not rankeval.gate(QRELS, swapped, frame, "max-drop AP=0.01").passed
    found = rankeval.diff(QRELS, frame, swapped, "AP").summary
    assert (found.wins, found.losses) == (1, 1)


@pytest.mark.parametrize("many", [0, 50_000])
def test_large_mappings_mean_what_small_ones_do(monkeypatch, expected, many):
    monkeypatch.setattr("rankeval.io.runs.MANY", many)

    assert values(rankeval.evaluate(QRELS, RUN, MEASURES)) == expected
    with pytest.raises(InputError, match="the docno 7 is of the type int"):
        rankeval.evaluate(QRELS, {"1": {"d1": 2.0, 7: 1.0}}, "AP")
    with pytest.raises(InputError, match="the topic 1 is of the type int"):
        rankeval.evaluate({1: {"d1": 2}}, RUN, "AP")


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ({"qid": np.array(["1"]), "score": np.ones(1)}, "do not say which is the topic"),
        ({"qid": np.array(["1", "2"]), "docno": np.array(["d"]), "score": np.ones(1)}, "no table"),
        (
            {"qid": np.array([1.5]), "docno": np.array(["d"]), "score": np.ones(1)},
            "column 'qid' is of the type double",
        ),
        (
            {"qid": np.array(["1"]), "docno": np.array(["d"]), "score": np.array([np.nan])},
            "the score is nan, or missing",
        ),
        (
            pd.DataFrame({"qid": ["1", "1"], "docno": ["a", None], "score": [2.0, 1.0]}),
            "the docno is empty",
        ),
        (pd.DataFrame({"qid": ["1", 2], "docno": ["a", "b"], "score": [1.0, 2.0]}), "no table"),
        (pd.DataFrame({"qid": [], "docno": [], "score": []}), "holds no ranking"),
        (
            pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "a"], "score": [1.0, 2.0]}),
            "stands twice",
        ),
    ],
)
def test_a_table_that_is_none_gets_a_clear_error(run, message):
    with pytest.raises(InputError, match=message) as raised:
        rankeval.evaluate(QRELS, run, "AP")

    assert "run" in str(raised.value)
