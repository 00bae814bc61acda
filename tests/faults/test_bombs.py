"""Files that are far larger than they look, or never end: a result or an error, in bounded memory.

The largest are made in a pipe as they are read; compressed ones by joining many streams of the
same megabytes.
"""

import bz2
import gzip
import lzma
import resource
import subprocess
import sys
import threading
from contextlib import suppress

import pyarrow as pa
import pytest
from pyarrow import parquet

from rankeval.io import names
from tests.support.processes import (
    PATIENCE,
    PRINT_PEAK,
    environment,
    names_in,
    write_inputs,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="memory is measured on Linux"),
]

MB = 1 << 20
GB = 1 << 30
ADDRESSES = 6 * GB
"""Of address space: threads reserve far more of it than they use of memory."""

MEMORY = 700 * MB


def zstd(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


COMPRESSIONS = {
    "gzip": lambda data: gzip.compress(data, 9),
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstd,
}
CONTENTS = {
    "zeros": (bytes(8 * MB), "holds a NUL byte"),
    "one line": (b"x" * (8 * MB), "the line is longer than 16 MB"),
    "empty lines": (b"\n" * (8 * MB), "has no rankings"),
    "comments": (b"# x" + b" " * (1 * MB) + b"\n", "has no rankings"),
    "the same line": (b"301 Q0 d 1 1 t\n" * (MB // 2), "lines repeat a document"),
}


@pytest.fixture
def folder(tmp_path):
    return write_inputs(tmp_path)


def measured(words, folder, feed=None) -> tuple[int, str, int]:
    """Exit code, stderr and peak memory of a command; `feed` is written to it over and over."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    program = (
        "import resource, sys\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({ADDRESSES}, {before[1]}))\n"
        "from rankeval.__main__ import run\n"
        "code = run(sys.argv[1:])\n"
        f"{PRINT_PEAK}"
        "sys.stdout.flush()\n"
        "import os; os._exit(code)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, *words],
        cwd=folder,
        stdin=subprocess.DEVNULL if feed is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        kill = threading.Timer(PATIENCE, process.kill)
        kill.start()
        if feed is not None:
            with suppress(BrokenPipeError), process.stdin as pipe:
                for piece in feed:
                    pipe.write(piece)
        stdout, stderr = process.stdout.read(), process.stderr.read()
        process.wait()
        kill.cancel()
    return process.returncode, stderr.decode(), int(stdout.split()[-1])


BOMBS = [
    (compression, content)
    for compression in COMPRESSIONS
    for content in CONTENTS
    # What a file holds is looked at once it is decompressed, the same way for all compressions.
    if compression == "gzip" or content in ("zeros", "the same line")
]


@pytest.mark.parametrize(("compression", "content"), BOMBS)
def test_a_decompression_bomb_ends_in_bounded_memory(folder, compression, content):
    """Many megabytes from a few kilobytes."""
    text, told = CONTENTS[content]
    pack = COMPRESSIONS[compression]
    (folder / "bomb").write_bytes(pack(text) * (64 * MB // len(text)))
    assert (folder / "bomb").stat().st_size < MB // 2

    code, stderr, memory = measured(["eval", "qrels.txt", "bomb"], folder)

    assert code == 2
    assert told in stderr
    assert "Traceback" not in stderr
    assert memory < MEMORY


@pytest.mark.parametrize(
    "words",
    [
        ["eval", "qrels.txt", "-"],
        ["eval", "-", "a.run"],
        ["check", "-"],
        ["convert", "-", "out.jsonl", "--kind", "run"],
        ["eval", "qrels.txt", "a.run", "--with", "weights=-"],
        ["eval", "qrels.txt", "a.run", "--with", "costs=-", "-m", "TBG"],
    ],
    ids=" ".join,
)
def test_a_line_of_a_gigabyte_ends_in_bounded_memory(folder, words):
    code, stderr, memory = measured(words, folder, (b"x" * MB for _ in range(1024)))

    assert code == 2
    assert "Traceback" not in stderr
    assert memory < MEMORY
    assert names_in(folder) == ["a.run", "b.run", "qrels.txt"]


@pytest.mark.parametrize(
    "words",
    [
        ["eval", "qrels.txt", "/dev/zero"],
        ["eval", "/dev/zero", "a.run"],
        ["check", "/dev/zero"],
        ["gate", "--config", "/dev/zero"],
        ["eval", "qrels.txt", "a.run", "--with", "weights=/dev/zero"],
        ["eval", "qrels.txt", "a.run", "--with", "costs=/dev/zero", "-m", "TBG"],
        ["convert", "/dev/zero", "out.csv"],
        ["trec_eval", "qrels.txt", "/dev/zero"],
        ["eval", "qrels.txt", "/dev/urandom"],
    ],
    ids=" ".join,
)
def test_a_device_without_end_is_refused(folder, words):
    code, stderr, memory = measured(words, folder)

    assert code == 2
    assert "Traceback" not in stderr
    assert memory < MEMORY


def test_millions_of_topics_without_judgments_are_counted(folder):
    n_topics = 1_250_000
    with (folder / "many.run").open("w") as file:
        for start in range(0, n_topics, 50_000):
            file.write("".join(f"t{i} Q0 d 1 1 t\n" for i in range(start, start + 50_000)))
        file.write("1 Q0 d0 1 1 t\n")

    code, stderr, memory = measured(["eval", "qrels.txt", "many.run", "-m", "AP"], folder)

    assert code == 0
    assert f"{n_topics:,} topics of the run have no judgments" in stderr
    assert memory < MEMORY


@pytest.mark.parametrize(
    "content",
    [
        b"[" * (8 * MB),
        b'{"1":' * MB,
        b'{"1": {"d": [' + b"[]," * MB,
        b'{"1": {"d": ' + b"9" * (8 * MB) + b"}}",
        b'{"1": {"d": 1e' + b"9" * (8 * MB) + b"}}",
        b'{"1": {"' + b"\\u0041" * MB,
    ],
    ids=["nested lists", "nested objects", "lists", "digits", "exponent", "escapes"],
)
def test_hostile_json_is_refused(folder, content):
    (folder / "hostile.json").write_bytes(content)

    code, stderr, memory = measured(["eval", "qrels.txt", "hostile.json"], folder)

    assert code == 2
    assert "Traceback" not in stderr
    assert len(stderr) < 1000
    assert memory < MEMORY


def test_a_table_of_a_few_bytes_and_millions_of_rows_ends_in_bounded_memory(folder):
    rows = pa.DictionaryArray.from_arrays(pa.array([0] * 600_000, pa.int8()), ["x"])
    scores = pa.array([0.5] * 600_000)
    table = pa.table({"topic": rows, "docno": rows, "score": scores})
    parquet.write_table(pa.concat_tables([table] * 20), folder / "bomb.parquet")
    assert (folder / "bomb.parquet").stat().st_size < MB

    code, stderr, memory = measured(["eval", "qrels.txt", "bomb.parquet"], folder)

    assert code == 2
    assert "Traceback" not in stderr
    assert memory < 4 * GB


def test_lines_that_have_to_be_in_memory_at_once_are_limited(folder, usual_sizes):
    import rankeval

    usual_sizes(block_bytes=1000, plain_bytes=0, held_lines=100)
    told = "more than 100 lines of a topic"
    with pytest.raises(rankeval.RankevalError, match=told):
        rankeval.evaluate(folder / "qrels.txt", folder / "a.run")
    usual_sizes(held_lines=340)
    lines = (folder / "a.run").read_text().splitlines(keepends=True)
    (folder / "a.run").write_text("".join(lines))
    rankeval.evaluate(folder / "qrels.txt", folder / "a.run")
    (folder / "a.run").write_text("".join(sorted(lines, key=lambda line: line.split()[2])))
    with pytest.raises(rankeval.RankevalError, match="more than 340 lines of a topic"):
        rankeval.evaluate(folder / "qrels.txt", folder / "a.run")


def test_repeated_lines_are_limited_in_both_readers(folder, monkeypatch):
    import rankeval

    monkeypatch.setattr(names, "MOST_REPEATED", 50)
    lines = (folder / "a.run").read_text()
    for size, count in (("small", 1), ("large", 3 * MB // len(lines))):
        path = folder / f"{size}.run"
        path.write_text(lines + "1 Q0 d0 1 1 t\n" * 60 * count)
        with pytest.raises(rankeval.RankevalError, match="lines repeat a document") as told:
            rankeval.evaluate(folder / "qrels.txt", path)
        assert told.value.place == str(path)
