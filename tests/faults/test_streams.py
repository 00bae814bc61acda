"""Standard streams that are full, closed or read by nobody: every command in every format."""

import re
import sys

import pytest

import rankeval
from rankeval.choices import FILE_FORMATS as NAMES
from rankeval.cli import COMMANDS
from rankeval.output.output_formats import OUTPUT_FORMATS
from tests.support.files import ANSWERS
from tests.support.forked import CLOSED, FULL, UNREAD, forks
from tests.support.processes import write_inputs
from tests.support.words import FORMATS, words_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="/dev/full, and descriptors of Linux"),
]

FAILING = ["gate", "qrels.txt", "a.run", "b.run", "--min", "AP=1"]
RUNS = {"A": "a.run", "B": "b.run", "TOPIC": "1"}
REPORTS = {
    **{name: words_of(name, **RUNS) for name in FORMATS if name != "pool"},
    "gate": FAILING,
    "check": ["check", "wrong.txt", "a.run"],
}
"""The commands that take -f; the rule is broken, and a line of wrong.txt is wrong."""

OTHERS = {
    "gate --github": [*FAILING, "--github"],
    "plot": ["plot", "box", "qrels.txt", "a.run", "b.run"],
    "report": ["report", "qrels.txt", "a.run", "b.run", "-o", "-"],
    "plot --data -": ["plot", "box", "qrels.txt", "a.run", "b.run", "--data", "-"],
    "fuse": ["fuse", "a.run", "b.run"],
    "pool": ["pool", "a.run", "b.run", "--depth", "2"],
    "measures": ["measures"],
    "trec_eval": ["trec_eval", "-q", "qrels.txt", "a.run"],
    "trec_eval -h": ["trec_eval", "-h"],
    "help": ["--help"],
    "help of a command": ["eval", "--help"],
    "version": ["--version"],
}
PRINTERS = {
    **{
        f"{name} {form}": [*REPORTS[name], "-f", form]
        for name in REPORTS
        for form in OUTPUT_FORMATS
    },
    **{f"convert {form}": ["convert", "a.run", "-", "--to", form] for form in NAMES},
    **{f"convert qrels {form}": ["convert", "qrels.txt", "-", "--to", form] for form in NAMES},
    **OTHERS,
}
IN_EVERY_STATE = {*(f"{name} json" for name in REPORTS), "convert trec", *OTHERS}
"""One format of each command and all else that prints. Every format is tried on a full disk, which
tells whether it is written by what looks at errors; that handles all of them alike."""

REFUSED = (
    "cannot be written as",
    "cannot be written in the format",
    "has no qrels",
    "cannot hold",
)
"""A format that a command does not write is refused with 2, whatever the streams are."""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Run a command in a folder, with standard streams in the states that are asked for."""
    with forks(tmp_path_factory.mktemp("caught")) as process:
        yield process.ran


@pytest.fixture
def folder(tmp_path):
    write_inputs(tmp_path)
    results = rankeval.evaluate(tmp_path / "qrels.txt", tmp_path / "a.run", "AP")
    results.save(tmp_path / "a.json")
    (tmp_path / "answers.jsonl").write_text(ANSWERS)
    (tmp_path / "rankeval.toml").write_text(
        'qrels = "qrels.txt"\nbaseline = "a.json"\nruns = "a.run"\nrules.max-drop = { AP = 1 }\n'
    )
    (tmp_path / "wrong.txt").write_text((tmp_path / "qrels.txt").read_text() + "9 0 d9\n")
    return tmp_path


def without_time(printed: bytes) -> bytes:
    """Leave out the times of a JUnit report: the clock goes on between two runs."""
    return re.sub(rb' time(stamp)?="[-:T\d.]+"', b"", printed)


def test_every_command_is_tried():
    once = {"init"}  # it replaces no file, so that it prints once in a folder

    assert {words[0] for words in PRINTERS.values()} >= COMMANDS.keys() - once


@pytest.mark.parametrize("name", PRINTERS)
def test_the_exit_code_tells_whether_the_output_arrived(run, folder, name):
    words = PRINTERS[name]
    plain, full = run(words, folder), run(words, folder, stdout=FULL)

    if plain.code == 2:
        assert not plain.stdout
        assert any(word in plain.stderr for word in REFUSED), plain.stderr
    else:
        assert plain.stdout
        assert "o space left on device" in full.stderr
    assert full.code == not_printed(words, plain)
    for ended in (plain, full):
        assert_no_bug(ended)


def not_printed(words, plain):
    """The exit code where standard output takes nothing: a gate that judged has its own."""
    return 3 if words[0] == "gate" and plain.code != 2 else 2


def assert_no_bug(ended):
    assert "Traceback" not in ended.stderr
    assert " bug " not in ended.stderr


@pytest.mark.parametrize("name", sorted(IN_EVERY_STATE))
def test_a_closed_stdout_is_told_and_other_streams_change_nothing(run, folder, name):
    words = PRINTERS[name]
    plain = run(words, folder)
    closed, unread = (run(words, folder, stdout=state) for state in (CLOSED, UNREAD))
    silent = [run(words, folder, stderr=state) for state in (FULL, CLOSED)]

    assert plain.code != 2
    assert closed.code == not_printed(words, plain)
    assert "ad file descriptor" in closed.stderr
    assert unread.code == plain.code
    # Warnings stand below what is printed: who reads no more of it does not see them.
    assert unread.stderr in ("", plain.stderr)
    for ended in silent:
        assert ended.code == plain.code
        assert without_time(ended.stdout) == without_time(plain.stdout)
    for ended in (closed, unread):
        assert_no_bug(ended)


CLOSINGS = [
    *({name: state} for name in ("stdout", "stderr") for state in (FULL, CLOSED, UNREAD)),
    {"stdin": CLOSED},
    dict.fromkeys(("stdin", "stdout", "stderr"), CLOSED),
]


@pytest.mark.parametrize("name", [name for name in REPORTS if name != "check"])
def test_a_report_in_a_file_needs_no_stream(run, folder, name):
    words = [*REPORTS[name], "-f", "json", "-o", "out.json"]
    expected = run(words, folder)
    written = (folder / "out.json").read_text()

    for states in CLOSINGS:
        (folder / "out.json").unlink()
        assert run(words, folder, **states).code == expected.code
        assert (folder / "out.json").read_text() == written


def test_files_stay_as_they_are_where_streams_are_closed(run, folder):
    """A file that is opened takes the number of a stream that is closed."""
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    for states in CLOSINGS:
        run(["eval", "qrels.txt", "a.run", "b.run"], folder, **states)
        run(["eval", "qrels.txt", "missing.run"], folder, **states)

    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
