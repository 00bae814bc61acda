"""A table with one damaged byte gives values or an error, and never ends the process."""

import subprocess
import sys

import pyarrow as pa
import pytest
from pyarrow import ipc
from pyarrow import parquet as pq

ROWS = 300
CONTENT = pa.table(
    {
        "topic": [str(row // 20) for row in range(ROWS)],
        "docno": [f"d{row % 37}-{row}" for row in range(ROWS)],
        "score": [float(-row) for row in range(ROWS)],
        "tag": ["t"] * ROWS,
    }
)
FOLDED = CONTENT.set_column(1, "docno", CONTENT["docno"].dictionary_encode())
PARQUET = {
    "plain": {"use_dictionary": False, "compression": "none"},
    "snappy": {},
    "zstd": {"compression": "zstd", "row_group_size": 50},
    "delta": {"use_dictionary": False, "column_encoding": {"docno": "DELTA_BYTE_ARRAY"}},
}
ARROW = {
    "file": (ipc.new_file, CONTENT, None),
    "stream": (ipc.new_stream, CONTENT, None),
    "lz4": (ipc.new_file, CONTENT, "lz4"),
    "zstd": (ipc.new_file, CONTENT, "zstd"),
    "dictionary": (ipc.new_stream, FOLDED, None),
}
DAMAGE = """
import sys
from pathlib import Path
from random import Random

from rankeval import RankevalError
from rankeval.io.formats import Form
from rankeval.io.read import read_columns

whole, number = Path(sys.argv[1]).read_bytes(), int(sys.argv[2])
path, rng = Path(sys.argv[1] + ".damaged"), Random(1)
for _ in range(number):
    at = rng.choice((rng.randrange(len(whole)), len(whole) - 1 - rng.randrange(len(whole) // 3)))
    byte = (whole[at] + rng.randrange(1, 256)) % 256
    path.write_bytes(whole[:at] + bytes([byte]) + whole[at + 1 :])
    try:
        for columns in read_columns(str(path), Form("run")):
            columns.docnos.tolist()
    except RankevalError:
        pass
"""


@pytest.fixture(params=[*(("parquet", name) for name in PARQUET), *(("arrow", n) for n in ARROW)])
def table(request, tmp_path):
    form, name = request.param
    path = tmp_path / f"run.{form}"
    if form == "parquet":
        pq.write_table(CONTENT, path, **PARQUET[name])
        return path
    opened, content, compression = ARROW[name]
    options = ipc.IpcWriteOptions(compression=compression)
    with path.open("wb") as sink, opened(sink, content.schema, options=options) as writer:
        writer.write_table(content, max_chunksize=60)
    return path


def ends_well(table, number):
    words = [sys.executable, "-c", DAMAGE, str(table), str(number)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_few_damaged_bytes_end_no_process(table):
    ends_well(table, 60)


@pytest.mark.slow
def test_four_thousand_damaged_bytes_end_no_process(table):
    ends_well(table, 500)
