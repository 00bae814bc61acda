"""Compare runs with a baseline, or all with each other: differences and how sure they are."""

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import combinations
from typing import Self

import numpy as np

from rankeval.aggregation import GroupsLike, aggregation
from rankeval.api import (
    CostsLike,
    QrelsLike,
    RunLike,
    asked_measures,
    evaluate,
    judgments_of,
    refuse_stdin_twice,
)
from rankeval.errors import InputError, UsageError
from rankeval.judgments import Booleans, Floats
from rankeval.readings import AS_FOUND, Reading
from rankeval.results import Results, RunResult, Score
from rankeval.saved_results import results_of
from rankeval.settings import Settings
from rankeval.signatures import changes
from rankeval.stats import (
    Anova,
    Correction,
    DifferenceSummary,
    EffectSizes,
    Interval,
    IntervalMethod,
    PairedTest,
    PairwiseComparison,
    TestName,
    adjust_p_values,
    confidence_interval,
    effect_sizes,
    paired_differences,
    paired_test,
    randomized_tukey_hsd,
    smallest_difference,
    summarize_differences,
    topics_needed,
    tukey_hsd,
    two_way_anova,
)


class SystemsTest(StrEnum):
    """Tests that look at all systems at once; their p-values hold for all pairs."""

    TUKEY = "tukey"
    RANDOMIZED_TUKEY = "randomized-tukey"


@dataclass(frozen=True)
class Method:
    """How runs are compared; docs/statistics.md helps to choose.

    ========== ============================================================================
    test       a paired test, or tukey or randomized-tukey for all systems at once
    correction of the p-values of all comparisons, whatever their measure; the tests of all
               systems correct for pairs themselves, and for nothing else
    interval   of the difference: t, percentile or bca; tukey has its own
    alpha      risk; intervals have the level 1 - alpha
    all_pairs  compare every run with every other one, not with the baseline only
    power      chance of seeing a difference, for planning
    difference to be seen, in the measure's units, or as a share of the baseline's mean
    relative   whether it is such a share
    seed       of whatever is drawn
    ========== ============================================================================
    """

    test: TestName | SystemsTest = TestName.STUDENT_T
    correction: Correction = Correction.HOLM
    interval: IntervalMethod = IntervalMethod.STUDENT_T
    alpha: float = 0.05
    all_pairs: bool = False
    power: float = 0.8
    difference: float = 0.05
    relative: bool = True
    seed: int = 0

    @classmethod
    def of(
        cls,
        test: str = "t",
        correction: str = "holm",
        interval: str = "t",
        difference: str | float = "5%",
        *,
        alpha: float = 0.05,
        all_pairs: bool = False,
        power: float = 0.8,
        seed: int = 0,
    ) -> Self:
        """Choose by the names that options use; the difference is 0.01 or a share such as 5%."""
        text = str(difference).strip()
        try:
            wanted = float(text.removesuffix("%"))
        except ValueError:
            wanted = math.nan
        if not (math.isfinite(wanted) and wanted > 0):
            raise UsageError(
                f"'{text}' is no difference to plan for", expected="a number above 0, or 5%"
            )
        relative = text.endswith("%")
        return cls(
            test=SystemsTest(test) if test in set(SystemsTest) else TestName(test),
            correction=Correction(correction),
            interval=IntervalMethod(interval),
            alpha=alpha,
            all_pairs=all_pairs,
            power=power,
            difference=wanted / 100 if relative else wanted,
            relative=relative,
            seed=seed,
        )

    @property
    def corrected(self) -> Correction:
        """The correction that is applied to p-values."""
        return Correction.NONE if isinstance(self.test, SystemsTest) else self.correction


@dataclass(frozen=True)
class TopicChange:
    """A topic's values of the baseline and of the run."""

    topic: str
    baseline: float
    run: float
    difference: float


@dataclass(frozen=True)
class Planning:
    """What another experiment would need, from the deviation observed; None where unknown.

    difference    that is to be seen
    topics_needed topics that show it
    smallest      the smallest difference that so many topics as there are can show
    """

    difference: float | None
    topics_needed: int | None
    smallest: float | None


@dataclass(frozen=True)
class Pair:
    """A run beside its baseline, in one measure, over all topics or over a group of them.

    ========= ============================================================================
    baseline, run  names
    group     "" for all topics
    measure   canonical name
    loss      True when smaller is better
    signature the conventions behind the numbers
    summary   means, difference (run - baseline), and wins, ties and losses, a win being a
              topic on which the run is better
    test      the paired test; None for tests of all systems
    p_value   corrected
    interval  of the difference; None where the test of all systems gives another or none
    low, high ends of the interval, or of Tukey's; None where the topics do not bound it
    effects   effect sizes
    planning  for another experiment
    changes   topics that differ, those that changed most first
    ========= ============================================================================
    """

    baseline: str
    run: str
    group: str
    measure: str
    loss: bool
    signature: str
    summary: DifferenceSummary
    test: PairedTest | None
    p_value: float
    interval: Interval | None
    low: float | None
    high: float | None
    effects: EffectSizes
    planning: Planning
    changes: tuple[TopicChange, ...]

    @property
    def gain(self) -> float:
        """The difference with the sign that makes more better; 0 where it is undefined."""
        difference = self.summary.difference or 0.0
        return -difference if self.loss else difference


