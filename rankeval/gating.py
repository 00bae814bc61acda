"""Hold candidates to rules beside a baseline: the value behind a gate's reports and exit code."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rankeval.api import (
    CostsLike,
    QrelsLike,
    RunLike,
    evaluate,
    held,
    judgments_of,
    refuse_stdin_twice,
    run_list,
    usable_threads,
)
from rankeval.errors import UsageError
from rankeval.gate_baseline import comparable_run
from rankeval.gate_rules import Rule, RuleKind, parse_rule
from rankeval.measures import parse_measures
from rankeval.readings import AS_FOUND, Reading
from rankeval.results import QrelsFacts, Results, RunResult, Score
from rankeval.saved_results import is_results_path, results_of
from rankeval.settings import Settings
from rankeval.stats import (
    Correction,
    GatePolicy,
    GateVerdict,
    TestName,
    Verdict,
    gate_passes,
    gate_verdicts,
)
from rankeval.tie_orders import Extremes, extreme_results

if TYPE_CHECKING:
    from rankeval.suites import Suite

ROUNDING = 1e-12
"""What the rounding of a measure may add to a difference; as in `rankeval.stats`."""
MOVED_SHOWN = 5


@dataclass(frozen=True)
class Decision:
    """What a gate asks of the statistics; docs/statistics.md has what they mean.

    ============ =========================================================================
    policy       which verdicts open the gate: observed, significant or noninferior
    alpha, power the risks that verdicts and planning figures are taken at
    test         the paired test, one-sided
    correction   of the p-values of all drops that are limited
    seed         of tests that draw
    ============ =========================================================================
    """

    policy: GatePolicy = GatePolicy.OBSERVED
    alpha: float = 0.05
    power: float = 0.8
    test: TestName = TestName.STUDENT_T
    correction: Correction = Correction.HOLM
    seed: int = 0


@dataclass(frozen=True)
class TopicDrop:
    """A topic that became worse; `drop` is above 0 whichever way the measure points."""

    topic: str
    baseline: float
    candidate: float
    drop: float


@dataclass(frozen=True)
class RuleOutcome:
    """What became of one rule for one candidate.

    ========= ============================================================================
    run       the candidate
    rule      the rule
    measure   canonical name of its measure
    loss      True when smaller is better
    signature the conventions behind the numbers
    passed    whether the rule lets the candidate through
    limit     what the rule came down to, in the measure's own units; for relative limits of
              single topics the share itself
    baseline  mean of the baseline; None where it is undefined
    candidate mean of the candidate; None where it is undefined
    drop      how much worse the candidate is, below 0 when it is better
    verdict   what the topics say about the drop, for max-drop only
    topics    topics that became worse, worst first: the first few for max-drop, all that broke
              the limit for max-topic-drop
    n_worse   how many topics became worse, or broke the limit of max-topic-drop
    tied      whether the order of equal scores could turn the outcome
    ========= ============================================================================
    """

    run: str
    rule: Rule
    measure: str
    loss: bool
    signature: str
    passed: bool
    limit: float
    baseline: float | None
    candidate: float | None
    drop: float | None
    verdict: GateVerdict | None
    topics: tuple[TopicDrop, ...]
    n_worse: int
    tied: bool = False


@dataclass(frozen=True)
class Shown:
    """A measure without a rule, for the reader; None where a mean is undefined."""

    run: str
    measure: str
    baseline: float | None
    candidate: float | None
    drop: float | None


@dataclass(frozen=True)
class GateReport:
    """What a gate says: the one value that tables, reports and the exit code are made from.

    ========== ===========================================================================
    baseline   its name
    candidates names of the candidates
    topics     number of topics
    qrels      the judgments
    decision   policy, alpha, test and so on
    outcomes   candidate by candidate, rule by rule
    shown      measures without a rule
    missing    by candidate, the topics that it lacks and that count 0
    runs       what was evaluated, with what a reader of the numbers must know
    warnings   what could make the verdict another one
    ========== ===========================================================================
    """

    baseline: str
    candidates: tuple[str, ...]
    topics: int
    qrels: QrelsFacts
    decision: Decision
    outcomes: tuple[RuleOutcome, ...]
    shown: tuple[Shown, ...]
    missing: Mapping[str, tuple[str, ...]]
    runs: tuple[RunResult, ...]
    warnings: tuple[str, ...]

    @property
    def broken(self) -> tuple[RuleOutcome, ...]:
        """The outcomes that close the gate."""
        return tuple(outcome for outcome in self.outcomes if not outcome.passed)

    @property
    def passed(self) -> bool:
        """Whether every rule lets every candidate through."""
        return bool(self.outcomes) and not self.broken

    @property
    def exit_code(self) -> int:
        """0 where the gate is open, 1 where it is closed."""
        return 0 if self.passed else 1


def gate(
    qrels: QrelsLike,
    baseline: RunLike | Results,
    candidates: RunLike | Sequence[RunLike],
    rules: str | Rule | Iterable[str | Rule],
    settings: Settings | None = None,
    *,
    measures: str | Iterable[str] = (),
    decision: Decision = Decision(),
    costs: CostsLike | None = None,
    reading: Reading = AS_FOUND,
    jobs: int | None = None,
) -> GateReport:
    """Hold one candidate or several to rules such as "max-drop nDCG@10=0.01" or "min R@100=0.8".

    `baseline` is a run, or the results of an evaluation with values by topic: a path that ends
    in .json, or a Results. `measures` are shown beside those that have rules. Of a baseline whose
    judgments, topics or conventions are others than those of the candidates, InputError says
    what has changed. `costs` and `reading` are as in `evaluate`.
    """
    asked = _rules(rules)
    settings = settings or Settings()
    runs = run_list(candidates)
    if settings.topics != "judged":
        raise UsageError("a gate counts every judged topic", expected="topics='judged'")
    refuse_stdin_twice(qrels, baseline, *runs)
    threads = usable_threads(jobs)
    others = [measures] if isinstance(measures, str) else list(measures)
    names = " ".join(dict.fromkeys([*(rule.measure for rule in asked), *others]))
    judgments = judgments_of(qrels, names, reading)
    saved = results_of(baseline)
    runs = [held(run, settings, reading, threads) for run in runs]
    if not isinstance(saved, Results):
        saved = held(saved, settings, reading, threads)
    files = runs if isinstance(saved, Results) else [saved, *runs]
    how: Any = {"costs": costs, "reading": reading, "jobs": threads}
    results = evaluate(judgments, files, names, settings, **how)
    if isinstance(saved, Results):
        before, after = comparable_run(saved, results), results.runs
    else:
        before, after = results.runs[0], results.runs[1:]
    rules_of = [(rule, _canonical(rule, settings)) for rule in asked]
    outcomes: list[RuleOutcome] = []
    warnings = _version_warnings(before, results)
    for file, run in zip(runs, after, strict=True):
        found = _outcomes(before, run, rules_of, decision)
        if run.tied or before.tied:
            orders = partial(extreme_results, judgments, measures=names, settings=settings, **how)
            mine = orders(run=file)
            theirs = Extremes(before, before) if isinstance(saved, Results) else orders(run=saved)
            found = _with_turns(
                found,
                _outcomes(theirs.unfavourable, mine.favourable, rules_of, decision),
                _outcomes(theirs.favourable, mine.unfavourable, rules_of, decision),
            )
            turned = [str(one.rule) for one in found if one.tied]
            if turned:
                warnings.append(
                    f"{run.name}: another order of equal scores could turn {', '.join(turned)}"
                )
        outcomes += found
    return GateReport(
        baseline=before.name,
        candidates=tuple(run.name for run in after),
        topics=len(before.topics),
        qrels=results.qrels,
        decision=decision,
        outcomes=tuple(outcomes),
        shown=tuple(
            _shown(before, run, score)
            for run in after
            for score in run.scores
            if score.measure not in {name for _, name in rules_of}
        ),
        missing={run.name: run.missing for run in after if run.missing},
        runs=results.runs,
        warnings=tuple(warnings),
    )


def renewed_baseline(
    suite: "Suite", *, costs: CostsLike | None = None, jobs: int | None = None
) -> Results:
    """Evaluate the one candidate of a suite, to be written as its new baseline."""
    files = suite.files()
    if len(files.runs) != 1:
        raise UsageError(
            f"{len(files.runs)} candidates cannot become one baseline", expected="one run"
        )
    if not is_results_path(files.baseline):
        raise UsageError(
            "a baseline that is to be updated is kept as values, not as a run",
            place=files.baseline,
            expected="a name that ends in .json",
        )
    names = " ".join(dict.fromkeys([*(rule.measure for rule in suite.rules), *suite.measures]))
    if not names:
        raise UsageError("no measure to keep", expected="rules, or measures with -m")
    how: Any = {"costs": costs, "reading": suite.reading(), "jobs": jobs}
    return evaluate(files.qrels, files.runs, names, suite.settings(), **how)


def _rules(rules: str | Rule | Iterable[str | Rule]) -> list[Rule]:
    given = [rules] if isinstance(rules, str | Rule) else rules
    asked = list(dict.fromkeys(r if isinstance(r, Rule) else parse_rule(r) for r in given))
    if not asked:
        raise UsageError(
            "no rule to hold the candidate to", expected="a rule such as max-drop nDCG@10=0.01"
        )
    return asked


def _canonical(rule: Rule, settings: Settings) -> str:
    """The name of a rule's measure in the results."""
    named = parse_measures(rule.measure)
    if len(named) != 1:
        raise UsageError(
            f"the rule '{rule}' names {len(named)} measures",
            expected="one measure",
            remedy="write a rule for each",
        )
    return str(settings.of(named[0]))


