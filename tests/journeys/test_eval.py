"""`rankeval eval` over 300,000 judgments, read and written in every format."""

import numpy as np
import pytest

from tests.support.journey_files import EXPECTED, JUDGED, MEASURES, N_TOPICS, UNRUN
from tests.support.journeys import ran

NAMES = MEASURES.split()
EXACT = 1e-12


def agree(run, collection, expected, names=NAMES):
    """All values of all topics are the peer's, and so are the means."""
    topics = list(collection.qrels)
    for name, theirs in zip(names, EXPECTED, strict=True):
        found = run["measures"][name]
        assert found["per_topic"].keys() == set(topics)
        ours = np.array([found["per_topic"][topic] for topic in topics])
        np.testing.assert_allclose(ours, expected[theirs], rtol=0, atol=EXACT, err_msg=name)
        total = expected[theirs].sum() if name == "NumRet" else expected[theirs].mean()
        assert found["mean"] == pytest.approx(total, abs=EXACT)


@pytest.mark.parametrize(
    ("qrels", "run", "name"),
    [
        ("qrels.trec", "large.run", "large"),
        ("qrels.parquet", "large.run.gz", "large"),
        ("qrels.arrow", "large.run.zst", "large"),
        ("qrels.trec", "large.parquet", "large"),
        ("qrels.jsonl", "baseline.jsonl", "baseline"),
        ("qrels.parquet", "baseline.arrow", "baseline"),
        ("qrels.arrow", "baseline.parquet", "baseline"),
    ],
)
def test_values_of_every_topic_are_trec_evals(collection, qrels, run, name):
    done = ran(collection.folder, "eval", qrels, run, "-q", "-f", "json", "-m", MEASURES)

    assert done.json["qrels"]["judgments"] == N_TOPICS * JUDGED
    agree(done.json["runs"][0], collection, collection.expected(name))
    assert f"lacks {UNRUN} of {N_TOPICS:,} judged topics" in done.err


def test_judgments_and_a_run_come_through_a_pipe(collection):
    text = (collection.folder / "qrels.trec").read_bytes()
    words = ("eval", "-", "baseline.run", "-q", "-f", "json", "-m", MEASURES)

    done = ran(collection.folder, *words, stdin=text)

    agree(done.json["runs"][0], collection, collection.expected("baseline"))
    packed = (collection.folder / "large.run.gz").read_bytes()
    words = ("eval", "qrels.trec", "-", "-q", "-f", "json", "-m", MEASURES)
    done = ran(collection.folder, *words, stdin=packed)
    agree(done.json["runs"][0], collection, collection.expected("large"))
