"""A shell without a process: the command line is run in the test's own, among files of its own."""

import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from rankeval.__main__ import run
from rankeval.measures import definitions
from rankeval.measures import measure_catalogue as registry
from tests.support.schemas import assert_valid


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str


class Shell:
    """Runs `rankeval` in a directory of its own, on a terminal of 80 columns that is a pipe."""

    def __init__(self, directory, capsys, monkeypatch):
        self.directory = directory
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def write(self, **files):
        """Write files, named by their words: `qrels="..."` is the file qrels.txt."""
        for name, content in files.items():
            data = content if isinstance(content, bytes) else content.encode()
            (self.directory / f"{name}.txt").write_bytes(data)
        return self

    def path(self, name) -> Path:
        return self.directory / name

    def __call__(self, *arguments, stdin=b"") -> Outcome:
        standard_input = io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin)))
        self._monkeypatch.setattr(sys, "stdin", standard_input)
        self._capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        captured = self._capsys.readouterr()
        if captured.out.startswith('{\n  "schema": "'):
            assert_valid(json.loads(captured.out))
        return Outcome(code, captured.out, captured.err)


@pytest.fixture
def shell(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    definitions()  # what is imported later would be forgotten, and not imported again
    before = dict(registry.BY_NAME)
    yield Shell(tmp_path, capsys, monkeypatch)
    registry.BY_NAME.clear()  # forget what plugins have added
    registry.BY_NAME.update(before)
    registry.forget_names()
