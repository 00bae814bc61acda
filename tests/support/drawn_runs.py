"""Three drawn runs of twelve topics, for what only needs some results."""

import random

QRELS = {f"q{i}": {"d1": 1, "d2": 2, "d3": 0} for i in range(12)}


def _ranking(seed):
    draw = random.Random(seed)
    return {topic: {f"d{i}": draw.random() for i in range(1, 5)} for topic in QRELS}


RUNS = {name: _ranking(seed) for seed, name in enumerate(["bm25", "dense", "hybrid"])}
