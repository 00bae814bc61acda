"""Digests of input files, and what check says of them."""

import os
import subprocess
import threading

import pytest

from rankeval.commands.report.reports.collect import collect_report
from tests.plots.conftest import QRELS, RUNS
from tests.support.files import BM25
from tests.support.files import QRELS as SMALL


@pytest.mark.usefixtures("undrawn")
def test_digests_are_those_of_sha256sum():
    files = collect_report(QRELS, RUNS[:2], "AP").files

    printed = subprocess.run(
        ["sha256sum", QRELS, *RUNS[:2]], capture_output=True, text=True, check=True
    )
    assert [one.digest for one in files] == [
        line.split()[0] for line in printed.stdout.splitlines()
    ]
    assert [one.path for one in files] == [str(path) for path in (QRELS, *RUNS[:2])]


@pytest.mark.usefixtures("undrawn")
def test_oddities_of_a_file_are_warnings(tmp_path):
    (tmp_path / "qrels.txt").write_text(SMALL)
    (tmp_path / "odd.txt").write_text("301 Q0 d1 1 5 odd\n301 Q0 d2 3 4 odd\n")

    found = collect_report(str(tmp_path / "qrels.txt"), [str(tmp_path / "odd.txt")], "AP").files[1]

    assert found.warnings
    assert all(warning in found.check for warning in found.warnings)


@pytest.mark.usefixtures("undrawn")
def test_pipes_and_values_in_memory_have_no_digest(tmp_path):
    (tmp_path / "qrels.txt").write_text(SMALL)
    os.mkfifo(tmp_path / "run")
    writer = threading.Thread(target=(tmp_path / "run").write_text, args=(BM25,))
    writer.start()
    memory = {"301": {"d1": 1.0}}

    files = collect_report(str(tmp_path / "qrels.txt"), [str(tmp_path / "run"), memory], "AP").files

    writer.join()
    assert [bool(one.digest) for one in files] == [True, False, False]
    assert [bool(one.check) for one in files] == [True, False, False]
