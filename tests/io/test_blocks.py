"""A run may come from elsewhere than its file, and its comments may be indented."""

import bz2
import gzip
import lzma
import os
import threading
import time

import pyarrow as pa
import pytest

from rankeval.io.formats import RUN
from rankeval.io.read import read_columns
from rankeval.ranking.align import align
from rankeval.ranking.qrels import from_mapping
from tests.support.read_sizes import fast

COMPRESSORS = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": lambda data: pa.compress(data, "zstd", asbytes=True),
    "nothing": bytes,
}
QRELS = from_mapping({"1": {"a": 1, "b": 0}})
LINES = b"1 Q0 a 1 2.0 t\n  # one two three four five\n1 Q0 b 2 1.0 t\n"


@pytest.mark.parametrize("first", [1, 3, 5])
@pytest.mark.parametrize("compress", COMPRESSORS.values(), ids=COMPRESSORS)
def test_what_comes_through_a_pipe_is_known_though_it_begins_slowly(tmp_path, compress, first):
    data = compress(LINES)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write():
        with pipe.open("wb", buffering=0) as stream:
            stream.write(data[:first])
            time.sleep(0.05)
            stream.write(data[first:])

    writer = threading.Thread(target=write)
    writer.start()
    (columns,) = read_columns(str(pipe), RUN)
    writer.join()

    assert columns.docnos.tolist() == [b"a", b"b"]


def test_an_indented_comment_is_a_comment_for_both_parsers(tmp_path):
    path = tmp_path / "indented.run"
    path.write_bytes(LINES)

    for small in (0, 1 << 20):
        alignment = align(QRELS, str(path), sizes=fast(plain_bytes=small))
        assert (alignment.lines, alignment.without) == (2, ())
    assert [len(part) for part in read_columns(str(path), RUN)] == [2]
