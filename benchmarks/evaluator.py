"""CPU time of `rankeval.Evaluator` per call, beside pytrec_eval's reused evaluator.

    python -m benchmarks.evaluator [TURNS]

prints, for each number of topics and of judgments per topic, the ratio for the worse of `per_topic`
and `means`: its median over the turns, and that of the quickest turns. Both tools score the same
dictionaries of 100 documents a topic in turn, in this process. Lists of top 10 as integer arrays
stand beside pytrec_eval with dictionaries, and beside plain numpy code for nDCG@10.
"""

import gc
import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import pytrec_eval
from numpy.typing import NDArray

import rankeval

DEPTH = 100
CANONICAL = "AP nDCG@10 P@10 RR"
OF_TREC_EVAL = "map ndcg_cut_10 P_10 recip_rank"
OF_PYTREC_EVAL = {"map", "ndcg_cut.10", "P.10", "recip_rank"}
AT_MOST = {1: 5.0, 10: 1.0, 1_000: 0.6}
USERS, ITEMS, TOP = 20_000, 50_000, 10

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]
Call = Callable[[], object]


def collection(n_topics: int, n_judged: int) -> tuple[Qrels, Run]:
    """Judgments and a run in no order of scores; about half of the judged are retrieved."""
    random = np.random.default_rng(7)
    qrels: Qrels = {}
    run: Run = {}
    for topic in map(str, range(n_topics)):
        pool = [f"doc{n:07d}" for n in random.choice(10**7, DEPTH + n_judged, replace=False)]
        chosen = random.choice(DEPTH + n_judged, n_judged, replace=False).tolist()
        qrels[topic] = {pool[i]: int(random.integers(0, 3)) for i in chosen}
        run[topic] = dict(zip(pool[:DEPTH], random.random(DEPTH).tolist(), strict=True))
    return qrels, run


def cpu_time(call: Call, times: int) -> float:
    """CPU seconds of some calls, collected garbage of others left out."""
    gc.collect()
    start = time.process_time()
    for _ in range(times):
        call()
    return (time.process_time() - start) / times


def ratios(ours: Call, other: Call, turns: int, times: int) -> tuple[float, float]:
    """The median of the ratios of paired turns, and the ratio of the quickest turns."""
    ours(), other()
    pairs = [(cpu_time(ours, times), cpu_time(other, times)) for _ in range(turns)]
    quickest = min(a for a, _ in pairs) / min(b for _, b in pairs)
    return float(np.median([a / b for a, b in pairs])), quickest


def compare_evaluators(turns: int) -> None:
    """Print the ratios of dictionaries."""
    print("topics judged names      median quickest at most")
    for n_topics, at_most in AT_MOST.items():
        for n_judged in (10, 50, 100, 300):
            qrels, run = collection(n_topics, n_judged)
            for name, measures in ("canonical", CANONICAL), ("trec_eval", OF_TREC_EVAL):
                median, quickest = worse_call(qrels, run, measures, turns)
                figures = f"{median:7.2f} {quickest:8.2f} {at_most:7.1f}"
                print(f"{n_topics:6} {n_judged:6} {name:9} {figures}")


def worse_call(qrels: Qrels, run: Run, measures: str, turns: int) -> tuple[float, float]:
    """The ratios of the worse of `per_topic` and `means`."""
    ours, other = rankeval.Evaluator(qrels, measures), partial(evaluator(qrels), run)
    times = 300 // len(qrels) + 1
    calls = (partial(call, run) for call in (ours.per_topic, ours.means))
    median, quickest = map(
        max, zip(*(ratios(call, other, turns, times) for call in calls), strict=True)
    )
    return median, quickest


def evaluator(qrels: Qrels) -> Callable[[Run], object]:
    """pytrec_eval's reused evaluator."""
    call: Callable[[Run], object] = pytrec_eval.RelevanceEvaluator(qrels, OF_PYTREC_EVAL).evaluate
    return call


