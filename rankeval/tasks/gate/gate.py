"""Judge candidates by rules and a baseline, and make a new baseline."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from rankeval.alignment.inputs import (
    QrelsLike,
    RunLike,
    readable_again,
    refuse_stdin_twice,
    run_list,
)
from rankeval.errors import UsageError
from rankeval.evaluation.evaluate import evaluate
from rankeval.evaluation.prepare import CostsLike, judgments_of
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.saved_results import is_results_path, results_of
from rankeval.evaluation.settings import Settings
from rankeval.measures import MeasuresLike, measure_names
from rankeval.support.threads import usable_threads
from rankeval.tasks.comparable_runs import comparable_baseline
from rankeval.tasks.gate.decision import Decision
from rankeval.tasks.gate.draft import GateDraft, finished
from rankeval.tasks.gate.measures import MeasuredRule, measured_rules
from rankeval.tasks.gate.outcomes import outcomes_of, shown_measure, undefined_where_missing
from rankeval.tasks.gate.report import GateReport
from rankeval.tasks.gate.rules import Rule, parse_rule
from rankeval.tasks.gate.sequence import GateSequence
from rankeval.tasks.gate.tie_extremes import Extremes, extreme_results

if TYPE_CHECKING:
    from rankeval.tasks.gate.suite import Suite

USUAL = Decision()


def gate(
    qrels: QrelsLike,
    baseline: RunLike | Results,
    candidates: RunLike | Sequence[RunLike],
    rules: str | Rule | Iterable[str | Rule],
    settings: Settings | None = None,
    *,
    measures: MeasuresLike = (),
    decision: Decision = USUAL,
    sequence: GateSequence | None = None,
    costs: CostsLike | None = None,
    reading: Reading = AS_FOUND,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
) -> GateReport:
    """Judge one candidate or several by rules such as "max-drop nDCG@10=0.01" or "min R@100=0.8".

    `baseline` is a run, or the results of an evaluation with values by topic: a path that ends
    in .json, or a Results. `measures` are shown in addition to those of the rules. If judgments,
    topics or conventions of the baseline are not those of the candidates, InputError names
    the change. With a `sequence`, this gate spends the alpha of one look in it, and the report
    has the state for the next gate. `costs` and `reading` are as in `evaluate`,
    and `run_names` names the baseline and the candidates.

    >>> from rankeval import gate
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> bm25 = {"q1": {"d7": 2, "d1": 1}, "q2": {"d2": 1}}
    >>> dense = {"q1": {"d1": 2, "d7": 1}, "q2": {"d2": 1}}
    >>> report = gate(qrels, dense, bm25, ["min RR=0.9"])
    >>> report.passed, report.exit_code
    (False, 1)
    """
    draft = gate_draft(
        *(qrels, baseline, candidates, rules, settings),
        measures=measures,
        decision=decision,
        sequence=sequence,
        costs=costs,
        reading=reading,
        run_names=run_names,
        jobs=jobs,
    )
    return finished([draft])[0]


def gate_draft(
    qrels: QrelsLike,
    baseline: RunLike | Results,
    candidates: RunLike | Sequence[RunLike],
    rules: str | Rule | Iterable[str | Rule],
    settings: Settings | None = None,
    *,
    measures: MeasuresLike = (),
    decision: Decision = USUAL,
    sequence: GateSequence | None = None,
    costs: CostsLike | None = None,
    reading: Reading = AS_FOUND,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
    family: int = 0,
) -> GateDraft:
    """Judge as `gate` does, but for the correction of p-values; `finished` makes the report.

    `family` is the number of drops that are corrected together; 0 for those of this gate.
    """
    settings = settings or Settings()
    asked = _rules(rules, settings)
    runs = run_list(candidates)
    if settings.topics != "judged":
        raise UsageError(
            "a gate counts every judged topic, so that no topic can be left out unnoticed",
            expected="topics='judged'",
            remedy="add --topics judged, or leave out --topics both; conventions of another tool "
            "(--like) may have set it",
        )
    refuse_stdin_twice(qrels, baseline, *runs)
    threads = usable_threads(jobs)
    others = measure_names(measures)
    names = " ".join(dict.fromkeys([*(one.rule.measure for one in asked), *others]))
    judgments = judgments_of(qrels, names, reading)
    saved = results_of(baseline)
    runs = [readable_again(run, settings.form(reading.run()), jobs=threads) for run in runs]
    if not isinstance(saved, Results):
        saved = readable_again(saved, settings.form(reading.run()), jobs=threads)
    files = runs if isinstance(saved, Results) else [saved, *runs]
    how: Any = {"costs": costs, "reading": reading, "jobs": threads}
    given = run_names.given_for(len(runs) + 1)
    named = replace(run_names, given=given[1:] if isinstance(saved, Results) else given)
    results = evaluate(judgments, files, names, settings, run_names=named, **how)
    if isinstance(saved, Results):
        compared = [comparable_baseline(saved, results), *results.runs]
        before, *after = replace(run_names, given=given).name(compared)
        results = replace(results, runs=tuple(after))
    else:
        before, *after = results.runs
    orders = partial(extreme_results, judgments, measures=names, settings=settings, **how)
    if sequence is not None:
        sequence = sequence.with_look(before, after, asked)
        decision = sequence.decision_of_look(decision)
    found = outcomes_of(before, after, asked, decision, family)
    at_best = at_worst = found
    if before.tied or any(run.tied for run in after):
        baselines = orders(run=saved) if before.tied else Extremes(before, before)
        candidates_by_order = [
            orders(run=file) if run.tied else Extremes(run, run)
            for file, run in zip(runs, after, strict=True)
        ]
        best = [one.favourable for one in candidates_by_order]
        worst = [one.unfavourable for one in candidates_by_order]
        at_best = outcomes_of(baselines.unfavourable, best, asked, decision, family)
        at_worst = outcomes_of(baselines.favourable, worst, asked, decision, family)
    ruled = {one.name for one in asked}
    report = GateReport(
        baseline=before.name,
        candidates=tuple(run.name for run in after),
        topics=len(before.topics),
        qrels=results.qrels,
        decision=decision,
        outcomes=tuple(chain(*found)),
        shown=tuple(
            shown_measure(before, run, score)
            for run in after
            for score in {score.measure: score for score in run.scores}.values()
            if score.measure not in ruled
        ),
        missing={run.name: run.missing for run in after if run.missing},
        undefined={run.name: told for run in after if (told := undefined_where_missing(run))},
        runs=results.runs,
        warnings=tuple(_version_warnings(before, results)),
        paths=(before.path, *(run.path for run in after)),
        sequence=sequence,
    )
    return GateDraft(report, (tuple(chain(*at_best)), tuple(chain(*at_worst))))


def renewed_baseline(
    suite: Suite,
    *,
    costs: CostsLike | None = None,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
) -> Results:
    r"""Evaluate the only candidate of a suite and return the results, its new baseline.

    >>> from pathlib import Path
    >>> from rankeval import read_suite, renewed_baseline
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
    names = " ".join(dict.fromkeys([*(rule.measure for rule in suite.rules), *suite.measures]))
    if not names:
        raise UsageError("no measure to save", expected="rules, or measures with -m")
    how: Any = {"costs": costs, "reading": suite.reading(), "run_names": run_names, "jobs": jobs}
    return evaluate(files.qrels, files.runs, names, suite.settings(), **how)


def _rules(rules: str | Rule | Iterable[str | Rule], settings: Settings) -> list[MeasuredRule]:
    given = [rules] if isinstance(rules, str | Rule) else rules
    parsed = [r if isinstance(r, Rule) else parse_rule(r) for r in given]
    return measured_rules(parsed, settings)


def _version_warnings(before: RunResult, results: Results) -> list[str]:
    """Return a warning if another version of the same series wrote the baseline."""
    was = before.scores[0].signature.partition("|")[0]
    now = results.runs[0].scores[0].signature.partition("|")[0]
    return [f"{before.name}: written by {was}, compared by {now}"] if was != now else []
