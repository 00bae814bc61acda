"""The order of runs in results."""

import math
from collections.abc import Iterable, Sequence

from rankeval.base.wording import natural
from rankeval.errors import UsageError
from rankeval.evaluation.results import RunResult, Score
from rankeval.measures import parse_measures

NAME = "name"


def in_order(runs: Iterable[RunResult], by: str) -> list[RunResult]:
    """Return the runs in the order of `Results.sorted`."""
    if by == NAME:
        return sorted(runs, key=lambda run: natural(run.name))
    meant = {by, *(str(named.measure) for named in parse_measures(by))}

    def place(run: RunResult) -> tuple[bool, float]:
        score = _score(run, meant, by)
        if not math.isfinite(score.aggregate):
            return (True, 0.0)
        return (False, score.aggregate if score.loss else -score.aggregate)

    return sorted(runs, key=place)


def _score(run: RunResult, meant: set[str], by: str) -> Score:
    for score in run.scores:
        if score.measure in meant or score.as_given == by:
            return score
    raise UsageError(
        f"cannot sort by {by}, which is not evaluated",
        expected=f"name, or one of {', '.join(score.measure for score in run.scores)}",
        remedy=f"add -m {by}",
    )


def with_first(names: Sequence[str], first: str | None) -> list[int]:
    """Return the places of all names, that of `first` before the others.

    UsageError for one that is not there.

    >>> with_first(["bm25", "dense", "hybrid"], "dense")
    [1, 0, 2]
    """
    if first is None:
        return [*range(len(names))]
    if first not in names:
        raise UsageError(f"no run is named '{first}'", expected=f"one of {', '.join(names)}")
    return [names.index(first), *(i for i, name in enumerate(names) if name != first)]