def compare_kinds(turns: int) -> None:
    """Print the ratios of runs and judgments of other kinds, with 50 judged documents a topic."""
    print("topics kind of run and judgments     median quickest")
    for n_topics in AT_MOST:
        qrels, run = collection(n_topics, 50)
        longer = "/archive/2026/".__add__
        kinds = {
            "binary grades": ({t: {d: g % 2 for d, g in q.items()} for t, q in qrels.items()}, run),
            "100 scores, 10 different": (qrels, changed(run, lambda _, score: score * 10 // 1)),
            "scores with 2 decimals": (qrels, changed(run, lambda _, score: round(score, 2))),
            "scores from 1 down to 0": (qrels, changed(run, lambda i, _: 1 - i / (DEPTH - 1))),
            "docnos of 24 characters": (
                {t: {longer(d): g for d, g in q.items()} for t, q in qrels.items()},
                {t: {longer(d): s for d, s in r.items()} for t, r in run.items()},
            ),
            "as many topics unjudged": (qrels, run | {f"{t}?": r for t, r in run.items()}),
            "depths from 50 to 100": (
                qrels,
                {t: dict([*r.items()][: 50 + i % 51]) for i, (t, r) in enumerate(run.items())},
            ),
        }
        for name, (judgments, other) in kinds.items():
            median, quickest = worse_call(judgments, other, CANONICAL, turns)
            print(f"{n_topics:6} {name:29} {median:7.2f} {quickest:8.2f}")


def changed(run: Run, score_of: Callable[[int, float], float]) -> Run:
    """Change the scores of a run by their places and values."""
    return {
        topic: {docno: score_of(i, ranking[docno]) for i, docno in enumerate(ranking)}
        for topic, ranking in run.items()
    }


def lists() -> tuple[NDArray[np.int64], dict[str, NDArray[np.int64]]]:
    """The first documents of all users, and five judged ones of each, two of them listed."""
    random = np.random.default_rng(8)
    ids = np.argsort(random.random((USERS, 40)), axis=1)[:, :TOP] * (ITEMS // 40)
    ids += random.integers(0, ITEMS // 40, ids.shape)
    judged = np.concatenate(
        [ids[:, 3:5], ITEMS + np.arange(3) + 3 * random.integers(0, 99, (USERS, 1))], axis=1
    )
    return ids, {
        "topic": np.repeat(np.arange(USERS), judged.shape[1]),
        "docno": judged.ravel(),
        "grade": np.ones(judged.size, dtype=np.int64),
    }


def plain_ndcg(ids: NDArray[np.int64], keys: NDArray[np.int64], best: NDArray[np.float64]) -> float:
    """nDCG@10 as one writes it with numpy: binary gains, and the ideal of each user at hand."""
    wanted = np.arange(len(ids))[:, None] * (2 * ITEMS) + ids
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    gains = keys[place] == wanted
    return float(np.mean((gains / np.log2(np.arange(2, TOP + 2))).sum(axis=1) / best))


def compare_lists(turns: int) -> None:
    """Print the ratios of integer arrays."""
    ids, judged = lists()
    ours = rankeval.Evaluator(judged, "nDCG@10")
    qrels: Qrels = {}
    for user, item in zip(judged["topic"].tolist(), judged["docno"].tolist(), strict=True):
        qrels.setdefault(str(user), {})[str(item)] = 1
    run = {
        str(user): {str(item): -float(place) for place, item in enumerate(row)}
        for user, row in enumerate(ids.tolist())
    }
    other = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"})
    keys = np.sort(judged["topic"] * (2 * ITEMS) + judged["docno"])
    best = np.full(USERS, (1 / np.log2(np.arange(2, 7))).sum())

    def call() -> float:
        return ours.means(rankeval.Run.from_topk(ids))["nDCG@10"]

    assert abs(call() - plain_ndcg(ids, keys, best)) < 1e-12
    print("20,000 users x 10                median quickest at most")
    for name, against, at_most in (
        ("pytrec_eval, dictionaries", partial(other.evaluate, run), 0.25),
        ("plain numpy", partial(plain_ndcg, ids, keys, best), 4.0),
    ):
        median, quickest = ratios(call, against, turns, 1)
        print(f"{name:30} {median:8.2f} {quickest:8.2f} {at_most:7.2f}")


if __name__ == "__main__":
    turns = int(sys.argv[1]) if sys.argv[1:] else 9
    compare_evaluators(turns)
    compare_kinds(turns)
    compare_lists(turns)
