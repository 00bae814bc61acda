"""Random judgments and runs for comparisons with other tools; the same for the same seed."""

import numpy as np

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]


def graded_pair(
    seed: int, *, topics: int = 30, depth: int = 40, lowest: int = -2, highest: int = 3
) -> tuple[Qrels, Run]:
    """Qrels and a run full of edge cases, in the dictionaries that other tools read.

    Unjudged documents, tied scores, rankings shorter and longer than the judgments, relevant
    documents that are not retrieved, topics without a relevant document, without any judged one
    in the ranking, and one that the run lacks.
    """
    rng = np.random.default_rng(seed)
    qrels: Qrels = {}
    run: Run = {}
    for topic in (f"{number:03}" for number in range(topics)):
        names = [f"d{number}" for number in rng.permutation(3 * depth)]
        best = highest if rng.random() < 0.9 else 0
        share_of_zeros = rng.uniform(0.2, 0.8)
        n_judged = int(rng.integers(1, depth))
        grades = rng.integers(lowest, best + 1, n_judged)
        grades[rng.random(n_judged) < share_of_zeros] = 0
        qrels[topic] = dict(zip(names[:n_judged], grades.tolist(), strict=True))
        first = n_judged if rng.random() < 0.1 else int(rng.integers(0, n_judged))
        length = int(rng.integers(1, depth + 1))
        retrieved = rng.permutation(names[first : first + length]).tolist()
        scores = rng.integers(-length, length, length) / 4
        run[topic] = dict(zip(retrieved, scores.tolist(), strict=True))
    del run["000"]
    return qrels, run
