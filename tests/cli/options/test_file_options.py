"""No command writes over what it reads, or writes two outputs to one file."""

import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

from rankeval.cli import COMMANDS
from rankeval.cli.options.panels import READ, WRITTEN, Use
from tests.support.files import ANSWERS, BM25, DENSE, QRELS
from tests.support.processes import environment
from tests.support.words import WORDS, words_of

INPUTS = {
    "qrels.txt": QRELS,
    "bm25.txt": BM25,
    "dense.txt": DENSE,
    "bm25.json": '{"schema": "rankeval/1", "qrels": {"path": "qrels.txt", "topics": 1, '
    '"judgments": 1, "digest": "0"}, "runs": [{"name": "bm25", "measures": {"AP": '
    '{"mean": 0.5, "rule": "mean", "loss": false, "signature": "rankeval:0.1.0|AP|qrels:0", '
    '"per_topic": {"301": 0.5}}}}]}\n',
    "weights.txt": "301 1\n302 2\n",
    "groups.txt": "301 a\n302 b\n",
    "costs.txt": "a 1\nb 2\n",
    "train.txt": "301 a\n302 b\n",
    "catalog.txt": "a\nb\nc\nd\ne\nf\ng\n",
    "features.csv": "docno,genre\na,x\nb,y\n",
    "run_costs.txt": "run ms\nbm25 1\ndense 2\n",
    "topics.txt": "301\n",
    "answers.jsonl": ANSWERS,
    "plugin.py": "import rankeval\n"
    "@rankeval.measure('Own')\ndef own(r):\n    'Own.'\n    return 1\n",
    "rankeval.toml": 'qrels = "qrels.txt"\nbaseline = "bm25.txt"\nruns = ["dense.txt"]\n'
    '[rules]\nmax-drop = { "AP" = 1.0 }\n',
}
OPTIONS = {
    "plugins": ["--plugin", "plugin.py"],
    "parts": ["--with", "costs=costs.txt"],
    "group": ["--group", "groups.txt"],
    "topics": ["--topics", "topics.txt"],
    "config": ["--config", "rankeval.toml"],
    "output": ["-o", "{}"],
    "json": ["--json", "{}"],
    "comment": ["--comment", "{}"],
    "append": ["--append", "{}"],
    "junit": ["--junit", "{}"],
    "golden": ["--golden", "bm25.txt"],
    "beside": ["--baseline", "bm25.txt"],
    "run_costs": ["--run-costs", "run_costs.txt"],
    "tune": ["--tune", "qrels.txt"],
    "judged": ["--judged", "qrels.txt"],
    "data": ["--data", "{}"],
}
"""How an option of that name is given: {} is the output that is tried."""

ARGUMENTS = {
    **{name: words_of(name)[1:] for name in WORDS if name not in ("trec_eval", "init")},
    "convert": ["bm25.txt", "{}", "--to", "csv"],
    "report": ["qrels.txt", "bm25.txt", "dense.txt"],
    "fuse": ["bm25.txt", "dense.txt", "--method", "wsum"],
    "plot": ["tradeoff", "qrels.txt", "bm25.txt", "dense.txt"],
}
NO_FILES = """
    kind test only bound candidate ci requirement min max min_gain highlight install title font
    policy engine measures tune_measures text topic tag suite power size equivalent
    max_drop_from_golden grades rule form reference method norm run_weights order
    ties other sort caption label max_drop max_topic_drop columns collapse qrels_format
    run_format source_format to on_error duplicates
"""
"""Parameters that take a text which names no file."""


def parameters(command: str) -> dict[str, object]:
    """The annotations of a command's parameters, by name."""
    function = getattr(import_module(f"rankeval.commands.{command}.command"), COMMANDS[command])
    signature = inspect.signature(function)
    return {name: parameter.annotation for name, parameter in signature.parameters.items()}


def use_of(annotation: object) -> object:
    return next((part for part in get_args(annotation) if isinstance(part, Use)), None)


def names(command: str, use: Use) -> list[str]:
    return [name for name, annotation in parameters(command).items() if use_of(annotation) is use]


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "trec_eval"])
def test_a_parameter_that_takes_a_text_says_whether_it_names_a_file(command):
    """One that says nothing would not be compared; trec_eval writes no file."""
    for name, annotation in parameters(command).items():
        taken = get_args(annotation)[0]
        if str in (taken, *get_args(taken)) or taken == list[str] or list[str] in get_args(taken):
            said = f"{name}: mark it READ or WRITTEN, or list it in NO_FILES"
            assert (use_of(annotation) is None) == (name in NO_FILES.split()), said