def _outcomes(
    before: RunResult,
    after: RunResult,
    rules: Sequence[tuple[Rule, str]],
    decision: Decision,
) -> list[RuleOutcome]:
    cases = [_Case(rule, before, after, name) for rule, name in rules]
    drops = [case for case in cases if case.rule.kind is RuleKind.MAX_DROP]
    verdicts: dict[Rule, GateVerdict] = {}
    if drops:
        found = gate_verdicts(
            np.stack([case.sign * case.old for case in drops], axis=1),
            np.stack([case.sign * case.new for case in drops], axis=1),
            limits=[case.limit for case in drops],
            alpha=decision.alpha,
            power=decision.power,
            test=decision.test,
            correction=decision.correction,
            seed=decision.seed,
        )
        verdicts = {case.rule: verdict for case, verdict in zip(drops, found, strict=True)}
    return [case.outcome(verdicts.get(case.rule), decision.policy) for case in cases]


class _Case:
    """One rule for one candidate; `sign` makes more of every measure better."""

    def __init__(self, rule: Rule, before: RunResult, after: RunResult, measure: str) -> None:
        self.rule = rule
        self._run = after
        self._before, self._after = score_of(before, measure), score_of(after, measure)
        self.sign = -1.0 if self._after.loss else 1.0
        self.old, self.new = self._before.values, self._after.values
        self._check()

    def _check(self) -> None:
        kind, score = self.rule.kind, self._after
        if kind is RuleKind.MAX_DROP and score.rule != "mean":
            raise UsageError(
                f"{score.measure} is not averaged over topics, but aggregated by {score.rule}",
                place=f"--{kind}",
                expected="a measure with a mean, whose drop can be tested",
            )
        if kind is RuleKind.MIN and score.loss:
            raise UsageError(
                f"of {score.measure}, less is better",
                place=f"--{kind}",
                remedy=f"limit it from above: --max {self.rule.measure}=LIMIT",
            )

    @property
    def limit(self) -> float:
        """The limit in the measure's own units, but for shares of single topics."""
        whole = self.rule.relative and self.rule.kind is RuleKind.MAX_DROP
        return self.rule.limit * (abs(_or(self._before.aggregate, 0.0)) if whole else 1.0)

    def outcome(self, verdict: GateVerdict | None, policy: GatePolicy) -> RuleOutcome:
        """What becomes of the rule."""
        worse = self._worse()
        if verdict is not None:
            passed, drop = gate_passes(verdict, policy), verdict.drop
        else:
            mean = self._after.aggregate
            drop = _known(self.sign * (self._before.aggregate - mean))
            if self.rule.kind is RuleKind.MAX_TOPIC_DROP:
                worse = [one for one in worse if self._breaks(one)]
                passed = not worse
            elif self.rule.kind is RuleKind.MIN:
                passed = mean >= self.limit - ROUNDING
            else:
                passed = mean <= self.limit + ROUNDING
        whole = self.rule.kind is RuleKind.MAX_TOPIC_DROP
        return RuleOutcome(
            run=self._run.name,
            rule=self.rule,
            measure=self._after.measure,
            loss=self._after.loss,
            signature=self._after.signature,
            passed=bool(passed),
            limit=self.limit,
            baseline=_known(self._before.aggregate),
            candidate=_known(self._after.aggregate),
            drop=drop,
            verdict=verdict,
            topics=tuple(worse if whole else worse[:MOVED_SHOWN]),
            n_worse=len(worse),
        )

    def _worse(self) -> list[TopicDrop]:
        drops = self.sign * (self.old - self.new)
        order = np.argsort(-drops, kind="stable")
        return [
            TopicDrop(self._run.topics[i], float(self.old[i]), float(self.new[i]), float(drops[i]))
            for i in order.tolist()
            if drops[i] > ROUNDING
        ]

    def _breaks(self, one: TopicDrop) -> bool:
        limit = self.rule.limit * (abs(one.baseline) if self.rule.relative else 1.0)
        return one.drop > limit + ROUNDING


