import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rankeval.errors import InputError
from rankeval.evaluation.show import PRINTER
from rankeval.output.output_formats import OUTPUT_FORMATS
from rankeval.output.style import Style
from rankeval.output.writing import write_result
from tests.support.results import two_runs

ROOT = Path(__file__).parents[2]
FORMATS = [form for form in OUTPUT_FORMATS if form != "html"]
"""The formats of results; pages are of comparisons and gates."""
PROGRAM = """
from rankeval.evaluation.show import PRINTER
from rankeval.output.writing import write_result
from tests.support.results import results, score
found = results({"é": [score("AP", [0, 1], 0.5)], "b": [score("AP", [0, 1], 0.25)]})
write_result(PRINTER, found, "table")
"""


def write(found, form="table", output=None, style=None):
    write_result(PRINTER, found, form, output, style)


def run(code, stdout=subprocess.PIPE, **environment):
    inherited = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "COLUMNS", "TERM"}}
    return subprocess.run(
        [sys.executable, "-c", code],
        stdout=stdout,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=inherited | environment,
        check=False,
    )


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_holds_what_is_printed(form, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")

    write(two_runs(), form, tmp_path / "out")
    write(two_runs(), form, "-")
    write(two_runs(), form)

    rendered = "".join(PRINTER.text(two_runs(), form, Style()))
    assert (tmp_path / "out").read_text() == rendered
    assert capsys.readouterr().out == rendered * 2


def test_an_interrupt_while_writing_leaves_the_old_file_whole(tmp_path, monkeypatch):
    def interrupted(*_):
        yield "new"
        raise KeyboardInterrupt

    path = tmp_path / "out.tsv"
    path.write_text("old")
    monkeypatch.setattr("rankeval.output.output_formats.Printer.text", interrupted)

    with pytest.raises(KeyboardInterrupt):
        write(two_runs(), "tsv", path)

    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_an_error_with_a_remedy():
    with pytest.raises(InputError, match="no space left"):
        write(two_runs(), "tsv", "/dev/full")


def test_a_full_disk_behind_standard_output_is_an_error_with_a_remedy(monkeypatch):
    full = io.TextIOWrapper(io.BufferedWriter(io.FileIO("/dev/full", "w")), encoding="utf-8")
    monkeypatch.setattr(sys, "stdout", full)

    with pytest.raises(InputError, match="no space left") as caught:
        write(two_runs(), "tsv")

    assert caught.value.place == "standard output"
    with pytest.raises(OSError, match="No space left"):
        full.close()


def test_a_closed_pipe_behind_standard_output_is_left_to_the_caller(monkeypatch):
    read, written = os.pipe()
    os.close(read)
    closed = io.TextIOWrapper(io.BufferedWriter(io.FileIO(written, "w")), encoding="utf-8")
    monkeypatch.setattr(sys, "stdout", closed)

    with pytest.raises(BrokenPipeError):
        write(two_runs(), "tsv")
    with pytest.raises(BrokenPipeError):
        closed.close()


def test_a_closed_standard_output_is_an_error(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)

    with pytest.raises(InputError, match="closed"):
        write(two_runs(), "tsv")


def test_a_pipe_gets_plain_text():
    done = run(PROGRAM, PYTHONIOENCODING="utf-8", TERM="xterm")

    assert done.stdout.decode().startswith("run      AP\n------------\né    0.5000*\n")


def test_what_the_encoding_lacks_is_shown_as_an_escape():
    done = run(PROGRAM, PYTHONIOENCODING="ascii")

    assert "\\xe9    0.5000*\n" in done.stdout.decode("ascii")
