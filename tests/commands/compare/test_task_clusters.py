"""Topics in clusters: tests are over the means of clusters, as SciPy computes them."""

import json
from random import Random

import pytest
from scipy.stats import ttest_rel

import rankeval
from tests.support.files import qrels_of, run_of
from tests.support.fused import random_qrels

RANDOM = Random(7)
QRELS = random_qrels(RANDOM, topics=24, documents=8)
RUNS = [
    {topic: {docno: RANDOM.random() for docno in QRELS[topic]} for topic in QRELS} for _ in "ab"
]
CLUSTERS = {topic: f"c{i // 3}" for i, topic in enumerate(sorted(QRELS)) if i < 20}


def means_of_clusters(run):
    """The mean of each cluster, and the value of each topic without one."""
    found = {}
    values = rankeval.evaluate(QRELS, run, "nDCG")["nDCG"].per_topic
    for topic, value in values.items():
        found.setdefault(CLUSTERS.get(topic, ("alone", topic)), []).append(value)
    return [sum(values) / len(values) for values in found.values()]


def test_the_test_is_that_of_the_means_of_clusters():
    (pair,) = rankeval.compare(QRELS, *RUNS, "nDCG", clusters=CLUSTERS).pairs

    before, after = map(means_of_clusters, RUNS)
    expected = ttest_rel(after, before)
    assert pair.summary.n_topics == len(before) == 11
    assert pair.p_raw == pytest.approx(expected.pvalue, rel=1e-10)
    low, high = expected.confidence_interval(0.95)
    assert (pair.interval.low, pair.interval.high) == pytest.approx((low, high), rel=1e-10)


def test_clusters_of_one_topic_each_change_nothing():
    alone = {topic: topic for topic in QRELS}

    (whole,) = rankeval.compare(QRELS, *RUNS, "nDCG AP@3").pairs[:1]
    (clustered,) = rankeval.compare(QRELS, *RUNS, "nDCG AP@3", clusters=alone).pairs[:1]

    assert (clustered.p_raw, clustered.summary) == (whole.p_raw, whole.summary)


def test_the_command_takes_a_file_and_counts_clusters(shell):
    shell.write(
        qrels=qrels_of(q1="a1 b0", q2="a1", q3="a1"),
        old=run_of("old", q1="b a", q2="a", q3="b a"),
        new=run_of("new", q1="a b", q2="b a", q3="a"),
        clusters="q1\tsame\nq2\tsame\nq3\tother\n",
    )
    given = ("compare", "qrels.txt", "old.txt", "new.txt", "-m", "AP")

    outcome = shell(*given, "--with", "clusters=clusters.txt")
    document = json.loads(shell(*given, "--with", "clusters=clusters.txt", "-f", "json").out)

    assert outcome.code == 0
    assert "AP (2 clusters)" in outcome.out
    assert document["unit"] == "cluster"


def test_clusters_of_other_topics_are_refused():
    with pytest.raises(rankeval.RankevalError, match="no evaluated topic"):
        rankeval.compare(QRELS, *RUNS, "nDCG", clusters={"nowhere": "a"})
