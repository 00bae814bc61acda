"""Evaluate runs against judgments: what the command line does, in as many words."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from rankeval.aggregation import (
    Aggregation,
    GroupsLike,
    WeightsLike,
    aggregation,
)
from rankeval.align import Alignment, align, align_columns
from rankeval.costs import DocumentCosts, costs_of, read_costs
from rankeval.errors import InputError, UsageError
from rankeval.held import HeldRun, held_run
from rankeval.io import trec
from rankeval.io.problems import Problems
from rankeval.io.runs import ByDocno, columns_of
from rankeval.io.source import STDIN, display_name, is_rereadable
from rankeval.judgments import Booleans, RankedJudgments
from rankeval.measures import Aggregate, Measure, NamedMeasure, parse_measures
from rankeval.measures._needs import COSTS, ELSEWHERE, STRATA, SUBTOPICS, Need
from rankeval.qrels import Qrels, from_mapping, read_qrels
from rankeval.ranking import NOTHING, Kept
from rankeval.readings import AS_FOUND, Reading
from rankeval.repetitions import duplicate_error
from rankeval.results import Notice, QrelsFacts, Results, RunResult, Score, ScoreBounds
from rankeval.settings import TIES_IN_WORDS, Settings, signature_of
from rankeval.tools import TOOLS
from rankeval.wording import count, listed

DEFAULT_MEASURES = "NumQ AP Rprec RR P@10 nDCG@10 ERR@20 SetF R@1000 Unjudged@10"

QrelsLike = str | os.PathLike[str] | Mapping[str, ByDocno] | Qrels
RunLike = str | os.PathLike[str] | Mapping[str, Mapping[str, float]] | HeldRun
CostsLike = str | os.PathLike[str] | Mapping[str, float] | DocumentCosts


def evaluate(
    qrels: QrelsLike,
    runs: RunLike | Sequence[RunLike],
    measures: str | Iterable[str] | None = None,
    settings: Settings | None = None,
    *,
    weights: WeightsLike | None = None,
    groups: GroupsLike | None = None,
    costs: CostsLike | None = None,
    bounds: bool = False,
    reading: Reading = AS_FOUND,
    jobs: int | None = None,
    progress: Callable[[str, int], None] | None = None,
) -> Results:
    """Score runs against one set of judgments.

    `qrels` is a path, a mapping {topic: {docno: grade}}, one with {docno: {subtopic: grade}}, or
    a Qrels; each run a path or a mapping {topic: {docno: score}}; `measures` names in one string
    or several, by default DEFAULT_MEASURES. `weights` makes weighted means of averaged measures,
    and `groups` adds values over the topics of each group; both are a path, a mapping from
    topics, or what `read_weights` and `read_groups` give. `costs` is a path or a mapping
    {docno: cost}, for measures that know what reading a document costs. `bounds` adds the least
    and greatest value that judging the unjudged documents could lead to, for the measures that
    have them. `reading` says how files are read. `jobs` is the number of threads (default: all
    processors that may be used),
    `progress` is told a path and how many of its bytes were read.

    Raises RankevalError (InputError, MeasureError, UsageError) for what cannot be used.
    """
    settings = settings or Settings()
    over_topics = aggregation(settings.aggregate, weights, groups)
    every = run_list(runs)
    if not every:
        raise UsageError("no run to evaluate", expected="one run or more")
    if bounds:
        _require_open_judgments(settings)
    threads = usable_threads(jobs)
    refuse_stdin_twice(qrels, *every)
    judgments = judgments_of(qrels, measures, reading)
    asked, cautious = asked_measures(measures, judgments, settings)
    kept = kept_for(asked, costs)
    scored = [
        score_run(
            judgments,
            *aligned(judgments, run, settings, threads, progress, reading, kept),
            asked,
            settings,
            over_topics,
            reading=reading,
            cautious=cautious,
            bounds=bounds,
        )
        for run in every
    ]
    return Results(
        qrels=QrelsFacts(
            path=judgments.path,
            topics=len(judgments.topics),
            judgments=len(judgments.grade),
            digest=judgments.digest,
            dropped=judgments.dropped,
        ),
        settings={**settings.facts(), **over_topics.facts(), **reading.facts()},
        runs=tuple(_distinctly_named(scored)),
    )


def run_list(runs: RunLike | Sequence[RunLike]) -> list[RunLike]:
    """One run or several, as a list."""
    single = isinstance(runs, str | os.PathLike | Mapping | HeldRun)
    return [runs] if single else list(runs)  # type: ignore[list-item, arg-type]  # single tells


def usable_threads(jobs: int | None) -> int:
    """How many threads to work in: as many as wanted, else one per processor."""
    if jobs is not None and jobs < 1:
        raise UsageError(f"cannot work in {jobs} threads", expected="1 or more")
    return jobs or usable_processors()


def refuse_stdin_twice(*paths: object) -> None:
    """Raise UsageError where more than one of the inputs is standard input."""
    if paths.count(STDIN) > 1:
        raise UsageError(
            "standard input (-) is named more than once, but can be read only once",
            remedy="write it to a file first",
        )


def usable_processors() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def judgments_of(
    qrels: QrelsLike,
    measures: str | Iterable[str] | None = None,
    reading: Reading = AS_FOUND,
) -> Qrels:
    """Judgments from whatever holds them, with what the measures need of them."""
    if isinstance(qrels, Qrels):
        return qrels
    asked = parse_measures(_joined(measures or ""))
    needs = {need for named in asked for need in named.measure.definition.needs}
    label = next((label for need, label in LABELS.items() if need in needs), None)
    if isinstance(qrels, Mapping):
        return from_mapping(qrels, label=label)
    form = replace(reading.qrels(), label=label)
    return read_qrels(os.fspath(qrels), form, reading.duplicates)


LABELS: Mapping[Need, str] = {STRATA: trec.STRATUM, SUBTOPICS: trec.SUBTOPIC}
"""The column of the qrels that holds what a measure needs."""


def kept_for(asked: Iterable[NamedMeasure], costs: CostsLike | None = None) -> Kept:
    """What of a run the measures need beside its judged documents."""
    measures = [named.measure for named in asked]
    elsewhere = any(ELSEWHERE in measure.definition.needs for measure in measures)
    if costs is None:
        return Kept(elsewhere=True) if elsewhere else NOTHING
    if not any(COSTS in measure.takes for measure in measures):
        raise UsageError(
            "costs are given, but no measure takes them",
            expected="a measure such as TBG, UMeasure, or INST(max_rel=3,out='EC')",
        )
    if isinstance(costs, Mapping):
        costs = costs_of(costs)
    elif not isinstance(costs, DocumentCosts):
        costs = read_costs(os.fspath(costs))
    return Kept(elsewhere=elsewhere, costs=costs)


def asked_measures(
    measures: str | Iterable[str] | None, qrels: Qrels, settings: Settings
) -> tuple[list[NamedMeasure], bool]:
    """The measures with the settings put in, and whether to caution the reader about them."""
    tool = TOOLS[settings.like].measures if settings.like else ""
    if measures is None and tool:
        names = tool
    elif measures is None:
        names = DEFAULT_MEASURES
        if qrels.highest_grade > 4:
            names = names.replace("ERR@", "ERR(max_rel='qrels')@")
    else:
        names = _joined(measures)
    asked: dict[str, NamedMeasure] = {}
    for named in parse_measures(names):
        measure = settings.of(named)
        asked.setdefault(str(measure), replace(named, measure=measure))
    if not asked:
        raise UsageError("no measure to compute", expected="one measure or more, such as nDCG@10")
    return list(asked.values()), bool(measures)


def _joined(measures: str | Iterable[str]) -> str:
    """Names of measures in one string."""
    return measures if isinstance(measures, str) else " ".join(measures)


def held(run: RunLike, settings: Settings, reading: Reading = AS_FOUND, jobs: int = 1) -> RunLike:
    """The run as something that can be looked at again: a pipe's lines, all else as it is."""
    if isinstance(run, Mapping | HeldRun) or is_rereadable(os.fspath(run)):
        return run
    return held_run(os.fspath(run), settings.form(reading.run()), jobs=jobs)


