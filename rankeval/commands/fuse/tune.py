"""Tune methods of fusion and their parameters on training topics, by cross-validation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from math import comb

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers
from rankeval.base.checked import checked
from rankeval.base.dicts import seal
from rankeval.base.frozen import frozen
from rankeval.base.progress import counted
from rankeval.base.threads import in_order
from rankeval.base.wording import decoded
from rankeval.choices import FusedTieRule
from rankeval.commands.fuse.fused_inputs import FusionInput
from rankeval.commands.fuse.fused_lines import (
    FusedFacts,
    FusedLines,
    Progress,
    fused_lines,
    write_fused,
)
from rankeval.commands.fuse.plan import DEFAULT_NORM, FusionPlan, fusion_plan
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.evaluator import Evaluator
from rankeval.evaluation.prepared import asked_measures, judgments_of
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.settings import Settings
from rankeval.fusion.methods import method_named
from rankeval.fusion.side_by_side import Batch, Together, read_side_by_side
from rankeval.io.sources.parts import one_state
from rankeval.measures import MeasuresLike
from rankeval.measures.declare.aggregates import BY_VALUES_ALONE
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.run_source import Run, RunLike, RunSource, run_sources

TRIED_NORMS = (DEFAULT_NORM, "sum", "z-score", "rank")
"""The normalisations that tuning tries."""

MOST_WEIGHTS = 70
"""The weights that tuning tries are as fine as this number of choices allows."""

FINEST = 10
"""The largest number of parts that weights are made of."""


def plans_to_try(
    method: str,
    n_runs: int,
    *,
    norm: str | None = None,
    weights: Sequence[float] | None = None,
    **parameters: float | None,
) -> list[FusionPlan]:
    """Return the plans among which tuning chooses, the one with the usual settings first.

    Weights and the normalisation are chosen, unless they are given. UsageError if nothing is left
    to choose.
    """
    record = method_named(method)
    norms = [norm] if norm or not record.scored else list(TRIED_NORMS)
    choices: list[Sequence[float] | None] = [weights]
    if record.weighted and weights is None and n_runs > 1:
        choices = list(weights_to_try(n_runs))
    plans = [
        fusion_plan(method, n_runs, norm=one, weights=some, **parameters)
        for some in choices
        for one in norms
    ]
    if len(plans) == 1:
        raise UsageError(
            f"the method {plans[0]} leaves nothing to tune",
            place="--tune",
            expected="a method with weights or a normalisation that are not given, such as wsum",
        )
    return plans


def weights_to_try(n_runs: int) -> Iterator[tuple[float, ...]]:
    """Yield weights that add up to 1: equal ones, then all multiples of a step.

    The step is 0.1 for two or three runs, and larger for more.
    """
    equal = (1 / n_runs,) * n_runs
    yield equal
    parts = max(
        (m for m in range(1, FINEST + 1) if comb(m + n_runs - 1, m) <= MOST_WEIGHTS), default=1
    )
    for bars in combinations(range(parts + n_runs - 1), n_runs - 1):
        ends = (-1, *bars, parts + n_runs - 1)
        found = tuple((b - a - 1) / parts for a, b in pairwise(ends))
        if found != equal:
            yield found


MEASURES = "nDCG@10"
FOLDS = 5


@frozen
class TunedFold:
    """One fold: the settings chosen without its topics, and the values of the first measure.

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
    settings the method with the settings chosen on all topics
    tried    number of settings that were tried
    folds    the folds
    held_out {measure: value over all topics}, each topic fused without its judgments
    usual    {measure: value over all topics} of the usual settings
    ======== ======================================================================
    """

    settings: str
    tried: int
    folds: tuple[TunedFold, ...]
    held_out: Mapping[str, float]
    usual: Mapping[str, float]

    def __post_init__(self) -> None:
        seal(self)


@frozen(eq=False)
class TunedFusion:
    """A fused run whose settings were tuned.

    The lines of a judged topic are those of the settings chosen without it, so that the run's value
    is the held-out one; those of other topics are of the settings chosen on all judged topics.
    """

    run: Run
    tuning: Tuning


@checked
@one_state()
def tune_fusion(
    qrels: QrelsLike,
    runs: Sequence[RunLike] | Mapping[str, RunLike],
    method: str = "combsum",
    measures: MeasuresLike = MEASURES,
    *,
    folds: int = FOLDS,
    norm: str | None = None,
    weights: Sequence[float] | None = None,
    k: float | None = None,
    gamma: float | None = None,
    phi: float | None = None,
    sigma: float | None = None,
    ties: FusedTieRule = "docno",
    depth: int | None = None,
    tag: str | None = None,
    reading: Reading = AS_FOUND,
    jobs: int | None = None,
) -> TunedFusion:
    """Fuse runs by the settings that are best by the first measure, tuned by cross-validation.

    =========== ============================================================================
    qrels       judgments, as in `evaluate`
    runs        two or more, or {name: run}
    method      "combsum" or another one with weights or a normalisation, as in `fuse`
    measures    names or objects; the settings are chosen by the first
    folds       parts that the topics are dealt to
    norm, weights    as in `fuse`; those that are None are tried
    k, gamma, phi, sigma    as in `fuse`
    ties, depth, tag, reading, jobs    as in `fuse`
    =========== ============================================================================

    The topics of `qrels`, sorted by name, are dealt to `folds` in turn. For each fold, the settings
    are chosen that have the best value on the topics of the others. Of equal
    settings, the first tried is chosen, and the usual ones are tried first.

    Raises UsageError where there is nothing to tune, or fewer topics than folds.

    Source: Stone, "Cross-Validatory Choice and Assessment of Statistical Predictions", Journal of
    the Royal Statistical Society B 36(2), 1974.

    >>> from rankeval.reports import tune_fusion
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> good = {"q1": {"d1": 2.0, "d3": 1.0}, "q2": {"d2": 2.0, "d3": 1.0}}
    >>> bad = {"q1": {"d3": 2.0, "d1": 1.0}, "q2": {"d3": 2.0, "d2": 1.0}}
    >>> tuned = tune_fusion(qrels, [good, bad], "wsum", "RR", folds=2, norm="min-max")
    >>> tuned.tuning.held_out
    {'RR': 1.0}
    """
    every, _ = run_sources(runs, reading.run().columns)
    plans = plans_to_try(
        method,
        len(every),
        norm=norm,
        weights=weights,
        k=k,
        gamma=gamma,
        phi=phi,
        sigma=sigma,
    )
    given = FusionInput.of(every, ties, reading, jobs, qrels)
    tuned = _tuned(given, plans, Held(qrels, measures, folds), depth)
    parts, _ = fused_lines(given, tuned.how(tag, depth), tuple)
    return TunedFusion(Run(RunSource(parts=parts)), tuned.tuning())


@frozen(eq=False)
class Held:
    """The judgments by which plans are chosen, the measures, and the folds of held-out topics."""

    qrels: QrelsLike
    measures: MeasuresLike = MEASURES
    folds: int = FOLDS


def tune_to(
    path: str,
    given: FusionInput,
    plans: Sequence[FusionPlan],
    held: Held,
    *,
    to: str | None = None,
    depth: int | None = None,
    tag: str | None = None,
    progress: Progress | None = None,
) -> tuple[Tuning, FusedFacts]:
    """Tune as `tune_fusion` does, and write the fused run as `fuse_to` does."""
    tuned = _tuned(given, plans, held, depth)
    facts = write_fused(path, to, given, tuned.how(tag, depth, progress))
    return tuned.tuning(), facts


@frozen(eq=False)
class _Rule:
    """One measure: its name, whether small values are good, and how topics become one number."""

    name: str
    loss: bool
    rule: str

    def over(self, values: Floats) -> float:
        return BY_VALUES_ALONE[self.rule](values)


@frozen(eq=False)
class _Tuned:
    """The values of all plans, and the choice among them without each of the folds.

    topics names of the judged topics; fold is the fold of each, from 0
    rules  the measures
    plans  the plans
    values their values, shape (plans, measures, topics)
    """

    topics: Sequence[str]
    fold: Integers
    rules: Sequence[_Rule]
    plans: Sequence[FusionPlan]
    values: Floats

    @property
    def n_folds(self) -> int:
        return int(self.fold.max()) + 1

    def training(self, fold: int) -> Floats:
        """Return the value of each plan on the topics outside a fold, more being better."""
        there = self.fold != fold
        rule = self.rules[0]
        found = np.array([rule.over(value[0, there]) for value in self.values])
        return -found if rule.loss else found

    def chosen(self, fold: int) -> int:
        """Return the place of the best plan; the first of equal ones."""
        values = self.training(fold)
        return 0 if np.isnan(values).all() else int(np.nanargmax(values))

    def how(
        self, tag: str | None, depth: int | None, progress: Progress | None = None
    ) -> FusedLines:
        """Return the way to fuse each topic by the settings chosen without it."""
        plans = [self.plans[self.chosen(fold)] for fold in range(self.n_folds + 1)]
        fold_of = dict(zip(self.topics, self.fold.tolist(), strict=True))

        def fuse(batch: Batch) -> Floats:
            fold = np.array([fold_of.get(decoded(topic), -1) for topic in batch.topics])
            fused = np.empty(len(batch.docnos))
            for one in np.unique(fold).tolist():
                mine = fold == one
                fused[mine[batch.candidates.topic]] = plans[one].fuse(batch.of(mine))
            return fused

        name = plans[-1].method.name
        return FusedLines(fuse, name if tag is None else tag, depth, progress)

    def tuning(self) -> Tuning:
        """Return the report."""
        folds = range(self.n_folds)
        chosen = [self.chosen(fold) for fold in folds]
        sign = -1.0 if self.rules[0].loss else 1.0
        return Tuning(
            settings=str(self.plans[self.chosen(self.n_folds)]),
            tried=len(self.plans),
            folds=tuple(
                TunedFold(
                    tuple(t for t, f in zip(self.topics, self.fold, strict=True) if f == fold),
                    str(self.plans[best]),
                    sign * float(self.training(fold)[best]),
                    self.rules[0].over(self.values[best, 0, self.fold == fold]),
                )
                for fold, best in zip(folds, chosen, strict=True)
            ),
            held_out=self._over_all(chosen),
            usual=self._over_all([0] * self.n_folds),
        )

    def _over_all(self, plans: Sequence[int]) -> dict[str, float]:
        """Return the value of each measure over all topics, by the plan of each topic's fold."""
        plan = np.array(plans)[self.fold]
        topics = np.arange(len(self.topics))
        return {
            rule.name: rule.over(self.values[plan, at, topics])
            for at, rule in enumerate(self.rules)
        }


