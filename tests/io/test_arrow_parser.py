"""Columns of Parquet and Arrow: every type of names and numbers, and names that are bombs."""

import io
import subprocess
import sys
from contextlib import nullcontext
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import feather
from pyarrow import parquet as pq

import rankeval
from rankeval import InputError
from rankeval.io import arrow_parser
from rankeval.io.formats import Form
from rankeval.io.read import read_columns
from rankeval.io.table_files import columns_in_memory
from tests.support.processes import PRINT_PEAK

NAMES = ["a", "clueweb09-en0000-00-00000", "é", "a"]
TEXTS = {
    "text": pa.array(NAMES),
    "large text": pa.array(NAMES, pa.large_string()),
    "binary": pa.array(NAMES, pa.binary()),
    "large binary": pa.array(NAMES, pa.large_binary()),
    "view": pa.array(NAMES, pa.string_view()),
    "binary view": pa.array(NAMES, pa.binary_view()),
    "part of a view": pa.array(["", *NAMES, "x"], pa.string_view()).slice(1, 4),
    "dictionary": pa.array(NAMES).dictionary_encode(),
    "dictionary of views": pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 2, 0], pa.uint32()), pa.array(NAMES[:3], pa.string_view())
    ),
    "dictionary of large text": pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 2, 0], pa.int8()), pa.array(NAMES[:3], pa.large_string())
    ),
    "part of a dictionary": pa.array(["x", *NAMES]).dictionary_encode().slice(1),
}
NUMBERS = {
    "float": pa.array([1.5, -2, 0, 3]),
    "half": pa.array(np.array([1.5, -2, 0, 3], np.float16)),
    "dictionary": pa.array([1.5, -2, 0, 3]).dictionary_encode(),
    "decimal": pa.array(map(Decimal, ("1.5", "-2", "0", "3")), pa.decimal128(38, 30)),
    "wide decimal": pa.array(map(Decimal, ("1.5", "-2", "0", "3")), pa.decimal256(70, 40)),
    "dictionary of decimals": pa.DictionaryArray.from_arrays(
        pa.array([3, 2, 0, 1], pa.int8()),
        pa.array(map(Decimal, ("0", "3", "-2", "1.5")), pa.decimal128(3, 1)),
    ),
}
NO_TEXT = {
    "float": pa.array([1.0] * 4),
    "bool": pa.array([True] * 4),
    "null": pa.nulls(4),
    "list": pa.array([["a"]] * 4),
    "struct": pa.array([{"a": "b"}] * 4),
    "dictionary of floats": pa.array([1.0] * 4).dictionary_encode(),
    "run ends": pa.RunEndEncodedArray.from_arrays(pa.array([4]), pa.array(["a"])),
    "time": pa.array([0] * 4, pa.timestamp("s")),
}
NO_NUMBERS = {
    "text": pa.array(["1", "2", "3", "4"]),
    "dictionary of text": pa.array(["1", "2", "3", "4"]).dictionary_encode(),
    "bool": pa.array([True, False, True, True]),
    "dictionary of bool": pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 0, 0], pa.int8()), pa.array([True, False])
    ),
    "list": pa.array([[1.0]] * 4),
    "struct": pa.array([{"a": 1}] * 4),
    "null": pa.nulls(4),
    "time": pa.array([0] * 4, pa.timestamp("s")),
}


def table(**columns):
    given = {"topic": ["1"] * 4, "docno": ["a", "b", "c", "d"], "score": [4.0, 3, 2, 1]}
    return pa.table({**given, **columns})


def stream(content):
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, content.schema) as writer:
        writer.write_table(content)
    return sink.getvalue()


def rows(parts):
    return [
        (topic.decode(), docno.decode(), float(value))
        for part in parts
        for topic, n, at in zip(part.topics, np.diff(part.starts), part.starts, strict=False)
        for docno, value in zip(
            part.docnos.tolist()[at : at + n], part.values[at : at + n], strict=True
        )
    ]


def in_memory(content):
    return list(columns_in_memory(content, Form("run")))


@pytest.mark.parametrize("kind", TEXTS)
def test_names_are_read_from_any_type_of_text(tmp_path, kind):
    content = table(docno=TEXTS[kind], topic=TEXTS[kind])
    (tmp_path / "run").write_bytes(stream(content))
    expected = [(name, name, score) for name, score in zip(NAMES, [4, 3, 2, 1], strict=True)]

    assert rows(in_memory(content)) == expected
    assert rows(read_columns(str(tmp_path / "run"), Form("run"))) == expected


@pytest.mark.parametrize("kind", NUMBERS)
def test_numbers_are_read_from_any_type_of_number(kind):
    found = rows(in_memory(table(score=NUMBERS[kind])))

    assert [value for *_, value in found] == [1.5, -2, 0, 3]