def aligned(
    qrels: Qrels,
    run: RunLike,
    settings: Settings,
    jobs: int,
    progress: Callable[[str, int], None] | None = None,
    reading: Reading = AS_FOUND,
    kept: Kept = NOTHING,
) -> tuple[Alignment, str]:
    """Align a run, and give its path, "" for a mapping."""
    rules = reading.completed(settings)
    if isinstance(run, Mapping):
        return align_columns(qrels, [columns_of(run, trec.RUN)], rules, kept=kept), ""
    if isinstance(run, HeldRun):
        alignment = align_columns(qrels, run.parts, rules, run.path, kept=kept)
        return replace(alignment, dropped=run.dropped), run.path
    path = os.fspath(run)
    told = None if progress is None else lambda position: progress(path, position)
    form = settings.form(reading.run())
    alignment = align(qrels, path, rules, form, kept=kept, jobs=jobs, progress=told)
    return replace(alignment, dropped=dict(form.problems.counts) if form.problems else {}), path


def score_run(
    qrels: Qrels,
    alignment: Alignment,
    path: str,
    asked: Sequence[NamedMeasure],
    settings: Settings,
    over_topics: Aggregation,
    *,
    reading: Reading = AS_FOUND,
    cautious: bool,
    bounds: bool = False,
) -> RunResult:
    """Score one aligned run; a cautious one is warned of what measures cannot make use of."""
    name = display_name(path) if path else "run"
    if alignment.duplicates and reading.duplicates == "refuse":
        refuse_duplicates(alignment, name)
    dropped = dropped_lines(alignment)
    present = alignment.judged.retrieved > 0
    if not present.any():
        raise InputError(
            f"no topic in common with {qrels.path}: the run has "
            f"{listed(alignment.without)}, the qrels have {listed(qrels.topics)}",
            place=name,
            remedy="check that both files are from the same collection",
        )
    _require(settings, present, qrels, name)
    judged, warnings = considered(alignment, settings)
    warnings[:0] = [*dropped_notices(name, dropped), *dropped_notices(qrels.path, qrels.dropped)]
    warnings += _threshold_warnings(qrels, asked) + _subtopic_warnings(qrels, asked)
    over_topics.require_weights(judged.topics)
    warnings += map(Notice, over_topics.warnings(judged.topics))
    scores = []
    for named in asked:
        measure = named.measure
        values = measure.values(judged)
        rule = over_topics.of(measure.definition)
        scores.append(
            Score(
                measure=str(measure),
                as_given=named.as_given,
                values=values,
                aggregate=rule.of(values, judged, measure.parameters),
                rule=rule.name,
                loss=measure.definition.loss,
                signature=signature_of(measure, settings, over_topics, qrels, judged, reading),
                bounds=_bounds(measure, judged, rule) if bounds else None,
            )
        )
        undefined = int(np.count_nonzero(np.isnan(values)))
        if undefined:
            warnings.append(
                Notice(
                    f"{measure} is undefined for ",
                    count(undefined, "topic"),
                    ", left out of its mean",
                )
            )
        caution = measure.caution(judged) if cautious else None
        cautions = (caution, over_topics.caution(measure.definition, values))
        warnings += [Notice(f"{measure}: {text}") for text in cautions if text]
    if bounds:
        warnings += _bounds_warnings(scores)
    return RunResult(
        name=decoded(alignment.last_tag) or name,
        path=path,
        topics=tuple(decoded(topic) for topic in judged.topics),
        scores=tuple(scores),
        warnings=tuple(warnings),
        groups=over_topics.by_group(
            [named.measure for named in asked], [score.values for score in scores], judged
        ),
        labels=tuple(over_topics.labels(judged.topics)),
        missing=tuple(
            decoded(topic)
            for topic, there in zip(qrels.topics, present.tolist(), strict=True)
            if not there
        ),
        tied=len(alignment.judged.tied_topics),
        dropped=dropped,
    )


