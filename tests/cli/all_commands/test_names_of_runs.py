"""Names of runs on the command line."""

import json

import pytest

from tests.support.files import ANSWERS

QRELS = "1 0 a 1\n"
RUN = "1 Q0 a 1 2 {tag}\n1 Q0 b 2 1 {tag}\n"


@pytest.fixture
def files(shell):
    shell.write(qrels=QRELS)
    for folder in "one", "two":
        shell.path(folder).mkdir()
        shell.path(f"{folder}/bm25.run").write_text(RUN.format(tag="Anserini"))
        shell.path(f"answers/{folder}").mkdir(parents=True)
        shell.path(f"answers/{folder}/bm25.run").write_text(ANSWERS)
    shell.path("k=1.run").write_text(RUN.format(tag="k1"))
    return shell


def names(files, *arguments):
    printed = json.loads(files("eval", "qrels.txt", *arguments, "-m", "AP", "-f", "json").out)
    return [run["name"] for run in printed["runs"]]


@pytest.mark.parametrize(
    ("argument", "name"),
    [("BM25 k1=one/bm25.run", "BM25 k1"), ("k=1.run", "k1"), ("k=-", "k")],
)
def test_a_name_ends_at_the_first_sign_unless_a_file_has_the_whole(files, argument, name):
    stdin = RUN.format(tag="piped").encode()

    outcome = files("eval", "qrels.txt", argument, "-m", "AP", "-f", "json", stdin=stdin)

    assert [run["name"] for run in json.loads(outcome.out)["runs"]] == [name]


def test_a_rule_names_the_others(files):
    runs = ["one/bm25.run", "two/bm25.run", "x=k=1.run"]

    assert names(files, *runs) == ["one/bm25.run", "two/bm25.run", "x"]
    assert names(files, "one/bm25.run", "--run-names", "path") == ["one/bm25.run"]
    assert names(files, "k=1.run", "--run-names", "stem") == ["k=1"]


def test_two_runs_of_one_name_are_refused(files):
    told = files("eval", "qrels.txt", "a=one/bm25.run", "a=two/bm25.run")

    assert told.code == 2
    assert "2 runs are named 'a'" in told.err
