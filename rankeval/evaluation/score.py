"""Score an aligned run: check its topics, measure them, and put its result together."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers, sizes_of
from rankeval.base.frozen import later
from rankeval.base.wording import count, decoded, listed
from rankeval.errors import InputError
from rankeval.evaluation.aggregation import Aggregation
from rankeval.evaluation.conventions import conventions_in_words, marks_of, signature_of
from rankeval.evaluation.measured import (
    NO_VALUES,
    Measured,
    OfMeasure,
    ends_of_ties,
    restricted,
    top_ranks,
    topics_that_count,
    with_relevant,
)
from rankeval.evaluation.notices import (
    bounds_warnings,
    content_warnings,
    coverage_warnings,
    dropped_lines,
    dropped_notices,
    left_out_warnings,
    measure_warnings,
    no_relevant_warnings,
    scattered_notices,
    tie_notices,
)
from rankeval.evaluation.prepared import Prepared, when_read
from rankeval.evaluation.results import GroupResult, Notice, RunResult, Score, ScoreBounds
from rankeval.evaluation.settings import Settings
from rankeval.io.sources.blocks import display_name
from rankeval.measures import Measure, NamedMeasure
from rankeval.ranking import RankedJudgments
from rankeval.ranking.align import Alignment

ONE_COLLECTION = "check that both files are from the same collection"


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
    return run_result(
        prepared,
        measure_topics(prepared, alignment.judged, alignment.present),
        name=name,
        path=path,
        tags=alignment.tags,
        last_tag=alignment.last_tag,
        without=alignment.without,
        n_without=len(alignment.without),
        dropped=dropped,
        doubts=[
            *dropped_notices(name, dropped),
            *([] if alignment.lines else [Notice("the run holds no document")]),
            *scattered_notices(name, alignment),
            *dropped_notices(qrels.path, qrels.dropped),
        ],
    )


def measure_topics(
    prepared: Prepared, judged: RankedJudgments, present: Booleans, *, ties: bool = True
) -> Measured:
    """Measure the topics of an aligned run; `present` marks those that the run has.

    `ties` adds the values that other orders of equal scores give.
    """
    settings, measures = prepared.settings, prepared.measures
    chosen = topics_that_count(judged, settings, present)
    left = restricted(judged, chosen, settings)
    tied, top = judged.tied_topics, top_ranks(settings)
    values = [NO_VALUES if m.definition.of_run else m.values(left) for m in measures]
    ends: Sequence[Floats | None] = [None] * len(measures)
    if ties and np.count_nonzero(tied & chosen):
        ends = ends_of_ties(judged, tied & chosen, chosen, measures, values, settings)
    unjudged, negative = (np.zeros(len(judged), dtype=np.int64) for _ in range(2))
    in_front = left.rank <= top
    unjudged[chosen] = np.minimum(left.retrieved, top) - left.count_per_topic(in_front)
    below = left.grade < 0
    if below.any():
        negative[chosen] = left.count_per_topic(in_front & below)
        unjudged += negative

    def of_measure(measure: Measure, values: Floats, ends: Floats | None) -> OfMeasure:
        beside = bounds = of_run = None
        if measure.definition.of_run:
            of_run = partial(measure.of_run, left)
        else:
            rule = prepared.over_topics.rule_for(measure.definition)
            beside = rule.beside(left, measure.parameters)
            bounds = measure.bounds(left) if prepared.bounds else None
        marks, caution = marks_of(measure, left), measure.caution(left)
        return OfMeasure(values, beside, bounds, ends, of_run, marks, caution)

    return Measured(
        names=judged.topics,
        present=present,
        chosen=chosen,
        relevant=with_relevant(judged, settings),
        tied=tied,
        retrieved=judged.retrieved,
        judged=sizes_of(judged.offsets),
        unjudged=unjudged,
        negative=negative,
        measures=tuple(map(of_measure, measures, values, ends)),
    )


def run_result(
    prepared: Prepared,
    measured: Measured,
    *,
    name: str,
    path: str,
    tags: frozenset[bytes],
    last_tag: bytes,
    without: Sequence[bytes],
    n_without: int,
    dropped: Mapping[str, int],
    doubts: Sequence[Notice],
) -> RunResult:
    """Put the result of a run together: values over topics, groups and warnings.

    ========= ===========================================================================
    name      the run in messages
    path      its path, "" for a run in memory
    tags      run tags that occur in the run
    last_tag  the tag of its last line
    without   the first topics of the run that have no judgments
    n_without the number of all such topics
    dropped   lines of the run that were left out, counted by kind
    doubts    warnings of the lines of the run and of the judgments
    ========= ===========================================================================
    """
    asked, over_topics, counted = prepared.asked, prepared.over_topics, measured.counted
    _require_any(measured, prepared.settings)
    over_topics.require_weights(counted)
    over_topics.require_groups(counted)
    names = tuple(map(decoded, counted))
    by_name = dict(zip(map(str, prepared.measures), measured.measures, strict=True))
    found = [(named, by_name[str(named.measure)]) for named in asked]
    scores = tuple(_score(prepared, named, one, counted, names) for named, one in found)
    members = over_topics.members(counted) if over_topics.groups else {}
    said = partial(_warnings, tags=tags, without=without, n_without=n_without, doubts=doubts)
    return RunResult(
        name=decoded(last_tag) or name,
        path=path,
        topics=names,
        scores=scores,
        warnings=when_read(prepared.judgments, said, prepared, measured, scores),
        groups=tuple(
            GroupResult(
                group,
                len(some),
                tuple(_of_group(over_topics, named, one, counted, some) for named, one in found),
            )
            for group, some in members.items()
        ),
        labels=tuple(over_topics.labels(counted)),
        missing=tuple(
            decoded(measured.names[topic]) for topic in (~measured.present).nonzero()[0].tolist()
        ),
        tied=int(np.count_nonzero(measured.tied)),
        dropped=dropped,
        judged=len(measured.names),
        conventions=conventions_in_words(prepared.facts),
    )


def _of_group(
    over_topics: Aggregation,
    named: NamedMeasure,
    found: OfMeasure,
    counted: Sequence[bytes],
    some: Integers,
) -> float:
    """Return the value of a measure over some of the topics that count, by their indices."""
    if found.of_run is not None:
        return found.of_run(some)
    topics = [counted[i] for i in some.tolist()]
    beside = None if found.beside is None else found.beside[some]
    return over_topics.value(named.measure.definition, found.values[some], topics, beside)


def _score(
    prepared: Prepared,
    named: NamedMeasure,
    found: OfMeasure,
    counted: Sequence[bytes],
    topics: tuple[str, ...],
) -> Score:
    """Return the score of a measure; `topics` are the names of the topics that count, as text."""
    measure, over_topics = named.measure, prepared.over_topics
    # Nothing to average is left only where no topic is required.
    aggregate = 0.0
    if found.of_run is not None:
        aggregate = found.of_run(None)
    elif counted:
        aggregate = over_topics.value(measure.definition, found.values, counted, found.beside)
    marks = [*prepared.items.marks, *found.marks]
    conventions = (prepared.settings, over_topics, prepared.qrels, marks, prepared.reading)
    bounds = None
    if found.bounds is not None:
        low, high, exact = found.bounds.low, found.bounds.high, found.bounds.exact
        total = _total(over_topics, measure, found, counted)
        bounds = ScoreBounds(low, high, total(low), total(high), exact)
    return Score(
        measure=str(measure),
        as_given=named.as_given,
        values=found.values,
        aggregate=aggregate,
        rule=over_topics.rule_for(measure.definition).name,
        loss=measure.definition.loss,
        signature=later(signature_of, measure, *conventions),
        bounds=bounds,
        span=measure.range if all(map(math.isfinite, measure.range)) else None,
        topics=topics if found.of_run is None else (),
    )


def _total(
    over_topics: Aggregation, measure: Measure, found: OfMeasure, counted: Sequence[bytes]
) -> Callable[[Floats], float]:
    """Return the function that makes one number of a measure's values of topics."""
    return lambda values: over_topics.value(measure.definition, values, counted, found.beside)