def _bounds(measure: Measure, judged: RankedJudgments, rule: Aggregate) -> ScoreBounds | None:
    found = measure.bounds(judged)
    if found is None:
        return None
    least, greatest = (rule.of(v, judged, measure.parameters) for v in (found.low, found.high))
    return ScoreBounds(found.low, found.high, least, greatest, found.exact)


def _bounds_warnings(scores: Sequence[Score]) -> list[Notice]:
    without = [score.measure.encode() for score in scores if score.bounds is None]
    loose = [score.measure.encode() for score in scores if score.bounds and not score.bounds.exact]
    warnings = []
    if without:
        warnings.append(Notice(f"no bounds are known for {listed(without)}"))
    if loose:
        warnings.append(
            Notice(
                f"the greatest value of {listed(loose)} is a bound only: judging cannot lead "
                "further, but perhaps not so far"
            )
        )
    return warnings


def _require_open_judgments(settings: Settings) -> None:
    """Raise UsageError where unjudged documents are dropped, or have no one place."""
    if settings.removes_unjudged:
        raise UsageError(
            "bounds tell what judging unjudged documents could do, and these are removed",
            remedy="drop --bounds, or --judged-only and --unjudged remove",
        )
    if settings.ties == "expected":
        raise UsageError(
            "bounds are not known for means over all orders of equal scores",
            remedy="drop --bounds, or break ties by another rule",
        )


