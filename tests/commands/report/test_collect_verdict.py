"""The first sentences of a report, against scipy on the same values."""

import numpy as np
import pytest
import scipy.stats

import rankeval
from rankeval.commands.report import collect
from rankeval.commands.report.collect import report
from rankeval.evaluation.run_names import RunNames

TOPICS = [str(topic) for topic in range(12)]
QRELS = {topic: {"a": 1, "b": 0, "c": 0, "d": 0} for topic in TOPICS}


def run_with_ranks(*ranks):
    """Return a run with the relevant document at these ranks, over and over."""
    return {
        topic: dict.fromkeys("bcd", 2.0) | {"a": 2.5 - rank}
        for topic, rank in zip(TOPICS, np.resize(ranks, len(TOPICS)).tolist(), strict=True)
    }


FIRST = run_with_ranks(0)
LAST = run_with_ranks(1)
NEARLY = run_with_ranks(*[0] * 11, 1)


@pytest.fixture(autouse=True)
def undrawn(monkeypatch):
    monkeypatch.setattr(collect, "pictures", lambda *_: ())


def sentences(runs, names, measure="RR"):
    return report(QRELS, runs, measure, run_names=RunNames("tag", names)).verdict


def values(run):
    return rankeval.evaluate(QRELS, [run], "RR").runs[0].scores[0].values


def test_the_leader_is_named_with_its_difference_from_the_baseline_and_who_is_close():
    said = sentences([LAST, FIRST, NEARLY], ["last", "first", "nearly"])

    ahead = values(FIRST) - values(NEARLY)
    assert scipy.stats.ttest_1samp(ahead, 0.0).pvalue > 0.05
    assert said[0].startswith("first leads: RR 1.0000, +0.7500")
    assert said[0].endswith(" over last.")
    assert said[1].startswith(
        f"first does not differ significantly from nearly (+{ahead.mean():.4f} [-"
    )


def test_the_ends_are_those_of_the_leader_minus_the_other_run():
    """Two intervals hold together, and the one of two runs by itself is scipy's."""
    (_, close) = sentences([FIRST, NEARLY], ["first", "nearly"])

    interval = scipy.stats.ttest_rel(values(FIRST), values(NEARLY)).confidence_interval(0.95)
    assert f"[{interval.low:+.4f}, {interval.high:+.4f}]" in close


def test_a_baseline_that_leads_is_said_to():
    said = sentences([FIRST, run_with_ranks(1, 1, 0)], ["first", "other"])

    assert said == (
        "first, the baseline, leads: RR 1.0000.",
        "first differs significantly from every other run.",
    )


def test_equal_values_are_shared():
    said = sentences([LAST, FIRST, FIRST], ["last", "one", "two"])

    assert said[0] == "one and two share the best value: RR 1.0000."
    assert "one does not differ significantly from two (+0.0000" in said[1]


def test_a_single_run_has_its_value():
    assert sentences([NEARLY], ["nearly"]) == ("nearly: RR 0.9375.",)
