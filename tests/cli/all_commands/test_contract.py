"""What holds for every command: exit codes, formats, names without effect, files and pipes."""

import contextlib
import csv
import io
import json
import math
import re
import shutil

import pytest

from rankeval.cli import COMMANDS
from tests.support import hostile
from tests.support.commands import built_commands, run_command
from tests.support.latex_structure import problems as latex_problems
from tests.support.pages import Page
from tests.support.words import FORMATS, PROGRAMS, WORDS, words_of, written

IN_EVERY_FORMAT = [(command, form) for command, forms in FORMATS.items() for form in forms]
HAVE_NAMES = [(command, form) for command, form in IN_EVERY_FORMAT if command != "measures"]
HAVE_NAMES.remove(("pool", "trec"))
HAVE_NAMES.remove(("pool", "tsv"))  # whose lines hold no blanks


@pytest.fixture
def files(shell):
    return written(shell)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """Files whose names and contents are hostile."""
    folder = tmp_path_factory.mktemp("inputs")
    with contextlib.chdir(folder):
        hostile.write_inputs()
    return folder


@pytest.fixture
def names(inputs, tmp_path, monkeypatch):
    """The words of a command for hostile files."""
    shutil.copytree(inputs, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return lambda command: words_of(command, **hostile.NAMES)


def test_the_table_has_every_command_and_its_formats():
    with_format = {
        name
        for name, command in built_commands().items()
        if any("--format" in option.opts for option in command.params)
    }

    assert WORDS.keys() == COMMANDS.keys()
    assert FORMATS.keys() == with_format


@pytest.mark.parametrize("command", [name for name in WORDS if name not in ("estimate", "init")])
def test_0_is_done_without_a_warning(files, command):
    outcome = files(*words_of(command))

    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out


@pytest.mark.parametrize("command", WORDS)
def test_2_is_bad_input_or_wrong_usage(files, command):
    missing = words_of(command, A="missing.txt", ANSWERS="missing.txt")
    missing += ["--plugin", "missing.py"] if command == "measures" else []

    for words in (missing, [*words_of(command), "--no-such-option"]):
        outcome = files(*words)

        if command != "trec_eval":  # which has codes of its own
            assert outcome.code == 2
        assert outcome.out == "" or command == "check"
        assert outcome.err or command == "check"
        assert "Traceback" not in outcome.err


# --- formats, and names that take no effect in them ------------------------------------------


def takes_no_effect(text):
    """No character that a terminal, an editor or a reader would obey instead of showing it."""
    assert [line for line in text.replace("\t", "").split("\n") if not line.isprintable()] == []


def commands_in(text):
    """The lines that GitHub's runner takes for commands: it trims them, and splits at any end."""
    return [line for line in text.splitlines() if line.strip().startswith("::") or "##[" in line]


FORMULA = re.compile(r"\s*[=+@＝＋＠-]")
NUMBER = re.compile(r"[-+]?[\d.]+(e[-+]?\d+)?%?|-")


def check_cells(rows):
    """Rows of one width, and no cell that a spreadsheet would compute, but for numbers."""
    assert len({len(row) for row in rows}) == 1
    for cell in (cell for row in rows for cell in row):
        assert not FORMULA.match(cell) or NUMBER.fullmatch(cell), cell
    return rows


def read_tsv(text):
    rows = check_cells([line.split("\t") for line in text.splitlines()])
    assert not any(cell.startswith('"') for row in rows for cell in row)
    return rows


def read_csv(text):
    return check_cells(list(csv.reader(io.StringIO(text))))


def read_lines(text):
    return [json.loads(line) for line in text.splitlines()]


def read_markdown(text):
    """Outside of code spans nothing is HTML, a link, an image, a mention or another column."""
    widths = set()
    for line in re.sub(r"(?ms)^```.*?^```$", "", text).splitlines():
        bare = re.sub(r"`[^`]*`", "", line)
        assert not re.search(
            r"(?<!\\)<(?!sup>|/sup>|br>)|(?<!\\)!\[|(?<!\\)\]\(|@(everyone|SUM)", bare
        ), line
        widths = {*widths, line.count("|")} if line.startswith("|") else set()
        assert len(widths) <= 1, line


def read_latex(text):
    assert latex_problems(text) == []
    body = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    assert not re.search(r"\\(input|write|include|def|catcode|usepackage)", body)


def read_html(text):
    page = Page(text)
    assert page.open == []
    assert page.all("script") == page.all("img") == page.all("a") == []
    assert not [a for _, a in page.elements if any(name.startswith("on") for name in a)]


def read_trec(text):
    assert {len(line.split()) for line in text.splitlines()} <= {3, 4}


READERS = {
    "tsv": read_tsv,
    "csv": read_csv,
    "json": json.loads,
    "jsonl": read_lines,
    "markdown": read_markdown,
    "latex": read_latex,
    "html": read_html,
    "trec": read_trec,
    "table": takes_no_effect,
}


@pytest.mark.parametrize(("command", "form"), IN_EVERY_FORMAT)
def test_every_format_is_well_formed(files, command, form):
    outcome = files(*words_of(command), "-f", form)

    assert outcome.code == 0
    READERS[form](outcome.out)


@pytest.mark.parametrize(("command", "form"), HAVE_NAMES)
def test_names_take_no_effect(names, monkeypatch, command, form):
    for log in ("", "true"):
        monkeypatch.setenv("GITHUB_ACTIONS", log)
        done = run_command([*names(command), "-f", form])

        assert done.code == 0, done.stderr
        assert done.stdout
        takes_no_effect(done.stdout + done.stderr)
        assert commands_in(done.stderr) == []
        READERS[form](done.stdout)
        if log and form not in ("tsv", "csv", "trec"):  # which programs read
            assert commands_in(done.stdout) == []


def numbers_in(value):
    """All numbers of a document."""
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from numbers_in(one)
    elif isinstance(value, int | float):
        yield float(value)


@pytest.mark.parametrize("command", [name for name in FORMATS if {*PROGRAMS} <= {*FORMATS[name]}])
def test_programs_get_the_same_numbers_in_every_format(files, command):
    printed = {form: files(*words_of(command), "-f", form).out for form in PROGRAMS}
    heads, *rows = read_tsv(printed["tsv"])
    lines = read_lines(printed["jsonl"])

    assert read_csv(printed["csv"]) == [heads, *rows]
    assert [[*line] for line in lines] == [heads] * len(rows)
    known = [*numbers_in(json.loads(printed["json"]))]
    for row, line in zip(rows, lines, strict=True):
        for text, value in zip(row, line.values(), strict=True):
            if isinstance(value, float):
                assert float(text) == value
                assert any(math.isclose(value, one, abs_tol=1e-15) for one in known), line
            elif value is None:
                assert text == ""


# --- files and streams ----------------------------------------------------------------------------
