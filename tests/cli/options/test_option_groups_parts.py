import pytest
import typer

from rankeval.cli.app import application
from rankeval.cli.options.option_groups import with_parts
from tests.support.commands import run_command
from tests.support.files import BM25, DENSE, QRELS

COMMANDS = typer.main.get_command(application(["eval", "explain"])).commands
EVAL, EXPLAIN = COMMANDS["eval"].params, COMMANDS["explain"].params


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("q r -m AP", "q r -m AP"),
        ("q --run-parts a --run-parts b", "q|a + b"),
        ("--run-parts=a q -m AP r", "q -m AP r|a"),
        ("--qrels-parts a r -q --qrels-parts b", "a + b|r -q"),
        ("-qm AP --qrels-parts a r", "-qm AP|a|r"),
        ("-mAP --digits 3 --qrels-parts a -- r", "-mAP --digits 3 --|a|r"),
        ("--qrels-parts a --run-parts b -m AP", "-m AP|a|b"),
        ("q -m --run-parts", "q -m --run-parts"),
        ("q -- --run-parts a", "q -- --run-parts a"),
    ],
)
def test_parts_become_arguments_in_their_places(words, expected):
    assert with_parts(words.split(), EVAL) == _words(expected)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("q 301 --run-parts a --run-parts b -m AP", "q|a + b|301 -m AP"),
        ("--run-parts a 301 --qrels-parts b", "b|a|301"),
    ],
)
def test_the_run_of_explain_comes_before_the_topic(words, expected):
    assert with_parts(words.split(), EXPLAIN) == _words(expected)


def _words(text):
    """The words of `q|a + b|r`: what stands between bars, if it has a +, is one word."""
    return [
        word for group in text.split("|") for word in ([group] if " + " in group else group.split())
    ]


@pytest.fixture
def parts(tmp_path, monkeypatch):
    """The usual qrels and runs, each in two parts; and in one, of the same lines."""
    monkeypatch.chdir(tmp_path)
    for name, text in ("qrels", QRELS), ("bm25", BM25), ("dense", DENSE):
        lines = text.splitlines(keepends=True)
        (tmp_path / name).mkdir()
        (tmp_path / f"{name}.txt").write_text(text)
        for number, part in enumerate((lines[:4], lines[4:])):
            (tmp_path / name / f"{number}.txt").write_text("".join(part))
    return tmp_path


Q = ["--qrels-parts", "qrels/0.txt", "--qrels-parts", "qrels/1.txt"]
R = ["--run-parts", "dense/0.txt", "--run-parts", "dense/1.txt"]


@pytest.mark.usefixtures("parts")
@pytest.mark.parametrize(
    ("command", "before", "after"),
    [
        (["eval"], [], ["-m", "AP RR"]),
        (["eval"], ["bm25.txt"], ["-m", "AP RR", "-q"]),
        ([], [], ["-m", "AP"]),
        (["compare"], ["bm25.txt"], ["-m", "AP"]),
        (["diff"], ["bm25.txt"], []),
        (["gate"], ["bm25.txt"], ["--max-drop", "AP=0.1"]),
        (["plot", "pr"], ["bm25.txt"], ["--data", "-"]),
        (["explain"], [], ["301"]),
    ],
)
def test_every_command_takes_parts_in_the_place_of_qrels_and_run(command, before, after):
    whole = run_command([*command, "qrels.txt", *before, "dense.txt", *after])
    # without a first word the command is `eval`, and an option may come first
    in_parts = run_command([*command, *Q, *before, *R, *after])
    folders = run_command([*command, "qrels", *before, "dense/*.txt", *after])

    assert whole.code == in_parts.code == folders.code == 0
    paths = ("qrels/0.txt + qrels/1.txt", "dense/0.txt + dense/1.txt")
    assert _numbers(in_parts, paths) == _numbers(whole, ("qrels.txt", "dense.txt"))
    assert _numbers(folders, ("qrels", "dense/*.txt")) == _numbers(in_parts, paths)


def _numbers(outcome, paths):
    """The words of an output, without the paths of the qrels and the run."""
    text = " ".join(outcome.stdout.split())
    for path in paths:
        text = text.replace(f" {path} ", " PATH ").replace(f" {path},", " PATH,")
    return text.split()


@pytest.mark.usefixtures("parts")
def test_a_name_may_be_given_to_a_folder():
    outcome = run_command(["eval", "qrels", "mine=dense", "-m", "AP", "-f", "tsv"])

    assert outcome.stdout.splitlines()[1].split("\t")[0] == "mine"


def test_a_glob_with_a_key_is_no_name(parts):
    (parts / "topic=301").mkdir()
    (parts / "topic=301/a.csv").write_text("docno,score\na,1\n")

    outcome = run_command(["eval", "qrels", "topic=*/a.csv", "-m", "AP", "-f", "tsv"])

    assert outcome.code == 0
    assert outcome.stdout.splitlines()[1].split("\t")[0] == "a"


@pytest.mark.parametrize("output", ["dense/2.txt", "dense/1.txt", "dense/deeper/x.txt"])
def test_no_output_becomes_a_part_of_an_input(parts, output):
    before = sorted(parts.rglob("*"))

    outcome = run_command(["eval", "qrels", "dense", "-m", "AP", "-o", output])

    assert outcome.code == 2
    assert "the output would" in outcome.stderr
    assert sorted(parts.rglob("*")) == before


@pytest.mark.parametrize("path", ["missing/*", "empty", "dense/0.txt + missing.txt"])
@pytest.mark.parametrize(
    "command", [["eval", "qrels"], ["diff", "qrels", "bm25"], ["check", "qrels"]]
)
def test_what_is_missing_is_an_error_that_names_it(parts, command, path):
    (parts / "empty").mkdir()

    outcome = run_command([*command, path])

    assert outcome.code == 2
    assert path.rpartition(" ")[2] in outcome.stdout + outcome.stderr


def test_a_damaged_part_leaves_nothing_half_written(parts):
    (parts / "dense/2.txt").write_text("302 Q0 x 1 nan dense\n")

    outcome = run_command(["convert", "dense", "out.parquet"])

    assert outcome.code == 2
    assert "dense/2.txt:1" in outcome.stderr
    assert not (parts / "out.parquet").exists()


@pytest.mark.parametrize("command", ["measures", "convert", "check"])
def test_other_commands_refuse_the_options(command):
    outcome = run_command([command, "--run-parts", "a"])

    assert outcome.code == 2
    assert "--run-parts" in outcome.stderr