def _tuned(
    given: FusionInput,
    plans: Sequence[FusionPlan],
    held: Held,
    depth: int | None,
) -> _Tuned:
    """Fuse the judged topics by each plan, and evaluate them."""
    measures, folds = held.measures, held.folds
    qrels = judgments_of(held.qrels, measures, given.reading)
    rules = _rules(measures, qrels)
    if not 2 <= folds <= len(qrels.topics):
        raise UsageError(
            f"{len(qrels.topics)} judged topics cannot be parted into {folds} folds",
            place="--folds",
            expected="from 2 folds to as many as there are topics",
        )
    topics = sorted(map(decoded, qrels.topics))
    fold = np.arange(len(topics)) % folds
    batches = _judged_batches(given, qrels)
    evaluator = Evaluator(qrels, measures)

    def values_of(plan: FusionPlan, _: int) -> Floats:
        how = FusedLines(plan.fuse, "", depth)
        run = RunSource(parts=tuple(how.of(batch) for batch in batches))
        found = evaluator.per_topic(run)
        return np.array([[found[topic][rule.name] for topic in topics] for rule in rules])

    found = in_order(values_of, ((plan, 0) for plan in plans), given.jobs)
    values = np.array(list(counted(found, "settings", len(plans))))
    return _Tuned(topics, fold, rules, plans, values)


