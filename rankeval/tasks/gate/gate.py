"""Judge candidates by rules and a baseline, and make a new baseline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rankeval.alignment.inputs import QrelsLike, RunLike, refuse_stdin_twice, run_list
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.aggregation import GroupsLike, aggregation
from rankeval.evaluation.evaluate import evaluate
from rankeval.evaluation.prepare import CostsLike, judgments_of, require_topics
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.saved_results import is_results_path, results_of
from rankeval.evaluation.settings import Settings
from rankeval.measures import MeasuresLike, measure_names, parse_measures
from rankeval.support.threads import usable_threads
from rankeval.support.wording import count, listed
from rankeval.tasks.gate.decision import Decision
from rankeval.tasks.gate.draft import GateDraft, finished
from rankeval.tasks.gate.measures import MeasuredRule, measured_rules, rules_in_groups
from rankeval.tasks.gate.outcomes import (
    Compared,
    Texts,
    outcomes_of,
    shown_measure,
    undefined_where_missing,
)
from rankeval.tasks.gate.report import GateReport
from rankeval.tasks.gate.rules import Rule, RuleKind, parse_rule
from rankeval.tasks.gate.run_patterns import runs_of_system
from rankeval.tasks.gate.sequence import GateSequence
from rankeval.tasks.gate.sides import Side, Sides, averaged, loaded_sides
from rankeval.tasks.gate.tie_extremes import extreme_results

if TYPE_CHECKING:
    from rankeval.tasks.gate.suite import Suite

USUAL = Decision()
NO_GOLDEN = "a rule limits the drift from a golden baseline, but there is none"
Candidates = RunLike | Results | Sequence[RunLike | Results]
"""One candidate or several: runs, or saved results."""


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
    sequence: GateSequence | None = None,
    costs: CostsLike | None = None,
    reading: Reading = AS_FOUND,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
) -> GateReport:
    """Judge one candidate or several by rules such as "max-drop nDCG@10=0.01" or "min R@100=0.8".

    `baseline`, `golden` and each candidate is a run, or the results of an evaluation with values by
    topic: a path that ends in .json, or a Results. A candidate whose path has {seed} stands for
    several runs of one system: their mean is judged, and their spread counts in its verdicts.
    `golden` is the baseline of rules such as "max-drift nDCG@10=0.02". With `groups`, a path or a
    mapping from topics, every rule holds in each group, too, and "max-drop AP in hard=0.1" in the
    group "hard" only. `measures` are shown in addition to those of the rules. If judgments,
    topics or conventions of saved results are not those of the other runs, InputError names
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
        golden=golden,
        groups=groups,
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
    candidates: Candidates,
    rules: str | Rule | Iterable[str | Rule],
    settings: Settings | None = None,
    *,
    golden: RunLike | Results | None = None,
    groups: GroupsLike | None = None,
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
    runs: list[RunLike | Results] = [*_listed(candidates)]
    if settings.topics != "judged":
        raise UsageError(
            "a gate counts every judged topic, so that no topic can be left out unnoticed",
            expected="topics='judged'",
            remedy="add --topics judged, or leave out --topics both; conventions of another tool "
            "(--like) may have set it",
        )
    drifting = [one.rule.measure for one in asked if one.rule.kind is RuleKind.MAX_DRIFT]
    if drifting and golden is None:
        raise UsageError(
            NO_GOLDEN,
            place=next(r.rule.place for r in asked if r.rule.kind is RuleKind.MAX_DRIFT),
            expected="--golden FILE, or golden in a suite",
        )
    refuse_stdin_twice(qrels, baseline, *runs, *([golden] if golden is not None else []))
    others = measure_names(measures)
    names = " ".join(dict.fromkeys([*(one.rule.measure for one in asked), *others]))
    require_topics(parse_measures(names, settings.meanings))
    judgments = judgments_of(qrels, names, reading)
    how: Any = {"costs": costs, "reading": reading, "jobs": usable_threads(jobs)}
    sides = loaded_sides(
        judgments,
        baseline,
        runs,
        golden,
        names,
        " ".join(dict.fromkeys(drifting)),
        settings,
        run_names,
        partial(extreme_results, judgments, measures=names, settings=settings, **how),
        how,
    )
    before, after = sides.baseline.system.run, [side.system.run for side in sides.candidates]
    labels = aggregation(None, None, groups)
    topics = [topic.encode("utf-8", "surrogateescape") for topic in before.topics]
    of_topics = np.array(labels.labels(topics))
    asked = rules_in_groups(asked, labels.names(topics))
    if sequence is not None:
        compared = [side.system.run for side in (sides.golden, *sides.candidates) if side]
        sequence = sequence.with_look(before, compared, asked)
        decision = sequence.decision_of_look(decision)
    found, at_best, at_worst = (
        outcomes_of(compared, asked, decision, family) for compared in _orders(sides, of_topics)
    )
    ruled = {one.name for one in asked}
    report = GateReport(
        baseline=before.name,
        candidates=tuple(run.name for run in after),
        topics=len(before.topics),
        qrels=sides.results.qrels,
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
        runs=sides.runs,
        warnings=(*_version_warnings(before, after[0]), *labels.warnings(topics)),
        paths=(before.path, *(run.path for run in after)),
        sequence=sequence,
        golden=_golden_name(sides.golden),
    )
    return GateDraft(report, (tuple(chain(*at_best)), tuple(chain(*at_worst))))


def _golden_name(golden: Side | None) -> str:
    return "" if golden is None else golden.system.run.path or golden.system.run.name


def _listed(candidates: Candidates) -> Sequence[RunLike | Results]:
    """Return the candidates as a list; saved results are one candidate."""
    if isinstance(candidates, Results):
        return [candidates]
    if isinstance(candidates, list | tuple) and any(isinstance(c, Results) for c in candidates):
        return candidates
    return run_list(cast("Any", candidates))


def _orders(sides: Sides, labels: Texts) -> Iterator[Compared]:
    """Yield the values in the order asked for, with ties broken for candidates, and against."""
    golden = sides.golden
    for old, new in (
        ("system", "system"),
        ("unfavourable", "favourable"),
        ("favourable", "unfavourable"),
    ):
        yield Compared(
            baseline=getattr(sides.baseline, old).run,
            golden=None if golden is None else getattr(golden, old).run,
            candidates=tuple(getattr(side, new) for side in sides.candidates),
            labels=labels,
        )


def renewed_baseline(
    suite: Suite,
    *,
    costs: CostsLike | None = None,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
    allow_missing: bool = False,
) -> Results:
    r"""Evaluate the only candidate of a suite and return the results, its new baseline.

    Several runs of one system give their mean by topic. InputError for a candidate that lacks
    judged topics, unless `allow_missing`.

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
    results = evaluate(files.qrels, runs, names, suite.settings(), run_names=given, **how)
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


def _rules(rules: str | Rule | Iterable[str | Rule], settings: Settings) -> list[MeasuredRule]:
    given = [rules] if isinstance(rules, str | Rule) else rules
    parsed = [r if isinstance(r, Rule) else parse_rule(r) for r in given]
    return measured_rules(parsed, settings)


def _version_warnings(before: RunResult, after: RunResult) -> list[str]:
    """Return a warning if another version of the same series wrote the baseline."""
    was = before.scores[0].signature.partition("|")[0]
    now = after.scores[0].signature.partition("|")[0]
    return [f"{before.name}: written by {was}, compared by {now}"] if was != now else []
