"""Batches of rankings give bit for bit what one call gives, in any order, from anywhere."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import rankeval
from rankeval import AP, Evaluator, Run, nDCG

pl = pytest.importorskip("polars")

TOPICS, DEPTH, SIZE = 60, 100, 6
MEASURES = [nDCG @ 10, AP, "R@100", "Bpref", "RR"]
RNG = np.random.default_rng(34)
QRELS = {
    topic: {int(d): int(RNG.integers(0, 4)) for d in RNG.choice(300, 50, replace=False)}
    for topic in range(TOPICS)
}
IDS = np.stack([RNG.permutation(300)[:DEPTH] for _ in range(TOPICS)])
SCORES = RNG.integers(0, 40, (TOPICS, DEPTH)) / 8  # with equal scores
QIDS = np.arange(TOPICS)
SLICES = [slice(start, start + SIZE) for start in range(0, TOPICS, SIZE)]


def exact(results):
    """All numbers of results, as they are."""
    return {
        (run, measure): (score.hex(), {t: v.hex() for t, v in score.per_topic.items()})
        for run, scores in results.items()
        for measure, score in scores.items()
    }


@pytest.fixture(scope="module")
def expected():
    return exact(Evaluator(QRELS, MEASURES).evaluate(Run.from_topk(IDS, SCORES, topics=QIDS)))


def evaluator():
    return Evaluator(QRELS, MEASURES)


def added(found, part):
    return found.update(IDS[part], SCORES[part], topics=QIDS[part])


@pytest.mark.parametrize("order", [1, -1])
def test_batches_give_the_same_in_any_order(expected, order):
    found = evaluator()
    for part in SLICES[::order]:
        added(found, part)

    assert exact(found.compute()) == expected
    assert exact(found.compute()) == expected
    found.reset()
    assert added(found, SLICES[0]).compute()["run", "AP"].hex() != expected["run", "AP"][0]


def test_threads_and_processes_give_the_same(expected):
    found = evaluator()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda part: added(found, part), SLICES[::2]))
    found = pickle.loads(pickle.dumps(found))
    for part in SLICES[1::2]:
        added(found, part)

    assert exact(found.compute()) == expected


FORMS = {
    "one topic": lambda f: [
        f.update(IDS[i].tolist(), SCORES[i].tolist(), topics=i) for i in range(TOPICS)
    ],
    "names": lambda f: [f.update(IDS[p].astype(str), SCORES[p], topics=QIDS[p]) for p in SLICES],
    "lists": lambda f: [f.update(IDS.tolist(), SCORES.tolist(), topics=[*map(str, range(TOPICS))])],
    "a mapping": lambda f: f.update(mapping()),
    "pandas": lambda f: f.update(pd.DataFrame(columns())),
    "polars": lambda f: f.update(pl.DataFrame(columns())),
    "pyarrow": lambda f: f.update(pa.table(columns())),
    "a Run": lambda f: f.update(Run(mapping())),
    "both": lambda f: (
        f.update({t: r for t, r in mapping().items() if t >= SIZE}),
        added(f, SLICES[0]),
    ),
}


def mapping():
    return {
        topic: dict(zip(ids.tolist(), scores.tolist(), strict=True))
        for topic, (ids, scores) in enumerate(zip(IDS, SCORES, strict=True))
    }


def columns():
    return {
        "topic": np.repeat(QIDS, DEPTH).astype(str),
        "docno": IDS.ravel().astype(str),
        "score": SCORES.ravel(),
    }


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_batch_gives_the_same(expected, form):
    found = evaluator()
    FORMS[form](found)

    assert exact(found.compute()) == expected


def test_a_batch_with_a_topic_that_is_there_is_refused_whole(expected):
    found = evaluator()
    added(found, SLICES[0])
    with pytest.raises(rankeval.UsageError, match="topic '5' was added before"):
        found.update(IDS[::-1], SCORES[::-1], topics=QIDS[::-1])

    for part in SLICES[1:]:
        added(found, part)
    assert exact(found.compute()) == expected


def test_a_topic_without_documents_is_one_of_the_run():
    found = Evaluator({"1": {"a": 1}, "2": {"a": 1}}, "AP", topics="both")
    found.update([["a"]], topics=["1"])
    found.update({"2": {}})

    assert found.compute()["run", "AP"] == 0.5
