"""Names in tables that are no text, and long ones that a dictionary gives to many rows."""

import subprocess
import sys

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import rankeval
from tests.support.processes import PRINT_PEAK

HALF = "d\ud800x"
QRELS = {"1": {"a": 1}}


def as_objects(values):
    """A column that is not text of Arrow's, which could not hold the name."""
    return pd.Series(values, dtype=object)


def with_half(role):
    columns = {"topic": ["1", "1"], "docno": ["a", "b"], "tag": ["t", "t"]}
    columns[role] = ["1", HALF]
    texts = {name: as_objects(values) for name, values in columns.items()}
    return pd.DataFrame({**texts, "score": [2.0, 1.0]})


@pytest.mark.parametrize("role", ["topic", "docno", "tag"])
def test_half_of_a_surrogate_pair_in_a_frame_is_told_with_the_name(role):
    frame = with_half(role)

    with pytest.raises(rankeval.InputError, match=r"run: is not a table of topics.*surrogates"):
        rankeval.evaluate(QRELS, frame, "AP")
    judgments = frame.rename(columns={"score": "grade"})
    with pytest.raises(rankeval.InputError, match=r"qrels: is not a table of topics.*surrogates"):
        rankeval.evaluate(judgments, {"1": {"a": 1.0}}, "AP")


def test_half_of_a_surrogate_pair_as_a_category_is_told():
    frame = with_half("docno")
    categories = pd.Index(["1", HALF], dtype=object)
    frame["docno"] = pd.Categorical.from_codes([0, 1], categories=categories)

    with pytest.raises(rankeval.InputError, match="surrogates not allowed"):
        rankeval.evaluate(QRELS, frame, "AP")


@pytest.mark.parametrize("kind", ["parquet", "arrow", "table"])
def test_bytes_that_are_no_text_in_a_column_of_text_are_told(kind, tmp_path):
    (_, *buffers) = (None, *pa.array([HALF.encode("utf-8", "surrogatepass")]).buffers())
    table = pa.table(
        {"topic": ["1"], "docno": pa.Array.from_buffers(pa.string(), 1, buffers), "score": [1.0]}
    )
    run = table
    if kind == "parquet":
        run = tmp_path / "run.parquet"
        parquet.write_table(table, run)
    elif kind == "arrow":
        run = tmp_path / "run.arrow"
        feather.write_feather(table, run)

    with pytest.raises(rankeval.InputError, match="UTF8"):
        rankeval.evaluate(QRELS, run, "AP")


N_NAMES = 60
READ = """\
import sys, rankeval
rankeval.evaluate({"1": {"x": 1}}, sys.argv[1], "AP", jobs=1)
"""


def peak(folder, n_topics):
    """The most memory, in bytes, that reading takes whose topics have sixty names of 300 kB."""
    names = [f"d{number:02}" + "x" * 300_000 for number in range(N_NAMES)]
    rows = range(n_topics * N_NAMES)
    docnos = pa.DictionaryArray.from_arrays(pa.array([i % N_NAMES for i in rows], "int32"), names)
    topics = [str(i // N_NAMES) for i in rows]
    table = pa.table({"topic": topics, "docno": docnos, "score": [-float(i) for i in rows]})
    path = str(folder / f"{n_topics}.parquet")
    parquet.write_table(table, path)
    done = subprocess.run(
        [sys.executable, "-c", READ + PRINT_PEAK, path], capture_output=True, check=True
    )
    return int(done.stdout)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured on Linux")
def test_sixty_long_names_in_a_dictionary_take_no_more_for_more_topics(tmp_path):
    few, many = peak(tmp_path, 5), peak(tmp_path, 100)

    written_out = 95 * N_NAMES * 300_000
    assert many - few < 0.1 * written_out
    assert many < 1 << 30
