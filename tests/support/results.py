"""Results built by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from rankeval.evaluation.results import QrelsFacts, Results, RunResult, Score

NAN = float("nan")
QRELS = QrelsFacts(path="robust.qrels", topics=2, judgments=1234, digest="3f9a1c", by_topic=None)


def score(
    measure: str,
    values: Sequence[float],
    aggregate: float,
    *,
    rule: str = "mean",
    loss: bool = False,
    as_given: str | None = None,
    signature: str | None = None,
) -> Score:
    return Score(
        measure=measure,
        as_given=as_given or measure,
        values=np.array(values, dtype=float),
        aggregate=aggregate,
        rule=rule,
        loss=loss,
        signature=signature or f"rankeval:0.1|{measure}|qrels:3f9a1c",
    )


def results(
    runs: Mapping[str, Sequence[Score]], topics: tuple[str, ...] = ("301", "302"), path: str = ""
) -> Results:
    return Results(
        qrels=QRELS,
        settings={"topics": "judged"},
        runs=tuple(
            RunResult(
                name=name,
                path=path or f"{name}.run",
                topics=topics,
                scores=tuple(replace(one, topics=topics[: len(one.values)]) for one in scores),
                warnings=(),
            )
            for name, scores in runs.items()
        ),
    )


def two_runs() -> Results:
    """Counts, a mean and a loss, of which each run wins one; one value is undefined."""
    return results(
        {
            "bm25": [
                score("NumQ", [1, 1], 2, rule="sum", as_given="num_q"),
                score("AP", [0.25, 0.5], 0.375, as_given="map"),
                score("Unjudged@10", [0.1, NAN], 0.1, loss=True),
            ],
            "dense": [
                score("NumQ", [1, 1], 2, rule="sum", as_given="num_q"),
                score("AP", [0.125, 0.5], 0.3125, as_given="map"),
                score("Unjudged@10", [0.3, 0.1], 0.2, loss=True),
            ],
        }
    )
