"""Tune weights and normalisation of a fusion on judged topics, by cross-validation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from math import comb
from operator import itemgetter
from typing import Unpack

import numpy as np

from rankeval.base.arrays import Booleans, Floats
from rankeval.base.checked import checked
from rankeval.base.dicts import seal
from rankeval.base.endings import tell
from rankeval.base.frozen import frozen
from rankeval.base.progress import counted
from rankeval.base.threads import in_order
from rankeval.base.wording import count, decoded, finite
from rankeval.choices import FusedTieRule
from rankeval.commands.fuse.plan import (
    DEFAULT_NORM,
    FusionKeywords,
    FusionPlan,
    FusionSettings,
    fusion_plan,
    reading_and_settings,
)
from rankeval.commands.fuse.task import FusedLines, fused_lines
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.evaluator import Evaluator
from rankeval.evaluation.prepared import asked_measures, judgments_of
from rankeval.evaluation.settings import Settings
from rankeval.fusion.fusion_input import FusionInput
from rankeval.fusion.methods import method_named
from rankeval.fusion.side_by_side import Batch, Together
from rankeval.io.sources.parts import one_state
from rankeval.measures import MeasuresLike
from rankeval.measures.declare.aggregates import BY_VALUES_ALONE
from rankeval.output import declared_columns as columns
from rankeval.output.style import Style
from rankeval.output.tables import Block
from rankeval.output.text import text
from rankeval.output.writing import write_pieces
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.run_source import Run, RunLike, RunSource, run_sources

MEASURES = "nDCG@10"
FOLDS = 5
TRIED_NORMS = (DEFAULT_NORM, "sum", "z-score", "rank")
"""The normalisations that tuning tries."""

MOST_WEIGHTS = 70
"""The weights that tuning tries are as fine as this number of choices allows."""

FINEST = 10
"""The largest number of parts that weights are made of."""


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
    ties: FusedTieRule = "docno",
    depth: int | None = None,
    tag: str | None = None,
    jobs: int | None = None,
    **settings: Unpack[FusionKeywords],
) -> TunedFusion:
    """Fuse runs by the settings that are best by the first measure, tuned by cross-validation.

    =========== ============================================================================
    qrels       judgments, as in `evaluate`
    runs        two or more, or {name: run}
    method      "combsum" or another one with weights or a normalisation, as in `fuse`
    measures    names or objects; the settings are chosen by the first
    folds       parts that the topics are dealt to
    ties, depth, tag, jobs    as in `fuse`
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
    {'RR': 1.0}
    """
    reading, of_method = reading_and_settings(settings)
    every, _ = run_sources(runs, reading.run_form().columns)
    plans = plans_to_try(method, len(every), **of_method)
    given = FusionInput.of(every, ties, reading, jobs, qrels)
    chosen = choose(given, plans, qrels, measures, folds, depth)
    parts, _ = fused_lines(given, FusedLines(chosen.fuse, tag or chosen.name, depth), tuple)
    return TunedFusion(Run(RunSource(parts=parts)), chosen.tuning)


def plans_to_try(method: str, n_runs: int, **settings: Unpack[FusionSettings]) -> list[FusionPlan]:
    """Return the plans among which tuning chooses, the one with the usual settings first.

    Weights and the normalisation are chosen, unless they are given. UsageError if nothing is left
    to choose.
    """
    record = method_named(method)
    norm, weights = settings.get("norm"), settings.get("weights")
    norms = [norm] if norm or not record.scored else list(TRIED_NORMS)
    choices: list[Sequence[float] | None] = [weights]
    if record.weighted and weights is None and n_runs > 1:
        choices = list(weights_to_try(n_runs))
    tried = (
        FusionSettings(**{**settings, "norm": one, "weights": some})
        for some in choices
        for one in norms
    )
    plans = [fusion_plan(method, n_runs, **one) for one in tried]
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
        weights = tuple((b - a - 1) / parts for a, b in pairwise(ends))
        if weights != equal:
            yield weights


@frozen(eq=False)
class Chosen:
    """The plan for the topics of each fold, the last one for all other topics, and the report."""

    plans: Sequence[FusionPlan]
    fold_of: Mapping[str, int]
    tuning: Tuning

    @property
    def name(self) -> str:
        """The name of the method."""
        return self.plans[-1].method.name

    def fuse(self, batch: Batch) -> Floats:
        """Return the fused scores, of each topic by the settings chosen without it."""
        fold = np.array([self.fold_of.get(decoded(topic), -1) for topic in batch.topics])
        fused = np.empty(len(batch.docnos))
        for one in np.unique(fold).tolist():
            mine = fold == one
            fused[mine[batch.candidates.topic]] = self.plans[one].fuse(batch.of(mine))
        return fused


def choose(
    given: FusionInput,
    plans: Sequence[FusionPlan],
    qrels: QrelsLike,
    measures: MeasuresLike,
    folds: int,
    depth: int | None,
) -> Chosen:
    """Fuse the judged topics by each plan, evaluate them, and choose a plan for each fold."""
    judged = judgments_of(qrels, measures, given.reading)
    asked = asked_measures(measures, judged, Settings(), as_given=True)
    for named in asked:
        if named.measure.definition.aggregate.name not in BY_VALUES_ALONE:
            raise UsageError(
                f"a fusion cannot be tuned by {named.as_given}",
                expected="a measure that is averaged over topics",
            )
    topics = sorted(map(decoded, judged.topics))
    if not 2 <= folds <= len(topics):
        raise UsageError(
            f"{len(topics)} judged topics cannot be parted into {folds} folds",
            place="--folds",
            expected="from 2 folds to as many as there are topics",
        )
    fold = np.arange(len(topics)) % folds
    batches = _judged_batches(given, judged)
    evaluator = Evaluator(judged, measures)

    def values_of(plan: FusionPlan, _: int) -> Floats:
        how = FusedLines(plan.fuse, "", depth)
        found = evaluator.per_topic(RunSource(parts=tuple(how.of(batch) for batch in batches)))
        return np.array([[found[topic][named.as_given] for topic in topics] for named in asked])

    each = in_order(values_of, ((plan, 0) for plan in plans), given.jobs)
    values = np.array(list(counted(each, "settings", len(plans))))  # plans, measures, topics
    rules = [BY_VALUES_ALONE[named.measure.definition.aggregate.name] for named in asked]
    sign = -1.0 if asked[0].measure.definition.loss else 1.0

    def best(there: Booleans) -> tuple[int, float]:
        """Return the place of the best plan on some topics, the first of equal ones."""
        found = np.array([sign * rules[0](value[0, there]) for value in values])
        place = 0 if np.isnan(found).all() else int(np.nanargmax(found))
        return place, sign * float(found[place])

    def over_all(place_of_fold: Sequence[int]) -> dict[str, float]:
        plan = np.array(place_of_fold)[fold]
        return {
            named.as_given: rule(values[plan, at, np.arange(len(topics))])
            for at, (named, rule) in enumerate(zip(asked, rules, strict=True))
        }

    places, training = zip(*(best(fold != one) for one in range(folds)), strict=True)
    usable = [plans[place] for place in (*places, best(fold >= 0)[0])]
    found = [
        TunedFold(
            tuple(topic for topic, of in zip(topics, fold, strict=True) if of == one),
            str(plans[place]),
            training[one],
            rules[0](values[place, 0, fold == one]),
        )
        for one, place in enumerate(places)
    ]
    tuning = Tuning(
        str(usable[-1]), len(plans), tuple(found), over_all(places), over_all([0] * folds)
    )
    return Chosen(usable, dict(zip(topics, fold.tolist(), strict=True)), tuning)


def _judged_batches(given: FusionInput, qrels: Qrels) -> list[Batch]:
    """Return the documents that the runs retrieved for the judged topics."""

    def judged(topics: Sequence[bytes]) -> Booleans:
        return np.array([topic in qrels.code for topic in topics])

    def use(batches: Iterator[Together]) -> list[Batch]:
        some = (one for one in batches if judged(one.topics).any())
        matched = in_order(lambda one, _: one.batch(), ((one, 0) for one in some), given.jobs)
        return [batch.of(judged(batch.topics)) for batch in matched]

    found = given.read(use)
    if not found:
        raise InputError(
            "the runs have no topic that is judged",
            place=qrels.path or "qrels",
            remedy="check that the files are from the same collection",
        )
    return found


FOLD_COLUMNS = [
    columns.count("fold", get=itemgetter(0)),
    columns.count("topics", get=lambda row: len(row[1].topics)),
    columns.name("settings", get=lambda row: row[1].settings),
    columns.number("training", get=lambda row: finite(row[1].training)),
    columns.number("held-out", get=lambda row: finite(row[1].held_out)),
]
MEASURE_COLUMNS = [
    columns.name("measure", get=itemgetter(0)),
    columns.number("held-out", get=lambda row: finite(row[1])),
    columns.number("usual settings", get=lambda row: finite(row[2])),
]


def blocks(tuning: Tuning, style: Style) -> Iterator[Block]:
    """Yield the folds, the values over all topics, and the settings for further topics."""
    first = next(iter(tuning.held_out))
    topics = count(sum(len(fold.topics) for fold in tuning.folds), "topic")
    title = f"Settings chosen by {first}, {count(tuning.tried, 'setting')} tried, {topics}"
    yield columns.table(title, FOLD_COLUMNS, enumerate(tuning.folds, 1), style)
    title = "All topics, each fused by the settings chosen without it"
    measures = [(name, value, tuning.usual[name]) for name, value in tuning.held_out.items()]
    yield columns.table(title, MEASURE_COLUMNS, measures, style)
    yield f"Settings chosen on all topics, for use on new topics: {tuning.settings}"


def write_tuning(tuning: Tuning, *, to_stderr: bool, quiet: bool) -> None:
    """Print the report, on stderr if standard output has the run."""
    if not to_stderr:
        write_pieces(lambda style: text(blocks(tuning, style), style))
    elif not quiet:
        style = Style(colour=False)
        tell("".join(text(blocks(tuning, style), style)))
