"""`rankeval` itself: help, mistyped commands, missing arguments, and how errors look."""

import re
import shlex
import sys

import pytest

import rankeval
from rankeval.cli import COMMANDS
from rankeval.io import blocks
from rankeval.measures import parse_measures
from tests.support.commands import built_commands
from tests.support.files import BM25, QRELS

WIDTH = 80


@pytest.fixture
def files(shell):
    return shell.write(qrels=QRELS, bm25=BM25)


def test_version_is_printed(shell):
    outcome = shell("--version")

    expected = f"rankeval {rankeval.__version__} ({blocks.reader()})\n"
    assert (outcome.code, outcome.out, outcome.err) == (0, expected, "")


@pytest.mark.parametrize("width", [60, WIDTH])
@pytest.mark.parametrize("command", ["", *(name for name in COMMANDS if name != "trec_eval")])
def test_help_shows_whole_sentences(shell, monkeypatch, command, width):
    monkeypatch.setenv("COLUMNS", str(width))

    usage, _, text = shell(*command.split(), "--help").out.partition("\n\n")
    text, _, _ = text.partition("\nExamples:\n")  # lines to copy, which no terminal breaks

    assert usage.startswith("Usage: ")
    assert [
        line for line in text.splitlines() if line.endswith(("...", "\N{HORIZONTAL ELLIPSIS}"))
    ] == []
    assert max(map(len, text.splitlines())) <= width


def test_without_arguments_help_goes_to_stderr_and_nothing_is_done(shell):
    outcome = shell()

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("Usage: rankeval")


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        ("eval", "QRELS"),
        ("eval qrels.txt", "RUN"),
        ("qrels.txt", "RUN"),
        ("qrels.txt -m AP", "RUN"),
        ("-m AP", "QRELS"),
    ],
)
def test_a_missing_argument_is_named(files, command, missing):
    outcome = files(*shlex.split(command))

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == (
        f"rankeval: missing argument '{missing}'\n"
        "  expected: rankeval eval [OPTIONS] QRELS RUN...\n"
        "  to fix:   see 'rankeval eval --help' for the options\n"
    )


@pytest.mark.parametrize("word", ["evla", "evall", "evaluate", "Eval"])
def test_a_mistyped_command_gets_the_near_one(files, word):
    outcome = files(word, "qrels.txt", "bm25.txt")

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == (
        f"rankeval: there is no command and no file '{word}'\n"
        "  expected: perhaps eval\n"
        "  to fix:   'rankeval --help' lists the commands\n"
    )


# --- help and examples ----------------------------------------------------------------------


def lines_of_examples(command):
    """Return the command lines of the examples, those of several lines as one."""
    text = "\n".join(command.examples).replace("\\\n", " ")
    return [
        line.strip() for line in text.splitlines() if line.strip().startswith(("rankeval", "zcat"))
    ]


def example_lines():
    for command, built in built_commands().items():
        for line in lines_of_examples(built):
            words = shlex.split(line.rpartition(" | ")[2].replace("*.run", "a.run b.run"))
            assert words[0] == "rankeval"
            yield pytest.param(command, words[1:], id=line)


@pytest.mark.parametrize(("command", "words"), list(example_lines()))
def test_examples_use_options_that_exist(command, words):
    known = built_commands()
    rest = words[1:] if words[0] in known else words

    assert words[0] in (command, "qrels.txt", "test.tsv")
    with known[command].make_context(command, rest) as context:
        parse_measures(" ".join(context.params.get("measures") or []))


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - {"trec_eval"}))
def test_short_help_fits_one_screen_and_names_options_that_the_long_help_has(shell, command):
    lines = shell(command, "-h").out.splitlines()
    whole = shell(command, "--help").out

    # Each kind of plot has a line of its own.
    assert len(lines) <= (40 if command == "plot" else 23)
    assert max(map(len, lines)) <= 80
    options = [name for line in lines for name in re.findall(r"^ +(?:-\w, )?(--[\w-]+)", line)]
    assert 3 <= len(options) <= 13
    assert all(name in whole for name in options)
    assert all(": " in line for line in lines if line.endswith("…"))  # only lists are cut
    first = lines_of_examples(built_commands()[command])[0]
    assert first.split()[-1] in "".join(lines)
    assert f"rankeval {command} --help" in lines[-1]


# --- completion -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("rankeval ev", ["eval"]),
        ("rankeval eval q r --tie", ["--ties"]),
        ("rankeval eval q r --ties be", ["best"]),
        ("rankeval eval q r -m alpha_n", ["alpha_nDCG"]),
        ("rankeval eval q r -m P@2", ["P@20"]),
    ],
)
def test_bash_completes_commands_options_and_measures(shell, monkeypatch, line, expected):
    # A process that completes imports nothing before.
    monkeypatch.delitem(sys.modules, "rankeval.commands.eval.command", raising=False)
    monkeypatch.setenv("_RANKEVAL_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(line.count(" ")))

    outcome = shell()

    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.split() == expected