@dataclass(frozen=True)
class Comparison:
    """What came of comparing some runs.

    ======== =============================================================================
    runs     the runs, the baseline first
    digest   of the judgments
    method   how they were compared
    pairs    measure by measure, group by group, all topics first
    anova    of all runs by measure, where there are more than two
    groups   names of the groups
    warnings what a reader must know, beside what the runs say
    ======== =============================================================================
    """

    runs: tuple[RunResult, ...]
    digest: str
    method: Method
    pairs: tuple[Pair, ...]
    anova: Mapping[str, Anova]
    groups: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def compare(
    qrels: QrelsLike,
    baseline: RunLike | Results,
    runs: RunLike | Results | Sequence[RunLike | Results],
    measures: str | Iterable[str] | None = None,
    settings: Settings | None = None,
    *,
    method: Method = Method(),
    groups: GroupsLike | None = None,
    costs: CostsLike | None = None,
    reading: Reading = AS_FOUND,
    jobs: int | None = None,
) -> Comparison:
    """Compare runs with a baseline, measure by measure.

    Runs are paths or mappings as in `evaluate`, or results with values by topic: a path that
    ends in .json, or a Results. Numbers whose signatures differ are not set side by side:
    InputError says in what they differ. `measures` are names, by default nDCG@10 and AP, or
    those of the baseline where everything was evaluated before. `costs` and `reading` are as in
    `evaluate`.
    """
    single = isinstance(runs, str | os.PathLike | Mapping | Results)
    rest: list[RunLike | Results] = [runs] if single else list(runs)  # type: ignore[list-item, arg-type]
    scored = partial(evaluate, settings=settings, costs=costs, reading=reading, jobs=jobs)
    found = _gathered(qrels, [baseline, *rest], measures, settings or Settings(), reading, scored)
    if len(found) < 2:
        raise UsageError("no run to compare with the baseline", expected="one run or more")
    table = aggregation(None, None, groups)
    topics = [topic.encode("utf-8", "surrogateescape") for topic in found[0].topics]
    labels = table.labels(topics)
    names = tuple(dict.fromkeys(label for label in labels if label))
    masks = {"": np.ones(len(found[0].topics), dtype=bool)}
    masks |= {name: np.array([label == name for label in labels]) for name in names}
    pairs: list[Pair] = []
    anova: dict[str, Anova] = {}
    for i, score in enumerate(found[0].scores):
        if score.rule not in ("mean", "sum"):
            raise UsageError(
                f"{score.measure} is aggregated by {score.rule}, which has no paired test",
                expected="measures that are averaged over topics",
            )
        values = np.stack([run.scores[i].values for run in found], axis=1)
        if len(found) > 2:
            anova[score.measure] = two_way_anova(values)
        for group, mask in masks.items():
            pairs += _pairs(found, score, group, values, mask, method)
    adjusted = adjust_p_values([pair.p_value for pair in pairs], correction=method.corrected)
    return Comparison(
        runs=tuple(found),
        digest=judgments_digest(found[0]),
        method=method,
        pairs=tuple(
            replace(pair, p_value=float(p)) for pair, p in zip(pairs, adjusted, strict=True)
        ),
        anova=anova,
        groups=names,
        warnings=tuple(table.warnings(topics)),
    )


def judgments_digest(run: RunResult) -> str:
    """The digest in the run's signatures."""
    return run.scores[0].signature.rpartition("|qrels:")[2]


def _gathered(
    qrels: QrelsLike,
    files: Sequence[RunLike | Results],
    measures: str | Iterable[str] | None,
    settings: Settings,
    reading: Reading,
    scored: Callable[..., Results],
) -> list[RunResult]:
    """The runs of all files in their order, with the same measures and topics."""
    refuse_stdin_twice(qrels, *files)
    loaded = [results_of(file) for file in files]
    wanted = measures
    if measures is None and isinstance(loaded[0], Results):
        wanted = [score.measure for score in loaded[0].runs[0].scores]
    judgments = judgments_of(qrels, wanted, reading)
    kept = [one for one in loaded if isinstance(one, Results)]
    fresh: list[RunLike] = [one for one in loaded if not isinstance(one, Results)]
    if measures is None and kept and isinstance(loaded[0], Results):
        names = [score.measure for score in loaded[0].runs[0].scores]
    else:
        given = "nDCG@10 AP" if measures is None else measures
        asked, _ = asked_measures(given, judgments, settings)
        names = [str(named.measure) for named in asked]
    for one in kept:
        if one.qrels.digest != judgments.digest:
            raise InputError(
                f"stands on other judgments: digest {one.qrels.digest}, here {judgments.digest}",
                place=one.runs[0].path,
                remedy="evaluate the run again with these judgments",
            )
    given = " ".join(names) if measures is None else measures
    evaluated = iter(scored(judgments, fresh, given).runs if fresh else ())
    runs = [
        run
        for one in loaded
        for run in (one.runs if isinstance(one, Results) else (next(evaluated),))
    ]
    first = _with_measures(runs[0], names)
    return _distinct([first, *(_beside(first, _with_measures(run, names)) for run in runs[1:])])


