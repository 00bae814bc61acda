"""Names that want to be more than names, in reports, LaTeX and messages: none takes effect."""

import contextlib
import re
import shutil
import xml.etree.ElementTree as ET

import pytest

from tests.cli.all_commands.test_contract import read_markdown, takes_no_effect
from tests.support.commands import run_command
from tests.support.hostile import NAMES, QRELS, A, B, write_inputs
from tests.support.typesetting import complaints, needs_latex
from tests.support.words import FORMATS, words_of

OBEYED = ["\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x9b2J", "x\n::error::y", "a\rb", "\u202eevil"]
"""What a terminal, or the log of a workflow, would obey."""

GATE = [*words_of("gate", **NAMES), "--min", "AP=1"]
LATEX = [name for name, forms in FORMATS.items() if "latex" in forms]


@pytest.fixture(autouse=True)
def folder(inputs, tmp_path, monkeypatch):
    """A copy of the inputs, in which the test runs."""
    shutil.copytree(inputs, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """Judgments of hostile topics and documents, and two runs with hostile tags."""
    folder = tmp_path_factory.mktemp("inputs")
    with contextlib.chdir(folder):
        write_inputs()
    return folder


def printed(words: list[str], *, code: int | None = 0) -> str:
    """What a command prints; what it says on stderr takes no effect either."""
    done = run_command(words)
    assert code is None or done.code == code, done.stderr
    takes_no_effect(done.stderr)
    for line in done.stderr.splitlines():
        assert not line.startswith(("::", "##["))
    takes_no_effect(done.stdout.replace("\t", ""))
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("command", LATEX)
def test_latex_sets_the_names(command, folder):
    """pdfLaTeX has no wide signs, which need another LaTeX and a font with them."""
    needs_latex()
    text = printed([*words_of(command, **NAMES), "-f", "latex"])

    assert complaints(text.replace("＝", "="), folder) == []


def test_names_take_no_effect_in_junit():
    printed([*GATE, "--junit", "gate.xml"], code=1)
    (suite,) = ET.parse("gate.xml").getroot()

    cases = list(suite.iter("testcase"))
    assert len(cases) == int(suite.get("tests")) == 2
    assert sum(1 for _ in suite.iter("failure")) == int(suite.get("failures"))


def test_names_are_no_commands_for_github(monkeypatch, folder):
    summary = folder / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))

    text = printed([*GATE, "--github"], code=1)

    commands = [line for line in text.splitlines() if line.startswith("::")]
    assert all(
        re.match(r"::(error|warning) title=rankeval gate[^:,]*::", line) for line in commands
    )
    assert len([line for line in commands if line.startswith("::error")]) == 1
    assert "##[" not in text
    takes_no_effect(summary.read_text())
    read_markdown(summary.read_text())


@pytest.mark.parametrize("text", OBEYED)
@pytest.mark.parametrize(
    "words",
    [
        ["eval", "{}", A],
        ["eval", QRELS, "{}"],
        ["eval", QRELS, A, "--with", "{}=" + A],
        ["eval", QRELS, A, "--collapse", "({}"],
        ["eval", QRELS, A, "-f", "{}"],
        ["eval", QRELS, A, "-o", "missing/{}"],
        ["eval", QRELS, A, "--with", "weights={}"],
        ["explain", QRELS, A, "no such {}"],
        ["gate", QRELS, A, B, "--max-drop", "{}"],
        ["gate", "--config", "{}"],
        ["measures", "{}"],
        ["check", "{}"],
        ["compare", QRELS, A, "{}"],
        ["diff", QRELS, A, "{}"],
        ["report", QRELS, "{}", "-o", "x.html"],
        ["plot", "box", QRELS, A, "-o", "{}"],
        ["convert", "{}", "out.csv"],
        ["{}"],
        ["trec_eval", "{}", A],
        ["trec_eval", "-m", "{}", QRELS, A],
    ],
    ids=lambda words: " ".join(word for word in words if word not in (QRELS, A, B)),
)
def test_words_of_the_command_line_take_no_effect_in_messages(words, text):
    printed([word.replace("{}", text) for word in words], code=None)