def _shown(before: RunResult, run: RunResult, score: Score) -> Shown:
    was = score_of(before, score.measure).aggregate
    drop = (was - score.aggregate) * (-1.0 if score.loss else 1.0)
    return Shown(run.name, score.measure, _known(was), _known(score.aggregate), _known(drop))


def score_of(run: RunResult, measure: str) -> Score:
    """The score of a run in a measure that it is known to have."""
    return next(score for score in run.scores if score.measure == measure)


def _with_turns(found: Sequence[RuleOutcome], *others: Sequence[RuleOutcome]) -> list[RuleOutcome]:
    """Mark the outcomes that are different under another order of equal scores."""
    return [
        replace(one, tied=any(_said(other[i]) != _said(one) for other in others))
        for i, one in enumerate(found)
    ]


def _said(outcome: RuleOutcome) -> tuple[bool, Verdict | None]:
    return outcome.passed, outcome.verdict.verdict if outcome.verdict else None


def _version_warnings(before: RunResult, results: Results) -> list[str]:
    """Tell of a baseline that another version of the same series wrote."""
    was = before.scores[0].signature.partition("|")[0]
    now = results.runs[0].scores[0].signature.partition("|")[0]
    return [f"{before.name}: written by {was}, compared by {now}"] if was != now else []


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _or(value: float, otherwise: float) -> float:
    return value if math.isfinite(value) else otherwise