def _with_measures(run: RunResult, names: Sequence[str]) -> RunResult:
    scores = {score.measure: score for score in run.scores}
    for name in names:
        if name not in scores:
            raise InputError(
                f"holds no values of {name}",
                place=run.path,
                expected=f"it among {', '.join(scores)}",
                remedy="evaluate the run again with -m, or name other measures",
            )
    return replace(run, scores=tuple(scores[name] for name in names))


def _beside(first: RunResult, run: RunResult) -> RunResult:
    """The run with its topics in the order of the first; InputError if it cannot stand there."""
    for one, other in zip(first.scores, run.scores, strict=True):
        differ = changes(one.signature, other.signature)
        if differ:
            listed = "; ".join(
                f"{c.name} is {c.before} for {first.name} and {c.after} for {run.name}"
                for c in differ
            )
            raise InputError(
                f"{one.measure} has another definition: {listed}",
                place=run.path,
                remedy="evaluate both in the same way",
            )
    if set(first.topics) != set(run.topics):
        raise InputError(
            f"has other topics than {first.name}: {len(set(run.topics) - set(first.topics))} that "
            f"it lacks, and {len(set(first.topics) - set(run.topics))} of its topics are not here",
            place=run.path,
            remedy="evaluate both over the same topics",
        )
    place = {topic: i for i, topic in enumerate(run.topics)}
    order = [place[topic] for topic in first.topics]
    scores = tuple(replace(score, values=score.values[order]) for score in run.scores)
    return replace(run, topics=first.topics, scores=scores)


def _distinct(runs: Sequence[RunResult]) -> list[RunResult]:
    taken: set[str] = set()
    named = []
    for run in runs:
        name, number = run.name, 1
        while name in taken:
            number += 1
            name = f"{run.name} ({number})"
        taken.add(name)
        named.append(replace(run, name=name))
    return named


def _pairs(
    runs: Sequence[RunResult],
    score: Score,
    group: str,
    values: Floats,
    mask: Booleans,
    method: Method,
) -> list[Pair]:
    chosen = values[mask]
    topics = [topic for topic, there in zip(runs[0].topics, mask.tolist(), strict=True) if there]
    indices = [(i, j) for i, j in combinations(range(len(runs)), 2) if method.all_pairs or i == 0]
    systems = _systems(chosen, method)
    return [_pair(runs, (i, j), score, group, topics, chosen, systems, method) for i, j in indices]


def _systems(values: Floats, method: Method) -> PairwiseComparison | None:
    if method.test is SystemsTest.TUKEY:
        return tukey_hsd(values, level=1 - method.alpha)
    if method.test is SystemsTest.RANDOMIZED_TUKEY:
        return randomized_tukey_hsd(values, seed=method.seed)
    return None


def _pair(
    runs: Sequence[RunResult],
    which: tuple[int, int],
    score: Score,
    group: str,
    topics: Sequence[str],
    values: Floats,
    systems: PairwiseComparison | None,
    method: Method,
) -> Pair:
    first, second = which
    before, after = values[:, first], values[:, second]
    differences = paired_differences(before, after)
    summary = summarize_differences(before, after)
    if score.loss:
        summary = replace(summary, wins=summary.losses, losses=summary.wins)
    test, interval = None, None
    p_value, low, high = 1.0, None, None
    if systems is not None:
        found = next(p for p in systems.pairs if (p.first, p.second) == which)
        p_value, low, high = found.p_value, found.low, found.high
    else:
        test = paired_test(differences, test=method.test, seed=method.seed)
        p_value = test.p_value
    if systems is None or systems.level is None:
        interval = confidence_interval(
            differences, method=method.interval, level=1 - method.alpha, seed=method.seed
        )
        low, high = interval.low, interval.high
    order = np.argsort(-np.abs(differences), kind="stable")
    return Pair(
        baseline=runs[first].name,
        run=runs[second].name,
        group=group,
        measure=score.measure,
        loss=score.loss,
        signature=score.signature,
        summary=summary,
        test=test,
        p_value=p_value,
        interval=interval,
        low=low,
        high=high,
        effects=effect_sizes(before, after),
        planning=_planning(summary, method),
        changes=tuple(
            TopicChange(topics[i], float(before[i]), float(after[i]), float(differences[i]))
            for i in order.tolist()
            if differences[i] != 0 and math.isfinite(differences[i])
        ),
    )


def _planning(summary: DifferenceSummary, method: Method) -> Planning:
    deviation = summary.standard_deviation
    scale = abs(summary.baseline_mean or 0.0) if method.relative else 1.0
    wanted = method.difference * scale or None
    if deviation is None:
        return Planning(wanted, None, None)
    alpha, power = method.alpha, method.power
    return Planning(
        difference=wanted,
        topics_needed=None
        if wanted is None
        else topics_needed(wanted, deviation, alpha=alpha, power=power),
        smallest=smallest_difference(summary.n_topics, deviation, alpha=alpha, power=power),
    )
