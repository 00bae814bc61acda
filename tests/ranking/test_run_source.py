"""Runs and judgments from memory: mappings, tables and arrays all mean the same."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import rankeval
from rankeval import InputError

QRELS = {"1": {"d1": 2, "d2": 0, "d7": 1}, "2": {"d3": 1, "d4": 3}}
RUN = {
    "1": {"d9": 3.5, "d2": 3.0, "d1": 2.5, "d7": 2.5},
    "2": {"d4": 0.25, "d5": 0.125},
    "3": {"d1": 1.0},
}


def values(results):
    return [(score.measure, list(score.values)) for score in results.runs[0].scores]


def test_subtopics_come_from_their_column():
    judged = pd.DataFrame(
        {"qid": ["1"] * 3, "subtopic": ["a", "b", "a"], "docno": ["d1", "d1", "d2"], "rel": 1}
    )
    nested = {"1": {"d1": {"a": 1, "b": 1}, "d2": {"a": 1}}}

    found = rankeval.evaluate(judged, RUN, "alpha_nDCG@3 AP")

    assert values(found) == values(rankeval.evaluate(nested, RUN, "alpha_nDCG@3 AP"))


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ({"qid": np.array(["1"]), "score": np.ones(1)}, "has no column of the docno"),
        (
            {"qid": np.array(["1", "2"]), "docno": np.array(["d"]), "score": np.ones(1)},
            "not a table",
        ),
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
        (pd.DataFrame({"qid": ["1", 2], "docno": ["a", "b"], "score": [1.0, 2.0]}), "not a table"),
        (
            pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "a"], "score": [1.0, 2.0]}),
            "occurs twice|is listed twice",
        ),
    ],
)
def test_a_table_that_is_none_gets_a_clear_error(run, message):
    with pytest.raises(InputError, match=message) as raised:
        rankeval.evaluate(QRELS, run, "AP")

    assert "run" in str(raised.value)


WRONG_NUMBERS = {
    "text": ("1.5", r"'1.5' \(str\)"),
    "bytes": (b"1", r"b'1' \(bytes\)"),
    "a bool": (True, r"True \(bool\)"),
    "numpy's bool": (np.True_, r"\(bool\)"),
    "a huge integer": (10**400, "an integer of 1329 bits"),
    "a huge negative integer": (-(10**5000), "an integer of 16610 bits"),
    "None": (None, r"None \(NoneType\)"),
    "nan": (float("nan"), "nan"),
    "a list": ([[1]], r"\[\[1\]\] \(list\)"),
    "a set": ({1}, r"\{1\} \(set\)"),
    "a complex number": (1j, r"1j \(complex\)"),
}


@pytest.mark.parametrize("beside", [{}, {"e": 1}, {"e": 0.5}])
@pytest.mark.parametrize("kind", WRONG_NUMBERS)
def test_a_mapping_with_what_is_no_finite_number_is_refused(kind, beside):
    wrong, told = WRONG_NUMBERS[kind]

    with pytest.raises(InputError, match=f"the score of document 'd' is .*{told}"):
        rankeval.evaluate(QRELS, {"1": {**beside, "d": wrong}})
    if isinstance(wrong, bool | np.bool_):  # a grade may be one
        return
    with pytest.raises(InputError, match=f"the grade of document 'd' is .*{told}"):
        rankeval.evaluate({"1": {**beside, "d": wrong}}, RUN)


@pytest.mark.parametrize("n_others", [0, 60_000])
def test_half_of_a_surrogate_pair_is_refused_as_a_name(n_others):
    others = {str(i): 1.0 for i in range(n_others)}
    for wrong in ({"\ud800": {"d": 1}}, {"1": {**others, "\ud800": 1}}):
        with pytest.raises(InputError, match="holds half of a surrogate pair"):
            rankeval.evaluate(QRELS, wrong)
        with pytest.raises(InputError, match="holds half of a surrogate pair"):
            rankeval.evaluate(wrong, RUN)
    with pytest.raises(InputError, match="holds half of a surrogate pair"):
        rankeval.explain(QRELS, RUN, "\ud800", "AP")
    with pytest.raises(InputError, match="holds half of a surrogate pair"):
        rankeval.evaluate(QRELS, RUN, weights={"\ud800": 1.0})


RANKED = {
    "topic": ["1", "1", "1", "2", "2"],
    "docno": ["d2", "d1", "d7", "d5", "d3"],
    "score": [1.0, 1.0, 3.0, 2.0, 2.0],
    "rank": [2, 1, 3, 2, 1],
}
OF_RANKED = {
    "pandas": pd.DataFrame(RANKED),
    "arrow": pa.table(RANKED),
    "arrays": {name: np.array(column) for name, column in RANKED.items()},
}
BY_RANK = [
    rankeval.options.Settings(order="rank"),
    rankeval.options.Settings(ties="rank"),
    rankeval.options.Settings(like="msmarco"),
]


@pytest.mark.parametrize("settings", BY_RANK, ids=["order", "ties", "like"])
@pytest.mark.parametrize("kind", OF_RANKED)
def test_ranks_of_a_table_in_memory_are_read_as_those_of_a_file(tmp_path, kind, settings):
    path = tmp_path / "run.csv"
    pd.DataFrame(RANKED).to_csv(path, index=False)
    from_file = rankeval.evaluate(QRELS, path, "RR@10 AP", settings=settings)

    found = rankeval.evaluate(QRELS, OF_RANKED[kind], "RR@10 AP", settings=settings)

    assert values(found) == values(from_file)
    assert values(found) != values(rankeval.evaluate(QRELS, path, "RR@10 AP"))


AS_A_RUN = {
    "text": {"7": {"12": 2.0, "3": 1.0}},
    "integers": {7: {12: 2.0, 3: 1.0}},
    "columns": {"topic": ["7", "7"], "docno": ["12", "3"], "score": [2.0, 1.0]},
    "rows": [("7", "12", 2.0), ("7", "3", 1.0)],
    "pandas": pd.DataFrame({"qid": [7, 7], "docid": [12, 3], "score": [2.0, 1.0]}),
    "pyarrow": pa.table({"qid": ["7", "7"], "docid": ["12", "3"], "score": [2.0, 1.0]}),
    "top k": rankeval.Run.from_topk([[12, 3]], [[2.0, 1.0]], topics=[7]),
    "a run": rankeval.Run({7: {12: 2.0, 3: 1.0}}, name="other"),
}


@pytest.mark.parametrize("form", AS_A_RUN)
def test_a_run_finds_topics_and_documents_as_text_and_integers(form):
    run = rankeval.Run(AS_A_RUN[form], name="mine")

    assert run["7"][12] == run[7]["12"] == 2.0
    assert run[7] == {"12": 2.0, "3": 1.0}
    assert [*run] == ["7"]
    assert 7 in run
    assert len(run) == 1
    assert rankeval.evaluate({7: {3: 1}}, run, "RR").to_dict() == {"mine": {"RR": 0.5}}
    assert rankeval.evaluate({7: {3: 1}}, {"x": run}, "RR").to_dict() == {"x": {"RR": 0.5}}
    with pytest.raises(KeyError, match="no document '4'; there is 12, 3"):
        run[7]["4"]
    with pytest.raises(AttributeError, match="a Run cannot be changed"):
        run.name = "other"


@pytest.mark.parametrize("kept", [False, True])
def test_rows_of_a_table_count_from_0_in_messages(kept):
    frame = pd.DataFrame({"topic": ["1", "1", "1"], "docno": ["a", "b", "a"], "score": [3, 2, 1]})
    run = rankeval.Run(frame) if kept else frame

    with pytest.raises(
        rankeval.InputError, match=r"run, row 2 \(from 0\): document .* first in row 0"
    ):
        rankeval.evaluate({"1": {"a": 1}}, run)
    with pytest.raises(rankeval.InputError, match=r"run, row 1 \(from 0\): the score is nan"):
        rankeval.evaluate({"1": {"a": 1}}, frame.assign(score=[1, np.nan, 2]))
