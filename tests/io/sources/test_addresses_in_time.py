"""Requests that give no answer end in time."""

import socket
import time
from threading import Event

import pytest

import rankeval
from rankeval.io.sources import remote
from rankeval.io.sources.addresses import in_time
from tests.support.commands import run_command
from tests.support.files import BM25, QRELS


@pytest.fixture
def never():
    """A wait that ends when the test does."""
    event = Event()
    yield event.wait
    event.set()


def test_no_answer_is_an_error_after_the_limit(never, monkeypatch):
    monkeypatch.setenv("RANKEVAL_TIMEOUT", "0.2")
    began = time.monotonic()
    with pytest.raises(TimeoutError, match=r"no answer within 0\.2 seconds"):
        in_time(never)
    assert time.monotonic() - began >= 0.2


class _Slow:
    """A file system that answers, but for one kind of request."""

    def __init__(self, system, never, hangs):
        self.system, self.never, self.hangs = system, never, hangs

    def get_file_info(self, what):
        if self.hangs == "list":
            self.never()
        return self.system.get_file_info(what)

    def open_input_file(self, path):
        if self.hangs == "open":
            self.never()
        file = self.system.open_input_file(path)
        return _SlowFile(file, self.never) if self.hangs == "read" else file


class _SlowFile:
    def __init__(self, file, never):
        self.file, self.never = file, never

    def read(self, _size):
        self.never()

    def __getattr__(self, name):
        return getattr(self.file, name)


@pytest.mark.parametrize("hangs", ["list", "open", "read"])
@pytest.mark.parametrize("suffix", ["run", "parquet"])
def test_no_request_of_a_remote_file_waits_for_ever(tmp_path, monkeypatch, never, hangs, suffix):
    (tmp_path / "q").write_text(QRELS)
    (tmp_path / "a.run").write_text(BM25)
    rankeval.convert(tmp_path / "a.run", tmp_path / "a.parquet")
    found = remote._from_address.__wrapped__
    monkeypatch.setattr(
        remote,
        "_from_address",
        lambda address: (_Slow(found(address)[0], never, hangs), found(address)[1]),
    )

    monkeypatch.setenv("RANKEVAL_TIMEOUT", "0.3")
    done = run_command(["eval", str(tmp_path / "q"), f"{tmp_path.as_uri()}/a.{suffix}"])

    assert done.code == 2
    assert "no answer within 0.3 seconds" in done.stderr


def test_remote_tables_are_read_at_any_place(tmp_path):
    (tmp_path / "a.run").write_text(BM25)
    for suffix in ("parquet", "arrow"):
        rankeval.convert(tmp_path / "a.run", tmp_path / f"a.{suffix}")
        near = rankeval.evaluate({"301": {"a": 1}}, tmp_path / f"a.{suffix}", "AP NumRet")
        far = rankeval.evaluate({"301": {"a": 1}}, f"{tmp_path.as_uri()}/a.{suffix}", "AP NumRet")
        assert far.to_dict() == near.to_dict()


def test_a_server_that_takes_connections_and_says_nothing_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "KEY")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "HUSH")
    monkeypatch.setenv("RANKEVAL_TIMEOUT", "1")
    (tmp_path / "q").write_text(QRELS)
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(50)
        place = f"127.0.0.1:{server.getsockname()[1]}"
        address = f"s3://b/a.run?endpoint_override={place}&scheme=http&region=eu"
        done = run_command(["eval", str(tmp_path / "q"), address])

    assert done.code == 2
    assert "gave no answer within 1 seconds" in done.stderr
    assert "RANKEVAL_TIMEOUT" in done.stderr


@pytest.mark.parametrize("seconds", ["0", "-1", "inf", "nan", "abc"])
def test_a_time_that_is_none_is_refused(monkeypatch, seconds):
    monkeypatch.setenv("RANKEVAL_TIMEOUT", seconds)

    with pytest.raises(rankeval.UsageError, match=f"RANKEVAL_TIMEOUT cannot be '{seconds}'"):
        in_time(lambda: None)
