"""Digests of input files."""

import os
import subprocess
import threading

import pytest

from rankeval.commands.report.collect import report
from tests.plots.conftest import QRELS, RUNS
from tests.support.files import BM25
from tests.support.files import QRELS as SMALL


@pytest.mark.usefixtures("undrawn")
def test_digests_are_those_of_sha256sum():
    digests = report(QRELS, RUNS[:2], "AP").digests

    printed = subprocess.run(
        ["sha256sum", QRELS, *RUNS[:2]], capture_output=True, text=True, check=True
    )
    lines = (line.split() for line in printed.stdout.splitlines())
    assert digests == {path: digest for digest, path in lines}


@pytest.mark.usefixtures("undrawn")
def test_pipes_and_values_in_memory_have_no_digest(tmp_path):
    (tmp_path / "qrels.txt").write_text(SMALL)
    os.mkfifo(tmp_path / "run")
    writer = threading.Thread(target=(tmp_path / "run").write_text, args=(BM25,))
    writer.start()
    memory = {"301": {"d1": 1.0}}

    qrels = str(tmp_path / "qrels.txt")
    digests = report(qrels, [str(tmp_path / "run"), memory], "AP").digests

    writer.join()
    assert [*digests] == [qrels]
