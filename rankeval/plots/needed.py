"""The measures that each kind of plot draws, and the results of run files and saved results."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from rankeval.errors import UsageError
from rankeval.evaluation.comparable_runs import comparable_runs
from rankeval.evaluation.prepared import judgments_of
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import QrelsFacts, Results
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.settings import Settings
from rankeval.measures import Measure, parse_measures
from rankeval.plots.kinds import KNOWN, USUAL, plot_kind
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import RunLike

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
    found = [named.measure for named in parse_measures(joined or KNOWN[kind].measures)]
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


def saved_among(runs: Sequence[RunLike | Results]) -> list[Results]:
    """Return those of the runs that are results already."""
    return [run for run in runs if isinstance(run, Results)]


def require_runs_only(saved: Sequence[Results]) -> None:
    """Raise UsageError for saved results, which other judgments cannot evaluate."""
    if saved:
        raise UsageError(
            "saved results cannot be evaluated under other judgments",
            place=saved[0].runs[0].path,
            expected="run files with --against-qrels",
        )


def measures_with_saved(
    kind: str, asked: str | Sequence[str] | None, saved: Sequence[Results]
) -> list[str]:
    """Return the measures of a plot of which some runs are saved results.

    By default they are the usual one if the results hold it, and else their first; for `agreement`,
    all that they hold. UsageError for a kind that needs measures at many places, which saved
    results seldom hold.
    """
    if plot_kind(kind).sweep:
        raise UsageError(
            f"'{kind}' cannot be drawn of saved results, which lack its measures at every place",
            place=saved[0].runs[0].path,
            expected="run files",
        )
    if asked is not None:
        return measures(kind, asked)
    held = list(
        dict.fromkeys(score.measure for score in saved[0].runs[0].scores if score.rule == "mean")
    )
    if not held:
        raise UsageError(
            "no measure of the saved results is a mean over topics",
            place=saved[0].runs[0].path,
            remedy="name a measure with -m",
        )
    if KNOWN[kind].draws_all:
        return held
    return [USUAL if USUAL in held else held[0]]


def drawable_results(
    qrels: QrelsLike,
    runs: Sequence[RunLike | Results],
    names: Sequence[str],
    settings: Settings,
    evaluate: Callable[..., Results],
    *,
    reading: Reading = AS_FOUND,
    run_names: RunNames = BY_TAG,
) -> Results:
    """Return the results of all runs for the measures; `evaluate` evaluates those not yet saved.

    InputError if saved results are of other judgments, topics or definitions of a measure.
    """
    judgments = judgments_of(qrels, list(names), reading)
    found = comparable_runs(judgments, runs, list(names), settings, reading, evaluate, run_names)
    return Results(
        qrels=QrelsFacts(
            path=judgments.path,
            topics=len(judgments.topics),
            judgments=len(judgments.grade),
            digest=judgments.digest,
        ),
        settings={},
        runs=tuple(found),
    )
