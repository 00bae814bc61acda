"""Topics without documents, in every form that can name them, and rankings that are lists."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from rankeval import Evaluator, InputError, Qrels, Run, compare, evaluate, fuse

pl = pytest.importorskip("polars")

QRELS = {"q1": {"d1": 1}, "q2": {"d1": 1}}
RUN = {"q1": {"d1": 1.0, "d2": 0.5}, "q2": {}}
"""RR is 1 for q1, and 0 for q2, which the run names: by each rule for topics, the mean is 0.5."""


def in_json(folder):
    path = folder / "run.json"
    path.write_text(json.dumps(RUN))
    return str(path)


FORMS = {
    "dictionary": lambda _: RUN,
    "integers": lambda _: {"q1": {"d1": np.int64(1), "d2": 0}, "q2": {}},  # no plain numbers
    "lists": lambda _: {"q1": ["d1", "d2"], "q2": []},
    "pairs": lambda _: {"q1": [("d1", 1.0), ("d2", 0.5)], "q2": []},
    "a run": lambda _: Run(RUN),
    "arrays": lambda _: Run.from_topk([["d1", "d2"], ["", ""]], topics=["q1", "q2"]),
    "JSON": in_json,
    "a run of JSON": lambda folder: Run(in_json(folder)),
    "fused": lambda _: fuse([RUN, RUN]),
    "masked": lambda _: {"q1": {"d1": 1.0}, "q2": {"d1": -np.inf}},
}


@pytest.mark.parametrize("topics", ["judged", "both"])
@pytest.mark.parametrize("form", FORMS)
def test_a_topic_that_is_named_without_documents_scores_0(form, topics, tmp_path):
    run = FORMS[form](tmp_path)
    evaluator = Evaluator(QRELS, "RR", topics=topics)

    results = evaluate(QRELS, run, "RR", topics=topics)
    assert results.runs[0]["RR"].mean == 0.5
    assert dict(results.runs[0]["RR"].per_topic) == {"q1": 1.0, "q2": 0.0}
    assert evaluator.means(run) == {"RR": 0.5}
    assert evaluator.per_topic(run) == {"q1": {"RR": 1.0}, "q2": {"RR": 0.0}}
    assert evaluator.evaluate(run).runs[0]["RR"].mean == 0.5
    assert compare(QRELS, run, RUN, "RR", topics=topics).runs[0]["RR"].mean == 0.5


@pytest.mark.parametrize("form", FORMS)
def test_a_topic_without_documents_is_a_topic_of_a_run(form, tmp_path):
    assert {*Run(FORMS[form](tmp_path))} == {"q1", "q2"}
    assert not Run(FORMS[form](tmp_path))["q2"]


@pytest.mark.parametrize("system", [{}, [], {"q1": {}}, {"q1": [], "q2": []}])
def test_a_system_without_documents_scores_0_with_a_note(system):
    results = evaluate(QRELS, {"good": RUN, "s": system}, "RR")

    assert results["s"]["RR"].mean == 0.0
    assert "the run has no documents" in [str(notice) for notice in results["s"].warnings]


def used(rows):
    for _ in rows:
        pass
    return rows


@pytest.mark.parametrize("make", [iter, lambda rows: (row for row in rows)])
@pytest.mark.parametrize(
    "call",
    [
        lambda rows: evaluate(QRELS, rows, "RR"),
        lambda rows: evaluate(QRELS, {"a": rows}, "RR"),
        lambda rows: evaluate(QRELS, [rows], "RR"),
        lambda rows: evaluate(rows, RUN, "RR"),
        lambda rows: Evaluator(QRELS, "RR").means(rows),
        lambda rows: Evaluator(QRELS, "RR").evaluate(rows),
        lambda rows: Evaluator(QRELS, "RR").update(rows),
        lambda rows: compare(QRELS, rows, RUN, "RR"),
        lambda rows: fuse([rows, RUN]),
        Run,
        Qrels,
    ],
)
def test_an_iterator_that_was_used_up_is_refused(make, call):
    with pytest.raises(InputError, match="has no rows"):
        call(used(make([("q1", "d1", 1)])))


RAGGED = {"q1": ["d7", "d1"], "q2": ["d1", "d3", "d2"]}
"""RR is 1/2 and 1."""

RAGGED_FORMS = {
    "lists": RAGGED,
    "tuples": {topic: tuple(docnos) for topic, docnos in RAGGED.items()},
    "arrays": {topic: np.array(docnos) for topic, docnos in RAGGED.items()},
    "pairs": {"q1": [("d7", 0.9), ("d1", 0.3)], "q2": [["d2", 1], ["d1", 3], ["d3", 2.5]]},
    "named": {"s": RAGGED},
    "several": [RAGGED],
    "one of each": {"q1": ["d7", "d1"], "q2": {"d2": 1.0, "d1": 2.0}},
}


@pytest.mark.parametrize("form", RAGGED_FORMS)
def test_rankings_may_be_lists_of_documents_or_of_pairs(form):
    (run,) = evaluate(QRELS, RAGGED_FORMS[form], "RR").runs

    assert dict(run["RR"].per_topic) == {"q1": 0.5, "q2": 1.0}


MASKED = {"q1": {"d1": -np.inf, "d2": 1.0}, "q2": {"d2": 1.0, "d1": 0.5}}
"""d1 of q1 was not retrieved: RR is 0 and 1/2."""

MASKED_FORMS = {
    "dictionary": MASKED,
    "pairs": {topic: [*ranking.items()] for topic, ranking in MASKED.items()},
    "rows": [(t, d, s) for t, ranking in MASKED.items() for d, s in ranking.items()],
    "arrays": Run.from_topk(
        [["d1", "d2"], ["d2", "d1"]], [[-np.inf, 1.0], [1.0, 0.5]], topics=["q1", "q2"]
    ),
}


@pytest.mark.parametrize("form", MASKED_FORMS)
def test_a_score_of_minus_infinity_is_that_of_a_document_that_was_not_retrieved(form):
    (run,) = evaluate(QRELS, MASKED_FORMS[form], "RR NumRet").runs

    assert dict(run["RR"].per_topic) == {"q1": 0.0, "q2": 0.5}
    assert dict(run["NumRet"].per_topic) == {"q1": 1, "q2": 2}
    assert Evaluator(QRELS, "RR").means(MASKED_FORMS[form]) == {"RR": 0.25}


COLUMNS = {
    "qid": ["q1", "q1", "q1", "q2"],
    "docno": ["d1", "d7", "d1", "d1"],
    "score": [1.0, 2.0, 3.0, 1.0],
}
"""By the system named last: a has d7 before d1 in q1 (RR 1/2, 0), b has d1 in both (RR 1, 1)."""
NAMES = ["a", "a", "b", "b"]


@pytest.mark.parametrize("name", ["run", "system", "tag"])
@pytest.mark.parametrize("table", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_a_table_with_a_column_of_runs_is_several_runs(name, table):
    results = evaluate(QRELS, table({**COLUMNS, name: NAMES}), "RR")

    assert results.to_dict() == {"a": {"RR": 0.25}, "b": {"RR": 1.0}}
    evaluator = Evaluator(QRELS, "RR")
    assert evaluator.evaluate(table({**COLUMNS, name: NAMES})).to_dict() == results.to_dict()


WRONG_ROW = {"qid": ["q1", "q1", "q2"], "docno": ["d7", "", "d1"], "score": [1.0, 2.0, 3.0]}
"""The second row, which is row 1, has no docno; without it, RR is 0 and 1."""


def rows_of(table):
    return [*zip(*table.values(), strict=True)]


@pytest.mark.parametrize("table", [pd.DataFrame, pl.DataFrame, pa.table])
def test_wrong_rows_of_tables_are_skipped_and_counted_where_this_is_asked_for(table):
    skipping = {"on_error": "skip"}

    with pytest.raises(InputError, match=r"run, row 1 \(from 0\): the docno is empty"):
        evaluate(QRELS, table(WRONG_ROW), "RR")
    (run,) = evaluate(QRELS, table(WRONG_ROW), "RR", **skipping).runs
    assert dict(run["RR"].per_topic) == {"q1": 0.0, "q2": 1.0}
    assert "1 row" in str(run.warnings) or "1 line" in str(run.warnings)


GRADES = {"qid": ["q1", "q1", "q2"], "docno": ["d7", "d1", "d1"], "grade": [1.0, np.nan, 1.0]}


@pytest.mark.parametrize("table", [pd.DataFrame, pl.DataFrame, pa.table])
def test_wrong_rows_of_judgments_are_skipped_where_this_is_asked_for(table):
    skipping = {"on_error": "skip"}
    run = {"q1": {"d7": 1.0}, "q2": {"d1": 1.0}}

    with pytest.raises(InputError, match=r"qrels, row 1 \(from 0\): the grade is nan"):
        evaluate(table(GRADES), run, "RR")
    results = evaluate(table(GRADES), run, "NumRel RR", **skipping)
    assert results.to_dict() == {"run": {"NumRel": 2, "RR": 1.0}}


TWICE = {"qid": ["q1", "q1", "q2"], "docno": ["d1", "d1", "d1"], "score": [1.0, 5.0, 1.0]}


@pytest.mark.parametrize("table", [pd.DataFrame, pl.DataFrame, pa.table, dict, rows_of])
def test_duplicates_of_tables_are_chosen_from_as_those_of_files(table):
    reading = {"duplicates": "first"}

    with pytest.raises(InputError, match="row 1"):
        evaluate(QRELS, table(TWICE), "RR")
    assert evaluate(QRELS, table(TWICE), "RR", **reading).to_dict() == {"run": {"RR": 1.0}}
