"""Warnings that qualify the numbers of a run."""

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np

from rankeval.base.arrays import Booleans, Floats
from rankeval.base.wording import count, listed
from rankeval.evaluation.aggregation import Aggregation
from rankeval.evaluation.conventions import TIES_IN_WORDS
from rankeval.evaluation.measured import Measured, top_ranks
from rankeval.evaluation.results import Brief, Notice, Score, TieNotice, TieRange
from rankeval.evaluation.settings import RELEVANT, Settings
from rankeval.io.parsers.columns import decimal_number
from rankeval.io.parsers.line_errors import Problems
from rankeval.io.sources.parts import is_in_parts
from rankeval.measures import Measure
from rankeval.measures.declare.needs import SUBTOPICS
from rankeval.ranking.align import Alignment
from rankeval.ranking.qrels import Qrels

UNJUDGED = "unjudged"
"""The kind of the warning of unjudged documents."""

FEW_GRADES = 5
"""The fewest grades that are taken for scores."""

HIGHEST_SCALE = 5
"""The end of the scales on which people and models judge in fractions; scores may be higher."""


def bounds_warnings(scores: Sequence[Score]) -> list[Notice]:
    """Return warnings of measures whose bounds are not known, or not exact."""
    without = [score.measure.encode() for score in scores if score.bounds is None]
    loose = [score.measure.encode() for score in scores if score.bounds and not score.bounds.exact]
    warnings = []
    if without:
        warnings.append(Notice(f"no bounds are known for {listed(without)}"))
    if loose:
        warnings.append(
            Notice(f"the upper bound of {listed(loose)} may not be reachable by any judging")
        )
    return warnings


def where_missing(scores: Sequence[Score], topics: Measured, missing: Booleans) -> str:
    """Name the score of topics without documents: 0, or none if the measure is undefined there.

    Return "" if no measure has values of topics.
    """
    by_topic = [score for score in scores if score.has_topics]
    if not by_topic:
        return ""
    values = missing[topics.chosen]
    undefined = [score.measure for score in by_topic if np.isnan(score.values[values]).any()]
    if not undefined:
        return ", scored 0"
    few = len(undefined) <= 3
    names_of_them = " and ".join(undefined) if few else listed([n.encode() for n in undefined])
    no_value = f"{names_of_them} {'has' if few else 'have'} no value"
    everywhere = len(undefined) == len(by_topic)
    return f", where {no_value}" if everywhere else f", scored 0, but {no_value} there"


def no_relevant_warnings(
    topics: Measured,
    measures: Sequence[Measure],
    scores: Sequence[Score],
    min_grade: float | None,
) -> list[Notice]:
    """Warn of topics without a relevant document; some measures have no value there.

    `scores` are those of the measures. Where `min_grade` is the lowest relevant grade, only the
    measures that count no lower one are concerned, unless they score in these topics all the same,
    as nDCG does by a fraction, and Judged by any judged document.
    """
    without = ~topics.relevant[topics.chosen]
    n_without = int(np.count_nonzero(without))
    if not n_without:
        return []
    concerned = [
        score
        for measure, score in zip(measures, scores, strict=True)
        if score.has_topics
        and _counts_from(measure, min_grade or RELEVANT)
        and not np.nan_to_num(score.values[without]).any()
    ]
    if not concerned:
        return []
    undefined = [score.measure for score in concerned if np.isnan(score.values[without]).any()]
    zero = [score.measure for score in concerned if score.measure not in undefined]
    named = {score.measure for score in concerned}
    if all(s.measure in named or s.loss or s.rule == "sum" or not s.has_topics for s in scores):
        said = ["it scores 0" if n_without == 1 else "they score 0"] if zero else []
    else:
        said = [f"{_named(zero)} {'scores' if len(zero) == 1 else 'score'} 0 there"] if zero else []
    if undefined:
        has = "has" if len(undefined) == 1 else "have"
        said.append(f"{_named(undefined)} {has} no value there")
    return [no_relevant_notice(n_without, ", but ".join(said), min_grade)]


def _counts_from(measure: Measure, grade: float) -> bool:
    """Return True if a measure counts no document below a grade."""
    rel = measure.parameters.get("rel")
    return rel >= grade if isinstance(rel, int | float) else grade <= RELEVANT


def _named(measures: Sequence[str]) -> str:
    return listed([name.encode() for name in measures])


def no_relevant_notice(n_topics: int, effect: str, min_grade: float | None = None) -> Notice:
    """Return the warning of topics without a relevant document, with its effect."""
    grade = "" if min_grade in (None, 1) else f" of grade {min_grade:g} or more"
    topics = count(n_topics, "judged topic")
    return Notice(f"{topics} without a relevant document{grade}: {effect}")


def left_out_warnings(topics: Measured, settings: Settings) -> list[Notice]:
    """Return a warning of the topics that are left out as they have no relevant document."""
    if not settings.skip_no_relevant:
        return []
    left_out = ~topics.relevant & (topics.present if settings.topics == "both" else True)
    n_topics = int(np.count_nonzero(left_out))
    return [no_relevant_notice(n_topics, "left out", settings.min_grade)] if n_topics else []


