"""Score an aligned run: the topics that count, their values, and one number for each measure."""

import math
from collections.abc import Sequence

import numpy as np

from rankeval.base.arrays import Booleans, Floats
from rankeval.base.frozen import later
from rankeval.base.wording import count, decoded, listed
from rankeval.errors import InputError
from rankeval.evaluation.aggregation import Total
from rankeval.evaluation.conventions import conventions_in_words, marks_of, signature_of
from rankeval.evaluation.counted_topics import restricted, topics_that_count, with_relevant
from rankeval.evaluation.notices import dropped_lines, run_warnings
from rankeval.evaluation.prepared import Prepared, when_read
from rankeval.evaluation.results import GroupResult, RunResult, Score, ScoreBounds
from rankeval.evaluation.settings import Settings
from rankeval.io.sources.blocks import display_name
from rankeval.measures import Measure, NamedMeasure
from rankeval.ranking import RankedJudgments
from rankeval.ranking.align import Alignment

NO_VALUES: Floats = np.zeros(0)
"""The values of topics of a measure that is one number for a whole run."""

ONE_COLLECTION = "check that both files are from the same collection"


def score_run(
    prepared: Prepared,
    alignment: Alignment,
    path: str,
    name: str = "",
    *,
    require_shared: bool = True,
) -> RunResult:
    """Score one aligned run; `path` is "" for a run in memory, and messages have its `name`.

    With `require_shared`, a run without any judged topic is an error.
    """
    settings, over_topics, qrels = prepared.settings, prepared.over_topics, prepared.judgments
    judged, present = alignment.judged, alignment.present
    name = name or (display_name(path) if path else "run")
    if require_shared and (alignment.lines or alignment.without):
        _require_shared_topic(present, qrels.topics, alignment.without, qrels.path, name)
    _require_coverage(settings, present, qrels.topics, name)
    chosen = topics_that_count(judged, settings, present)
    _require_any(judged, chosen, settings)
    counted = restricted(judged, chosen, settings)
    over_topics.require_weights(counted.topics)
    over_topics.require_groups(counted.topics)

    found = {str(measure): _values(prepared, measure, counted) for measure in prepared.measures}
    topics = tuple(map(decoded, counted.topics))
    asked = [(named, *found[str(named.measure)]) for named in prepared.asked]
    scores = tuple(_score(prepared, counted, topics, *one) for one in asked)
    members = over_topics.members(counted.topics) if over_topics.groups else {}
    return RunResult(
        name=decoded(alignment.last_tag) or name,
        path=path,
        topics=topics,
        scores=scores,
        warnings=when_read(qrels, run_warnings, prepared, alignment, chosen, counted, scores, name),
        groups=tuple(
            GroupResult(group, len(some), tuple(total(values, some) for _, values, total in asked))
            for group, some in members.items()
        ),
        labels=tuple(over_topics.labels(counted.topics)),
        missing=tuple(decoded(qrels.topics[i]) for i in (~present).nonzero()[0].tolist()),
        tied=int(np.count_nonzero(judged.tied_topics)),
        dropped=dropped_lines(alignment),
        judged=len(judged),
        conventions=conventions_in_words(prepared.facts),
    )


def _values(prepared: Prepared, measure: Measure, counted: RankedJudgments) -> tuple[Floats, Total]:
    """Return the values of a measure, and the function that makes one number of such values."""
    values = NO_VALUES if measure.definition.of_run else measure.values(counted)
    return values, prepared.over_topics.total_of(measure, counted)


def _score(
    prepared: Prepared,
    counted: RankedJudgments,
    topics: tuple[str, ...],
    named: NamedMeasure,
    values: Floats,
    total: Total,
) -> Score:
    """Return the score of a measure; `topics` are the names of the topics that count, as text."""
    measure, over_topics = named.measure, prepared.over_topics
    of_run = measure.definition.of_run
    known = measure.bounds(counted) if prepared.bounds and not of_run else None
    bounds = None
    if known is not None:
        low, high = known.low, known.high
        bounds = ScoreBounds(low, high, total(low), total(high), known.exact)
    marks = [*prepared.marks, *marks_of(measure, counted)]
    conventions = (prepared.settings, over_topics, prepared.qrels, marks)
    return Score(
        measure=str(measure),
        as_given=named.as_given,
        values=values,
        aggregate=total(values),
        rule=over_topics.rule_for(measure.definition).name,
        loss=measure.definition.loss,
        signature=later(signature_of, measure, *conventions),
        bounds=bounds,
        span=measure.range if all(map(math.isfinite, measure.range)) else None,
        topics=() if of_run else topics,
    )


def _require_any(judged: RankedJudgments, chosen: Booleans, settings: Settings) -> None:
    """Raise InputError if leaving out topics without a relevant document leaves none."""
    left_out = settings.skip_no_relevant and not chosen.any()
    if left_out and not with_relevant(judged, settings).all():
        raise InputError(
            "no topic with a relevant document is left", remedy="drop --skip-no-relevant"
        )


def _require_shared_topic(
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


def _require_coverage(
    settings: Settings, present: Booleans, topics: Sequence[bytes], name: str
) -> None:
    """Raise InputError if the settings want a complete run, and it lacks a judged topic."""
    if settings.require_coverage and not present.all():
        missing = [t for t, there in zip(topics, present.tolist(), strict=True) if not there]
        raise InputError(
            f"lacks {len(missing):,} of {count(len(present), 'judged topic')}: {listed(missing)}",
            place=name,
            expected="every judged topic, as --require-coverage asks",
            remedy="complete the run, or drop --require-coverage to score them 0",
        )
