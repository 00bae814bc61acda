"""Exit codes: every command has each of those that docs/exit-codes.md says it has."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from rankeval import __main__ as starting
from rankeval import endings
from rankeval.cli import COMMANDS
from tests.support.files import BM25, EXAMPLES, QRELS
from tests.support.words import words_of, written

PAGE = EXAMPLES.parent / "docs" / "exit-codes.md"
FILES = ("qrels.txt", "bm25.txt")


def broken_qrels():
    return QRELS + "302 0 z\n"


@pytest.fixture
def files(shell):
    return written(shell)


def fail(monkeypatch, name: str, error: BaseException) -> None:
    """Let the command raise an error in the midst of its work."""

    def raises(*_: object, **__: object) -> None:
        raise error

    for place in (
        "rankeval.evaluate",
        "rankeval.commands.plot.task.evaluate",
        "rankeval.compare",
        "rankeval.diff",
        "rankeval.commands.gate.task.gate_suites",
        "rankeval.commands.measures.task.find_measures",
        "rankeval.explain",
        "rankeval.systems",
        "rankeval.topics",
        "rankeval.nuggets",
        "rankeval.judges",
        "rankeval.estimate",
        "rankeval.load",
        "rankeval.commands.report.collect.run_sources",
        "rankeval.commands.check.task.check",
        "rankeval.commands.init.task.init",
        "rankeval.commands.convert.task.convert",
        "rankeval.commands.fuse.task.write_fused",
        "rankeval.pool",
        "rankeval.trec_eval.command.read_run",
    ):
        import_module(place.rpartition(".")[0])
        monkeypatch.setattr(place, raises)
    assert name in COMMANDS


def test_1_is_a_broken_rule(files):
    assert files("gate", "qrels.txt", "dense.txt", "bm25.txt", "--max-drop", "AP=0.01").code == 1


def test_1_is_a_file_that_is_wrong(files):
    files.write(qrels=broken_qrels())

    assert files(*words_of("check")).code == 1


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["-m", "nonsense", *FILES], 1),
        (["qrels.txt"], 1),
        (["qrels.txt", "missing.txt"], 2),
        (["-R", "nonsense", *FILES], 2),
        (["qrels.txt", "lacks.txt"], 4),
        (["--as", "9", "qrels.txt", "other.txt"], 7),
        (["-Z", "missing.txt", *FILES], 255),
    ],
)
def test_trec_eval_has_its_own(files, words, code):
    files.write(lacks=BM25.replace("302", "303"), other=BM25.replace("30", "40"))

    outcome = files("trec_eval", *words)

    assert outcome.code == code, outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize(
    "error", [IndexError("no 7\nin here"), RecursionError("too deep"), SystemError("odd")], ids=repr
)
@pytest.mark.parametrize("name", COMMANDS)
def test_70_is_a_bug_of_rankeval_told_in_one_line(files, monkeypatch, name, error):
    fail(monkeypatch, name, error)
    monkeypatch.delenv(endings.TRACEBACK, raising=False)

    outcome = files(*words_of(name))

    assert (outcome.code, outcome.out) == (70, "")
    said = " ".join(str(error).split())
    assert outcome.err == (
        f"rankeval: this is a bug in rankeval ({type(error).__name__}: {said}); "
        "please report it with the traceback that RANKEVAL_TRACEBACK=1 in the environment shows\n"
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_130_is_an_interrupt(files, monkeypatch, name):
    fail(monkeypatch, name, KeyboardInterrupt())

    outcome = files(*words_of(name))

    assert (outcome.code, outcome.out, outcome.err) == (130, "", "")


@pytest.mark.parametrize("name", COMMANDS)
def test_too_little_memory_is_no_bug(files, monkeypatch, name):
    fail(monkeypatch, name, MemoryError())

    outcome = files(*words_of(name))

    assert (outcome.code, outcome.out) == (2, "")
    assert "not enough memory" in outcome.err


@pytest.mark.parametrize(
    "name", ["eval", "compare", "diff", "gate", "explain", "measures", "check"]
)
def test_a_bug_while_printing_leaves_no_half_of_a_report(files, monkeypatch, name):
    def half(*_: object, **__: object):
        yield "the first half\n"
        raise IndexError("no 7")

    monkeypatch.setattr("rankeval.output.output_formats.Printer.text", half)

    outcome = files(*words_of(name))

    assert (outcome.code, outcome.out) == (70, "")


def test_a_measure_of_a_plugin_that_leaves_does_not_decide_the_exit_code(files):
    files.path("leaves.py").write_text(
        "import sys, rankeval\n"
        "@rankeval.measure('Leaves')\n"
        "def leaves(ranking):\n"
        "    'Leaves.'\n"
        "    sys.exit(0)\n"
    )

    outcome = files("eval", *FILES, "-m", "Leaves", "--plugin", "leaves.py")

    assert (outcome.code, outcome.out) == (2, "")
    assert "Leaves failed: SystemExit: 0" in outcome.err


def test_the_page_tells_every_code():
    told = {int(code) for code in re.findall(r"^\| (\d+) \|", Path(PAGE).read_text(), re.MULTILINE)}

    assert {starting.BUG, starting.INTERRUPTED} == {endings.BUG, endings.INTERRUPTED}
    assert told == {0, 1, 2, 3, 4, 7, 70, 130, 255}
    assert endings.NOT_REPORTED == 3