def measure_warnings(
    measure: Measure, values: Floats, caution: str | None, over_topics: Aggregation
) -> list[Notice]:
    """Return warnings of a measure: undefined values, its own caution, and that of its rule."""
    warnings = []
    undefined = int(np.count_nonzero(np.isnan(values)))
    if undefined:
        topics = count(undefined, "topic")
        before, after = f"{measure} is undefined for ", ", left out of its mean"
        alone, end = f"{before}{topics}{after}", f" is undefined for {topics}{after}"
        brief = Brief("undefined", undefined, alone, f"{measure} of ", end)
        warnings.append(Notice(before, topics, after, brief))
    cautions = (caution, over_topics.caution(measure.definition, values))
    return warnings + [Notice(f"{measure}: {text}") for text in cautions if text]


def coverage_warnings(
    topics: Measured,
    n_without: int,
    without: Sequence[bytes],
    scores: Sequence[Score],
    settings: Settings,
) -> list[Notice]:
    """Return warnings of judged topics that the run lacks, and of topics without judgments.

    `without` are the first of the topics without judgments, which measures of the whole run count.
    """
    warnings = []
    nothing = topics.retrieved == 0
    left_out = nothing & ~topics.present if settings.topics == "both" else np.zeros_like(nothing)
    given = "has no document in" if settings.topics == "both" else "lacks"
    for missing, verb in (left_out, "lacks"), (nothing & ~left_out, given):
        lacking = missing.nonzero()[0].tolist()
        if not lacking:
            continue
        effect = ", left out" if missing is left_out else where_missing(scores, topics, missing)
        of_all = f"{count(len(lacking), 'judged topic')} of {len(topics.names)}"
        end = f" {verb} {of_all}{effect}"
        brief = Brief("lacking", len(lacking), f"the run{end}", after=end)
        named = listed([topics.names[i] for i in lacking])
        warnings.append(Notice(f"the run{end}: {named}", brief=brief))
    if n_without:
        of_run = [score.measure.encode() for score in scores if not score.has_topics]
        warnings.append(
            Notice(
                f"{count(n_without, 'topic')} of the run without judgments, ignored"
                f"{f' but for {listed(of_run)}' if of_run else ''}: "
                f"{listed(without, n_without)}"
            )
        )
    return warnings


def content_warnings(topics: Measured, tags: Collection[bytes], settings: Settings) -> list[Notice]:
    """Return warnings of unjudged documents, and of several run tags.

    The share of unjudged documents is the mean of `Unjudged` over the topics that count.
    """
    warnings = []
    unjudged, negative = topics.unjudged[topics.chosen], topics.negative[topics.chosen]
    if unjudged.any():
        ranks = top_ranks(settings)
        size, top = float(unjudged.mean()) / ranks, f" of the top {ranks}"
        kinds = ("is unjudged", "has a negative grade")
        are = " or ".join(kinds[np.array_equal(unjudged, negative) : 1 + negative.any()])
        share = f"{size:.1%}"
        brief = Brief(UNJUDGED, size, f"{share}{top} {are}", f"{share}{top} of ", f" {are}")
        warnings.append(Notice("", share, f"{top} {are}", brief))
    if len(tags) > 1:
        named = listed(sorted(tags))
        warnings.append(
            Notice(f"the file has {len(tags)} run tags: {named}; the last one names it")
        )
    return warnings


def qrels_warnings(qrels: Qrels, measures: Sequence[Measure]) -> list[Notice]:
    """Return the warnings of judgments that the measures cannot use, or use in another way."""
    return [
        *threshold_warnings(qrels.fractions_below_one, measures),
        *subtopic_warnings(qrels, measures),
        *round_warnings(qrels, measures),
        *score_warnings(
            len(qrels.grade),
            qrels.fractions,
            qrels.highest_grade,
            lambda: len(np.unique(qrels.grade)),
        ),
    ]


def threshold_warnings(between: int, measures: Sequence[Measure]) -> list[Notice]:
    """Return a warning if fractional grades lie below the default threshold of relevance.

    `between` is the number of grades between 0 and 1.
    """
    if not between:
        return []
    unset = [
        str(measure)
        for measure in measures
        # A measure that is given a scale takes gains instead of the threshold.
        if measure.parameters.get("rel") == 1
        and not {"rel", "max_rel"} & dict(measure.given).keys()
    ]
    if not unset:
        return []
    names = listed([name.encode() for name in unset])
    found = f"{count(between, 'judgment')} with a grade between 0 and 1"
    remedy = "set the lowest relevant grade with -l, or rel="
    return [Notice(f"{found}, not relevant for {names}: {remedy}")]


