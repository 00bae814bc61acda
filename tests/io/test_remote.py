"""Remote addresses, with file:// instead of s3://: pyarrow reads both in the same way."""

import gzip
import io

import pyarrow as pa
import pytest
from pyarrow import parquet

import rankeval
from rankeval import InputError
from rankeval.io import files
from tests.support.commands import run_command
from tests.support.files import BM25, QRELS


@pytest.fixture
def bucket(tmp_path):
    """The usual run as a file and as a folder of tables, and the usual judgments."""
    fields = [line.split() for line in BM25.splitlines()]
    (tmp_path / "run/day 1%2F2").mkdir(parents=True)
    (tmp_path / "run/_SUCCESS").write_text("")
    for name, some in ("a.parquet", fields[:2]), ("day 1%2F2/c.parquet", fields[2:]):
        topics, _, docnos, _, scores, _ = zip(*some, strict=True)
        table = pa.table({"topic": topics, "docno": docnos, "score": [*map(float, scores)]})
        parquet.write_table(table, tmp_path / "run" / name)
    (tmp_path / "bm25.run.gz").write_bytes(gzip.compress(BM25.encode()))
    (tmp_path / "qrels.txt").write_text(QRELS)
    return tmp_path.as_uri()


def test_a_folder_and_a_file_are_read(bucket):
    """The values are worked out in tests/support/files.py."""
    for run in (
        f"{bucket}/run",
        f"{bucket}/run/",
        f"{bucket}/bm25.run.gz",
    ):
        results = rankeval.evaluate(f"{bucket}/qrels.txt", run, "AP RR")

        assert [s.aggregate for s in results.runs[0].scores] == pytest.approx([2 / 3, 3 / 4])


def test_a_remote_run_is_converted_and_checked(bucket, tmp_path):
    converted = run_command(
        ["convert", f"{bucket}/run", str(tmp_path / "out.csv"), "--kind", "run"]
    )
    checked = run_command(["check", f"{bucket}/qrels.txt", f"{bucket}/bm25.run.gz"])

    assert (converted.code, converted.stderr) == (0, "")
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 1 + 5
    assert "run (trec): 5 lines" in checked.stdout


@pytest.mark.parametrize("name", ["none.run", "none/", "run/_SUCCESS/x"])
def test_what_is_not_there_is_an_error_that_names_it(bucket, name):
    outcome = run_command(["eval", f"{bucket}/qrels.txt", f"{bucket}/{name}"])

    assert outcome.code == 2
    assert f"{bucket}/{name}: " in outcome.stderr


def test_a_damaged_remote_file_is_named(bucket, tmp_path):
    (tmp_path / "bm25.run.gz").write_bytes(gzip.compress(BM25.encode())[:-9])

    with pytest.raises(InputError, match=r"bm25\.run\.gz: the compressed data is damaged"):
        rankeval.evaluate(f"{bucket}/qrels.txt", f"{bucket}/bm25.run.gz", "AP")


@pytest.mark.parametrize("address", ["nothing://a/b"])
def test_an_address_that_nothing_reads_is_an_error(address):
    with pytest.raises(InputError, match=r"nothing here reads addresses of this kind|be reached"):
        files.files_of(address)


def test_fsspec_reads_what_pyarrow_does_not_know():
    fsspec = pytest.importorskip("fsspec")

    memory = fsspec.filesystem("memory")
    memory.pipe("/judged/0.txt", QRELS.encode())

    assert len(rankeval.Qrels("memory://judged").grade) == 5


class ResponseError(Exception):
    """What a library for HTTP raises, which is no OSError."""


@pytest.fixture
def refusing():
    """A file system whose files are refused, or break off, as their names say."""
    fsspec = pytest.importorskip("fsspec")

    class Broken(io.BytesIO):
        def read(self, *_):
            raise ResponseError("payload is not completed")

    class Refusing(fsspec.AbstractFileSystem):
        protocol = "refusing"

        def info(self, path, **_):
            name = path.rpartition("/")[2]
            if name.isdigit():
                raise ResponseError(f"{name}, message='no', url='http://a/b'")
            return {"name": path, "size": 100, "type": "file"}

        def _open(self, *_, **__):
            return Broken(b"x" * 100)

    fsspec.register_implementation("refusing", Refusing, clobber=True)
    return "refusing://there"


@pytest.mark.parametrize("name", ["401", "403", "404", "429", "500", "cut.run", "cut.parquet"])
def test_what_a_server_refuses_or_breaks_off_is_bad_input(refusing, tmp_path, name):
    (tmp_path / "qrels").write_text(QRELS)
    address = f"{refusing}/{name}"

    done = run_command(["eval", str(tmp_path / "qrels"), address])

    assert done.code == 2
    assert address in done.stderr
    assert (name if name.isdigit() else "payload is not completed") in done.stderr
