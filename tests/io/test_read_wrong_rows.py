"""Wrong lines and rows say how to go on, and are left out where that is asked for."""

import math

import pandas as pd
import pyarrow as pa
import pytest

import rankeval
from rankeval.errors import InputError

pl = pytest.importorskip("polars")

RUN = {"topic": ["1"] * 4, "docno": [*"abcd"], "score": [4.0, math.nan, 2.0, 1.0]}
QRELS = {"topic": ["1"] * 3, "docno": [*"abd"], "grade": [0, None, 1]}
SKIP = {"on_error": "skip"}


def rows(columns):
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


KINDS = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "a lazy frame": pl.LazyFrame,
    "Arrow": pa.table,
    "Arrow's views": lambda columns: pa.table(
        {
            name: pa.array(values, pa.string_view() if name == "docno" else None)
            for name, values in columns.items()
        }
    ),
    "lists": lambda columns: columns,
    "dictionaries": rows,
    "tuples": lambda columns: list(zip(*columns.values(), strict=True)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_without_a_number_is_named_or_left_out(kind):
    """RR by hand: d has rank 4 in the run, and 3 without the row of b."""
    run, qrels = KINDS[kind](RUN), KINDS[kind](QRELS)

    for value, what in (run, "run"), (qrels, "qrels"):
        with pytest.raises(InputError, match=r"is nan|is None|missing") as refused:
            rankeval.evaluate(*((value, {}) if what == "qrels" else ({"1": {"a": 1}}, value)), "RR")
        assert refused.value.place == f"{what}, row 1 (from 0)"
        assert '--on-error skip, in Python on_error="skip"' in refused.value.remedy

    results = rankeval.evaluate(qrels, run, "RR", **SKIP)
    (found,) = results.runs
    assert found["RR"].mean == pytest.approx(1 / 3)
    assert "1 line dropped" in " ".join(map(str, found.warnings))


@pytest.mark.parametrize("kind", KINDS)
def test_repeated_documents_of_a_value_say_how_to_keep_one(kind):
    run = KINDS[kind]({**RUN, "docno": [*"abca"], "score": [4.0, 3.0, 2.0, 1.0]})

    with pytest.raises(InputError, match="first in row 0") as refused:
        rankeval.evaluate({"1": {"a": 1}}, run, "RR")

    assert refused.value.place == "run, row 3 (from 0)"
    assert '--duplicates first, in Python duplicates="first"' in refused.value.remedy
    first = {"duplicates": "first"}
    assert rankeval.evaluate({"1": {"a": 1}}, run, "RR", **first)["run"]["RR"].mean == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 Q0 a 1 x t\n", "--on-error skip"),
        ("1 Q0 a 1 2\n1 Q0 a\n", "--on-error skip"),
        ("1 Q0 a 1 2 t\n1 Q0 a 2 1 t\n", "--duplicates first"),
        ("topic,docno,score\n1,,2\n", "--on-error skip"),
        ('topic,docno,score\n1,"a,2\n', "--on-error skip"),
        ('{"topic": "1", "docno": "a", "score": "x"}\n', "--on-error skip"),
        ('{"topic": "1", "docno": "a", "score": 1}\n{"topic": "1"}\n', "--on-error skip"),
    ],
)
def test_wrong_lines_of_files_say_how_to_go_on(tmp_path, text, words):
    (tmp_path / "run").write_text(text)

    with pytest.raises(InputError) as refused:
        rankeval.evaluate({"1": {"a": 1}}, tmp_path / "run", "RR")

    assert words in refused.value.remedy


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"1": {"a": true}}', "of document 'a' is True"),
        ('{"1": {"a": -Infinity}}', "of document 'a' is -inf"),
        ('{"1": {"": 1}}', "a topic or a docno is empty"),
        ('{"1": ["a"]}', "where its documents belong"),
        ('{"schema": "rankeval/1",\n"rankeval": {}}', "holds saved results, which have values"),
    ],
)
@pytest.mark.parametrize("read", [rankeval.Qrels, lambda path: len(rankeval.Run(path))])
def test_documents_of_json_need_a_name_and_a_number(tmp_path, text, problem, read):
    (tmp_path / "x.json").write_text(text)

    with pytest.raises(InputError, match=problem):
        read(tmp_path / "x.json")
