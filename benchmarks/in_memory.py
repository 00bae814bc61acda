"""From Python: the same run as dictionaries, DataFrame and arrays, for each tool.

    python -m benchmarks.in_memory REPEAT

prints the figures as JSON, by the name of the call.
"""

import json
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from importlib.util import find_spec

import numpy as np
import pandas as pd

import rankeval
from benchmarks.processes import Figures, Usage, figures_of

TOPICS, DEPTH, JUDGED = 500, 1_000, 5
MEASURES = "AP nDCG@10 RR"

Calls = Mapping[str, Callable[[], object]]


def compare_calls(repeat: int) -> dict[str, Figures]:
    """Time the calls in turn, after a turn that is not counted; there is no peak to tell."""
    calls = all_calls()
    for call in calls.values():
        call()
    turns = []
    for _ in range(repeat):
        turn = {}
        for name, call in calls.items():
            wall, cpu = time.perf_counter(), time.process_time()
            call()
            turn[name] = Usage(time.perf_counter() - wall, time.process_time() - cpu)
        turns.append(turn)
    return figures_of(turns)


def all_calls() -> Calls:
    """One call for each tool that is installed and each kind of input that it takes."""
    random = np.random.default_rng(5)
    topic = np.repeat(np.arange(1_000, 1_000 + TOPICS), DEPTH)
    docno = np.concatenate([random.choice(8_800_000, DEPTH, replace=False) for _ in range(TOPICS)])
    score = np.tile(np.linspace(30, 1, DEPTH), TOPICS)
    topics, docnos = topic.astype(str).astype(object), docno.astype(str).astype(object)
    frame = pd.DataFrame({"query_id": topics, "doc_id": docnos, "score": score}).astype(
        {"query_id": object, "doc_id": object}
    )
    run: dict[str, dict[str, float]] = {}
    for one, start in enumerate(range(0, len(topic), DEPTH), 1_000):
        rows = slice(start, start + DEPTH)
        run[str(one)] = dict(zip(docnos[rows].tolist(), score[rows].tolist(), strict=True))
    first = DEPTH * np.arange(TOPICS)
    rows = np.unique(random.integers(0, DEPTH, (JUDGED, TOPICS)) + first)
    qrels: dict[str, dict[str, int]] = {}
    for row in rows.tolist():
        qrels.setdefault(topics[row], {})[docnos[row]] = 1
    judgments = pd.DataFrame(
        {"query_id": topics[rows], "doc_id": docnos[rows], "relevance": 1}
    ).astype({"query_id": object, "doc_id": object})
    arrays = {"topic": topic, "docno": docno, "score": score}
    return {
        "rankeval, dictionaries": lambda: rankeval.evaluate(qrels, run, MEASURES),
        "rankeval, DataFrame": lambda: rankeval.evaluate(judgments, frame, MEASURES),
        "rankeval, arrays": lambda: rankeval.evaluate(qrels, arrays, MEASURES),
        **_pytrec_eval(qrels, run),
        **_ir_measures(qrels, run, judgments, frame),
        **_ranx(qrels, run, judgments, frame),
    }


def _pytrec_eval(qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]) -> Calls:
    if not find_spec("pytrec_eval"):
        return {}
    import pytrec_eval

    names = {"map", "ndcg_cut_10", "recip_rank"}
    return {
        "pytrec_eval, dictionaries": lambda: pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(
            run
        )
    }


def _ir_measures(
    qrels: dict[str, dict[str, int]],
    run: dict[str, dict[str, float]],
    judgments: pd.DataFrame,
    frame: pd.DataFrame,
) -> Calls:
    if not find_spec("ir_measures"):
        return {}
    import ir_measures

    measures = [ir_measures.parse_measure(name) for name in MEASURES.split()]
    return {
        "ir_measures, dictionaries": lambda: ir_measures.calc_aggregate(measures, qrels, run),
        "ir_measures, DataFrame": lambda: ir_measures.calc_aggregate(measures, judgments, frame),
    }


def _ranx(
    qrels: dict[str, dict[str, int]],
    run: dict[str, dict[str, float]],
    judgments: pd.DataFrame,
    frame: pd.DataFrame,
) -> Calls:
    if not find_spec("ranx"):
        return {}
    import ranx

    names = ["map", "ndcg@10", "mrr"]
    return {
        "ranx, dictionaries": lambda: ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), names),
        "ranx, DataFrame": lambda: ranx.evaluate(
            ranx.Qrels.from_df(judgments, "query_id", "doc_id", "relevance"),
            ranx.Run.from_df(frame, "query_id", "doc_id", "score"),
            names,
        ),
    }


if __name__ == "__main__":
    figures = compare_calls(int(sys.argv[1]))
    print(json.dumps({name: asdict(one) for name, one in figures.items()}))
