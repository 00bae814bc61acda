"""The best runs of a picture that has no room for all, and the line for the rest."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.stats.checked_arrays import Floats


@frozen(eq=False)
class FewerRuns:
    """The way in which a drawing leaves runs out.

    ====== =========================================================================================
    values returns the values of the runs of a part, in the order in which it draws them
    only   returns a part with the runs at some places; what was computed over all runs, such as
           simultaneous intervals, stays as it is
    loss   returns True for a part of which smaller values are better; by default its field `loss`
    first  returns the names of the runs of a part that come before the best; by default the
           baseline, if it has one
    ====== =========================================================================================
    """

    values: Callable[[Any], Sequence[float] | Floats]
    only: Callable[[Any, Sequence[int]], Any]
    loss: Callable[[Any], bool] = lambda part: part.loss
    first: Callable[[Any], Collection[str]] = lambda part: {getattr(part, "baseline", "")}


def only_fields(*names: str, by_row: Sequence[str] = ()) -> Callable[[Any, Sequence[int]], Any]:
    """Return the function that keeps the runs at some places in fields of a part.

    Runs are the last axis of an array, or the first one in the fields `by_row`.
    """

    def only(part: Any, places: Sequence[int]) -> Any:
        rows = {name: getattr(part, name)[list(places)] for name in by_row}
        return replace(part, **rows, **{name: _at(getattr(part, name), places) for name in names})

    return only


def _at(values: Any, places: Sequence[int]) -> Any:
    if isinstance(values, np.ndarray):
        return values[..., list(places)]
    return tuple(values[i] for i in places if i < len(values))


def runs_of(part: Any) -> list[str]:
    """Return the names of the runs of a part, in the order in which it draws them."""
    return [part.run] if hasattr(part, "run") else list(part.runs)


def names_of_runs(parts: Sequence[Any]) -> list[str]:
    """Return the names of the runs that are drawn, each once."""
    return list(dict.fromkeys(name for part in parts for name in runs_of(part)))


def best_runs(
    parts: Sequence[Any], fewer: FewerRuns, n_runs: int, kept: Collection[str]
) -> tuple[list[Any], str]:
    """Return parts with the best runs of the first one, and a line with the values of the rest.

    Runs that must be `kept` are among them, and those that come first. Runs without a value come
    last.
    """
    first, names = parts[0], runs_of(parts[0])
    values = np.asarray(fewer.values(first), dtype=np.float64)
    always = {*kept, *fewer.first(first)}
    best = np.argsort(values if fewer.loss(first) else -values, kind="stable").tolist()
    best.sort(key=lambda i: names[i] not in always)
    chosen, rest = {names[i] for i in best[:n_runs]}, values[best[n_runs:]]
    some = [
        fewer.only(part, [i for i, name in enumerate(runs_of(part)) if name in chosen])
        for part in parts
    ]
    known = rest[np.isfinite(rest)]
    ends = f" from {_short(known.min())} to {_short(known.max())}" if known.size else ""
    return some, f"the best {n_runs} of {len(names)} runs; {len(rest)} more{ends}"


def _short(value: float) -> str:
    return f"{value:.3f}" if abs(value) < 10 else f"{value:.1f}"
