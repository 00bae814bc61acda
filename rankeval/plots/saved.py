"""Results to draw of run files and of saved results."""

from collections.abc import Callable, Sequence

from rankeval.errors import UsageError
from rankeval.evaluation.comparable_runs import comparable_runs
from rankeval.evaluation.prepared import judgments_of
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import QrelsFacts, Results
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.settings import Settings
from rankeval.plots.kinds import OFFERED, USUAL, plot_kind
from rankeval.plots.needed import measures
from rankeval.ranking.qrels_source import QrelsLike
from rankeval.ranking.run_source import RunLike


def saved_among(runs: Sequence[RunLike | Results]) -> list[Results]:
    """Return those of the runs that are results already."""
    return [one for one in runs if isinstance(one, Results)]


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
    if OFFERED[kind].draws_all:
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
