"""Judges, systems, topics, fusion, pools and nuggets at the size of real ones.

The collection has 300,000 judgments, and runs of up to a million lines. Each command is held to
scikit-learn, scipy or a plain reading of its definition.
"""

from statistics import mean

import numpy as np
import pytest

from tests.support.journey_files import N_TOPICS, UNRUN
from tests.support.journeys import measured, ran

RUNS = ["baseline.run", "candidate.run", "many00.run", "many01.run"]
MEGABYTE = 1 << 20


def test_systems_are_told_apart_as_scipy_says(collection):
    stats = pytest.importorskip("scipy.stats")
    words = ("systems", "qrels.trec", *RUNS, "-m", "AP P@10", "-f", "json")

    found = ran(collection.folder, *words).json

    names = [name.removesuffix(".run") for name in RUNS]
    ap, p_10 = (
        [collection.expected(name)[measure].mean() for name in names] for measure in ("map", "P_10")
    )
    pairs = [(i, j) for i in range(4) for j in range(i)]
    tau = mean(np.sign(ap[i] - ap[j]) * np.sign(p_10[i] - p_10[j]) for i, j in pairs)
    assert [one["tau"] for one in found["agreement"]] == pytest.approx([tau] * 2)
    assert [one["run"] for one in found["systems"]] == names * 2
    expected = [
        stats.ttest_rel(*(collection.expected(names[k])["map"] for k in (i, j))).pvalue
        for i, j in pairs
    ]
    assert found["discriminative"]["AP"] == np.mean(np.array(expected) < 0.05)


def ranking(scores):
    """Documents by score, ties by docno, both descending."""
    return sorted(scores, key=lambda docno: (scores[docno], docno), reverse=True)


def test_fusion_of_a_million_lines_is_that_of_a_plain_loop(collection):
    names = ["large", "baseline", "candidate"]
    words = ("fuse", *(f"{name}.run" for name in names), "-o", "fused.run")

    done = measured(collection.folder, *words)

    runs = [collection.run(name) for name in names]
    found = {}
    with (collection.folder / "fused.run").open() as lines:
        for line in lines:
            topic, _, docno, rank, score, _ = line.split()
            found.setdefault(topic, []).append((docno, int(rank), float(score)))
    assert found.keys() == runs[0].keys()
    for topic in [*found][:: len(found) // 50]:
        worth = {}
        for run in runs:
            for rank, docno in enumerate(ranking(run[topic]), 1):
                worth.setdefault(docno, []).append(1 / (60 + rank))
        fused = {docno: sum(sorted(some)) for docno, some in worth.items()}
        expected = [(docno, i, fused[docno]) for i, docno in enumerate(ranking(fused), 1)]
        assert found[topic] == expected
    assert done.memory < 600 * MEGABYTE


def test_tuned_fusion_has_the_held_out_value_that_it_prints(collection):
    words = ["baseline.run", "candidate.run", "--method", "wsum"]
    words += ["--tune", "qrels.trec", "-m", "AP"]

    done = ran(collection.folder, "fuse", *words, "-o", "tuned.run")

    ours = ran(collection.folder, "eval", "qrels.trec", "tuned.run", "-m", "AP", "-f", "json")
    mean_ap = ours.json["runs"][0]["measures"]["AP"]["mean"]
    assert f"chosen without it: {mean_ap:.4f} (usual" in " ".join(done.out.split())
    assert "held-out" in done.out
    assert f"{N_TOPICS:,} topics" in done.out
    assert f"lacks {UNRUN} of {N_TOPICS:,} judged topics" in ours.err


def test_a_pool_of_a_million_lines_has_the_first_documents_of_each_run(collection):
    names = ["large", "baseline"]
    words = ("pool", *(f"{name}.run" for name in names), "--depth", "10", "--judged", "qrels.trec")

    lines = ran(collection.folder, *words).out.splitlines()

    runs = [collection.run(name) for name in names]
    expected = {
        (topic, docno)
        for run in runs
        for topic, scores in run.items()
        for docno in ranking(scores)[:10]
        if docno not in collection.qrels.get(topic, {})
    }
    assert len(lines) == len(expected)
    assert {tuple(line.split()[:3:2]) for line in lines} == expected
    assert {tuple(line.split()[1::2]) for line in lines} == {("0", "-1")}