def considered(alignment: Alignment, settings: Settings) -> tuple[RankedJudgments, list[Notice]]:
    """The part of the alignment that the settings leave, and what to warn of."""
    judged = alignment.judged
    present = judged.retrieved > 0
    warnings = _coverage_warnings(alignment, settings)
    chosen = np.ones(len(judged), dtype=bool)
    if settings.topics == "both":
        chosen &= present
    relevant = judged.count_judged(min_grade=settings.min_grade or 1) > 0
    n_without = int(np.count_nonzero(~relevant & chosen))
    if n_without:
        they_score = "it scores 0" if n_without == 1 else "they score 0"
        effect = "left out" if settings.skip_no_relevant else they_score
        warnings.append(
            Notice(f"{count(n_without, 'judged topic')} without a relevant document: {effect}")
        )
    if settings.skip_no_relevant:
        chosen &= relevant
        if not chosen.any():
            raise InputError(
                "no topic with a relevant document is left", remedy="drop --skip-no-relevant"
            )
    warnings += _content_warnings(alignment, chosen, settings)
    judged = judged.select(chosen)
    if settings.ties == "expected":
        _refuse_cut_ties(judged, settings)
        judged = replace(judged, ties_open=True)
    if settings.depth is not None:
        judged = judged.truncated(settings.depth)
    if settings.removes_unjudged:
        judged = judged.condensed
    return judged, warnings


def _refuse_cut_ties(judged: RankedJudgments, settings: Settings) -> None:
    """Raise UsageError where the depth leaves it open which of some tied documents are kept."""
    if settings.depth is None:
        return
    cut = (judged.tie_first <= settings.depth) & (judged.tie_last > settings.depth)
    if cut.any():
        topics = [judged.topics[i] for i in np.unique(judged.topic[cut]).tolist()]
        raise UsageError(
            f"a depth of {settings.depth} cuts through equal scores in "
            f"{count(len(topics), 'topic')} ({listed(topics)}), so that there is no mean over all "
            "their orders",
            remedy="cut in the measure, as in AP@100, or break ties by another rule",
        )


def _coverage_warnings(alignment: Alignment, settings: Settings) -> list[Notice]:
    judged = alignment.judged
    warnings = []
    missing = [t for t, n in zip(judged.topics, judged.retrieved.tolist(), strict=True) if not n]
    if missing:
        effect = "left out" if settings.topics == "both" else "scored 0"
        warnings.append(
            Notice(
                f"the run lacks {count(len(missing), 'judged topic')} of {len(judged)}, {effect}: "
                f"{listed(missing)}"
            )
        )
    if alignment.without:
        warnings.append(
            Notice(
                f"{count(len(alignment.without), 'topic')} of the run without judgments, ignored: "
                f"{listed(alignment.without)}"
            )
        )
    return warnings


def _content_warnings(alignment: Alignment, chosen: Booleans, settings: Settings) -> list[Notice]:
    judged = alignment.judged
    warnings = []
    top = np.minimum(judged.retrieved, 10)[chosen].sum()
    n_judged = judged.count_per_topic((judged.rank <= 10) & (judged.grade >= 0))[chosen].sum()
    if n_judged < top:
        share = f"{1 - n_judged / top:.1%}"
        warnings.append(Notice("", share, " of the documents in the top 10 are unjudged"))
    n_tied = int(np.count_nonzero(alignment.tied & chosen))
    if n_tied:
        warnings.append(
            Notice(
                "equal scores decide the rank of a relevant document in ",
                count(n_tied, "topic"),
                f"; {TIES_IN_WORDS[settings.ties]}",
            )
        )
    if len(alignment.tags) > 1:
        tags = sorted(alignment.tags)
        warnings.append(
            Notice(f"the file has {len(tags)} run tags: {listed(tags)}; the last one names it")
        )
    return warnings


