"""Score an aligned run: check its topics, measure them, and put its result together."""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from rankeval.base.arrays import Booleans, Floats
from rankeval.base.frozen import frozen, later, may_be_later
from rankeval.base.wording import count, decoded, listed
from rankeval.errors import InputError
from rankeval.evaluation.aggregation import Aggregation
from rankeval.evaluation.conventions import conventions_in_words, signature_of
from rankeval.evaluation.measured import Measured, ValuesOfTopics
from rankeval.evaluation.notices import (
    bounds_warnings,
    content_warnings,
    coverage_warnings,
    dropped_lines,
    dropped_notices,
    left_out_warnings,
    measure_warnings,
    no_relevant_warnings,
    qrels_warnings,
    scattered_notices,
    tie_notices,
)
from rankeval.evaluation.prepared import Prepared, digest_of, when_read
from rankeval.evaluation.reading import Reading
from rankeval.evaluation.results import Notice, RunResult, Score, ScoreBounds
from rankeval.evaluation.settings import Settings
from rankeval.io.sources.blocks import display_name
from rankeval.measures import Measure, NamedMeasure
from rankeval.measures.bounds import Bounds
from rankeval.ranking.align import Alignment

ONE_COLLECTION = "check that both files are from the same collection"


@frozen(eq=False)
class RunFacts:
    """A run and its judgments, as far as they are no values of topics.

    ============ =========================================================================
    name         the run in messages
    path         its path, "" for a run in memory
    tags         run tags that occur in the run
    last_tag     the tag of its last line
    n_without    number of topics of the run that have no judgments
    without      the first of these
    dropped      lines of the run that were left out, counted by kind
    of_files     warnings of the run's lines and those of the judgments
    of_judgments warnings of the judgments
    digest       that of the judgments
    ============ =========================================================================
    """

    name: str
    path: str
    tags: frozenset[bytes]
    last_tag: bytes
    n_without: int
    without: Sequence[bytes]
    dropped: Mapping[str, int]
    of_files: Sequence[Notice]
    of_judgments: Sequence[Notice] = may_be_later()
    digest: str = may_be_later()


def score_run(
    prepared: Prepared,
    alignment: Alignment,
    path: str,
    *,
    require_shared: bool = True,
) -> RunResult:
    """Score one aligned run.

    With `require_shared`, a run without any judged topic is an error.
    """
    qrels = prepared.judgments
    name = display_name(path) if path else "run"
    dropped = dropped_lines(alignment)
    if require_shared and (alignment.lines or alignment.without):
        require_shared_topic(alignment.present, qrels.topics, alignment.without, qrels.path, name)
    require_coverage(prepared.settings, alignment.present, qrels.topics, name)
    facts = RunFacts(
        name=name,
        path=path,
        digest=digest_of(qrels),
        tags=alignment.tags,
        last_tag=alignment.last_tag,
        n_without=len(alignment.without),
        without=alignment.without,
        dropped=dropped,
        of_files=[
            *dropped_notices(name, dropped),
            *([] if alignment.lines else [Notice("the run holds no document")]),
            *scattered_notices(name, alignment),
            *dropped_notices(qrels.path, qrels.dropped),
        ],
        of_judgments=later(qrels_warnings, qrels, prepared.measures),
    )
    measured = prepared.measured(alignment.judged, alignment.present)
    return run_result(prepared, facts, measured)


def run_result(prepared: Prepared, facts: RunFacts, measured: Measured) -> RunResult:
    """Put the result of a run together: values over topics, groups and warnings."""
    asked, over_topics, topics = prepared.asked, prepared.over_topics, measured.topics
    counted = topics.of_those_that_count()
    _require_any(measured, prepared.settings)
    over_topics.require_weights(counted)
    over_topics.require_groups(counted)
    names = tuple(map(decoded, counted))
    places = {str(measure): place for place, measure in enumerate(prepared.measures)}
    of_asked = [places[str(named.measure)] for named in asked]
    found = [measured.values[place] for place in of_asked]
    scores = tuple(
        _score(prepared, facts, named, of_topics, measured.facts[place].marks, counted, names)
        for named, of_topics, place in zip(asked, found, of_asked, strict=True)
    )
    return RunResult(
        name=decoded(facts.last_tag) or facts.name,
        path=facts.path,
        topics=names,
        scores=scores,
        warnings=when_read(prepared.judgments, _warnings, prepared, facts, measured, scores),
        groups=over_topics.by_group(
            [named.measure.definition for named in asked],
            [of_topics.values for of_topics in found],
            counted,
            [of_topics.beside for of_topics in found],
            [of_topics.of_run for of_topics in found],
        ),
        labels=tuple(over_topics.labels(counted)),
        missing=tuple(
            decoded(topics.names[topic]) for topic in (~topics.present).nonzero()[0].tolist()
        ),
        tied=int(np.count_nonzero(topics.tied)),
        dropped=facts.dropped,
        judged=len(topics.names),
        conventions=conventions_in_words(prepared.facts),
    )