def _warnings(
    prepared: Prepared,
    measured: Measured,
    scores: Sequence[Score],
    *,
    tags: frozenset[bytes],
    without: Sequence[bytes],
    n_without: int,
    doubts: Sequence[Notice],
) -> tuple[Notice, ...]:
    """Return the warnings of a run with some scores, of which several may be of one measure."""
    settings, over_topics, counted = prepared.settings, prepared.over_topics, measured.counted
    scores = [*{score.measure: score for score in scores}.values()]
    warnings = [
        *doubts,
        *coverage_warnings(measured, n_without, without, scores, settings),
        *no_relevant_warnings(measured, prepared.measures, scores, settings.min_grade),
        *left_out_warnings(measured, settings),
        *content_warnings(measured, tags, settings),
        *prepared.doubts,
    ]
    if prepared.cautious:
        notes = (named.note for named in prepared.asked if named.note)
        warnings += map(Notice, dict.fromkeys(notes))
    warnings += map(Notice, over_topics.warnings(counted))
    each = [*zip(prepared.measures, measured.measures, strict=True)]
    for measure, found in each:
        caution = found.caution if prepared.cautious else None
        warnings += measure_warnings(measure, found.values, caution, over_topics)
    if prepared.bounds:
        warnings += bounds_warnings(scores)
    ends = [found.ends for _, found in each if found.ends is not None]
    if ends:
        totals = [_total(over_topics, measure, found, counted) for measure, found in each]
        tied = measured.tied[measured.chosen]
        warnings += tie_notices(tied, ends, scores, totals, settings)
    return tuple(warnings)


def _require_any(measured: Measured, settings: Settings) -> None:
    """Raise InputError if leaving out topics without a relevant document leaves none."""
    if settings.skip_no_relevant and not measured.chosen.any() and not measured.relevant.all():
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
