"""Judge candidates by rules and a baseline, and make a new baseline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Unpack

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers
from rankeval.base.checked import checked
from rankeval.base.frozen import replace
from rankeval.base.threads import usable_threads
from rankeval.base.wording import finite
from rankeval.commands.gate.report import (
    GateFailure,
    GateReport,
    JudgedSuite,
    RuleOutcome,
    TopicDrop,
    failure_of,
)
from rankeval.commands.gate.rules import (
    KINDS,
    OF_MEANS,
    OF_TOPICS,
    ROUNDING,
    Decision,
    Rule,
    Values,
    canonical,
    drop_verdict,
    in_groups,
    known_rules,
    limit_of,
    over,
)
from rankeval.commands.gate.suites import Suite
from rankeval.errors import RankevalError, UsageError
from rankeval.evaluation.aggregation import Aggregation, GroupsLike
from rankeval.evaluation.comparable_runs import (
    RunsOrResults,
    baseline_and_runs,
    comparable_runs,
    score_of,
)
from rankeval.evaluation.evaluate import Evaluating, evaluate, values_of
from rankeval.evaluation.prepared import facts_of, judgments_of, require_topics
from rankeval.evaluation.results import Results, RunResult, Score
from rankeval.evaluation.run_names import BY_TAG, RunNames, over_topics
from rankeval.evaluation.saved_results import is_results_path, load, production_of, results_of
from rankeval.evaluation.settings import Settings
from rankeval.evaluation.shown_texts import TextsLike
from rankeval.io.python_values import encoded
from rankeval.measures import parse_measures
from rankeval.measures.facts import NUGGETS, SUPPORT
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.ranking.run_source import RunLike, refuse_stdin_twice
from rankeval.stats import GateVerdict, Verdict
from rankeval.stats.choices import GatePolicy
from rankeval.stats.gate_decisions import corrected

USUAL = Decision()


@checked
def gate(
    qrels: QrelsLike,
    baseline: RunLike | Mapping[str, RunLike] | Results,
    candidates: RunsOrResults,
    rules: str | Rule | Iterable[str | Rule],
    *,
    golden: RunLike | Results | None = None,
    groups: GroupsLike | None = None,
    decision: Decision = USUAL,
    queries: TextsLike | None = None,
    **evaluating: Unpack[Evaluating],
) -> GateReport:
    """Judge one candidate or several by rules such as "max-drop nDCG@10=0.01" or "min R@100=0.8".

    ========== =============================================================================
    qrels      judgments, as in `evaluate`
    baseline   the production run, also as {name: run}, or its results with values by topic: a
               path that ends in .json, or a Results
    candidates one or several to judge, likewise, or {name: run}. Of a path with {seed}, the
               mean of the runs is judged, and their spread counts in the verdicts
    rules      such as "max-drop nDCG@10=2%" or "min R@100=0.8" (docs/ci.md)
    golden     baseline of rules such as "max-drop-from-golden AP=0.02"
    groups     of topics, a path or {topic: group}: every rule holds in each group, too, and
               "max-drop AP in hard=0.1" in the group "hard" only
    decision   policy, bound and alpha, as `rankeval.options.Decision`
    queries    texts of the topics that became worse, as in `explain`
    run_names  names of the baseline and the candidates
    evaluating keywords of `evaluate`: settings or its fields, costs, run_names, jobs
    ========== =============================================================================

    InputError names the change if judgments, topics or conventions of saved results are not those
    of the other runs.

    >>> from rankeval import gate
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> bm25 = {"q1": {"d7": 2, "d1": 1}, "q2": {"d2": 1}}
    >>> dense = {"q1": {"d1": 2, "d7": 1}, "q2": {"d2": 1}}
    >>> report = gate(qrels, dense, bm25, ["min RR=0.9"])
    >>> report.passed, report.exit_code
    (False, 1)
    """
    settings, costs, run_names, jobs = values_of(**evaluating)
    if settings.topics != "judged":
        raise UsageError(
            "a gate counts every judged topic, so that no topic can be left out unnoticed",
            expected='topics = "judged"',
            remedy="conventions of another tool (like) may have set it otherwise",
        )
    known = known_rules([rules] if isinstance(rules, str | Rule) else rules, settings)
    drifting = [rule for rule in known if KINDS[rule.kind].golden]
    if drifting and golden is None:
        raise UsageError(
            f"'{drifting[0]}' needs a golden baseline, but there is none",
            place=drifting[0].place,
            expected="--golden FILE, or golden in a suite",
        )
    columns = settings.run_form().columns
    every, run_names = baseline_and_runs(baseline, candidates, columns, run_names)
    if len(every) == 1:
        raise UsageError("no candidate to judge", expected="one run or more")
    refuse_stdin_twice(qrels, *every, *([] if golden is None else [golden]))
    names = _names(*(rule.measure for rule in known))
    require_topics(parse_measures(names, settings.meanings))
    judgments = judgments_of(qrels, names, settings)
    how: dict[str, Any] = {"costs": costs, "jobs": jobs}
    comparable = partial(_comparable, judgments, settings, how)
    before, *after = comparable(every, names, run_names)
    against = None
    if golden is not None and drifting:
        (against,) = comparable([golden], _names(*(rule.measure for rule in drifting)), BY_TAG)
    labels = Aggregation(None, None, groups)
    topics = encoded(before.topics, "topic")
    members = labels.members(topics)
    found = JudgedSuite(
        qrels=facts_of(judgments),
        decision=decision,
        baseline=before,
        candidates=tuple(after),
        outcomes=tuple(
            outcome
            for run in after
            for outcome in judge(known, before, run, decision, against, members)
        ),
        production=production_of(before.path),
        golden=(against.path or against.name) if against else "",
    )
    return GateReport((found,)).with_queries(queries)


def _names(*measures: str) -> str:
    """Return the names of measures, each once."""
    return " ".join(dict.fromkeys(measures))


def _comparable(
    judgments: Qrels,
    settings: Settings,
    how: dict[str, Any],
    given: Sequence[RunLike | Results],
    names: str,
    run_names: RunNames,
) -> list[RunResult]:
    """Evaluate or load runs of the same judgments, topics, measures and conventions.

    Where all values are saved, they are held to those of a run that ranks nothing; scores of
    answers are of no run.
    """
    loaded = [results_of(one) for one in given]
    asked = [named.measure for named in parse_measures(names, settings.meanings)]
    of_answers = any({NUGGETS, SUPPORT} & {*measure.considers} for measure in asked)
    if all(isinstance(one, Results) for one in loaded) and not of_answers:
        topics = [topic.decode("utf-8", "surrogateescape") for topic in judgments.topics]
        loaded.append({topic: {"none": 0.0} for topic in topics})
        run_names = replace(run_names, given=[*run_names.given_for(len(given)), "this gate"])
    evaluated = partial(evaluate, settings=settings, **how)
    found = comparable_runs(judgments, loaded, names, settings, evaluated, run_names, of_gate=True)
    return found[: len(given)]


@checked
def gate_suites(suites: Sequence[Suite], *, jobs: int | None = None) -> GateReport:
    r"""Judge suites, and return one report for all.

    A suite that cannot be judged, because a file or a rule is wrong, has a GateFailure in the
    report, and the others are judged.

    ====== =================================================================================
    suites as `read_suites` returns them
    jobs   as in `evaluate`
    ====== =================================================================================

    UsageError if there is no suite.

    >>> from pathlib import Path
    >>> from rankeval.advanced import gate_suites
    >>> from rankeval.options import read_suites
    >>> _ = Path("qrels.txt").write_text("q1 0 d1 1\n")
    >>> _ = Path("old.run").write_text("q1 Q0 d1 1 0.5 old\n")
    >>> _ = Path("new.run").write_text("q1 Q0 d7 1 0.7 new\nq1 Q0 d1 2 0.5 new\n")
    >>> _ = Path("rankeval.toml").write_text(
    ...     "qrels = 'qrels.txt'\nbaseline = 'old.run'\nruns = ['new.run']\n"
    ...     "[suite.rank.rules]\nmin = {'RR' = 0.9}\n[suite.recall.rules]\nmin = {'R@10' = 1}\n"
    ... )
    >>> report = gate_suites(read_suites())
    >>> [(one.name, one.passed) for one in report.suites], report.exit_code
    ([('rank', False), ('recall', True)], 1)
    """
    single = [one for suite in suites for one in suite.of_collections()]
    if not single:
        raise UsageError("no suite to judge", expected="one suite or more")
    threads = usable_threads(jobs)
    return GateReport(tuple(_judged(one, threads) for one in single))


def _judged(one: Suite, jobs: int) -> JudgedSuite | GateFailure:
    """Judge a suite, or say why it cannot be judged."""
    try:
        with one.errors_placed():
            qrels, baseline, runs = one.files()
            report = gate(
                qrels,
                baseline,
                list(runs),
                one.rules,
                settings=one.settings(),
                golden=one.golden,
                groups=one.group,
                decision=Decision(**one.decision),
                run_names=one.names_of_runs(),
                jobs=jobs,
            )
        return replace(report.judged[0], name=one.name)
    except (RankevalError, OSError, MemoryError) as error:
        return failure_of(error, one.name)


@checked
def renewed_baseline(suite: Suite, *, jobs: int | None = None) -> Results:
    r"""Evaluate the only candidate of a suite and return the results, its new baseline.

    ===== ==================================================================================
    suite a suite with one candidate
    jobs  as in `evaluate`
    ===== ==================================================================================

    The measures that the baseline holds are evaluated, too, with those of the suite. Several runs
    of one system give their mean by topic.

    >>> from pathlib import Path
    >>> from rankeval.advanced import renewed_baseline
    >>> from rankeval.options import read_suites
    >>> _ = Path("qrels.txt").write_text("q1 0 d1 1\n")
    >>> _ = Path("new.run").write_text("q1 Q0 d1 1 0.5 new\n")
    >>> _ = Path("rankeval.toml").write_text(
    ...     "qrels = 'qrels.txt'\nbaseline = 'baseline.json'\nruns = ['new.run']\n"
    ...     "rules.max-drop = {'nDCG@10' = '2%'}\n"
    ... )
    >>> renewed_baseline(*read_suites()).to_dict()
    {'new': {'nDCG@10': 1.0}}
    """
    with suite.errors_placed():
        (qrels, baseline, runs), settings = suite.files(), suite.settings()
        if len(runs) != 1:
            raise UsageError(f"{len(runs)} candidates cannot become one baseline", expected="one")
        if not is_results_path(baseline):
            problem = "the baseline to update is a run file; only saved values can be updated"
            raise UsageError(problem, place=baseline, expected="a name that ends in .json")
        asked = [canonical(rule, settings).measure for rule in suite.rules]
        with suppress(RankevalError):  # a new file, or one that is to be replaced
            asked += [score.measure for score in load(baseline).runs[0].scores]
        if not asked:
            raise UsageError("no measure to save", expected="rules of the measures")
        named = suite.names_of_runs()
        named = replace(named, given=named.given[1:])
        return evaluate(qrels, list(runs), _names(*asked), settings, run_names=named, jobs=jobs)


SHOWN = (Verdict.NOT_WORSE, Verdict.EQUIVALENT, Verdict.BETTER)
"""Verdicts that a topic with a value on one side only rules out."""
MOST_TOPICS = 50
"""Topics that an outcome names."""
SIDES = {"min-gain": (-1,), "equivalent": (1, -1)}
"""The limits as drops; of other kinds a limit is a drop itself."""


def judge(
    rules: Sequence[Rule],
    baseline: RunResult,
    candidate: RunResult,
    decision: Decision,
    golden: RunResult | None = None,
    groups: Mapping[str, Integers] | None = None,
) -> tuple[RuleOutcome, ...]:
    """Judge a candidate by rules, each of which holds in every group of topics, too.

    Rules have canonical names of measures, which both runs were evaluated with over the same
    topics. `groups` are the places of their topics. p-values of drops are corrected together.
    """
    groups = groups or {}
    cases = []
    for rule in in_groups(rules, [*groups]):
        kind = KINDS[rule.kind]
        before = golden if kind.golden and golden else baseline
        at = _values(rule, before, candidate, groups.get(rule.group))
        verdict = kind.test(rule, at, decision) if kind.test else None
        if verdict is not None and verdict.verdict in SHOWN and (at.lost or at.gained):
            verdict = replace(verdict, verdict=Verdict.INCONCLUSIVE)
        cases.append((rule, before, at, verdict))
    drops = {
        n: found
        for n, (rule, _, _, found) in enumerate(cases)
        if found and KINDS[rule.kind].test is drop_verdict
    }
    together = dict(zip(drops, corrected([*drops.values()]), strict=True))
    return tuple(
        _outcome(rule, before, candidate, at, together.get(n, found), decision.policy)
        for n, (rule, before, at, found) in enumerate(cases)
    )


def _values(rule: Rule, before: RunResult, after: RunResult, members: Integers | None) -> Values:
    """Return the values of both runs in the measure of a rule, over the topics of its group."""
    at = np.arange(len(after.topics)) if members is None else members
    topics = [after.topics[i] for i in at.tolist()]
    old, new = (score_of(run, rule.measure) for run in (before, after))
    sign = -1.0 if new.loss else 1.0
    a, b = old.values[at], new.values[at]
    both = ~np.isnan(a + b)
    means = (old.aggregate, new.aggregate)
    if KINDS[rule.kind].test and not both.all():
        means = (over_topics(old, a[both]), over_topics(new, b[both]))
    elif members is not None:
        means = (over_topics(old, a), over_topics(new, b))
    return Values(
        topics=topics,
        old=sign * a,
        new=sign * b,
        old_runs=sign * _of_runs(old, at),
        new_runs=sign * _of_runs(new, at),
        means=means,
        sign=sign,
        span=new.span if sign > 0 or not new.span else (-new.span[1], -new.span[0]),
        lost=_named(topics, np.isnan(b) & ~np.isnan(a)),
        gained=_named(topics, np.isnan(a) & ~np.isnan(b)),
    )


def _of_runs(score: Score, at: Integers) -> Floats:
    return np.stack([one.values[at] for one in score.seeds or (score,)], axis=1)


def _named(topics: Sequence[str], marked: Booleans) -> tuple[str, ...]:
    return tuple(topics[i] for i in np.flatnonzero(marked).tolist())


def _outcome(
    rule: Rule,
    before: RunResult,
    after: RunResult,
    at: Values,
    verdict: GateVerdict | None,
    policy: GatePolicy,
) -> RuleOutcome:
    score, drops, of_topics = score_of(after, rule.measure), at.old - at.new, rule.kind in OF_TOPICS
    worse = over(rule, at) if of_topics else drops > ROUNDING
    order = [i for i in np.argsort(-drops, kind="stable").tolist() if worse[i]]
    values = np.stack([at.sign * at.old, at.sign * at.new, drops], axis=1)
    same = (drops == 0) | (np.isnan(at.old) & np.isnan(at.new))
    passes = KINDS[rule.kind].passes(rule, at, verdict, policy)
    found = RuleOutcome(
        run=after.name,
        rule=rule,
        loss=score.loss,
        signature=score.signature,
        passed=bool(passes) and not (at.lost and rule.kind not in OF_MEANS),
        limit=rule.limit if of_topics else limit_of(rule, at),
        baseline=finite(at.means[0]),
        candidate=finite(at.means[1]),
        drop=verdict.drop if verdict else finite(at.sign * (at.means[0] - at.means[1])),
        verdict=verdict,
        topics=tuple(TopicDrop(at.topics[i], *values[i].tolist()) for i in order[:MOST_TOPICS]),
        n_worse=len(order),
        n_differing=int(np.count_nonzero(~same)),
        lost=at.lost,
        gained=at.gained,
        inconclusive=verdict is not None and _is_inconclusive(rule, verdict, policy),
        seeds=tuple(seed.aggregate for seed in score.seeds),
        baseline_seeds=tuple(seed.aggregate for seed in score_of(before, rule.measure).seeds),
    )
    return replace(found, tied=_tied(found, before, after))


def _is_inconclusive(rule: Rule, found: GateVerdict, policy: GatePolicy) -> bool:
    """Return True if the policy asks for a test, and the test does not decide."""
    unclear = found.verdict is Verdict.INCONCLUSIVE
    if rule.kind == "equivalent" or policy is GatePolicy.SHOWN_NOT_WORSE:
        return unclear
    if KINDS[rule.kind].test is not drop_verdict or not found.exceeds:
        return False
    shown = found.beyond if policy is GatePolicy.NOT_SHOWN_BEYOND_LIMIT else not unclear
    return policy is not GatePolicy.OBSERVED and not shown


def _range(run: RunResult, name: str, mean: float) -> tuple[float, float]:
    """Return the least and the greatest mean of a measure by other orders of equal scores.

    Without a warning of ties, both are its mean.
    """
    return next((one.ranges[name] for one in run.warnings if name in one.ranges), (mean, mean))


def _tied(outcome: RuleOutcome, before: RunResult, after: RunResult) -> bool:
    """Return True if the limit lies within what other orders of equal scores give.

    Of a group of topics, and of single topics, the range of all topics is taken.
    """
    rule, name = outcome.rule, outcome.rule.measure
    old, new = outcome.baseline, outcome.candidate
    if old is None or new is None or outcome.drop is None:
        return False
    sign = -1 if outcome.loss else 1
    of_old = [end - old for end in _range(before, name, old)]
    of_new = [end - new for end in _range(after, name, new)]
    if rule.kind in OF_MEANS:
        ends, limits = [new + change for change in of_new], [outcome.limit]
    else:
        ends = [outcome.drop + sign * (was - now) for was in of_old for now in of_new]
        limits = [sign * outcome.limit for sign in SIDES.get(rule.kind, (1,))]
    return any(min(ends) < one - ROUNDING and max(ends) > one + ROUNDING for one in limits)
