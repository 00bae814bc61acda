"""The measures that each kind of plot draws, by default or for the measures asked."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from rankeval.errors import UsageError
from rankeval.measures import Measure, parse_measures

LEVELS = tuple(level / 100 for level in range(101))
"""Levels of recall and of recall gain, with the usual eleven among them."""

CUTOFFS = (*range(1, 21), *range(25, 51, 5), *range(60, 101, 10))
RANKS = tuple(range(1, 101))
USUAL = "nDCG@10"
SEVERAL = "AP nDCG@10 P@10 RR Rprec R@100 RBP(p=0.8) Bpref"
"""Measures whose agreement is drawn where none is named."""


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
    require_kind(kind)
    joined = asked if isinstance(asked, str) or asked is None else " ".join(asked)
    found = [named.measure for named in parse_measures(joined or KINDS[kind])]
    names = _SWEEPS[kind](found, cutoffs) if kind in _SWEEPS else map(str, found)
    return list(dict.fromkeys(names))


def without_sweeps(names: Sequence[str], lines: Iterable[str]) -> Iterator[str]:
    """Leave out the warnings about measures that only places of a curve need."""
    hidden = tuple(f"{name}{end}" for name in names for end in (" is undefined", ": "))
    yield from (line for line in lines if not any(name in line for name in hidden))


def require_kind(kind: str) -> None:
    """Raise UsageError for a kind that does not exist."""
    if kind not in KINDS:
        raise UsageError(f"there is no plot '{kind}'", expected=f"one of {', '.join(KINDS)}")


KINDS: Mapping[str, str] = {
    "pr": "IPrec@0",
    "prg": "AUPRG",
    "cutoff": USUAL,
    "topics": USUAL,
    "scatter": USUAL,
    "box": USUAL,
    "heatmap": USUAL,
    "ci": USUAL,
    "ranks": USUAL,
    "agreement": SEVERAL,
    "tradeoff": USUAL,
    "judged": "Unjudged@1",
}
"""The kinds of plots, and the measures that each draws where none is named."""


def _levels_of_recall(found: Sequence[Measure], _: Sequence[int]) -> list[str]:
    one = _only(found, "pr", "IPrec")
    return [_at(one, "recall", level) for level in LEVELS]


def _gains(found: Sequence[Measure], _: Sequence[int]) -> list[str]:
    one = _only(found, "prg", "AUPRG", "PRG")
    given = ",".join(
        f"{name}={value!r}" for name, value in one.given if name in ("rel", "universe")
    )
    inside = f"({given})" if given else ""
    return [f"AUPRG{inside}", *(f"PRG{inside}@{level}" for level in LEVELS)]


def _by_rank(found: Sequence[Measure], _: Sequence[int]) -> list[str]:
    _only(found, "judged", "Unjudged")
    return [f"{name}@{rank}" for rank in RANKS for name in ("Unjudged", "NumRet")]


def _by_cutoff(found: Sequence[Measure], cutoffs: Sequence[int]) -> list[str]:
    for one in found:
        if one.definition.at != "cutoff":
            raise UsageError(
                f"{one} has no cutoff to draw it over", expected="a measure such as nDCG@10 or P@5"
            )
    return [_at(one, "cutoff", cutoff) for one in found for cutoff in cutoffs]


def _at(measure: Measure, name: str, value: float) -> str:
    return str(measure.definition.measure({**dict(measure.given), name: value}))


def _only(found: Sequence[Measure], kind: str, *names: str) -> Measure:
    """Return the only measure, which has one of the names; UsageError otherwise."""
    if len(found) != 1 or found[0].name not in names:
        raise UsageError(
            f"'{kind}' cannot draw {', '.join(map(str, found))}",
            expected=f"{names[0]}, perhaps with parameters",
            remedy="drop -m",
        )
    return found[0]


_SWEEPS: Mapping[str, Callable[[Sequence[Measure], Sequence[int]], list[str]]] = {
    "pr": _levels_of_recall,
    "prg": _gains,
    "cutoff": _by_cutoff,
    "judged": _by_rank,
}
SWEPT = frozenset(_SWEEPS)
"""The kinds that draw measures at many places; warnings about the first are enough."""