def _score(
    prepared: Prepared,
    facts: RunFacts,
    named: NamedMeasure,
    found: ValuesOfTopics,
    marks: Sequence[str],
    counted: Sequence[bytes],
    topics: tuple[str, ...],
) -> Score:
    """Return the score of a measure in the topics that count, whose names are also given as text.

    `marks` name the optional data of the measure.
    """
    measure, over_topics = named.measure, prepared.over_topics
    # Nothing to average is left only where no topic is required.
    aggregate = 0.0
    if found.of_run is not None:
        aggregate = found.of_run(None)
    elif counted:
        aggregate = over_topics.value(measure.definition, found.values, counted, found.beside)
    marks = [*prepared.items.marks, *marks]
    return Score(
        measure=str(measure),
        as_given=named.as_given,
        values=found.values,
        aggregate=aggregate,
        rule=over_topics.rule_for(measure.definition).name,
        loss=measure.definition.loss,
        signature=later(
            _signature, facts, measure, prepared.settings, over_topics, marks, prepared.reading
        ),
        bounds=None
        if found.bounds is None
        else _bounds(found.bounds, _total(over_topics, measure, found, counted)),
        span=measure.range if all(map(math.isfinite, measure.range)) else None,
        topics=topics if found.of_run is None else (),
    )


def _signature(
    facts: RunFacts,
    measure: Measure,
    settings: Settings,
    over_topics: Aggregation,
    marks: Sequence[str],
    reading: Reading,
) -> str:
    return signature_of(measure, settings, over_topics, facts.digest, marks, reading)


def _total(
    over_topics: Aggregation, measure: Measure, found: ValuesOfTopics, counted: Sequence[bytes]
) -> Callable[[Floats], float]:
    """Return the function that makes one number of a measure's values of topics."""
    return lambda values: over_topics.value(measure.definition, values, counted, found.beside)


def _warnings(
    prepared: Prepared, facts: RunFacts, measured: Measured, scores: Sequence[Score]
) -> tuple[Notice, ...]:
    """Return the warnings of a run with some scores, of which several may be of one measure."""
    settings, over_topics, topics = prepared.settings, prepared.over_topics, measured.topics
    counted = topics.of_those_that_count()
    scores = [*{score.measure: score for score in scores}.values()]
    warnings = [
        *facts.of_files,
        *coverage_warnings(topics, facts.n_without, facts.without, scores, settings),
        *no_relevant_warnings(topics, prepared.measures, scores, settings.min_grade),
        *left_out_warnings(topics, settings),
        *content_warnings(topics, facts.tags, settings),
        *facts.of_judgments,
    ]
    if prepared.cautious:
        notes = (named.note for named in prepared.asked if named.note)
        warnings += map(Notice, dict.fromkeys(notes))
    warnings += map(Notice, over_topics.warnings(counted))
    for measure, found, known in zip(
        prepared.measures, measured.values, measured.facts, strict=True
    ):
        caution = known.caution if prepared.cautious else None
        warnings += measure_warnings(measure, found.values, caution, over_topics)
    if prepared.bounds:
        warnings += bounds_warnings(scores)
    ends = [found.ends for found in measured.values if found.ends is not None]
    if ends:
        totals = [
            _total(over_topics, measure, found, counted)
            for measure, found in zip(prepared.measures, measured.values, strict=True)
        ]
        warnings += tie_notices(topics.tied_that_count, ends, scores, totals, settings)
    return tuple(warnings)


def _bounds(found: Bounds, total: Callable[[Floats], float]) -> ScoreBounds:
    low, high = found.low, found.high
    return ScoreBounds(low, high, total(low), total(high), found.exact)


def _require_any(measured: Measured, settings: Settings) -> None:
    """Raise InputError if leaving out topics without a relevant document leaves none."""
    topics = measured.topics
    if settings.skip_no_relevant and not topics.chosen.any() and not topics.relevant.all():
        raise InputError(
            "no topic with a relevant document is left", remedy="drop --skip-no-relevant"
        )


def require_shared_topic(
    present: Booleans, topics: Sequence[bytes], without: Sequence[bytes], qrels: str, name: str
) -> None:
    """Raise InputError for a run without any judged topic; `without` are the topics it has."""
    if not present.any():
        from rankeval.evaluation.likely_mistakes import unlike  # seldom needed

        how = unlike(without, topics)
        raise InputError(
            f"no topic in common with {qrels}: the run has {listed(without)}, the qrels have "
            f"{listed(topics)}",
            place=name,
            remedy=(f"write topics alike: they {how}" if how else ONE_COLLECTION)
            + "; 'rankeval check' describes both",
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
            expected="every judged topic, as --require-coverage asks",
            remedy="complete the run, or drop --require-coverage to score them 0",
        )
