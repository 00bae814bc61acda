"""Judge candidates by rules and a baseline, and make a new baseline."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, Unpack

from rankeval.base.checked import checked
from rankeval.base.wording import count, listed
from rankeval.commands.gate.decision import Decision
from rankeval.commands.gate.judged import judged
from rankeval.commands.gate.loaded import USUAL, Candidates, GateRequest, loaded
from rankeval.commands.gate.report import GateReport, with_queries
from rankeval.commands.gate.rules.measured_rules import require_measures
from rankeval.commands.gate.rules.rule import Rule
from rankeval.errors import InputError, RankevalError, UsageError
from rankeval.evaluation.aggregation import GroupsLike
from rankeval.evaluation.comparable_runs import renewal, require_same_judgments
from rankeval.evaluation.evaluate import evaluate
from rankeval.evaluation.prepared import CostsLike, facts_of, judgments_of
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import Results
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.saved_results import is_results_path, load, results_of
from rankeval.evaluation.seeds import averaged
from rankeval.evaluation.settings import Settings, SettingsFields, settings_from
from rankeval.evaluation.shown_texts import TextsLike
from rankeval.io.sources.parts import one_state
from rankeval.io.sources.seed_files import runs_of_system
from rankeval.measures import MeasuresLike
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import RunLike, refuse_stdin_twice

if TYPE_CHECKING:
    from rankeval.commands.gate.suites.suite import Suite


@checked
@one_state()
def gate(
    qrels: QrelsLike,
    baseline: RunLike | Results,
    candidates: Candidates,
    rules: str | Rule | Iterable[str | Rule],
    settings: Settings | None = None,
    *,
    golden: RunLike | Results | None = None,
    groups: GroupsLike | None = None,
    measures: MeasuresLike = (),
    decision: Decision = USUAL,
    costs: CostsLike | None = None,
    queries: TextsLike | None = None,
    reading: Reading = AS_FOUND,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
    **conventions: Unpack[SettingsFields],
) -> GateReport:
    """Judge one candidate or several by rules such as "max-drop nDCG@10=0.01" or "min R@100=0.8".

    ========== =============================================================================
    qrels      judgments, as in `evaluate`
    baseline   the run in production, or its results with values by topic: a path that ends in
               .json, or a Results
    candidates one or several to judge, likewise, or {name: run}. Of a path with {seed}, the
               mean of the runs is judged, and their spread counts in the verdicts
    rules      such as "max-drop nDCG@10=2%" or "min R@100=0.8" (docs/ci.md)
    settings   the conventions, or their fields as keywords, such as topics="both"
    golden     baseline of rules such as "max-drop-from-golden AP=0.02"
    groups     of topics, a path or {topic: group}: every rule holds in each group, too, and
               "max-drop AP in hard=0.1" in the group "hard" only
    measures   to show in addition to those of the rules
    decision   policy, alpha and so on, as `rankeval.options.Decision`
    queries    texts of the topics that became worse, as in `explain`
    run_names  names of the baseline and the candidates
    costs, reading, jobs  as in `evaluate`
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

    `report.require()` raises GateError for a gate that did not pass, and returns the report of
    one that did.
    """
    begun = perf_counter()
    request = GateRequest(
        qrels=qrels,
        baseline=baseline,
        candidates=candidates,
        rules=rules,
        settings=settings_from("gate", settings, conventions, gate.__annotations__),
        golden=golden,
        groups=groups,
        measures=measures,
        decision=decision,
        costs=costs,
        reading=reading,
        run_names=run_names,
        jobs=jobs,
    )
    report = replace(judged(loaded(request)), seconds=perf_counter() - begun)
    (found,) = with_queries((report,), queries)
    return found if isinstance(found, GateReport) else report


def verdict_on_candidate(suite: Suite, *, run_names: RunNames = BY_TAG) -> GateReport | None:
    """Judge the candidate of a suite by the rules whose measures its saved baseline holds.

    None where there is nothing to judge: no saved baseline yet, or none of these measures.
    """
    from rankeval.commands.gate.rules.measured_rules import measured
    from rankeval.commands.gate.suites.judged_suites import gate_suite

    before, settings = _held(suite.files().baseline), suite.settings()
    if before is None:
        return None
    held = {score.measure for run in before.runs for score in run.scores}
    rules = [rule for rule in suite.rules if measured(rule, settings).name in held]
    if not rules:
        return None
    return gate_suite(replace(suite, rules=tuple(rules), measures=()), run_names=run_names)


@checked
def renewed_baseline(
    suite: Suite,
    *,
    costs: CostsLike | None = None,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
    allow_missing: bool = False,
) -> Results:
    r"""Evaluate the only candidate of a suite and return the results, its new baseline.

    ============= ==========================================================================
    suite         a suite with one candidate
    run_names     name of the candidate; by default the one that the suite gives it
    allow_missing take a candidate that lacks judged topics
    costs, jobs   as in `evaluate`
    ============= ==========================================================================

    The measures that the baseline holds are evaluated, too, with those of the suite. Several runs
    of one system give their mean by topic. InputError for a baseline of other judgments, which is
    to be made anew of the run in production, and for a candidate that lacks judged topics.

    >>> from pathlib import Path
    >>> from rankeval.gating import read_suite, renewed_baseline
    >>> _ = Path("qrels.txt").write_text("q1 0 d1 1\n")
    >>> _ = Path("new.run").write_text("q1 Q0 d1 1 0.5 new\n")
    >>> _ = Path("rankeval.toml").write_text(
    ...     "qrels = 'qrels.txt'\nbaseline = 'baseline.json'\nruns = ['new.run']\n"
    ...     "rules.max-drop = {'nDCG@10' = '2%'}\n"
    ... )
    >>> renewed_baseline(read_suite()).to_dict()
    {'new': {'nDCG@10': 1.0}}
    """
    files = suite.files()
    named = suite.names_of_runs(replace(run_names, given=(None, *run_names.given[:1])))
    run_names = replace(named, given=named.given[1:2])
    if len(files.runs) != 1:
        raise UsageError(
            f"{len(files.runs)} candidates cannot become one baseline", expected="one candidate"
        )
    if not is_results_path(files.baseline):
        raise UsageError(
            "the baseline to update is a run file; only saved values (.json) can be updated",
            place=files.baseline,
            expected="a name that ends in .json",
        )
    before = _held(files.baseline)
    held = () if before is None else (score.measure for run in before.runs for score in run.scores)
    require_measures(suite.rules, suite.measures, suite.measures_place, suite.settings())
    asked = (*(rule.measure for rule in suite.rules), *suite.measures)
    names = " ".join(dict.fromkeys([*asked, *held]))
    if not names:
        raise UsageError("no measure to save", expected="rules, or measures with -m")
    how: Any = {"costs": costs, "reading": suite.reading(), "jobs": jobs}
    runs = runs_of_system(files.runs[0])
    if len(runs) == 1 and isinstance(saved := results_of(runs[0]), Results):
        raise UsageError(
            "saved values are no run",
            place=saved.runs[0].path,
            expected="a run to evaluate",
            remedy="copy the file, if it is to be the baseline",
        )
    given = run_names if len(runs) == 1 else replace(run_names, given=())
    refuse_stdin_twice(files.qrels, *runs)
    judgments = judgments_of(files.qrels, names, suite.reading())
    if before is not None:
        now = facts_of(judgments)
        require_same_judgments(before, now, renewal(before, now, asked))
    results = evaluate(judgments, runs, names, suite.settings(), run_names=given, **how)
    if len(runs) > 1:
        whole = averaged(results.runs, files.runs[0])
        results = replace(results, runs=tuple(run_names.name([whole])))
    (run,) = results.runs
    if run.missing and not allow_missing:
        topics = listed([topic.encode("utf-8", "surrogateescape") for topic in run.missing])
        raise InputError(
            f"lacks {count(len(run.missing), 'judged topic')} of {len(run.topics)}: {topics}",
            place=run.path,
            expected="a run with every judged topic",
            remedy="rank these topics, or add --allow-missing",
        )
    return results


def _held(baseline: str) -> Results | None:
    """Return the results that a baseline holds; None where it holds none that can be kept."""
    try:
        return load(baseline)
    except RankevalError:  # a new file, or one that is to be replaced
        return None
