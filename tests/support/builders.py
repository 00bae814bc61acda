"""Small RankedJudgments for tests, built the slow and obvious way."""

from collections.abc import Mapping, Sequence

import numpy as np

from rankeval.ranking import Ideal, RankedJudgments

UNJUDGED = None
Ranking = Sequence[tuple[float, float | None]]


def judgments(
    rankings: Sequence[Ranking], missed: Sequence[Sequence[float]] | None = None
) -> RankedJudgments:
    """One topic per ranking of (score, grade), scores descending; None is an unjudged document.

    `missed` lists the grades of the judged documents that the ranking lacks.
    """
    missed = missed or [()] * len(rankings)
    rank, grade, score, first, last, sizes, judged, judged_sizes = [], [], [], [], [], [], [], []
    for ranking, lacking in zip(rankings, missed, strict=True):
        scores = [s for s, _ in ranking]
        rows = [(i, s, g) for i, (s, g) in enumerate(ranking) if g is not None]
        rank += [i + 1 for i, _, _ in rows]
        grade += [g for _, _, g in rows]
        score += [s for _, s, _ in rows]
        first += [scores.index(s) + 1 for _, s, _ in rows]
        last += [len(scores) - scores[::-1].index(s) for _, s, _ in rows]
        sizes.append(len(rows))
        grades = sorted([g for _, _, g in rows] + list(lacking), reverse=True)
        judged += grades
        judged_sizes.append(len(grades))
    whole = all(float(g).is_integer() for g in judged)
    return RankedJudgments(
        topics=tuple(f"t{i:04}".encode() for i in range(len(rankings))),
        retrieved=np.array([len(r) for r in rankings], dtype=np.int64),
        offsets=np.cumsum([0, *sizes]),
        rank=np.array(rank, dtype=np.int64),
        grade=np.array(grade, dtype=np.int64 if whole else float),
        judgment=np.arange(len(grade)),
        score=np.array(score, dtype=float),
        tie_first=np.array(first, dtype=np.int64),
        tie_last=np.array(last, dtype=np.int64),
        ideal=Ideal(
            np.cumsum([0, *judged_sizes]), np.array(judged, dtype=np.int64 if whole else float)
        ),
        highest_grade=float(max(judged, default=0)),
    )


def ranked(
    *rankings: Sequence[float | None], missed: Sequence[Sequence[float]] | None = None
) -> RankedJudgments:
    """One topic per list of grades in rank order, all scores different."""
    return judgments([[(-i, g) for i, g in enumerate(r)] for r in rankings], missed)


def from_dicts(
    qrels: Mapping[str, Mapping[str, float]], run: Mapping[str, Mapping[str, float]]
) -> RankedJudgments:
    """Align dictionaries by plain loops: scores descending, then docnos descending."""
    rankings, missed = [], []
    for topic in sorted(qrels):
        found = sorted(
            run.get(topic, {}).items(), key=lambda d: (d[1], d[0].encode()), reverse=True
        )
        rankings.append([(s, qrels[topic].get(d)) for d, s in found])
        missed.append([g for d, g in qrels[topic].items() if d not in run.get(topic, {})])
    return judgments(rankings, missed)
