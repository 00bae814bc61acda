"""Score an aligned run: choose the topics, compute the measures, collect warnings."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rankeval.alignment.align import Alignment
from rankeval.alignment.duplicates import duplicate_error
from rankeval.alignment.qrels import Qrels
from rankeval.errors import InputError
from rankeval.evaluation.aggregation import Aggregation
from rankeval.evaluation.notices import (
    bounds_warnings,
    coverage_warnings,
    dropped_lines,
    dropped_notices,
    no_relevant_warnings,
    round_warnings,
    scattered_notices,
    score_warnings,
    subtopic_warnings,
    threshold_warnings,
    where_missing,
)
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.restrict import apply_settings
from rankeval.evaluation.results import Notice, RunResult, Score, ScoreBounds
from rankeval.evaluation.settings import Settings
from rankeval.evaluation.signature import signature_of
from rankeval.io.blocks import display_name
from rankeval.judgments import RankedJudgments
from rankeval.measures import Aggregate, Measure, NamedMeasure
from rankeval.support.arrays import Booleans
from rankeval.support.wording import count, decoded, listed


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
    ties: bool = True,
    require_shared: bool = True,
) -> RunResult:
    """Score one aligned run; `cautious` adds warnings of data that the measures cannot use.

    `ties` adds a warning of values that other orders of equal scores give. With
    `require_shared`, a run without any judged topic is an error.
    """
    name = display_name(path) if path else "run"
    if alignment.duplicates and reading.duplicates == "refuse":
        refuse_duplicates(alignment, name)
    dropped = dropped_lines(alignment)
    present = alignment.present
    if require_shared and not present.any():
        raise InputError(
            f"no topic in common with {qrels.path}: the run has "
            f"{listed(alignment.without)}, the qrels have {listed(qrels.topics)}",
            place=name,
            remedy="check that both files are from the same collection",
        )
    _require(settings, present, qrels, name)
    lacking = [
        topic for topic, there in zip(qrels.topics, present.tolist(), strict=True) if not there
    ]
    judged, chosen, warnings = apply_settings(alignment, settings)
    once: dict[str, NamedMeasure] = {}
    for named in asked:
        once.setdefault(str(named.measure), named)
    measures = list(once.values())
    warnings += threshold_warnings(qrels, measures) + subtopic_warnings(qrels, measures)
    warnings += round_warnings(qrels, measures) + score_warnings(qrels)
    if cautious:
        warnings += [Notice(text) for text in dict.fromkeys(named.note for named in asked) if text]
    over_topics.require_weights(judged.topics)
    warnings += map(Notice, over_topics.warnings(judged.topics))
    topics = tuple(decoded(topic) for topic in judged.topics)
    scores = []
    for named in measures:
        measure = named.measure
        values = measure.values(judged)
        rule = over_topics.rule_for(measure.definition)
        scores.append(
            Score(
                measure=str(measure),
                as_given=named.as_given,
                values=values,
                # Nothing to average is left only where no topic is required.
                aggregate=rule.of(values, judged, measure.parameters) if len(judged) else 0.0,
                rule=rule.name,
                loss=measure.definition.loss,
                signature=signature_of(measure, settings, over_topics, qrels, judged, reading),
                bounds=_bounds(measure, judged, rule) if bounds else None,
                span=measure.range if np.isfinite(measure.range).all() else None,
                topics=topics,
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
        warnings += bounds_warnings(scores)
    if ties and (alignment.judged.tie_last > alignment.judged.tie_first).any():
        from rankeval.evaluation.tie_effects import tie_notices  # many runs have no ties

        of_each = [(named.measure, score) for named, score in zip(measures, scores, strict=True)]
        warnings += tie_notices(alignment.judged, chosen, judged, of_each, over_topics, settings)
    warnings = [
        *dropped_notices(name, dropped),
        *scattered_notices(name, alignment),
        *dropped_notices(qrels.path, qrels.dropped),
        *coverage_warnings(alignment, settings, where_missing(scores, judged, lacking)),
        *no_relevant_warnings(judged, scores, settings),
        *warnings,
    ]
    by_name = dict(zip(once, scores, strict=True))
    scores = [replace(by_name[str(one.measure)], as_given=one.as_given) for one in asked]
    return RunResult(
        name=decoded(alignment.last_tag) or name,
        path=path,
        topics=topics,
        scores=tuple(scores),
        warnings=tuple(warnings),
        groups=over_topics.by_group(
            [named.measure for named in asked], [score.values for score in scores], judged
        ),
        labels=tuple(over_topics.labels(judged.topics)),
        missing=tuple(map(decoded, lacking)),
        tied=len(alignment.judged.tied_topics),
        dropped=dropped,
    )


def _bounds(measure: Measure, judged: RankedJudgments, rule: Aggregate) -> ScoreBounds | None:
    found = measure.bounds(judged)
    if found is None:
        return None
    least, greatest = (rule.of(v, judged, measure.parameters) for v in (found.low, found.high))
    return ScoreBounds(found.low, found.high, least, greatest, found.exact)


def _require(settings: Settings, present: Booleans, qrels: Qrels, name: str) -> None:
    if settings.require_coverage and not present.all():
        missing = [t for t, there in zip(qrels.topics, present.tolist(), strict=True) if not there]
        raise InputError(
            f"lacks {count(len(missing), 'judged topic')} of {len(present)}: {listed(missing)}",
            place=name,
            expected="every judged topic, as --require-coverage asks",
            remedy="complete the run, or drop --require-coverage to score them 0",
        )


def refuse_duplicates(alignment: Alignment, name: str) -> None:
    """Raise InputError for the first document that is repeated in a topic."""
    first = min(alignment.duplicates, key=lambda duplicate: duplicate.line)
    more = len(alignment.duplicates) - 1
    raise duplicate_error(first.topic, first.docno, first.first_line, first.line, more, name)
