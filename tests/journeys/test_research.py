"""Judges, systems, topics, fusion, pools and nuggets at the size of real ones.

The collection has 300,000 judgments, and runs of up to a million lines. Each command is held to
scikit-learn, scipy or a plain reading of its definition.
"""

import json
import random
from statistics import mean

import numpy as np
import pytest

from tests.support.journey_files import N_TOPICS, UNRUN
from tests.support.journeys import measured, ran

PAIRS = 300_000
RUNS = ["baseline.run", "candidate.run", "many00.run", "many01.run"]
MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def second_judge(collection):
    """Other grades of the same documents, a third of them changed."""
    path = collection.folder / "other.qrels"
    drawn = random.Random(3)
    with path.open("w") as lines:
        for topic, grades in collection.qrels.items():
            for docno, grade in grades.items():
                other = drawn.randrange(4) if drawn.random() < 1 / 3 else grade
                lines.write(f"{topic} 0 {docno} {other}\n")
    return path.name


def grades_of(path):
    return {
        tuple(line.split()[:3:2]): int(line.split()[3]) for line in path.read_text().splitlines()
    }


def test_judges_agree_as_scikit_learn_says(collection, second_judge):
    metrics = pytest.importorskip("sklearn.metrics")

    done = measured(collection.folder, "judges", "qrels.trec", second_judge, "-f", "json")

    one = grades_of(collection.folder / "qrels.trec")
    other = grades_of(collection.folder / second_judge)
    first, second = ([grades[pair] for pair in one] for grades in (one, other))
    agreement = done.json["agreement"]
    assert done.json["both"] == len(first) > PAIRS
    assert agreement["raw"] == pytest.approx(np.mean(np.array(first) == second))
    for name, weights in (("plain", None), ("quadratic", "quadratic")):
        expected = metrics.cohen_kappa_score(first, second, weights=weights)
        assert agreement[f"kappa.{name}"] == pytest.approx(expected)


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


def test_topics_have_the_means_and_variances_of_their_values(collection):
    words = ("topics", "qrels.trec", *RUNS, "-f", "json")
    (found,) = ran(collection.folder, *words).json["measures"]

    values = np.array([collection.expected(name.removesuffix(".run"))["map"] for name in RUNS])
    expected = dict(
        zip(
            collection.qrels,
            zip(values.mean(axis=0), values.var(axis=0, ddof=1), strict=True),
            strict=True,
        )
    )
    assert len(found["topics"]) == N_TOPICS
    for facts in found["topics"]:
        values_of_topic = (facts["mean"], facts["variance"])
        assert values_of_topic == pytest.approx(expected[facts["topic"]], abs=1e-12)
    means = [facts["mean"] for facts in found["topics"]]
    assert means == sorted(means)


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


def test_nuggets_of_thirty_thousand_answers_are_those_of_a_plain_loop(collection):
    drawn = random.Random(5)
    worth = {"support": 1.0, "partial_support": 0.5, "not_support": 0.0}
    expected = {"vital_score": [], "strict_all_score": []}
    with (collection.folder / "answers.jsonl").open("w") as lines:
        for number in range(30_000):
            labels = [
                (drawn.choice(["vital", "okay"]), drawn.choice([*worth]))
                for _ in range(drawn.randrange(1, 15))
            ]
            nuggets = [{"importance": a, "assignment": b} for a, b in labels]
            lines.write(json.dumps({"qid": f"q{number}", "nuggets": nuggets}) + "\n")
            vital = [worth[b] for a, b in labels if a == "vital"]
            expected["vital_score"].append(mean(vital) if vital else 0.0)
            expected["strict_all_score"].append(mean(b == "support" for _, b in labels))

    found = ran(collection.folder, "nuggets", "answers.jsonl", "-f", "json").json["runs"][0]

    assert found["topics"] == 30_000
    for name, values in expected.items():
        assert found["measures"][name]["mean"] == pytest.approx(mean(values))
