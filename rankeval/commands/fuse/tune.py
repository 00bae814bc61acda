"""Tune weights and normalisation of a fusion on judged topics, by cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from math import comb
from typing import Any, Unpack

import numpy as np

from rankeval.base.arrays import Booleans, Floats
from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.threads import in_order
from rankeval.base.wording import decoded
from rankeval.choices import FusedTieRule
from rankeval.commands.fuse.task import (
    FusionKeywords,
    FusionPlan,
    fused_lines,
    fusion_plan,
    lines_by,
    reading_and_settings,
)
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.evaluate import Evaluator
from rankeval.evaluation.prepared import asked_measures, judgments_of
from rankeval.evaluation.settings import Settings
from rankeval.fusion.methods import Candidates, method_named, settings_of
from rankeval.fusion.side_by_side import FusionInput, Together
from rankeval.measures import MeasuresLike
from rankeval.measures.facts import BY_VALUES_ALONE
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import Run, RunLike, RunSource, run_sources

MEASURE = "nDCG@10"
FOLDS = 5
TRIED_NORMS = ("min-max", "sum", "z-score", "rank")
"""The normalisations that tuning tries."""

MOST_WEIGHTS = 70
"""The weights that tuning tries are as fine as this number of choices allows."""


@frozen
class Tuning:
    """The settings that were chosen for a fusion, and their value on other topics.

    ======== ======================================================================
    measure  the measure by which they were chosen
    settings the method with the settings chosen on all topics
    tried    number of settings that were tried
    folds    the method with the settings chosen without the topics of each fold
    held_out value over all topics, each topic fused without its judgments
    usual    value over all topics of the usual settings
    ======== ======================================================================
    """

    measure: str
    settings: str
    tried: int
    folds: tuple[str, ...]
    held_out: float
    usual: float

    def __str__(self) -> str:
        """Say what was chosen, and what it is worth."""
        return (
            f"{self.measure}, each topic fused by settings chosen without it: "
            f"{self.held_out:.4f} (usual: {self.usual:.4f})\n"
            f"Settings chosen on all topics, of {self.tried}: {self.settings}\n"
        )


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
) -> tuple[Run, Tuning]:
    """Fuse runs by the settings that are best by a measure, tuned by cross-validation.

    The lines of a judged topic are those of the settings chosen without it, so that the run's value
    is the held-out one; those of other topics are of the settings chosen on all judged topics.

    =========== ============================================================================
    qrels       judgments, as in `evaluate`
    runs        two or more, or {name: run}
    method      "combsum" or another one with weights or a normalisation, as in `fuse`
    measure     name or object
    folds       parts that the topics are dealt to, one of a topic each if there are fewer
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
    >>> run, tuning = tune_fusion(qrels, [good, bad], "wsum", "RR", folds=2, norm="min-max")
    >>> tuning.held_out
    1.0
    """
    reading, of_method = reading_and_settings(settings)
    every, _ = run_sources(runs, reading.run_form().columns)
    given = FusionInput.of(every, ties, reading, jobs, qrels)
    plans = plans_to_try(method, len(every), of_method)
    fused, tuning = choose(given, plans, qrels, measure, folds, depth)
    parts, _ = fused_lines(given, lines_by(fused, plans[0].method, depth), tuple)
    return Run(RunSource(parts=parts)), tuning


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
    dealt = combinations_with_replacement(range(n_runs), parts)
    multiples = [tuple(parts_of.count(i) / parts for i in range(n_runs)) for parts_of in dealt]
    return [*dict.fromkeys((equal, *reversed(multiples)))]


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
    folds = min(folds, len(topics))
    if folds < 2:
        problem = f"{len(topics)} judged topics cannot be parted into {folds} folds"
        raise UsageError(problem, expected="two topics and two folds or more")
    fold = np.arange(len(topics)) % folds
    fold_of = dict(zip(topics, fold.tolist(), strict=True))

    def judged_candidates(every: Iterator[Together]) -> list[Candidates]:
        found = [one.matched() for one in every]
        some = [one.of(np.array([topic in judged.code for topic in one.topics])) for one in found]
        return [one for one in some if one.topics]

    candidates = given.read(judged_candidates)
    if not candidates:
        raise InputError(
            "the runs have no topic that is judged",
            place=judged.path or "qrels",
            remedy="check that the files are from the same collection",
        )
    evaluator = Evaluator(judged, measure)

    def values_of(plan: FusionPlan, _: int) -> list[float]:
        parts = tuple(map(lines_by(plan.fuse, "", depth), candidates))
        found = evaluator.per_topic(RunSource(parts=parts))
        return [found[topic][asked.as_given] for topic in topics]

    each = in_order(values_of, ((plan, 0) for plan in plans), given.jobs)
    values = np.array([*each])  # plans, topics
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

    *of_folds, settings = [str(plans[number]) for number in place.tolist()]
    held_out = rule(values[place[fold], np.arange(len(topics))])
    usual = rule(values[0])
    return fused, Tuning(asked.as_given, settings, len(plans), (*of_folds,), held_out, usual)