def score_warnings(
    n_judgments: int, n_fractions: int, highest: float, distinct: Callable[[], int]
) -> list[Notice]:
    """Return a warning if grades are fractions, high, and mostly distinct, as a run's scores are.

    `n_fractions` counts grades that are no integers, and `distinct` those that differ.
    """
    most = n_judgments // 2
    few = n_judgments < FEW_GRADES or n_fractions <= most
    if few or highest <= HIGHEST_SCALE or distinct() <= most:
        return []
    return [
        Notice(
            f"the judgments look like a run: most grades are fractions, few are alike, and the "
            f"highest is {highest:g}; the judgments come first, and then the runs"
        )
    ]


def subtopic_warnings(qrels: Qrels, measures: Sequence[Measure]) -> list[Notice]:
    """Return a warning if some measures ignore subtopics and use the largest grade."""
    if qrels.subtopics is None:
        return []
    n_several = int(np.count_nonzero(np.diff(qrels.subtopics.offsets) > 1))
    return several_subtopics_warnings(n_several, measures)


def several_subtopics_warnings(n_several: int, measures: Sequence[Measure]) -> list[Notice]:
    """Return the warning of a number of documents with several subtopics, if measures ignore it."""
    others = [str(measure) for measure in measures if SUBTOPICS not in measure.considers]
    if not n_several or not others:
        return []
    names = listed([name.encode() for name in others])
    found = f"{count(n_several, 'document')} with judgments for several subtopics"
    return [Notice(f"{found}: the largest grade counts for {names}")]


def round_warnings(qrels: Qrels, measures: Sequence[Measure]) -> list[Notice]:
    """Return a warning if subtopics look like rounds of judging, as TREC-COVID's qrels have."""
    subtopics = qrels.subtopics
    by_subtopic = [str(measure) for measure in measures if SUBTOPICS in measure.considers]
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
            f"the column of subtopics {odd}, as a column of rounds of judging has. If it holds no "
            f"subtopics, the values of {listed([name.encode() for name in by_subtopic])} mean "
            "nothing. If it holds subtopics, silence this warning with --quiet, or "
            "give the judgments as a table whose column is called subtopic (in Python, as "
            "{topic: {docno: {subtopic: grade}}})"
        )
    ]


def _is_fraction(name: bytes) -> bool:
    """Return True if a name is a number with a fraction, such as 0.5."""
    try:
        number = decimal_number(name)
    except ValueError:
        return False
    return bool(np.isfinite(number)) and not number.is_integer()


def dropped_lines(alignment: Alignment, problems: Problems | None = None) -> dict[str, int]:
    """Count the dropped lines of a run by kind."""
    dropped = {**alignment.dropped, **(problems.counts if problems else {})}
    if alignment.duplicates:
        dropped["documents that stand twice"] = len(alignment.duplicates)
    return by_kind(dropped)


LINE = 100
"""Bytes of a line that is held, about."""


def scattered_notices(name: str, alignment: Alignment) -> list[Notice]:
    """Return a warning if all rows of a folder were held, because topics are scattered."""
    if not alignment.scattered or not is_in_parts(name):
        return []
    size = max(1, alignment.lines * LINE >> 20)
    return [
        Notice(
            f"topics are scattered over {name}, so all of its {alignment.lines:,} rows were held, "
            f"in some {size:,} MB; sorted by topic, they take less memory and time"
        )
    ]


def by_kind(dropped: Mapping[str, int]) -> dict[str, int]:
    """Return the numbers of dropped lines in an order that does not depend on that of the lines."""

    def place(kind: str) -> tuple[bool, str]:
        return kind.startswith("documents"), kind  # those that repeat others are found at the end

    return {kind: dropped[kind] for kind in sorted(dropped, key=place)}


def dropped_notices(name: str, dropped: Mapping[str, int]) -> list[Notice]:
    """Return a warning if lines were dropped."""
    if not dropped:
        return []
    kinds = ", ".join(f"{number} × {kind}" for kind, number in by_kind(dropped).items())
    lines = count(sum(dropped.values()), "line")
    return [Notice(f"{name}: {lines} dropped ({kinds})")]


NOISE = 1e-12
"""Largest difference that comes from adding the same numbers in another order."""


def tie_notices(
    place: Booleans,
    ends: Sequence[Floats],
    scores: Sequence[Score],
    totals: Sequence[Callable[[Floats], float]],
    settings: Settings,
) -> list[TieNotice]:
    """Return a warning of the values that other orders of equal scores give, if they differ.

    `place` marks the topics of `ends` among those that count, and `totals` has the function of each
    score that makes one number of values of topics.
    """
    changed = np.zeros(np.count_nonzero(place), dtype=bool)
    ranges = []
    for score, both, total in zip(scores, ends, totals, strict=True):
        differs = both[1] - both[0] > NOISE
        if not differs.any():
            continue
        changed |= differs
        found = []
        for end in both:
            values_of_all = score.values.copy()
            values_of_all[place] = end
            found.append(total(values_of_all))
        least, greatest = found
        if greatest - least > NOISE and np.isfinite(found).all():
            ranges.append(TieRange(score.measure, least, greatest, score.rule == "sum"))
    if not ranges:
        return []
    return [TieNotice(int(changed.sum()), ranges, TIES_IN_WORDS[settings.ties])]
