"""`rankeval eval --baseline`, and captions and labels of LaTeX tables."""

import gzip
import json
import re

import pytest

import rankeval
from tests.support.files import EXAMPLE_QRELS, EXAMPLE_RUNS
from tests.support.schemas import assert_valid_part

RUNS = {path.stem: path for path in EXAMPLE_RUNS}
CALL = ("eval", EXAMPLE_QRELS, RUNS["bm25"], RUNS["lsa"], RUNS["title"], "-m", "AP P@10 NumQ")


def cells(table):
    """The cells by run; a letter belongs to the number before it."""
    lines = (re.sub(r" (-?a)\b", r"\1", line) for line in table.split("\n\n")[0].splitlines()[2:])
    return {line.split()[0]: line.split()[1:] for line in lines}


def test_marks_are_those_of_compare(shell):
    told = shell(*CALL, "--baseline", RUNS["tfidf"])
    compared = rankeval.compare(
        *(str(EXAMPLE_QRELS), str(RUNS["tfidf"])),
        [str(RUNS[name]) for name in ("bm25", "lsa", "title")],
        "AP P@10",
    )

    rows = cells(told.out)
    assert list(rows) == ["tfidf", "bm25", "lsa", "title"]
    for pair in compared.pairs:
        shown = rows[pair.run][["AP", "P@10"].index(pair.measure)]
        sign = ("a" if pair.gain > 0 else "-a") if pair.p <= 0.05 else ""
        assert re.sub(r"[\d.*]", "", shown) == sign
    assert {shown for row in rows.values() for shown in row[2:]} == {"50"}  # counts have no test
    assert "than tfidf. Student's paired t test" in " ".join(told.out.split())
    assert "two-sided; Holm over 3 runs per measure" in " ".join(told.out.split())


def test_the_baseline_stands_once_and_sorting_moves_it(shell):
    told = shell(*CALL, "--baseline", RUNS["lsa"], "--sort", "AP")

    assert list(cells(told.out)) == ["lsa", "bm25", "title"]
    told = shell(*CALL, "--baseline", f"base={RUNS['title']}", "--sort", "AP")
    assert list(cells(told.out)) == ["lsa", "bm25", "base"]


def test_json_adds_the_comparisons(shell):
    plain = json.loads(shell(*CALL, "-f", "json").out)
    told = json.loads(shell(*CALL, "--baseline", RUNS["bm25"], "-f", "json").out)

    assert {name: told[name] for name in plain} == plain
    assert told["baseline"] == "bm25"
    assert [(one["run"], one["measure"]) for one in told["comparisons"]] == [
        (run, measure) for measure in ("AP", "P@10") for run in ("lsa", "title")
    ]
    assert_valid_part(told["method"], "rankeval-compare/1", "method")
    for one in told["comparisons"]:
        assert_valid_part(one, "rankeval-compare/1", "Pair")


def test_measures_that_are_not_averaged_have_no_test(shell):
    told = shell(*CALL[:-1], "NumQ", "--baseline", RUNS["lsa"])

    assert told.code == 2
    assert "no measure is averaged" in told.err


@pytest.mark.parametrize("command", ["eval", "compare", "plot"])
def test_the_baseline_may_be_the_tag_of_one_run(shell, tmp_path, command):
    """The file is 3.run.gz, and its tag is in every line."""
    lines = [line.rsplit(None, 1)[0] for line in RUNS["lsa"].read_text().splitlines()]
    text = "".join(f"{line} my-lsa\n" for line in lines)
    (tmp_path / "3.run.gz").write_bytes(gzip.compress(text.encode()))
    runs = [RUNS["bm25"], tmp_path / "3.run.gz"]
    words = {
        "eval": ["eval", EXAMPLE_QRELS, *runs, "--baseline", "my-lsa", "-f", "tsv"],
        "compare": ["compare", EXAMPLE_QRELS, "my-lsa", *runs, "-f", "tsv"],
        "plot": ["plot", "topics", EXAMPLE_QRELS, *runs, "--baseline", "my-lsa", "--data", "-"],
    }

    told = shell(*words[command])

    assert told.code == 0
    rows = [line.split("\t") for line in told.out.splitlines()]
    if command == "eval":
        assert list(dict.fromkeys(row[0] for row in rows[1:])) == ["my-lsa", "bm25"]
    else:
        assert {tuple(row[:2]) for row in rows[1:]} == {("my-lsa", "bm25")}


def test_a_tag_of_two_runs_names_neither(shell, tmp_path):
    for name in ("1.run", "2.run"):
        (tmp_path / name).write_text("q1 Q0 a 1 2.0 same\n")

    told = shell(
        "eval", EXAMPLE_QRELS, tmp_path / "1.run", tmp_path / "2.run", "--baseline", "same"
    )

    assert told.code == 2
    assert "same: no such file" in told.err.lower()
