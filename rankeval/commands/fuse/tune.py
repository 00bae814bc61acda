"""Tune methods of fusion and their parameters on training topics, by cross-validation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise, product
from math import comb
from typing import Any

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers
from rankeval.base.dicts import seal
from rankeval.base.frozen import frozen
from rankeval.base.progress import counted
from rankeval.base.threads import in_order
from rankeval.base.wording import decoded
from rankeval.commands.fuse.fused_inputs import FusionInput
from rankeval.commands.fuse.fused_lines import (
    FusedFacts,
    FusedLines,
    Progress,
    fused_lines,
    write_fused,
)
from rankeval.commands.fuse.plan import DEFAULT_NORM, FusionPlan, fusion_plan
from rankeval.commands.fuse.task import refuse_unused_training
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.evaluator import Evaluator
from rankeval.evaluation.prepared import asked_measures, judgments_of
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.settings import Settings
from rankeval.fusion.method_record import PARAMETERS
from rankeval.fusion.methods import method_named
from rankeval.fusion.trained import Hits
from rankeval.io.sources.parts import one_state
from rankeval.measures import MeasuresLike
from rankeval.measures.declare.aggregates import BY_VALUES_ALONE
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.run_source import RunLike, RunSource, run_sources
from rankeval.ranking.side_by_side import Batch, Together, read_side_by_side

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
    learned: bool = False,
    **parameters: float | None,
) -> list[FusionPlan]:
    """Return the plans among which tuning chooses, the one with the usual settings first.

    Settings that are given stay. With `learned`, the weights are those that judgments of training
    teach. UsageError if nothing is left to choose or to learn.
    """
    usual = fusion_plan(method, n_runs, norm=norm, weights=weights, **parameters)
    record = method_named(method)
    norms = [norm] if norm or not record.scored else list(TRIED_NORMS)
    choices: list[Sequence[float] | None] = [weights]
    if record.weighted and weights is None and not learned:
        choices = list(weights_to_try(n_runs))
    values = [_values(name, parameters.get(name)) for name in record.parameters]
    plans = [
        fusion_plan(
            method,
            n_runs,
            norm=one,
            weights=some,
            **dict(zip(record.parameters, chosen, strict=True)),
        )
        for some in choices
        for one in norms
        for chosen in product(*values)
    ]
    if len(plans) == 1 and not usual.learns:
        raise UsageError(
            f"the method {usual} leaves nothing to tune",
            place="--tune",
            expected="a method with a setting that is not given, such as rrf with its k",
        )
    return plans


def _values(name: str, given: float | None) -> list[float]:
    """Return the values of a parameter to try, the usual one first."""
    if given is not None:
        return [given]
    usual = PARAMETERS[name].default
    return [usual, *(value for value in PARAMETERS[name].tried if value != usual)]


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

    run: RunSource
    tuning: Tuning


@one_state()
def tune_fusion(
    qrels: QrelsLike,
    runs: Sequence[RunLike] | Mapping[str, RunLike],
    method: str = "rrf",
    measures: MeasuresLike = MEASURES,
    *,
    folds: int = FOLDS,
    norm: str | None = None,
    weights: Sequence[float] | None = None,
    k: float | None = None,
    gamma: float | None = None,
    phi: float | None = None,
    sigma: float | None = None,
    segments: int | None = None,
    window: int | None = None,
    train_qrels: QrelsLike | None = None,
    ties: str = "docno",
    depth: int | None = None,
    tag: str | None = None,
    reading: Reading = AS_FOUND,
    jobs: int | None = None,
) -> TunedFusion:
    """Fuse runs by the settings that are best by the first measure, tuned by cross-validation.

    =========== ============================================================================
    qrels       judgments, as in `evaluate`
    runs        two or more, or {name: run}
    method      "rrf" or another one, as in `fuse`
    measures    names or objects; the settings are chosen by the first
    folds       parts that the topics are dealt to
    norm, weights, k, gamma, phi, sigma, segments, window    as in `fuse`: settings to keep;
                those that are None are tried
    train_qrels judgments that trained methods learn from; by default those of other folds
    ties, depth, tag, reading, jobs    as in `fuse`
    =========== ============================================================================

    The topics of `qrels`, sorted by name, are dealt to `folds` in turn. For each fold, the settings
    are chosen that have the best value on the topics of the others. Parameters and the
    normalisation that are given stay; the others are tried, and weights that add up to 1. Trained
    methods learn on the topics of the other folds, or from `train_qrels` without the topics of the
    fold. Of equal settings, the first tried is chosen, and the usual ones are tried first.

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
        learned=train_qrels is not None,
        k=k,
        gamma=gamma,
        phi=phi,
        sigma=sigma,
        segments=segments,
        window=window,
    )
    given = FusionInput.of(every, ties, reading, jobs, qrels, train_qrels)
    tuned = _tuned(given, plans, Held(qrels, measures, folds, train_qrels), depth)
    parts, _ = fused_lines(given, tuned.how(tag, depth), tuple)
    return TunedFusion(RunSource(parts=parts), tuned.tuning())