def call(command: str, written: str, target: str) -> list[str]:
    """A command with all its inputs that writes to the target."""
    given = [word for name in names(command, READ) for word in OPTIONS.get(name, [])]
    arguments = [word for word in ARGUMENTS[command] if word != "{}" or written == "target"]
    words = [command, *arguments, *given, *OPTIONS.get(written, [])]
    return [word.replace("{}", target) for word in words]


CASES = [
    (command, written, read)
    for command in ARGUMENTS
    for written in names(command, WRITTEN)
    for read in INPUTS
    if read in call(command, written, "new")
]


@pytest.fixture
def folder(shell):
    for name, text in INPUTS.items():
        shell.path(name).write_text(text)
    return shell


def unchanged(folder) -> bool:
    return all(folder.path(name).read_text() == text for name, text in INPUTS.items())


OUTPUTS = [
    (command, written)
    for command in ARGUMENTS
    if command != "gate"  # it judges all the same, and makes the folders of its reports
    for written in names(command, WRITTEN)
]


@pytest.mark.parametrize(("command", "written"), OUTPUTS)
@pytest.mark.parametrize(
    ("target", "problem"),
    [
        ("no/such/dir/x", "cannot write: no such file or directory"),
        ("bm25.txt/x", "cannot write: not a directory"),
        ("sub", "cannot write: is a directory"),
    ],
)
def test_an_output_that_cannot_be_made_is_refused_before_any_input_is_read(
    folder, command, written, target, problem
):
    folder.path("sub").mkdir()
    for name in INPUTS:  # whatever were read would be refused
        if not name.startswith("bm25"):
            folder.path(name).write_text("one\ntwo words\n")
    folder.path("plugin.py").write_text("raise SystemExit('read')")

    outcome = folder(*call(command, written, target))

    assert (outcome.code, outcome.out) == (2, "")
    assert f"{target}: {problem}" in outcome.err


@pytest.mark.parametrize("link", ["other words", "hard link"])
@pytest.mark.parametrize(("command", "written", "read"), CASES)
def test_an_input_is_not_overwritten(folder, command, written, read, link):
    target = f"sub/../{read}" if link == "other words" else "link.txt"
    folder.path("sub").mkdir()
    if link == "hard link":
        folder.path(target).hardlink_to(folder.path(read))
    words = call(command, written, target)

    outcome = folder(*words)

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == (
        f"rankeval: {read}: the output would overwrite this input\n"
        "  to fix:   give the output another name\n"
    )
    assert unchanged(folder)


@pytest.mark.parametrize("config", [[], ["--config", "rankeval.toml"]], ids=["found", "named"])
@pytest.mark.parametrize("option", ["-o", "--json", "--junit"])
@pytest.mark.parametrize("name", ["qrels.txt", "bm25.txt", "dense.txt", "rankeval.toml"])
def test_what_a_suite_names_and_the_suite_are_inputs(folder, config, option, name):
    outcome = folder("gate", *config, option, name, "-f", "json")

    assert (outcome.code, outcome.out) == (2, "")
    assert "the output would overwrite this input" in outcome.err
    assert unchanged(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize(
    ("words", "read"),
    [
        ("eval qrels.txt bm25.txt >> bm25.txt", "bm25.txt"),
        ("eval qrels.txt - < bm25.txt -o bm25.txt", "standard input"),
        ("convert - bm25.txt --to csv < bm25.txt", "standard input"),
        ("convert bm25.txt - --to trec >> bm25.txt", "bm25.txt"),
        ("check qrels.txt >> qrels.txt", "qrels.txt"),
        ("eval qrels.txt bm25.txt -o /dev/stdout >> qrels.txt", "qrels.txt"),
    ],
)
def test_standard_streams_are_files_as_well(folder, words, read):
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -m rankeval {words}'],
        cwd=Path.cwd(),
        env=environment(),
        capture_output=True,
        check=False,
        text=True,
    )

    assert done.returncode == 2
    assert done.stderr.startswith(f"rankeval: {read}: the output would overwrite this input")
    assert unchanged(folder)


def test_two_reports_do_not_share_a_file(folder):
    words = ("gate", "qrels.txt", "bm25.txt", "dense.txt", "--max-drop", "AP=1")

    outcome = folder(*words, "--json", "new", "--junit", "./new")

    assert (outcome.code, outcome.out) == (2, "")
    assert "another output goes to the same file" in outcome.err


@pytest.mark.parametrize("target", ["parts/new", "parts/sub/new"])
def test_an_output_is_not_written_into_a_folder_that_is_read(folder, target):
    folder.path("parts/sub").mkdir(parents=True)
    folder.path("parts/one.run").write_text(INPUTS["bm25.txt"])

    outcome = folder("convert", "parts", "-o", target)

    assert (outcome.code, outcome.out, folder.path(target).exists()) == (2, "", False)
    assert "would become a part of the input parts" in outcome.err
