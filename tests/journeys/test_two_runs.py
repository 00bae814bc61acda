"""gate and explain over 300,000 judgments, against trec_eval's code."""

import json

import pytest

from tests.support.journey_files import N_TOPICS
from tests.support.journeys import ran

CLOSE = 1e-9


@pytest.fixture(scope="module")
def values(collection):
    """AP of both runs, by topic."""
    return [collection.expected(name)["map"] for name in ("baseline", "candidate")]


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