@frozen(eq=False)
class Held:
    """The judgments by which plans are chosen, the measures, and the folds of held-out topics."""

    qrels: QrelsLike
    measures: MeasuresLike = MEASURES
    folds: int = FOLDS
    train_qrels: QrelsLike | None = None


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
class _Lesson:
    """A plan, and the outcome of learning from some topics."""

    plan: FusionPlan
    learned: Sequence[Any] | None

    def fuse(self, batch: Batch) -> Floats:
        return self.plan.fuse(batch, self.learned)


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
    """The values of all plans, learned without each of the folds, and the choice among them.

    topics names of the judged topics; fold is the fold of each, from 0
    rules  the measures
    lessons the plans, P lists of one lesson for each fold and one for all topics
    values their values, shape (P, folds + 1, measures, topics)
    """

    topics: Sequence[str]
    fold: Integers
    rules: Sequence[_Rule]
    lessons: Sequence[Sequence[_Lesson]]
    values: Floats

    @property
    def n_folds(self) -> int:
        return self.values.shape[1] - 1

    def training(self, fold: int) -> Floats:
        """Return the value of each plan on the topics outside a fold, more being better."""
        there = self.fold != fold
        rule = self.rules[0]
        found = np.array([rule.over(value[fold, 0, there]) for value in self.values])
        return -found if rule.loss else found

    def chosen(self, fold: int) -> int:
        """Return the place of the best plan; the first of equal ones."""
        values = self.training(fold)
        return 0 if np.isnan(values).all() else int(np.nanargmax(values))

    def how(
        self, tag: str | None, depth: int | None, progress: Progress | None = None
    ) -> FusedLines:
        """Return the way to fuse each topic by the settings chosen without it."""
        lessons = [self.lessons[self.chosen(fold)][fold] for fold in range(self.n_folds + 1)]
        fold_of = dict(zip(self.topics, self.fold.tolist(), strict=True))

        def fuse(batch: Batch) -> Floats:
            fold = np.array([fold_of.get(decoded(topic), -1) for topic in batch.topics])
            fused = np.empty(len(batch.docnos))
            for one in np.unique(fold).tolist():
                mine = fold == one
                fused[mine[batch.candidates.topic]] = lessons[one].fuse(batch.of(mine))
            return fused

        name = lessons[-1].plan.method.name
        return FusedLines(fuse, name if tag is None else tag, depth, progress)

    def tuning(self) -> Tuning:
        """Return the report."""
        folds = range(self.n_folds)
        chosen = [self.chosen(fold) for fold in folds]
        sign = -1.0 if self.rules[0].loss else 1.0
        return Tuning(
            settings=str(self.lessons[self.chosen(self.n_folds)][-1].plan),
            tried=len(self.lessons),
            folds=tuple(
                TunedFold(
                    tuple(t for t, f in zip(self.topics, self.fold, strict=True) if f == fold),
                    str(self.lessons[best][fold].plan),
                    sign * float(self.training(fold)[best]),
                    self.rules[0].over(self.values[best, fold, 0, self.fold == fold]),
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
            rule.name: rule.over(self.values[plan, self.fold, at, topics])
            for at, rule in enumerate(self.rules)
        }


def _tuned(
    given: FusionInput,
    plans: Sequence[FusionPlan],
    held: Held,
    depth: int | None,
) -> _Tuned:
    """Fuse the judged topics by each plan, and evaluate them."""
    measures, folds, train_qrels = held.measures, held.folds, held.train_qrels
    if train_qrels is not None:
        refuse_unused_training(plans[0])
    qrels = judgments_of(held.qrels, measures, given.reading)
    rules = _rules(measures, qrels)
    if not 2 <= folds <= len(qrels.topics):
        raise UsageError(
            f"{len(qrels.topics)} judged topics cannot be parted into {folds} folds",
            place="folds=",
            expected="from 2 folds to as many as there are topics",
        )
    topics = sorted(map(decoded, qrels.topics))
    fold = np.arange(len(topics)) % folds
    hits: list[Sequence[Hits]] = []
    if plans[0].learns:
        train = qrels if train_qrels is None else judgments_of(train_qrels, None, given.reading)
        every = given.hits(train)
        fold_of = dict(zip(topics, fold.tolist(), strict=True))
        taught = np.array([fold_of.get(decoded(topic), -1) for topic in train.topics])
        hits = [_outside(every, taught, one) for one in range(folds + 1)]
    lessons = [
        [_Lesson(plan, plan.learn(some)) for some in hits] or [_Lesson(plan, None)] * (folds + 1)
        for plan in plans
    ]
    batches = _judged_batches(given, qrels)
    evaluator = Evaluator(qrels, measures)

    def values_of(lesson: _Lesson, _: int) -> Floats:
        how = FusedLines(lesson.fuse, "", depth)
        run = RunSource(parts=tuple(how.of(batch) for batch in batches))
        found = evaluator.per_topic(run)
        return np.array([[found[topic][rule.name] for topic in topics] for rule in rules])

    different = [one for row in lessons for one in (row if hits else row[:1])]
    found = in_order(values_of, ((one, 0) for one in different), given.jobs)
    values = np.array(list(counted(found, "settings", len(different))))
    shape = (len(plans), folds + 1 if hits else 1, len(rules), len(topics))
    filled = np.broadcast_to(values.reshape(shape), (len(plans), folds + 1, *shape[2:]))
    return _Tuned(topics, fold, rules, lessons, filled)


def _outside(every: Sequence[Hits], fold: Integers, left_out: int) -> list[Hits]:
    """Return the hits of the topics outside a fold."""
    kept = np.flatnonzero(fold != left_out)
    if not len(kept):
        raise UsageError(
            f"all topics of training are held out in fold {left_out + 1}",
            place="train_qrels=",
            expected="judgments of further topics",
        )
    return [one.of(kept) for one in every]


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
