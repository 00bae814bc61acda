"""Score an aligned run: check its topics, measure them, and put its result together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from rankeval.alignment.align import Alignment
from rankeval.alignment.duplicates import duplicate_error
from rankeval.alignment.qrels import Qrels
from rankeval.errors import InputError
from rankeval.evaluation.aggregation import Aggregation
from rankeval.evaluation.conventions import conventions_in_words
from rankeval.evaluation.measured import Measured, ValuesOfTopics, measure_topics
from rankeval.evaluation.notices import (
    bounds_warnings,
    content_warnings,
    coverage_warnings,
    dropped_lines,
    dropped_notices,
    no_relevant_notice,
    no_relevant_warnings,
    qrels_warnings,
    scattered_notices,
    where_missing,
)
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import Notice, RunResult, Score, ScoreBounds
from rankeval.evaluation.settings import Settings
from rankeval.evaluation.signature import signature_of
from rankeval.io.blocks import display_name
from rankeval.measures import Measure, NamedMeasure
from rankeval.support.arrays import Booleans, Floats
from rankeval.support.frozen import frozen
from rankeval.support.wording import count, decoded, listed


@frozen(eq=False)
class RunFacts:
    """A run and its judgments, as far as they are no values of topics.

    ============ =========================================================================
    name         the run in messages
    path         its path, "" for a run in memory
    digest       that of the judgments
    tags         run tags that occur in the run
    last_tag     the tag of its last line
    n_without    number of topics of the run that have no judgments
    without      the first of these
    dropped      lines of the run that were left out, counted by kind
    marks        parts of signatures
    of_files     warnings of the run's lines and those of the judgments
    of_judgments warnings of the judgments
    ============ =========================================================================
    """

    name: str
    path: str
    digest: str
    tags: frozenset[bytes]
    last_tag: bytes
    n_without: int
    without: Sequence[bytes]
    dropped: Mapping[str, int]
    marks: Sequence[str]
    of_files: Sequence[Notice]
    of_judgments: Sequence[Notice]


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
    marks: Sequence[str] = (),
) -> RunResult:
    """Score one aligned run; `cautious` adds warnings of data that the measures cannot use.

    `ties` adds a warning of values that other orders of equal scores give. With
    `require_shared`, a run without any judged topic is an error. `marks` are parts of signatures.
    """
    name = display_name(path) if path else "run"
    if alignment.duplicates and reading.duplicates == "refuse":
        refuse_duplicates(alignment, name)
    dropped = dropped_lines(alignment)
    if require_shared:
        require_shared_topic(alignment.present, qrels.topics, alignment.without, qrels.path, name)
    require_coverage(settings, alignment.present, qrels.topics, name)
    measures = distinct(asked)
    facts = RunFacts(
        name=name,
        path=path,
        digest=qrels.digest,
        tags=alignment.tags,
        last_tag=alignment.last_tag,
        n_without=len(alignment.without),
        without=alignment.without,
        dropped=dropped,
        marks=marks,
        of_files=[
            *dropped_notices(name, dropped),
            *scattered_notices(name, alignment),
            *dropped_notices(qrels.path, qrels.dropped),
        ],
        of_judgments=qrels_warnings(qrels, measures),
    )
    measured = measure_topics(
        alignment.judged,
        alignment.present,
        measures,
        settings,
        over_topics,
        bounds=bounds,
        ties=ties,
    )
    return run_result(
        facts,
        measured,
        asked,
        settings,
        over_topics,
        reading=reading,
        cautious=cautious,
        bounds=bounds,
    )


def distinct(asked: Sequence[NamedMeasure]) -> list[Measure]:
    """Return each measure once, in the order in which they are first named."""
    return list({str(named.measure): named.measure for named in asked}.values())


def run_result(
    facts: RunFacts,
    measured: Measured,
    asked: Sequence[NamedMeasure],
    settings: Settings,
    over_topics: Aggregation,
    *,
    reading: Reading = AS_FOUND,
    cautious: bool,
    bounds: bool = False,
) -> RunResult:
    """Put the result of a run together: values over topics, groups and warnings."""
    topics = measured.topics
    counted = topics.of_those_that_count()
    _require_any(measured, settings)
    over_topics.require_weights(counted)
    of_groups = map(Notice, over_topics.warnings(counted))
    measures = distinct(asked)

    def total(number: int, values: Floats) -> float:
        return over_topics.value(
            measures[number].definition, values, counted, measured.values[number].beside
        )

    names = tuple(decoded(topic) for topic in counted)
    scores, cautions = [], []
    for number, (measure, found, known) in enumerate(
        zip(measures, measured.values, measured.facts, strict=True)
    ):
        definition = measure.definition
        scores.append(
            Score(
                measure=str(measure),
                as_given=str(measure),
                values=found.values,
                # Nothing to average is left only where no topic is required.
                aggregate=(total(number, found.values) if names else 0.0)
                if found.of_run is None
                else found.of_run(None),
                rule=over_topics.rule_for(definition).name,
                loss=definition.loss,
                signature=signature_of(
                    measure,
                    settings,
                    over_topics,
                    facts.digest,
                    [*facts.marks, *known.marks],
                    reading,
                ),
                bounds=_bounds(found, partial(total, number)),
                span=measure.range if np.isfinite(measure.range).all() else None,
                topics=names if found.of_run is None else (),
            )
        )
        undefined = int(np.count_nonzero(np.isnan(found.values)))
        if undefined:
            cautions.append(
                Notice(
                    f"{measure} is undefined for ",
                    count(undefined, "topic"),
                    ", left out of its mean",
                )
            )
        told = (known.caution if cautious else None, over_topics.caution(definition, found.values))
        cautions += [Notice(f"{measure}: {text}") for text in told if text]
    notes = [named.note for named in asked] if cautious else []
    ends = [found.ends for found in measured.values if found.ends is not None]
    by_topic = [score for score in scores if score.has_topics]
    left_out = ~topics.relevant & (topics.present if settings.topics == "both" else True)
    warnings = [
        *facts.of_files,
        *coverage_warnings(
            topics,
            facts.n_without,
            facts.without,
            settings,
            where_missing(by_topic, topics),
            [score.measure for score in scores if not score.has_topics],
        ),
        *no_relevant_warnings(topics, measures, scores, settings.min_grade),
        *(
            [no_relevant_notice(int(np.count_nonzero(left_out)), "left out", settings.min_grade)]
            if settings.skip_no_relevant and left_out.any()
            else []
        ),
        *content_warnings(topics, facts.tags, settings),
        *facts.of_judgments,
        *(Notice(text) for text in dict.fromkeys(notes) if text),
        *of_groups,
        *cautions,
        *(bounds_warnings(scores) if bounds else []),
    ]
    if ends:
        from rankeval.evaluation.tie_effects import tie_notices  # many runs have no ties

        warnings += tie_notices(topics.tied_that_count, ends, scores, total, settings)
    numbers = {str(measure): number for number, measure in enumerate(measures)}
    places = [numbers[str(one.measure)] for one in asked]
    return RunResult(
        name=decoded(facts.last_tag) or facts.name,
        path=facts.path,
        topics=names,
        scores=tuple(
            replace(scores[i], as_given=one.as_given) for i, one in zip(places, asked, strict=True)
        ),
        warnings=tuple(warnings),
        groups=over_topics.by_group(
            [measures[i].definition for i in places],
            [measured.values[i].values for i in places],
            counted,
            [measured.values[i].beside for i in places],
            [measured.values[i].of_run for i in places],
        ),
        labels=tuple(over_topics.labels(counted)),
        missing=tuple(
            map(decoded, (topics.names[i] for i in np.flatnonzero(~topics.present).tolist()))
        ),
        tied=int(np.count_nonzero(topics.tied)),
        dropped=facts.dropped,
        judged=len(topics.names),
        conventions=conventions_in_words({**settings.facts(), **reading.facts()}),
    )


def _bounds(found: ValuesOfTopics, total: Callable[[Floats], float]) -> ScoreBounds | None:
    if found.bounds is None:
        return None
    low, high = found.bounds.low, found.bounds.high
    return ScoreBounds(low, high, total(low), total(high), found.bounds.exact)


def _require_any(measured: Measured, settings: Settings) -> None:
    """Raise InputError if leaving out topics without a relevant document leaves none."""
    topics = measured.topics
    if settings.skip_no_relevant and not topics.chosen.any() and not topics.relevant.all():
        raise InputError(
            "no topic with a relevant document is left", remedy="drop skip_no_relevant=True"
        )


def require_shared_topic(
    present: Booleans, topics: Sequence[bytes], without: Sequence[bytes], qrels: str, name: str
) -> None:
    """Raise InputError for a run without any judged topic; `without` are the topics it has."""
    if not present.any():
        raise InputError(
            f"no topic in common with {qrels}: the run has {listed(without)}, the qrels have "
            f"{listed(topics)}",
            place=name,
            remedy="check that both files are from the same collection",
        )


def require_coverage(
    settings: Settings, present: Booleans, topics: Sequence[bytes], name: str
) -> None:
    """Raise InputError if the settings want a complete run, and it lacks a judged topic."""
    if settings.require_coverage and not present.all():
        missing = [t for t, there in zip(topics, present.tolist(), strict=True) if not there]
        raise InputError(
            f"lacks {count(len(missing), 'judged topic')} of {len(present)}: {listed(missing)}",
            place=name,
            expected="every judged topic, as require_coverage=True asks",
            remedy="complete the run, or drop require_coverage=True to score them 0",
        )


def refuse_duplicates(alignment: Alignment, name: str) -> None:
    """Raise InputError for the first document that is repeated in a topic."""
    first = min(alignment.duplicates, key=lambda duplicate: duplicate.line)
    more = len(alignment.duplicates) - 1
    raise duplicate_error(first.topic, first.docno, first.first_line, first.line, more, name)
