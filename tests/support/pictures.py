"""Results with values at random for every kind of plot, and the grid of pictures over them."""

from functools import cache
from typing import Any

import numpy as np

from rankeval import plots
from rankeval.evaluation.results import Results
from tests.support.results import results, score

LONG = "splade-v3-{:02}-reranked-with-monoT5-3B-and-a-long-name-on-on"


def names_of(n_runs: int, letters: int) -> list[str]:
    """Return names of so many letters, which differ within: the middle of long ones is cut."""
    return [(LONG if letters > 5 else "r{:02}").format(i)[:letters] for i in range(n_runs)]


@cache
def drawn_results(kind: str, n_runs: int, n_topics: int, *, letters: int) -> Results:
    """Return results of the measures of a kind, runs having means that differ."""
    rng = np.random.default_rng([n_runs, n_topics, len(kind)])
    topics = [f"{i + 1}" for i in range(n_topics)]
    scores: dict[str, list[Any]] = {}
    base = rng.beta(1.5, 2.5, n_topics)
    for i, run in enumerate(names_of(n_runs, letters)):
        scores[run] = []
        for place, name in enumerate(plots.measures(kind)):
            noise = rng.normal(0.01 * i, 0.15, n_topics) if not plots.KINDS[kind].over else 0.0
            fall = 1.0 - 0.5 * place / (place + 20)
            values = np.clip(base * fall + 0.01 * i + noise, 0.0, 1.0)
            rule = "mean"
            if name.startswith("NumRet"):
                values, rule = np.full(n_topics, (place + 1) / 2), "sum"
            elif kind == "judged":
                values = np.round(0.5 * values * (place / 2 + 1)) / (place / 2 + 1)
            scores[run].append(score(name, values, float(values.mean()), rule=rule))
    return results(scores, topics)
