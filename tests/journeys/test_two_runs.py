"""compare, diff, gate and explain over 300,000 judgments, against scipy and trec_eval's code."""

import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from scipy import stats

from tests.support.journey_files import N_TOPICS
from tests.support.journeys import ran

BOTH = ("qrels.trec", "baseline.run", "candidate.run")
CLOSE = 1e-9
PEERS = {
    "t": lambda a, b: stats.ttest_rel(b, a).pvalue,
    "wilcoxon": lambda a, b: stats.wilcoxon(b, a, zero_method="wilcox", correction=False).pvalue,
    "sign": lambda a, b: stats.binomtest(int((b > a).sum()), int((b != a).sum())).pvalue,
}


@pytest.fixture(scope="module")
def values(collection):
    """AP of both runs, by topic."""
    return [collection.expected(name)["map"] for name in ("baseline", "candidate")]


@pytest.mark.parametrize("test", PEERS)
def test_a_comparison_is_scipys(test, collection, values):
    words = ("-m", "AP", "--test", test, "--correction", "none", "-f", "json")
    done = ran(collection.folder, "compare", *BOTH, *words)

    (found,) = done.json["comparisons"]
    a, b = values
    assert found["summary"]["difference"] == pytest.approx((b - a).mean(), abs=CLOSE)
    assert found["summary"]["wins"] == np.count_nonzero(b > a)
    assert found["p"] == pytest.approx(PEERS[test](a, b), rel=1e-4)


def test_a_difference_names_the_topics_that_moved_most(collection, values):
    words = ("-m", "AP", "--rows", "10", "-f", "json")
    done = ran(collection.folder, "diff", *BOTH, *words)

    a, b = values
    by_topic = dict(zip(collection.qrels, zip(a, b, strict=True), strict=True))
    largest = -np.sort(-np.abs(b - a))
    (measured,) = done.json["measures"]
    assert measured["topics"]
    for place, topic in enumerate(measured["topics"]):
        before, after = by_topic[topic["topic"]]
        assert (topic["a"], topic["b"]) == pytest.approx((before, after), abs=CLOSE)
        assert abs(topic["difference"]) == pytest.approx(largest[place], abs=CLOSE)


def test_a_gate_says_whether_the_mean_dropped(collection, values, tmp_path):
    a, b = values
    assert a.mean() != b.mean()
    worse, better = (BOTH[1:], BOTH[:0:-1]) if b.mean() < a.mean() else (BOTH[:0:-1], BOTH[1:])
    drop = abs(a.mean() - b.mean())
    reports = ("--junit", tmp_path / "gate.xml", "--json", tmp_path / "gate.json")
    rule = ("--max-drop", f"AP={drop / 2:.9f}", *reports)

    ran(collection.folder, "gate", "qrels.trec", *better, *rule)
    assert json.loads((tmp_path / "gate.json").read_text())["passed"]
    ran(collection.folder, "gate", "qrels.trec", *worse, *rule, code=1)

    report = json.loads((tmp_path / "gate.json").read_text())
    assert not report["passed"]
    (rule_judged,) = report["suites"][0]["rules"]
    assert rule_judged["drop"] == pytest.approx(drop, abs=CLOSE)
    assert ET.parse(tmp_path / "gate.xml").getroot().findall(".//failure")


def test_a_gate_over_a_kept_baseline(collection, values, tmp_path):
    kept, report = tmp_path / "baseline.json", tmp_path / "gate.json"
    words = ("--max-drop", "AP=1", "--update-baseline")
    ran(collection.folder, "gate", "qrels.parquet", kept, "baseline.run", *words)
    a, b = values
    rules = ("--max-drop", "AP=0.5", "--policy", "shown-not-worse", "--max-topic-drop", "AP=1")

    ran(collection.folder, "gate", "qrels.jsonl", kept, "candidate.run", *rules, "--json", report)

    found = json.loads(report.read_text())["suites"][0]["rules"][0]
    assert (found["baseline"], found["candidate"]) == pytest.approx((a.mean(), b.mean()), abs=CLOSE)
    assert found["verdict"] == "not worse"


def test_an_explanation_is_the_value_of_the_topic(collection):
    topic = f"topic-{N_TOPICS - 1}"  # in the last block of each file
    done = ran(
        collection.folder, "explain", "qrels.trec", "large.run", topic, "-m", "AP RR", "-f", "json"
    )

    for found, theirs in zip(done.json["explanations"], ("map", "recip_rank"), strict=True):
        assert found["value"] == pytest.approx(collection.expected("large")[theirs][-1], abs=CLOSE)
        assert found["documents"][-1]["running"] == pytest.approx(found["value"], abs=CLOSE)
