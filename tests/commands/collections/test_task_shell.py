"""`--collections`: the systems on every collection of a file."""

import csv
import io
import json

import numpy as np
import pytest
import scipy.stats

from tests.support import collections as thirteen
from tests.support.schemas import assert_rows_of_csv, assert_valid

EVAL = ("eval", "--collections", "beir.toml")


@pytest.fixture
def beir(shell):
    thirteen.write(shell.directory)
    return shell


def macro(system):
    return np.mean([*of_collections(system).values()])


def of_collections(system):
    return {
        name: np.mean(list(thirteen.values(name, system, "nDCG@10").values()))
        for name in thirteen.EVERY
        if (name, system) != thirteen.MISSING
    }


def rows(text, delimiter="\t"):
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


def test_the_table_names_macro_means(beir):
    outcome = beir(*EVAL)
    lines = outcome.out.splitlines()

    assert outcome.code == 0
    assert lines[:2] == [
        "nDCG@10",
        "collection     bm25   dense  splade  rerank",
    ]
    line = next(one for one in lines if one.startswith("macro mean"))
    shown = [f"{macro(system):.4f}" for system in ("bm25", "splade", "rerank")]
    assert line.split()[-4:] == [shown[0], "-", shown[1], shown[2] + "*"]


def test_a_missing_run_is_shown_counted_and_warned_of(beir):
    outcome = beir(*EVAL)

    line = next(one for one in outcome.out.splitlines() if one.startswith("quora"))
    assert line.split()[2] == "-"
    told = "dense: collection quora has no run that can be read: runs/quora/dense*.run"
    assert f"rankeval: warning: {told}" in outcome.err


def test_documents_are_those_of_an_evaluation(beir):
    document = assert_valid(json.loads(beir(*EVAL, "-f", "json").out), "rankeval/1")

    assert_rows_of_csv(*(beir(*EVAL, "-f", form).out for form in ("jsonl", "csv")))
    measures = {run["name"]: run["measures"]["nDCG@10"] for run in document["runs"]}
    assert measures["bm25"]["mean"] == pytest.approx(macro("bm25"))
    assert measures["bm25"]["per_topic"] == pytest.approx(of_collections("bm25"))
    assert measures["dense"]["mean"] is measures["dense"]["per_topic"]["quora"] is None


def test_options_of_the_command_line_take_precedence(beir):
    found = rows(beir(*EVAL, "-m", "P@5 AP", "--depth", "5", "-f", "tsv", "--quiet").out)
    text = beir(*EVAL, "-m", "P@5", "--aggregate", "sum", "-f", "tsv").out

    assert {row["measure"] for row in found} == {"P@5", "AP"}
    assert {row["value"] for row in rows(text) if row["topic"] == "all"} == {""}


@pytest.mark.parametrize("name", ["qrels/nq.txt", "runs/nq/bm25.run", "beir.toml"])
def test_what_the_file_names_is_not_overwritten(beir, name):
    before = beir.path(name).read_text()

    outcome = beir(*EVAL, "-f", "json", "-o", name)

    assert (outcome.code, outcome.out) == (2, "")
    assert "would overwrite this input" in outcome.err
    assert beir.path(name).read_text() == before


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["qrels.txt"], "--collections and QRELS do not go together"),
        (["--with", "groups=beir.toml"], "and --with do not"),
        (["--sort", "AP"], "cannot sort by AP"),
    ],
)
def test_options_without_use_are_refused(beir, words, problem):
    outcome = beir(*EVAL, *words)

    assert (outcome.code, outcome.out) == (2, "")
    assert problem in outcome.err


COMPARE = ("compare", "--collections", "beir.toml")


def test_compare_takes_collections_for_topics(beir):
    document = json.loads(beir(*COMPARE, "--baseline", "dense", "-f", "json").out)
    found = {pair["run"]: pair for pair in document["comparisons"] if pair["measure"] == "nDCG@10"}

    assert [*found] == ["bm25", "splade", "rerank"]
    base = of_collections("dense")
    for system, pair in found.items():
        after = [of_collections(system)[name] for name in base]
        expected = scipy.stats.ttest_rel(after, [*base.values()])
        assert pair["p_raw"] == pytest.approx(expected.pvalue)
        assert pair["summary"]["n_topics"] == 12
        assert pair["summary"]["difference"] == pytest.approx(
            np.mean(after) - np.mean([*base.values()])
        )


def test_compare_shows_friedmans_and_nemenyis_test(beir):
    text, page = beir(*COMPARE).out, beir(*COMPARE, "-f", "html").out
    found = assert_valid(json.loads(beir(*COMPARE, "-f", "json").out))["ranks"]["nDCG@10"]
    values = np.array(
        [
            [value for name, value in of_collections(system).items() if name != "quora"]
            for system in thirteen.SYSTEMS
        ]
    ).T
    ranks = scipy.stats.rankdata(-values, axis=1)

    assert found["mean_ranks"] == pytest.approx(ranks.mean(axis=0))
    assert found["corrected"] == pytest.approx(scipy.stats.friedmanchisquare(*values.T).statistic)
    chi, n, k = found["corrected"], 12, 4
    assert found["f"] == pytest.approx((n - 1) * chi / (n * (k - 1) - chi))
    q = scipy.stats.studentized_range.ppf(0.95, k, np.inf) / np.sqrt(2)
    assert found["critical_difference"] == pytest.approx(q * np.sqrt(k * (k + 1) / (6 * n)))
    said = " ".join(text.split())
    assert "nDCG@10 over 12 collections: Friedman's test, F(3, 33) = " in said
    assert f"{found['critical_difference']:.3f}" in said
    assert "Friedman&#x27;s test" in page


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--collections", "beir.toml", "--baseline", "dens"), "perhaps dense"),
        (("q.txt", "a.run", "b.run", "--baseline", "dense"), "q.txt: no such file"),
    ],
)
def test_a_baseline_is_a_system_of_the_collections(beir, words, said):
    outcome = beir("compare", *words)

    assert outcome.code == 2
    assert said in outcome.err
