"""Names of runs on the command line."""

import json

import pytest

QRELS = "1 0 a 1\n"
RUN = "1 Q0 a 1 2 {tag}\n1 Q0 b 2 1 {tag}\n"


@pytest.fixture
def files(shell):
    shell.write(qrels=QRELS)
    for folder in "one", "two":
        shell.path(folder).mkdir()
        shell.path(f"{folder}/bm25.run").write_text(RUN.format(tag="Anserini"))
    shell.path("k=1.run").write_text(RUN.format(tag="k1"))
    return shell


def names(files, *arguments):
    printed = json.loads(files("eval", "qrels.txt", *arguments, "-m", "AP", "-f", "json").out)
    return [run["name"] for run in printed["runs"]]


def test_name_equals_file_names_a_run_and_a_file_that_exists_is_one(files):
    assert names(files, "BM25=one/bm25.run", "k=1.run") == ["BM25", "k1"]
    assert names(files, "a=k=1.run", "two/bm25.run") == ["a", "Anserini"]


def test_a_rule_names_the_others(files):
    runs = ["one/bm25.run", "two/bm25.run", "x=k=1.run"]

    assert names(files, *runs) == ["one/bm25", "two/bm25", "x"]
    assert names(files, *runs, "--run-names", "path") == ["one/bm25.run", "two/bm25.run", "x"]
    assert names(files, "k=1.run", "--run-names", "stem") == ["k=1"]


@pytest.mark.parametrize("command", ["eval", "compare", "diff"])
def test_commands_show_the_names(files, command):
    told = files(command, "qrels.txt", "before=one/bm25.run", "after=two/bm25.run", "-m", "AP")

    assert told.code == 0
    assert "before" in told.out
    assert "after" in told.out


def test_a_missing_file_is_named_without_the_name_of_the_run(files):
    told = files("eval", "qrels.txt", "a=gone.run")

    assert told.code == 2
    assert told.err.startswith("rankeval: gone.run: no such file")


def test_two_runs_of_one_name_are_refused(files):
    told = files("eval", "qrels.txt", "a=one/bm25.run", "a=two/bm25.run")

    assert told.code == 2
    assert "2 runs are named 'a'" in told.err


def test_an_output_is_not_written_over_a_named_run(files):
    told = files("eval", "qrels.txt", "a=one/bm25.run", "-o", "one/bm25.run", "-f", "table")

    assert told.code == 2
    assert "overwrite" in told.err


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_markdown_and_latex_hold_no_path(files, form):
    qrels = files.path("qrels.txt")

    told = files("eval", qrels, "one/bm25.run", "two/bm25.run", "-f", form).out

    assert str(qrels.parent) not in told
    assert ".run" not in told
    assert "qrels.txt" in told
