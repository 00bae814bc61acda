import json

from tests.support.files import EXAMPLE_QRELS, EXAMPLE_RUNS


def test_all_topics_are_listed_with_q(shell):
    words = [*map(str, ["topics", EXAMPLE_QRELS, *EXAMPLE_RUNS])]

    assert "hardest topics" in shell(*words).out
    lines = shell(*words, "-q").out.splitlines()
    assert "the hardest first" in lines[0]
    assert sum(line[:1].isdigit() for line in lines) == 50


def test_further_measures_have_the_same_keys(shell):
    words = map(str, ["topics", EXAMPLE_QRELS, *EXAMPLE_RUNS, "-m", "AP RR", "-f", "json"])

    found = json.loads(shell(*words).out)

    assert set(found["further"][0]) == {
        *("measure", "loss", "compared", "difference", "turned", "topics")
    }
    assert found["compared"] == ["rrf", "lsa"]


def test_a_run_that_is_not_there_cannot_be_the_baseline(shell):
    outcome = shell(*map(str, ["topics", EXAMPLE_QRELS, *EXAMPLE_RUNS, "--baseline", "other"]))

    assert outcome.code == 2
    assert "no run is named 'other'" in outcome.err
