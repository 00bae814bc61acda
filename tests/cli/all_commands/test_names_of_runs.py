"""Names of runs on the command line."""

import json

import pytest

from rankeval.cli.options.file_options import RunFile
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


def test_name_equals_file_names_a_run_and_a_file_that_exists_is_one(files):
    assert names(files, "BM25=one/bm25.run", "k=1.run") == ["BM25", "k1"]
    assert names(files, "a=k=1.run", "two/bm25.run") == ["a", "Anserini"]


@pytest.mark.parametrize(
    ("argument", "name"),
    [
        ("BM25 k1=0.9=one/bm25.run", "BM25 k1=0.9"),
        ("k1=0.9 b=0.4=k=1.run", "k1=0.9 b=0.4"),
        ("a=b=k=1.run", "a=b"),
        ("castorini/bm25 k=2=one/bm25.run", "castorini/bm25 k=2"),
        ("k=2=one", "k=2"),  # a folder
        ("k=2=o*/bm25.run", "k=2"),
        ("k=2=-", "k=2"),
        ("year=2020/k=1.run", "k1"),
        ("x=year=2020/k=1.run", "x"),
    ],
)
def test_a_name_ends_at_the_sign_behind_which_an_existing_file_stands(files, argument, name):
    files.path("year=2020").mkdir()
    files.path("year=2020/k=1.run").write_text(RUN.format(tag="k1"))
    stdin = RUN.format(tag="piped").encode()

    outcome = files("eval", "qrels.txt", argument, "-m", "AP", "-f", "json", stdin=stdin)

    assert [run["name"] for run in json.loads(outcome.out)["runs"]] == [name]


def test_a_name_may_have_equals_before_an_address():
    address = "https://example.org/a.run?k=1"

    assert RunFile.from_argument(f"k=0.9={address}") == RunFile(address, "k=0.9")
    assert RunFile.from_argument(address) == RunFile(address)


def test_a_rule_names_the_others(files):
    runs = ["one/bm25.run", "two/bm25.run", "x=k=1.run"]

    assert names(files, *runs) == ["one/bm25", "two/bm25", "x"]
    assert names(files, *runs, "--run-names", "path") == ["one/bm25.run", "two/bm25.run", "x"]
    assert names(files, "k=1.run", "--run-names", "stem") == ["k=1"]


RUNS = ["one/bm25.run", "two/bm25.run"]
ANSWERED = [f"answers/{run}" for run in RUNS]
NAMED = {
    "eval": ["eval", "qrels.txt", *RUNS, "-m", "AP"],
    "compare": ["compare", "qrels.txt", *RUNS, "-m", "AP"],
    "diff": ["diff", "qrels.txt", *RUNS, "-m", "AP"],
    "gate": ["gate", "qrels.txt", *RUNS, "--max-drop", "AP=0.1"],
    "explain": ["explain", "qrels.txt", RUNS[0], "1", "-m", "AP"],
    "judges": ["judges", "qrels.txt", "qrels.txt", *RUNS, "-m", "AP", "-v"],
    "estimate": ["estimate", "qrels.txt", *RUNS, "--machine", "qrels.txt", "-m", "AP"],
    "systems": ["systems", "qrels.txt", *RUNS, "-m", "AP", "-v"],
    "topics": ["topics", "qrels.txt", *RUNS, "-m", "AP"],
    "nuggets": ["nuggets", *ANSWERED],
    "pool": ["pool", *RUNS, "--depth", "1", "--overlap"],
    "plot": ["plot", "box", "qrels.txt", *RUNS, "-m", "AP", "--data", "-"],
    "report": ["report", "qrels.txt", *RUNS, "-m", "AP", "-o", "-"],
}
"""Arguments of every command that shows runs by name."""


@pytest.mark.parametrize("arguments", NAMED.values(), ids=NAMED)
def test_commands_show_the_names(files, arguments):
    names = dict(zip([*RUNS, *ANSWERED], ["before", "after"] * 2, strict=True))

    told = files(*(f"{names[word]}={word}" if word in names else word for word in arguments))

    assert told.code == 0, told.err
    assert all(name in told.out for path, name in names.items() if path in arguments)


def test_a_saved_baseline_has_the_name_that_is_given(files):
    arguments = ["gate", "qrels.txt", "base.json", "new=one/bm25.run", "--max-drop", "AP=0.1"]
    files(*arguments, "--update-baseline")

    assert json.loads(files.path("base.json").read_text())["runs"][0]["name"] == "new"
    arguments[2:4] = ["old=base.json", "two/bm25.run"]
    assert "Anserini vs. baseline old, " in files(*arguments).out


def test_a_saved_baseline_and_a_candidate_of_one_tag_get_names_of_their_own(files):
    rule = ["--max-drop", "AP=0.1"]
    files("gate", "qrels.txt", "base.json", "one/bm25.run", *rule, "--update-baseline")

    told = files("gate", "qrels.txt", "base.json", "two/bm25.run", *rule)

    assert told.out.partition(": ")[2].startswith(
        "identical to the baseline: bm25 vs. baseline base,"
    )


def test_two_runs_of_one_name_are_refused(files):
    told = files("eval", "qrels.txt", "a=one/bm25.run", "a=two/bm25.run")

    assert told.code == 2
    assert "2 runs are named 'a'" in told.err


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_markdown_and_latex_hold_no_path(files, form):
    qrels = files.path("qrels.txt")

    told = files("eval", qrels, "one/bm25.run", "two/bm25.run", "-f", form).out

    assert str(qrels.parent) not in told
    assert ".run" not in told
    assert "qrels.txt" in told