def _rules(measures: MeasuresLike, qrels: Qrels) -> list[_Rule]:
    """Return the measures; UsageError for one whose topics do not become one number by a rule."""
    found = []
    for named in asked_measures(measures, qrels, Settings(), as_given=True):
        definition = named.measure.definition
        if definition.aggregate.name not in BY_VALUES_ALONE:
            raise UsageError(
                f"a fusion cannot be tuned by {named.as_given}",
                expected="a measure that is averaged over topics",
            )
        found.append(_Rule(named.as_given, definition.loss, definition.aggregate.name))
    return found


def _judged_batches(given: FusionInput, qrels: Qrels) -> list[Batch]:
    """Return the documents that the runs retrieved for the judged topics."""

    def judged(topics: Sequence[bytes]) -> Booleans:
        return np.array([topic in qrels.code for topic in topics])

    def use(batches: Iterator[Together]) -> list[Batch]:
        some = (one for one in batches if judged(one.topics).any())
        matched = in_order(lambda one, _: one.batch(), ((one, 0) for one in some), given.jobs)
        return [batch.of(judged(batch.topics)) for batch in matched]

    found = read_side_by_side(given.runs, given.forms(), given.rules, use, jobs=given.jobs)
    if not found:
        raise InputError(
            "the runs have no topic that is judged",
            place=qrels.path or "qrels",
            remedy="check that the files are from the same collection",
        )
    return found
