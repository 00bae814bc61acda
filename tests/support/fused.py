"""Runs as dictionaries, drawn at random, and the candidates of fusion that they make."""

from collections.abc import Sequence
from random import Random

import numpy as np

from rankeval.fusion.methods import Candidates
from rankeval.io.names import Names

Run = dict[str, dict[str, float]]


def ranking(scores: dict[str, float]) -> list[str]:
    """Documents by score, ties by docno, both descending."""
    return sorted(scores, key=lambda docno: (scores[docno], docno), reverse=True)


def names_of(runs: Sequence[Run]) -> list[tuple[str, str]]:
    """The candidates as (topic, docno), in the order in which `candidates` has them."""
    topics = sorted({topic for run in runs for topic in run if run[topic]})
    return [
        (topic, docno)
        for topic in topics
        for docno in sorted({docno for run in runs for docno in run.get(topic, {})})
    ]


def candidates(runs: Sequence[Run]) -> Candidates:
    """The candidates of some runs."""
    names = names_of(runs)
    topics = sorted({topic for topic, _ in names})
    ranks = np.zeros((len(runs), len(names)), dtype=np.int32)
    scores = np.full(ranks.shape, np.nan)
    place = {name: i for i, name in enumerate(names)}
    for r, run in enumerate(runs):
        for topic, documents in run.items():
            for rank, docno in enumerate(ranking(documents), 1):
                ranks[r, place[topic, docno]] = rank
                scores[r, place[topic, docno]] = documents[docno]
    sizes = [sum(name[0] == topic for name in names) for topic in topics]
    retrieved = [[len(run.get(topic, {})) for topic in topics] for run in runs]
    return Candidates(
        tuple(topic.encode() for topic in topics),
        np.cumsum([0, *sizes]),
        Names.from_names([docno.encode() for _, docno in names]),
        scores,
        ranks,
        np.array(retrieved),
    )


def random_runs(
    rng: Random, *, runs: int, topics: int, documents: int, ties: bool = True
) -> list[Run]:
    """Runs of unequal lengths, with negative scores; with ties, scores of one decimal."""
    found = []
    for _ in range(runs):
        run = {}
        for topic in range(topics):
            some = rng.sample(range(documents), rng.randint(1, documents))
            scores = [rng.gauss(0, 2) for _ in some]
            if ties:
                scores = [round(score, 1) for score in scores]
            run[f"q{topic}"] = {f"d{i}": s for i, s in zip(some, scores, strict=True)}
        found.append(run)
    return found


def random_qrels(rng: Random, *, topics: int, documents: int) -> dict[str, dict[str, int]]:
    """Judgments of some documents, at least one of them relevant in each topic."""
    return {
        f"q{topic}": {
            **{f"d{i}": rng.choice([-1, 0, 1, 2]) for i in range(documents) if rng.random() < 0.6},
            f"d{rng.randrange(documents)}": 1,
        }
        for topic in range(topics)
    }