def _threshold_warnings(qrels: Qrels, asked: Sequence[NamedMeasure]) -> list[Notice]:
    """Tell of fractions that a threshold nobody set counts as not relevant."""
    between = int(np.count_nonzero((qrels.grade > 0) & (qrels.grade < 1)))
    unset = [
        str(measure)
        for measure in (named.measure for named in asked)
        # A measure that is given a scale takes gains instead of the threshold.
        if measure.parameters.get("rel") == 1
        and not {"rel", "max_rel"} & dict(measure.given).keys()
    ]
    if not between or not unset:
        return []
    measures = listed([name.encode() for name in unset])
    found = f"{count(between, 'judgment')} with a grade between 0 and 1"
    remedy = "set the lowest relevant grade with -l, or rel="
    return [Notice(f"{found}, not relevant for {measures}: {remedy}")]


def _subtopic_warnings(qrels: Qrels, asked: Sequence[NamedMeasure]) -> list[Notice]:
    """Tell of the grade that measures see which know no subtopics."""
    if qrels.subtopics is None:
        return []
    n_several = int(np.count_nonzero(np.diff(qrels.subtopics.offsets) > 1))
    others = [
        str(named.measure) for named in asked if SUBTOPICS not in named.measure.definition.needs
    ]
    if not n_several or not others:
        return []
    measures = listed([name.encode() for name in others])
    found = f"{count(n_several, 'document')} with judgments for several subtopics"
    return [Notice(f"{found}: the largest grade counts for {measures}")]


def _require(settings: Settings, present: Booleans, qrels: Qrels, name: str) -> None:
    if settings.require_coverage and not present.all():
        missing = [t for t, there in zip(qrels.topics, present.tolist(), strict=True) if not there]
        raise InputError(
            f"lacks {count(len(missing), 'judged topic')} of {len(present)}: {listed(missing)}",
            place=name,
            expected="every judged topic, as --require-coverage asks",
            remedy="complete the run, or drop --require-coverage to score them 0",
        )


def dropped_lines(alignment: Alignment, problems: Problems | None = None) -> dict[str, int]:
    """Lines of a run that were left out, counted by kind."""
    dropped = {**alignment.dropped, **(problems.counts if problems else {})}
    if alignment.duplicates:
        dropped["documents that stand twice"] = len(alignment.duplicates)
    return dropped


def dropped_notices(name: str, dropped: Mapping[str, int]) -> list[Notice]:
    """Tell of lines that were left out."""
    kinds = ", ".join(f"{number} × {kind}" for kind, number in dropped.items())
    lines = count(sum(dropped.values()), "line")
    return [Notice(f"{name}: {lines} dropped ({kinds})")] if dropped else []


def refuse_duplicates(alignment: Alignment, name: str) -> None:
    """Raise InputError for the first document that stands twice in a topic."""
    first = min(alignment.duplicates, key=lambda duplicate: duplicate.line)
    more = len(alignment.duplicates) - 1
    raise duplicate_error(first.topic, first.docno, first.first_line, first.line, more, name)


def _distinctly_named(runs: Sequence[RunResult]) -> list[RunResult]:
    """Runs whose tags are the same get their paths as names, and a number if need be."""
    tags = Counter(run.name for run in runs)
    named = [replace(run, name=run.path or run.name) if tags[run.name] > 1 else run for run in runs]
    seen: Counter[str] = Counter()
    distinct = []
    for run in named:
        seen[run.name] += 1
        again = seen[run.name]
        distinct.append(replace(run, name=f"{run.name} ({again})") if again > 1 else run)
    return distinct


def decoded(name: bytes) -> str:
    """A name from a file as text; bytes that are none show as escapes."""
    return name.decode("utf-8", "backslashreplace")
