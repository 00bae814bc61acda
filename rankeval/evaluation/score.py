"""Score an aligned run: which topics count, and what the reader is warned of."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from rankeval.alignment.align import Alignment
from rankeval.alignment.duplicates import duplicate_error
from rankeval.alignment.qrels import Qrels
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.aggregation import Aggregation
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import Notice, RunResult, Score, ScoreBounds
from rankeval.evaluation.settings import TIES_IN_WORDS, Settings, signature_of
from rankeval.io.blocks import display_name
from rankeval.io.line_errors import Problems
from rankeval.io.plain_parser import decimal_number
from rankeval.judgments import RankedJudgments
from rankeval.measures import Aggregate, Measure, NamedMeasure
from rankeval.measures.base.needs import SUBTOPICS
from rankeval.support.arrays import Booleans
from rankeval.support.wording import count, listed


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
    lacking = [
        topic for topic, there in zip(qrels.topics, present.tolist(), strict=True) if not there
    ]
    judged, warnings = considered(alignment, settings)
    once: dict[str, NamedMeasure] = {}
    for named in asked:
        once.setdefault(str(named.measure), named)
    measures = list(once.values())
    warnings += _threshold_warnings(qrels, measures) + _subtopic_warnings(qrels, measures)
    warnings += _round_warnings(qrels, measures)
    if cautious:
        warnings += [Notice(text) for text in dict.fromkeys(named.note for named in asked) if text]
    over_topics.require_weights(judged.topics)
    warnings += map(Notice, over_topics.warnings(judged.topics))
    scores = []
    for named in measures:
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
                span=measure.range if np.isfinite(measure.range).all() else None,
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
    warnings = [
        *dropped_notices(name, dropped),
        *dropped_notices(qrels.path, qrels.dropped),
        *_coverage_warnings(alignment, settings, _where_missing(scores, judged, lacking)),
        *warnings,
    ]
    by_name = dict(zip(once, scores, strict=True))
    scores = [replace(by_name[str(one.measure)], as_given=one.as_given) for one in asked]
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


def considered(alignment: Alignment, settings: Settings) -> tuple[RankedJudgments, list[Notice]]:
    """The part of the alignment that the settings leave, and what to warn of."""
    judged = alignment.judged
    present = judged.retrieved > 0
    warnings: list[Notice] = []
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


def _where_missing(
    scores: Sequence[Score], judged: RankedJudgments, lacking: Sequence[bytes]
) -> str:
    """What becomes of topics that the run lacks: most measures are 0 there, some are undefined."""
    names = set(lacking)
    missing = np.array([bool(names) and topic in names for topic in judged.topics], dtype=bool)
    undefined = [score.measure for score in scores if np.isnan(score.values[missing]).any()]
    if not undefined:
        return ", scored 0"
    no_value = f"{' and '.join(undefined)} has no value"
    everywhere = len(undefined) == len(scores)
    return f", where {no_value}" if everywhere else f", scored 0, but {no_value} there"


def _coverage_warnings(alignment: Alignment, settings: Settings, effect: str) -> list[Notice]:
    judged = alignment.judged
    warnings = []
    missing = [t for t, n in zip(judged.topics, judged.retrieved.tolist(), strict=True) if not n]
    if missing:
        if settings.topics == "both":
            effect = ", left out"
        warnings.append(
            Notice(
                f"the run lacks {count(len(missing), 'judged topic')} of {len(judged)}{effect}: "
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
    between = qrels.fractions_below_one
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
    others = [str(named.measure) for named in asked if SUBTOPICS not in named.measure.considers]
    if not n_several or not others:
        return []
    measures = listed([name.encode() for name in others])
    found = f"{count(n_several, 'document')} with judgments for several subtopics"
    return [Notice(f"{found}: the largest grade counts for {measures}")]


def _round_warnings(qrels: Qrels, asked: Sequence[NamedMeasure]) -> list[Notice]:
    """Tell of subtopics that may be rounds of judging, as in the second column of TREC-COVID."""
    subtopics = qrels.subtopics
    by_subtopic = [str(n.measure) for n in asked if SUBTOPICS in n.measure.considers]
    if subtopics is None or subtopics.stated or not by_subtopic:
        return []
    fractions = [name for name in subtopics.names if _is_fraction(name)]
    if fractions:
        odd = f"has values such as {listed(fractions)}"
    elif (np.diff(subtopics.offsets) == 1).all():
        odd = f"has one value for each document ({listed(subtopics.names)})"
    else:
        return []
    return [
        Notice(
            f"the column of subtopics {odd}, as rounds of judging have: "
            f"{listed([name.encode() for name in by_subtopic])} may mean nothing; leave them out, "
            "or insist with --quiet (in Python, {topic: {docno: {subtopic: grade}}})"
        )
    ]


def _is_fraction(name: bytes) -> bool:
    """Whether a name is a number that is not whole, such as 0.5."""
    try:
        number = decimal_number(name)
    except ValueError:
        return False
    return bool(np.isfinite(number)) and not number.is_integer()


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


def decoded(name: bytes) -> str:
    """A name from a file as text; bytes that are none show as escapes."""
    return name.decode("utf-8", "backslashreplace")