@given(st.decimals(allow_nan=False, allow_infinity=False, places=30, min_value=-1, max_value=1))
def test_a_decimal_becomes_the_nearest_number(number):
    """Arrow's own conversion gives 0.30000000000000004 for 0.3 of thirty places."""
    column = pa.array([number], pa.decimal128(38, 30))

    assert arrow_parser.as_numbers(column).tolist() == [float(number)]


@pytest.mark.parametrize("role", ["topic", "docno"])
@pytest.mark.parametrize("kind", NO_TEXT)
def test_a_column_that_holds_no_names_is_refused(kind, role):
    with pytest.raises(InputError, match=f"column '{role}' is of the type") as refused:
        in_memory(table(**{role: NO_TEXT[kind]}))

    assert refused.value.expected == f"text or integers as {role}"


@pytest.mark.parametrize("kind", NO_NUMBERS)
def test_a_column_that_holds_no_numbers_is_refused(kind):
    with pytest.raises(InputError, match="column 'score' is of the type") as refused:
        in_memory(table(score=NO_NUMBERS[kind]))

    assert refused.value.expected == "numbers as score"


@pytest.mark.parametrize("name", ["topic", "docno", "score", "tag"])
@pytest.mark.parametrize("form", ["parquet", "arrow", "csv", "tsv"])
def test_a_column_that_stands_twice_is_refused(tmp_path, form, name):
    names = ["topic", "docno", "score", "tag", name]
    columns = [["1", "1"], ["a", "b"], [2, 1], ["t", "t"], [2, 1]]
    path = tmp_path / f"run.{form}"
    if form == "parquet":
        pq.write_table(pa.table(columns, names), path)
    elif form == "arrow":
        path.write_bytes(stream(pa.table(columns, names)))
    else:
        separator = "," if form == "csv" else "\t"
        lines = [names, *zip(*columns, strict=True)]
        path.write_text("".join(separator.join(map(str, line)) + "\n" for line in lines))

    with pytest.raises(InputError, match=f'has the column "{name}" of the {name} more than once'):
        rankeval.evaluate({"1": {"a": 1}}, path)


@pytest.mark.parametrize("most", [4 * len(NAMES[1]) - 1, 1 << 20])
def test_views_of_names_that_take_much_are_refused(monkeypatch, most):
    monkeypatch.setattr(arrow_parser, "MOST_OF_VIEWS", most)
    content = table(docno=pa.array([NAMES[1]] * 4, pa.string_view()))

    with pytest.raises(InputError, match="4 names take more") if most < 1000 else nullcontext():
        in_memory(content)


@pytest.mark.parametrize("kind", TEXTS)
def test_a_name_that_is_missing_is_empty(kind):
    column = pa.concat_arrays([TEXTS[kind], pa.nulls(1, TEXTS[kind].type)])

    assert arrow_parser.as_names(column).tolist() == [*map(str.encode, NAMES), b""]
    assert arrow_parser.as_names(column.slice(4)).tolist() == [b""]


def write_parquet(content, path, **how):
    pq.write_table(content, path, **how)


def write_arrow(content, path):
    feather.write_feather(content, path, compression="uncompressed")


BOMBS = {
    "parquet.run": (write_parquet, lambda names: names.cast(pa.string())),
    "parquet.large.run": (write_parquet, lambda names: names.cast(pa.large_string())),
    "parquet.dictionary.run": (write_parquet, lambda names: names),
    "arrow.dictionary.run": (write_arrow, lambda names: names),
}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured on Linux")
@pytest.mark.parametrize("kind", BOMBS)
def test_long_names_that_are_folded_together_end_in_bounded_memory(tmp_path, kind):
    """Some kilobytes that hold a docno of 20 KB for each of 32,768 rows: 650 MB."""
    write, of_kind = BOMBS[kind]
    which = pa.array([0] * 32_768, pa.int8())
    names = of_kind(pa.DictionaryArray.from_arrays(which, ["y" * 20_000]))
    topics = pa.array([str(i) for i in range(32_768)])
    write(pa.table({"topic": topics, "docno": names, "score": np.ones(32_768)}), tmp_path / kind)
    (tmp_path / "qrels").write_text("1 0 d 1\n")
    program = (
        "import sys, rankeval\nrankeval.evaluate(sys.argv[1], sys.argv[2], 'NumRet')\n" + PRINT_PEAK
    )
    words = [sys.executable, "-c", program, tmp_path / "qrels", tmp_path / kind]

    done = subprocess.run(words, capture_output=True, text=True, check=True)

    assert int(done.stdout) >> 20 < 500  # megabytes
