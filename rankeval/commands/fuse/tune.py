"""Tune weights and normalisation of a fusion on judged topics, by cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, product
from math import comb
from typing import Any, Unpack

import numpy as np

from rankeval.base.arrays import Booleans, Floats
from rankeval.base.checked import checked
from rankeval.base.frozen import frozen, record
from rankeval.base.threads import counted, in_order
from rankeval.base.wording import count, decoded, finite
from rankeval.choices import FusedTieRule
from rankeval.commands.fuse.task import (
    FusionKeywords,
    FusionPlan,
    fused_lines,
    fusion_plan,
    lines_by,
    reading_and_settings,
)
from rankeval.endings import tell
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.evaluate import Evaluator
from rankeval.evaluation.prepared import asked_measures, judgments_of
from rankeval.evaluation.settings import Settings
from rankeval.fusion.methods import Candidates, method_named, settings_of
from rankeval.fusion.side_by_side import FusionInput, Together
from rankeval.measures import MeasuresLike
from rankeval.measures.facts import BY_VALUES_ALONE
from rankeval.output import declared_columns as columns
from rankeval.output.style import Style
from rankeval.output.tables import Block
from rankeval.output.text import text
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.run_source import Run, RunLike, RunSource, run_sources

MEASURE = "nDCG@10"
FOLDS = 5
TRIED_NORMS = ("min-max", "sum", "z-score", "rank")
"""The normalisations that tuning tries."""

MOST_WEIGHTS = 70
"""The weights that tuning tries are as fine as this number of choices allows."""


@frozen
class TunedFold:
    """One fold: the settings chosen without its topics, and their values.

    ======== ============================================================
    topics   the topics of the fold
    settings the method with the settings that were chosen
    training value over the topics of the other folds, by which they were chosen
    held_out value over the topics of the fold
    ======== ============================================================
    """

    topics: tuple[str, ...]
    settings: str
    training: float
    held_out: float


@frozen
class Tuning:
    """The settings that were chosen for a fusion, and their value on other topics.

    ======== ======================================================================
    measure  the measure by which they were chosen
    settings the method with the settings chosen on all topics
    tried    number of settings that were tried
    folds    the folds
    held_out value over all topics, each topic fused without its judgments
    usual    value over all topics of the usual settings
    ======== ======================================================================
    """

    measure: str
    settings: str
    tried: int
    folds: tuple[TunedFold, ...]
    held_out: float
    usual: float


@record
class TunedFusion:
    """A fused run whose settings were tuned.

    The lines of a judged topic are those of the settings chosen without it, so that the run's value
    is the held-out one; those of other topics are of the settings chosen on all judged topics.
    """

    run: Run
    tuning: Tuning


@checked
def tune_fusion(
    qrels: QrelsLike,
    runs: Sequence[RunLike] | Mapping[str, RunLike],
    method: str = "combsum",
    measure: MeasuresLike = MEASURE,
    *,
    folds: int = FOLDS,
    ties: FusedTieRule = "docno",
    depth: int | None = None,
    jobs: int | None = None,
    **settings: Unpack[FusionKeywords],
) -> TunedFusion:
    """Fuse runs by the settings that are best by a measure, tuned by cross-validation.

    =========== ============================================================================
    qrels       judgments, as in `evaluate`
    runs        two or more, or {name: run}
    method      "combsum" or another one with weights or a normalisation, as in `fuse`
    measure     name or object
    folds       parts that the topics are dealt to
    ties, depth, jobs    as in `fuse`
    settings    as in `fuse`: norm and weights that are not given are tried
    =========== ============================================================================

    The topics of `qrels`, sorted by name, are dealt to `folds` in turn. For each fold, the settings
    are chosen that have the best value on the topics of the others. Of equal
    settings, the first tried is chosen, and the usual ones are tried first.

    Raises UsageError where there is nothing to tune, or fewer topics than folds.

    Source: Stone, "Cross-Validatory Choice and Assessment of Statistical Predictions", Journal of
    the Royal Statistical Society B 36(2), 1974.

    >>> from rankeval.advanced import tune_fusion
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> good = {"q1": {"d1": 2.0, "d3": 1.0}, "q2": {"d2": 2.0, "d3": 1.0}}
    >>> bad = {"q1": {"d3": 2.0, "d1": 1.0}, "q2": {"d3": 2.0, "d2": 1.0}}
    >>> tuned = tune_fusion(qrels, [good, bad], "wsum", "RR", folds=2, norm="min-max")
    >>> tuned.tuning.held_out
    1.0
    """
    reading, of_method = reading_and_settings(settings)
    every, _ = run_sources(runs, reading.run_form().columns)
    plans = plans_to_try(method, len(every), of_method)
    given = FusionInput.of(every, ties, reading, jobs, qrels)
    fused, tuning = choose(given, plans, qrels, measure, folds, depth)
    lines = lines_by(fused, plans[0].method, depth)
    parts, _ = fused_lines(given, lines, tuple)
    return TunedFusion(Run(RunSource(parts=parts)), tuning)


def plans_to_try(method: str, n_runs: int, settings: Mapping[str, Any]) -> list[FusionPlan]:
    """Return the plans among which tuning chooses, the one with the usual settings first.

    Weights and the normalisation are chosen, unless they are given. UsageError if nothing is left
    to choose.
    """
    used = settings_of(method_named(method))
    tried = {"weights": weights_to_try(n_runs), "norm": TRIED_NORMS}
    open_ = [name for name in tried if name in used and settings.get(name) is None]
    plans = [
        fusion_plan(method, n_runs, {**settings, **dict(zip(open_, chosen, strict=True))})
        for chosen in product(*(tried[name] for name in open_))
    ]
    if len(plans) == 1:
        raise UsageError(
            f"the method {plans[0]} leaves nothing to tune",
            expected="a method with weights or a normalisation that are not given, such as wsum",
        )
    return plans


def weights_to_try(n_runs: int) -> list[tuple[float, ...]]:
    """Return weights that add up to 1: equal ones, then all multiples of a step.

    The step is 0.1 for two or three runs, and larger for more.
    """
    equal = (1 / n_runs,) * n_runs
    parts = max((m for m in range(1, 11) if comb(m + n_runs - 1, m) <= MOST_WEIGHTS), default=1)
    multiples = (
        tuple((b - a - 1) / parts for a, b in pairwise((-1, *bars, parts + n_runs - 1)))
        for bars in combinations(range(parts + n_runs - 1), n_runs - 1)
    )
    return [*dict.fromkeys((equal, *multiples))]


def choose(
    given: FusionInput,
    plans: Sequence[FusionPlan],
    qrels: QrelsLike,
    measure: MeasuresLike,
    folds: int,
    depth: int | None,
) -> tuple[Callable[[Candidates], Floats], Tuning]:
    """Fuse the judged topics by each plan, evaluate them, and choose a plan for each fold.

    The function that is returned fuses each topic by the plan chosen without it.
    """
    judged = judgments_of(qrels, measure, given.reading)
    asked, *others = asked_measures(measure, judged, Settings())
    rule = BY_VALUES_ALONE.get(asked.measure.definition.aggregate.name)
    if others or rule is None:
        raise UsageError(
            f"a fusion cannot be tuned by {', '.join(m.as_given for m in (asked, *others))}",
            expected="one measure that is averaged over topics",
        )
    topics = sorted(map(decoded, judged.topics))
    if not 2 <= folds <= len(topics):
        raise UsageError(
            f"{len(topics)} judged topics cannot be parted into {folds} folds",
            expected="from 2 folds to as many as there are topics",
        )
    fold = np.arange(len(topics)) % folds
    fold_of = dict(zip(topics, fold.tolist(), strict=True))
    candidates = _judged_candidates(given, judged)
    evaluator = Evaluator(judged, measure)

    def values_of(plan: FusionPlan, _: int) -> list[float]:
        parts = tuple(map(lines_by(plan.fuse, "", depth), candidates))
        found = evaluator.per_topic(RunSource(parts=parts))
        return [found[topic][asked.as_given] for topic in topics]

    each = in_order(values_of, ((plan, 0) for plan in plans), given.jobs)
    values = np.array(list(counted(each, "settings", len(plans))))  # plans, topics
    sign = -1.0 if asked.measure.definition.loss else 1.0

    def best(there: Booleans) -> int:
        """Return the place of the best plan on some topics, the first of equal ones."""
        found = np.array([sign * rule(value[there]) for value in values])
        return 0 if np.isnan(found).all() else int(np.nanargmax(found))

    place = np.array([*(best(fold != one) for one in range(folds)), best(fold >= 0)])

    def fused(found: Candidates) -> Floats:
        of = np.array([fold_of.get(decoded(topic), folds) for topic in found.topics])
        scores = np.empty(len(found.docnos))
        for one in np.unique(of).tolist():
            mine = of == one
            scores[mine[found.topic]] = plans[place[one]].fuse(found.of(mine))
        return scores

    tuned = tuple(
        TunedFold(tuple(topics[n::folds]), str(plans[p]), rule(v[fold != n]), rule(v[fold == n]))
        for n, (p, v) in enumerate(zip(place[:folds].tolist(), values[place[:folds]], strict=True))
    )
    held_out = rule(values[place[fold], np.arange(len(topics))])
    settings = str(plans[place[folds]])
    return fused, Tuning(asked.as_given, settings, len(plans), tuned, held_out, rule(values[0]))


def _judged_candidates(given: FusionInput, qrels: Qrels) -> list[Candidates]:
    """Return the documents that the runs retrieved for the judged topics."""

    def use(every: Iterator[Together]) -> list[Candidates]:
        found = [one.matched() for one in every]
        return [one.of(np.array([topic in qrels.code for topic in one.topics])) for one in found]

    found = [one for one in given.read(use) if one.topics]
    if not found:
        raise InputError(
            "the runs have no topic that is judged",
            place=qrels.path or "qrels",
            remedy="check that the files are from the same collection",
        )
    return found


FOLD_COLUMNS = [
    columns.count("fold", get=lambda row: row[0]),
    columns.count("topics", get=lambda row: len(row[1].topics)),
    columns.name("settings", get=lambda row: row[1].settings),
    columns.number("training", get=lambda row: finite(row[1].training)),
    columns.number("held-out", get=lambda row: finite(row[1].held_out)),
]


def blocks(tuning: Tuning, style: Style) -> Iterator[Block]:
    """Yield the folds, the values over all topics, and the settings for further topics."""
    topics = count(sum(len(fold.topics) for fold in tuning.folds), "topic")
    title = f"Settings chosen by {tuning.measure}, {count(tuning.tried, 'setting')} tried, {topics}"
    yield columns.table(title, FOLD_COLUMNS, enumerate(tuning.folds, 1), style)
    yield (
        f"{tuning.measure} over all topics, each fused by the settings chosen without it: "
        f"{tuning.held_out:.4f} (usual settings: {tuning.usual:.4f})"
    )
    yield f"Settings chosen on all topics, for use on new topics: {tuning.settings}"


def tell_tuning(tuning: Tuning) -> None:
    """Print the report on stderr."""
    style = Style(colour=False)
    tell("".join(text(blocks(tuning, style), style)))
