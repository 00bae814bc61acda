"""What holds for every command: exit codes, formats, names without effect, files and pipes."""

import contextlib
import csv
import io
import json
import math
import os
import re
import shutil
from pathlib import Path

import pytest

from rankeval.__main__ import run
from rankeval.cli import COMMANDS
from rankeval.commands.topics import task as of_topics
from rankeval.output.declared_columns import number
from tests.support import hostile
from tests.support.commands import built_commands, run_command
from tests.support.latex_structure import problems as latex_problems
from tests.support.pages import Page
from tests.support.words import FORMATS, PROGRAMS, WORDS, words_of, written

IN_EVERY_FORMAT = [(command, form) for command, forms in FORMATS.items() for form in forms]
HAVE_NAMES = [(command, form) for command, form in IN_EVERY_FORMAT if command != "measures"]
HAVE_NAMES.remove(("pool", "trec"))
HAVE_NAMES.remove(("pool", "tsv"))  # whose lines hold no blanks
OUTPUTS = [name for name in FORMATS if name not in ("check", "pool")]


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


@pytest.mark.parametrize("command", FORMATS)
def test_help_and_errors_name_the_formats(files, command):
    told = " ".join(files(command, "--help").out.split()).partition("FORMAT ")[2]
    refused = files(*words_of(command), "-f", "toml")

    assert (refused.code, refused.out) == (2, "")
    assert "there is no format 'toml'" in refused.err
    known = re.search(r"expected: one of (.*)", refused.err)[1].split(", ")
    assert sorted(known) == sorted(FORMATS[command])
    assert all(re.search(rf"\b{form}\b", told.partition(" Default: by")[0]) for form in known)


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


@pytest.mark.parametrize("command", OUTPUTS)
def test_names_take_no_effect_in_files(names, command):
    forms = FORMATS[command]
    form = forms[[*FORMATS].index(command) % len(forms)]

    done = run_command([*names(command), "-f", form, "-o", "out.file"])

    assert (done.code, done.stdout) == (0, "")
    written_text = Path("out.file").read_text()
    takes_no_effect(written_text)
    READERS[form](written_text)


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


@pytest.mark.parametrize("form", [form for form in FORMATS["topics"] if form != "json"])
def test_a_column_is_one_line_for_every_format(files, monkeypatch, form):
    """JSON has the fields of the result."""
    own = of_topics.columns
    added = number("tenth", get=lambda one: one.mean / 10)
    monkeypatch.setattr(of_topics, "columns", lambda report: [*own(report), added])

    printed = files(*words_of("topics"), "-m", "AP", "-f", form).out

    # AP of the topic 302 is 1/2 and 1.
    assert "tenth" in printed
    assert "0.075" in printed


# --- files and streams ----------------------------------------------------------------------------


@pytest.mark.parametrize("command", [*OUTPUTS, "plot", "report", "fuse", "pool", "convert"])
def test_no_input_is_overwritten(files, command):
    words = words_of(command)
    inputs = {word for word in words if files.path(word).is_file()}
    before = {name: files.path(name).read_bytes() for name in inputs}

    for name in inputs:
        if command == "convert":
            outcome = files(*(name if word == "-" else word for word in words))
        else:
            outcome = files(*words, "-o", name)

        assert (outcome.code, outcome.out) == (2, "")
        assert "would overwrite this input" in outcome.err
    assert {name: files.path(name).read_bytes() for name in inputs} == before


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("command", [name for name in WORDS if name not in ("estimate", "init")])
def test_a_closed_pipe_ends_quietly(monkeypatch, capsys, command):
    """A reader who has left is no failure: the exit code is that of the work."""
    read, write = os.pipe()
    os.close(read)
    closed = io.TextIOWrapper(io.BufferedWriter(io.FileIO(write, "w")), encoding="utf-8")
    monkeypatch.setattr("sys.stdout", closed)

    code = run(words_of(command))

    assert (code, capsys.readouterr().err) == (0, "")
    with contextlib.suppress(BrokenPipeError):
        closed.close()
