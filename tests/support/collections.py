"""Thirteen made-up collections, and a run that is missing.

`write` writes them to a folder with the file `beir.toml`; `values` scores a run by pytrec_eval.
Everything depends on the seed alone.
"""

from functools import cache
from pathlib import Path
from random import Random

import pytest

SEED = 13
SYSTEMS = {"bm25": 1.6, "dense": 1.1, "splade": 0.9, "rerank": 0.6}
"""The systems, and the noise of their scores."""
EVERY = (
    *("msmarco", "trec-covid", "nfcorpus", "nq", "hotpotqa", "fiqa"),
    *("arguana", "touche", "quora", "dbpedia", "scidocs", "fever", "cqadupstack"),
)
MISSING = ("quora", "dense")
"""A collection, and the system without a run there."""
TREC_EVAL = {
    "nDCG@10": ("ndcg_cut.10", "ndcg_cut_10"),
    "R@100": ("recall.100", "recall_100"),
}
"""The measures as pytrec_eval takes and returns them."""


@cache
def qrels():
    """Return {collection: {topic: {docno: grade}}}."""
    random = Random(SEED)
    return {
        name: {
            f"{name}-{t}": {f"d{d}": random.choice((0, 0, 1, 2)) for d in range(12)} | {"d0": 1}
            for t in range(random.randrange(4, 15))
        }
        for name in EVERY
    }


@cache
def runs():
    """Return {collection: {system: {topic: {docno: score}}}}, without the run that is missing."""
    random = Random(SEED + 1)
    found = {
        name: {
            system: {
                topic: {
                    docno: round(grades.get(docno, 0) + random.gauss(0, noise), 6)
                    for docno in (*grades, *(f"x{d}" for d in range(20)))
                }
                for topic, grades in topics.items()
            }
            for system, noise in SYSTEMS.items()
        }
        for name, topics in qrels().items()
    }
    del found[MISSING[0]][MISSING[1]]
    return found


@cache
def values(name, system, measure):
    """Return {topic: value} of a run by pytrec_eval."""
    run, judged = runs()[name][system], qrels()[name]
    asked, key = TREC_EVAL[measure]
    pytrec_eval = pytest.importorskip("pytrec_eval")
    found = pytrec_eval.RelevanceEvaluator(judged, {asked}).evaluate(run)
    return {topic: one[key] for topic, one in found.items()}


def write(folder):
    """Write qrels, runs and the file of collections; return its path."""
    folder = Path(folder)
    for name, topics in qrels().items():
        path = folder / "qrels" / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            "".join(f"{t} 0 {d} {g}\n" for t, by in topics.items() for d, g in by.items())
        )
    for name, systems in runs().items():
        for system, by_topic in systems.items():
            path = folder / "runs" / name / f"{system}.run"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(_lines(by_topic)))
    file = folder / "beir.toml"
    file.write_text("".join(_tables()))
    return file


def _lines(by_topic):
    for topic, scores in by_topic.items():
        ranked = sorted(scores, key=lambda docno: (-scores[docno], docno))
        for rank, docno in enumerate(ranked, 1):
            yield f"{topic} Q0 {docno} {rank} {scores[docno]} tag\n"


def _tables():
    yield 'measures = ["nDCG@10", "R@100"]\nqrels = "qrels/{collection}.txt"\n[runs]\n'
    for system in SYSTEMS:
        yield f'{system} = "runs/{{collection}}/{system}*.run"\n'
    for name in EVERY:
        yield f"[collection.{name}]\n"
