"""Every method and normalisation against ranx, on random runs."""

from random import Random

import numpy as np
import pytest

from rankeval.choices import METHOD_NAMES, NORMALISATION_NAMES
from rankeval.fusion.methods import METHODS as FUNCTIONS
from rankeval.fusion.methods import NORMALISATIONS, settings_of
from tests.support.fused import candidates, names_of, random_runs, ranking
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
PARAMETERS = {"k": 7, "gamma": 1.7, "phi": 0.85, "sigma": 0.2, "weights": [0.4, 0.3, 0.3]}
SEVERAL = {"runs": 3, "topics": 25}


def by_rank(run):
    """The run with scores that give the same ranks without ties, as ranx breaks ties otherwise."""
    return {t: {d: float(-r) for r, d in enumerate(ranking(run[t]))} for t in run}


def drawn(method, norm):
    """Runs for a method and a normalisation."""
    rng = Random(f"{method} {norm}")
    if method in ("condorcet", "wcondorcet"):
        return near_runs(rng)
    runs = random_runs(rng, **SEVERAL, documents=20)
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


CASES = [
    (method, norm)
    for method in METHOD_NAMES
    for norm in (NORMALISATION_NAMES if "norm" in settings_of(method) else ["rank"])
]


@pytest.fixture(scope="module")
def of_ranx():
    """ranx's answer to each case."""
    cases = []
    for method, norm in CASES:
        used = settings_of(method)
        case = {
            "method": METHODS.get(method, method),
            "norm": NORMS.get(norm, norm) if "norm" in used else None,
            "runs": drawn(method, norm),
            "parameters": {name: PARAMETERS[name] for name in used if name != "norm"},
        }
        cases.append(case)
    return dict(zip(CASES, answers(cases), strict=True))


@pytest.mark.parametrize(("method", "norm"), CASES)
def test_fused_scores_are_those_of_ranx(of_ranx, method, norm):
    used, runs = settings_of(method), drawn(method, norm)
    found = candidates(runs)
    given = {name: np.array(PARAMETERS[name]) for name in used if name != "norm"}
    scores = [NORMALISATIONS[norm](found)] if "norm" in used else []

    fused = FUNCTIONS[method](found, *scores, **given)

    expected = of_ranx[method, norm]
    assert dict(zip(names_of(runs), fused.tolist(), strict=True)) == pytest.approx(
        {(t, d): score for t, documents in expected.items() for d, score in documents.items()},
        # ranx divides rounding errors of equal scores by 1e-9.
        abs=1e-6,
        rel=1e-9,
    )
