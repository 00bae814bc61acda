"""Fused runs: published formulas, any format in and out, the same whether held or streamed."""

from random import Random

import pytest

import rankeval
from rankeval.errors import InputError, UsageError
from tests.support.files import EXAMPLES
from tests.support.fused import random_runs, ranking

BM25, LSA = EXAMPLES / "runs" / "bm25.run", EXAMPLES / "runs" / "lsa.run"


def rankings(run):
    """The lines of a fused run as {topic: [(docno, score)]}, in their order."""
    return {topic: [*scores.items()] for topic, scores in run.items()}


def plain_rrf(runs, k=60):
    """Reciprocal rank fusion, document by document."""
    fused = {}
    for topic in {topic for run in runs for topic in run}:
        scores = {}
        for run in runs:
            for rank, docno in enumerate(ranking(run.get(topic, {})), 1):
                scores.setdefault(docno, []).append(1 / (k + rank))
        summed = {docno: sum(sorted(worth)) for docno, worth in scores.items()}
        if summed:
            fused[topic] = [(docno, summed[docno]) for docno in ranking(summed)]
    return fused


def as_trec(run, topics=None):
    return "".join(
        f"{topic} Q0 {docno} 0 {run[topic][docno]} x\n"
        for topic in topics or run
        for docno in run[topic]
    )


def test_the_figures_of_the_examples():
    """Computed apart from rankeval, from the files and the published formulas."""
    rrf = dict(rankings(rankeval.fuse([BM25, LSA]))["1"])
    mnz = dict(rankings(rankeval.fuse([BM25, LSA], "combmnz"))["1"])

    assert rrf["try.5"] == pytest.approx(0.0312576, abs=5e-8)
    assert rrf["raise.4"] == pytest.approx(0.0294624, abs=5e-8)
    assert mnz["try.5"] == pytest.approx(3.10289, abs=5e-6)


def test_reciprocal_rank_fusion_is_that_of_a_plain_loop():
    runs = random_runs(Random(3), runs=4, topics=20, documents=15)
    del runs[0]["q3"], runs[2]["q3"], runs[1]["q7"]

    assert rankings(rankeval.fuse(runs, k=10)) == plain_rrf(runs, k=10)


@pytest.mark.parametrize("method", ["rrf", "combsum", "combmnz", "isr", "borda", "rbc", "combmed"])
def test_the_order_of_the_runs_changes_nothing(method):
    runs = random_runs(Random(method), runs=5, topics=20, documents=9)

    forwards = rankings(rankeval.fuse(runs, method))

    assert rankings(rankeval.fuse(runs[::-1], method)) == forwards


def test_equal_scores_are_ordered_by_the_rule_for_ties_and_fused_ones_by_docno_descending():
    runs = [{"q": {"a": 1.0, "b": 1.0}}, {"q": {"a": 2.0, "b": 2.0}}]
    turned = [{"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 2.0, "a": 1.0}}]

    assert [*rankeval.fuse(runs)["q"]] == ["b", "a"]
    assert [*rankeval.fuse(runs, ties="input")["q"]] == ["a", "b"]
    assert [*rankeval.fuse(turned)["q"]] == ["b", "a"]


@pytest.mark.parametrize("scattered", [(), (1,), (0, 2), (0, 1, 2)])
def test_large_files_are_fused_as_small_ones_are(tmp_path, usual_sizes, scattered):
    """Blocks of a few lines, topics in other orders, topics that one run lacks."""
    usual_sizes(block_bytes=100)
    rng = Random(5)
    runs = random_runs(rng, runs=3, topics=60, documents=30)
    del runs[0]["q5"], runs[1]["q7"], runs[1]["q59"], runs[2]["q0"]
    paths = [tmp_path / f"{i}.run" for i in range(3)]
    for path, run in zip(paths, runs, strict=True):
        lines = as_trec(run, rng.sample(list(run), len(run))).splitlines(keepends=True)
        path.write_text(
            "".join(rng.sample(lines, len(lines)) if path.stem in map(str, scattered) else lines)
        )

    assert rankings(rankeval.fuse(paths)) == plain_rrf(runs)


@pytest.mark.parametrize(
    ("scores", "method", "options"),
    [
        ({"a": 1e308, "b": 1.0}, "combsum", {"norm": "none"}),
        ({"a": 2.0, "b": 1.0}, "wmnz", {"weights": [1e308, 1e308]}),
        # Their difference, or its square, is larger than any double; it must not become 0 or 1.
        ({"a": 1e308, "b": -1e308}, "combsum", {"norm": "min-max"}),
        ({"a": 1e308, "b": -1e308}, "combsum", {"norm": "sum"}),
        ({"a": 1e308, "b": -1e308}, "combsum", {"norm": "z-score"}),
    ],
)
def test_numbers_that_are_too_large_are_refused(scores, method, options):
    with pytest.raises(InputError, match="too large to be normalised and added"):
        rankeval.fuse([{"q": scores}] * 2, method, **options)


@pytest.mark.parametrize(
    ("method", "options", "problem"),
    [
        ("combmns", {}, "method cannot be 'combmns'"),
        ("rrf", {"norm": "max"}, "the method rrf does not use norm"),
        ("rrf", {"phi": 0.5}, "the method rrf does not use phi"),
        ("rrf", {"k": -1}, "rrf of 2 runs: k cannot be -1"),
        ("rrf", {"k": float("inf")}, "k cannot be inf"),
        ("rbc", {"phi": 1}, "phi cannot be 1"),
        ("logn-isr", {"sigma": 1.5}, "sigma cannot be 1.5"),
        ("combgmnz", {"gamma": float("nan")}, "expected: a number from 0 to 100"),
        ("combsum", {"norm": "zmuv"}, "norm cannot be zmuv"),
        ("combsum", {"weights": [1, 1]}, "does not use weights"),
        ("wsum", {}, "wsum of 2 runs: weights cannot be none"),
        ("wsum", {"weights": [1]}, "wsum of 2 runs: weights cannot be 1"),
        ("wsum", {"weights": [1, float("nan")]}, "weights cannot be 1,nan"),
        ("rrf", {"ties": "best"}, "ties cannot be 'best'"),
        ("rrf", {"depth": 0}, "a depth of 0 keeps nothing"),
    ],
)
def test_options_that_make_no_sense_are_refused(method, options, problem):
    runs = [{"q": {"a": 1.0}}, {"q": {"b": 1.0}}]

    with pytest.raises(UsageError, match=problem):
        rankeval.fuse(runs, method, **options)


def test_one_run_cannot_be_fused():
    with pytest.raises(UsageError, match="there is 1 run to fuse"):
        rankeval.fuse([BM25])
