"""Every method and normalisation against ranx, on random runs."""

from random import Random

import numpy as np
import pytest

from rankeval.choices import METHOD_NAMES, NORMALISATION_NAMES
from rankeval.fusion.methods import method_named
from rankeval.fusion.normalise import NORMALISATIONS
from rankeval.fusion.trained import BOUNDS, Hits
from tests.support.fused import candidates, names_of, random_qrels, random_runs, ranking
from tests.support.ranx_fusion import answers

pytest.importorskip("ranx")
pytestmark = pytest.mark.slow

METHODS = {
    **{f"comb{name}": name for name in ("sum", "mnz", "anz", "min", "max", "med", "gmnz")},
    "log-isr": "log_isr",
    "logn-isr": "logn_isr",
    "borda": "bordafuse",
    "wborda": "w_bordafuse",
    "wcondorcet": "w_condorcet",
}
"""ranx's names, where they are other ones."""

NORMS = {"z-score": "zmuv", "none": None}
WEIGHTS = [0.4, 0.3, 0.3]
PARAMETERS = {"k": 7, "gamma": 1.7, "phi": 0.85, "sigma": 0.2, "segments": 3, "window": 2}
SEVERAL = {"runs": 3, "topics": 25}


def by_rank(run):
    """The run with scores that give the same ranks without ties, as ranx breaks ties otherwise."""
    return {t: {d: float(-r) for r, d in enumerate(ranking(run[t]))} for t in run}


def drawn(method, norm):
    """Runs for a method and a normalisation."""
    rng = Random(f"{method} {norm}")
    if method in ("condorcet", "wcondorcet"):
        return near_runs(rng)
    # SegFuse uses ranks beside scores: ties must not leave the ranks open.
    runs = random_runs(rng, **SEVERAL, documents=20, ties=method != "segfuse")
    if norm == "max":
        return [{t: {d: abs(s) + 0.1 for d, s in run[t].items()} for t in run} for run in runs]
    return runs if norm in ("min-max", "sum", "z-score", "none") else list(map(by_rank, runs))


def near_runs(rng):
    """Complete rankings, each with one swap of neighbours: strict majorities, and no circle."""
    runs = [{} for _ in range(3)]
    for topic in range(SEVERAL["topics"]):
        base = rng.sample([f"d{i}" for i in range(8)], 8)
        for number, run in enumerate(runs):
            order = list(base)
            order[2 * number], order[2 * number + 1] = order[2 * number + 1], order[2 * number]
            run[f"q{topic}"] = {docno: float(-rank) for rank, docno in enumerate(order)}
    return runs


def training(method):
    """Judgments, and the runs to learn from."""
    rng = Random(f"training {method}")
    return random_qrels(rng, topics=25, documents=20), list(
        map(by_rank, random_runs(rng, **SEVERAL, documents=20))
    )


def parameters(method):
    """The parameters by our names."""
    return {name: PARAMETERS[name] for name in method_named(method).parameters}


CASES = [
    (method, norm)
    for method in METHOD_NAMES
    for norm in (NORMALISATION_NAMES if method_named(method).scored else ["rank"])
    # ranx gives ranks to the documents that a run lacks, in the order of a set.
    if (method, norm) != ("segfuse", "borda")
]
TRAINED = [name for name in METHOD_NAMES if method_named(name).train]


@pytest.fixture(scope="module")
def of_ranx():
    """ranx's answer to each case."""
    cases = []
    for method, norm in CASES:
        given = parameters(method)
        record = method_named(method)
        segments = given.pop("segments", None)
        if "window" in given:
            given["w"] = given.pop("window")
        if record.weighted:
            given["weights"] = WEIGHTS
        case = {
            "method": METHODS.get(method, method),
            "norm": NORMS.get(norm, norm) if record.scored else None,
            "runs": drawn(method, norm),
            "parameters": given,
        }
        if record.train:
            qrels, others = training(method)
            relevant = {t: {d: g for d, g in qrels[t].items() if g >= 1} for t in qrels}
            case |= {"qrels": relevant, "others": others, "more": [segments] if segments else []}
        cases.append(case)
    return dict(zip(CASES, answers(cases), strict=True))


def hits_of(qrels, run):
    """The relevant documents of a run, counted one by one."""
    rows = [
        (number, rank)
        for number, topic in enumerate(sorted(qrels))
        for rank, docno in enumerate(ranking(run[topic]), 1)
        if qrels[topic].get(docno, 0) >= 1
    ]
    topic, rank = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    relevant = [sum(grade >= 1 for grade in qrels[t].values()) for t in sorted(qrels)]
    retrieved = [len(run[t]) for t in sorted(qrels)]
    return Hits(topic, rank, np.array(retrieved), np.array(relevant))


def learned(method):
    qrels, runs = training(method)
    given = {name: value for name, value in parameters(method).items() if name == "segments"}
    return [method_named(method).train(hits_of(qrels, run), **given) for run in runs]


@pytest.mark.parametrize(("method", "norm"), CASES)
def test_fused_scores_are_those_of_ranx(of_ranx, method, norm):
    record, runs = method_named(method), drawn(method, norm)
    found, given = candidates(runs), parameters(method)
    if record.weighted:
        given["weights"] = np.array(WEIGHTS)
    if record.train:
        given["learned"] = learned(method)
    if record.train and method != "probfuse":
        given.pop("segments", None)
    scores = [NORMALISATIONS[norm](found)] if record.scored else []

    fused = record.function(found, *scores, **given)

    expected = of_ranx[method, norm]["fused"]
    assert dict(zip(names_of(runs), fused.tolist(), strict=True)) == pytest.approx(
        {(t, d): score for t, documents in expected.items() for d, score in documents.items()},
        # ranx divides rounding errors of equal scores by 1e-9.
        abs=1e-6,
        rel=1e-9,
    )


@pytest.mark.parametrize("method", TRAINED)
def test_what_is_learned_is_what_ranx_learns(of_ranx, method):
    norm = next(norm for name, norm in CASES if name == method)
    expected = [np.asarray(one) for one in of_ranx[method, norm]["learned"]]
    if method == "bayesfuse":  # one value for each segment, not for each rank
        expected = [np.maximum(one[BOUNDS[:-1]], np.log(0.001 / 0.999)) for one in expected]

    for mine, other in zip(learned(method), expected, strict=True):
        assert np.asarray(mine) == pytest.approx(other)
