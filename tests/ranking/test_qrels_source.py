"""Judgments in every form that users hold them in: lazy tables, lists by user, boolean grades."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import pytest

import rankeval
from rankeval.ranking.qrels import judgments_from

pl = pytest.importorskip("polars")

COLUMNS = {"qid": ["a", "a", "b"], "docno": ["x", "y", "z"], "grade": [True, False, True]}
EXPECTED = rankeval.Qrels({"a": {"x": 1, "y": 0}, "b": {"z": 1}})
RUN = {"a": {"y": 2.0, "x": 1.0}, "b": {"z": 1.0}}


def parquet(tmp_path):
    path = tmp_path / "qrels.parquet"
    pa.parquet.write_table(pa.table(COLUMNS), path)
    return path


FORMS = {
    "pandas": lambda _: pd.DataFrame(COLUMNS),
    "pandas boolean": lambda _: pd.DataFrame(COLUMNS).astype({"grade": "boolean"}),
    "pandas objects": lambda _: pd.DataFrame(COLUMNS).astype({"grade": object}),
    "polars": lambda _: pl.DataFrame(COLUMNS),
    "lazy": lambda _: pl.LazyFrame(COLUMNS),
    "lazy file": lambda path: pl.scan_parquet(parquet(path)),
    "arrow": lambda _: pa.table(COLUMNS),
    "arrow dataset": lambda path: pa.dataset.dataset(parquet(path)),
    "arrow scanner": lambda path: pa.dataset.dataset(parquet(path)).scanner(),
    "arrow reader": lambda _: pa.table(COLUMNS).to_reader(),
    "parquet": parquet,
    "arrays": lambda _: {name: np.array(values) for name, values in COLUMNS.items()},
    "lists": lambda _: COLUMNS,
    "rows": lambda _: list(zip(*COLUMNS.values(), strict=True)),
    "dictionary": lambda _: {"a": {"x": True, "y": np.False_}, "b": {"z": np.True_}},
}


@pytest.mark.parametrize("form", FORMS)
def test_boolean_grades_are_0_and_1_in_every_form(form, tmp_path):
    assert judgments_from(FORMS[form](tmp_path)).digest == EXPECTED.digest


@pytest.mark.parametrize(
    "items",
    [
        {"a": ["x", "y"], "b": ["z"]},
        {"a": ("x", "y", "x"), "b": {"z"}},
        {"a": np.array(["x", "y"]), "b": np.array(["z"])},
        {"a": pd.Series(["x", "y"]), "b": ["z"], "c": []},
        pd.DataFrame(
            {
                "user_id": ["a", "a", "b", "b"],
                "item_id": ["x", "y", "z", "z"],
                "weight": [0.5, 3.0, 0.0, 1.0],
                "datetime": pd.to_datetime(["2020", "2021", "2022", "2023"]),
            }
        ),
    ],
)
def test_items_of_users_are_judgments_of_grade_1(items):
    expected = rankeval.Qrels({"a": {"x": 1, "y": 1}, "b": {"z": 1}})

    assert judgments_from(items).digest == expected.digest
    if isinstance(items, dict):
        assert rankeval.Qrels(items).digest == expected.digest


def test_topics_may_have_the_name_of_a_column():
    assert judgments_from({"a": ["x"], "docno": ["y"]}).topics == (b"a", b"docno")


@pytest.mark.parametrize("kind", [dict, pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table])
@pytest.mark.parametrize("role", ["topic", "docno"])
def test_the_one_column_that_is_missing_is_named(kind, role):
    names = {"topic": "user_id", "docno": "item_id", "grade": "rating"}
    columns = {name: ["a", "b"] for other, name in names.items() if other != role}
    columns["more"] = ["x", "y"]  # two columns are enough for grade 1

    with pytest.raises(rankeval.InputError, match=f"has no column of the {role}: ") as told:
        judgments_from(kind(columns))

    assert f"{role}" in told.value.remedy


def test_judgments_of_a_dictionary_are_found_whatever_their_order():
    given = {"b": {"y": 0, "x": 2, "z": 1}, "none": {}, "10": {"z": 3, "x": 1}, "9": {"w": 2}}
    qrels = judgments_from(given)
    tables, starts, sizes, judgment = qrels.by_text
    found = {
        topic.decode(): dict(
            zip(table, qrels.grade[judgment[start : start + size]].tolist(), strict=True)
        )
        for topic, table, start, size in zip(qrels.topics, tables, starts, sizes, strict=True)
    }
    assert found == {topic: documents for topic, documents in given.items() if documents}
