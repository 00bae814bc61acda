"""Paths and words with bytes that are not UTF-8: shown with escapes, in output that is UTF-8."""

import os
import subprocess
import sys

import pytest

from tests.support.files import BM25, DENSE, QRELS
from tests.support.processes import command, environment

orjson = pytest.importorskip("orjson")


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="paths are bytes on Linux")

Q, A, B = "q\udcff.txt", "a\udcff.txt", "b\udcff.txt"
GATE = ["gate", Q, A, B, "--max-drop", "AP=1"]


@pytest.fixture
def folder(tmp_path):
    for name, text in ((Q, QRELS), (A, BM25), (B, DENSE)):
        (tmp_path / name).write_text(text)
    return tmp_path


def called(words, folder, **more):
    """Exit code, stdout as text, and stderr; what is not UTF-8 fails."""
    done = subprocess.run(
        [os.fsencode(word) for word in command(words)],
        cwd=folder,
        env=environment(**more),
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    assert b" bug " not in done.stderr
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["eval", Q, A, A, "-m", "AP"], "q\\udcff.txt"),
        (["eval", Q, A, "-f", "json"], None),
        (["check", Q, A], "a\\udcff.txt"),
        (["check", Q, A, "-f", "json"], None),
        ([*GATE, "-f", "json"], None),
    ],
    ids=lambda value: " ".join(value).replace("\udcff", "") if isinstance(value, list) else None,
)
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_files_are_shown_with_escapes(folder, words, shown, encoding):
    code, out, _ = called(words, folder, PYTHONIOENCODING=encoding)

    assert code == 0
    if shown is None:
        orjson.loads(out)
        shown = "\\udcff"
    assert shown in out


@pytest.mark.parametrize(
    "words",
    [
        ["eval", Q, "missing\udcff"],
        ["eval", Q, A, "-m", "AP\udcff"],
        ["eval", Q, A, "--option\udcff"],
        ["explain", Q, A, "\udcff"],
        ["measures", "\udcff"],
        ["convert", A, "-", "--to", "\udcff"],
        ["gate", "--config", "missing\udcff"],
        [*GATE, "--min", "AP=\udcff"],
        ["trec_eval", Q, "missing\udcff"],
    ],
    ids=lambda words: " ".join(words).replace("\udcff", ""),
)
def test_words_that_mean_nothing_are_refused(folder, words):
    code, out, told = called(words, folder)

    assert (code, out) == (2, "")
    assert "udcff" in told
