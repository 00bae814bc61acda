"""The measures that each kind of plot draws, by default or for the measures asked."""

from collections.abc import Iterable, Iterator, Sequence

from rankeval.errors import UsageError
from rankeval.measures import Measure, parse_measures
from rankeval.plots.kinds import OFFERED, plot_kind

LEVELS = tuple(level / 100 for level in range(101))
"""Levels of recall and of recall gain, with the usual eleven among them."""

CUTOFFS = (*range(1, 21), *range(25, 51, 5), *range(60, 101, 10))
RANKS = tuple(range(1, 101))


def measures(
    kind: str,
    asked: str | Iterable[str] | None = None,
    *,
    cutoffs: Sequence[int] = CUTOFFS,
) -> list[str]:
    """Return the names of the measures to evaluate for a kind of plot.

    `asked` are the measures to draw, by default usual ones; `cutoffs` are those of `cutoff`.
    Raise UsageError for a kind that does not exist, or measures that a kind cannot draw.

    >>> measures("box"), measures("cutoff", "P@5", cutoffs=(1, 10))
    (['nDCG@10'], ['P@1', 'P@10'])
    """
    sweep = plot_kind(kind).sweep
    joined = asked if isinstance(asked, str) or asked is None else " ".join(asked)
    found = [named.measure for named in parse_measures(joined or OFFERED[kind].measures)]
    names = map(str, found) if sweep is None else sweep(found, cutoffs)
    return list(dict.fromkeys(names))


def without_sweeps(names: Sequence[str], lines: Iterable[str]) -> Iterator[str]:
    """Leave out the warnings about measures that only places of a curve need."""
    hidden = tuple(f"{name}{end}" for name in names for end in (" is undefined", ": "))
    yield from (line for line in lines if not any(name in line for name in hidden))


def at_place(measure: Measure, name: str, value: float) -> str:
    """Return the name of a measure with another value of its parameter `name`."""
    return str(measure.definition.measure({**dict(measure.given), name: value}))


def only_measure(found: Sequence[Measure], kind: str, *names: str) -> Measure:
    """Return the only measure, which has one of the names; UsageError otherwise."""
    if len(found) != 1 or found[0].name not in names:
        raise UsageError(
            f"'{kind}' cannot draw {', '.join(map(str, found))}",
            expected=f"{names[0]}, perhaps with parameters",
            remedy="drop -m",
        )
    return found[0]
