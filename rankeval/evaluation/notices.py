"""Warnings that qualify the numbers of a run."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from rankeval.base.arrays import Booleans, Floats
from rankeval.base.wording import count, listed
from rankeval.evaluation.aggregation import Aggregation
from rankeval.evaluation.conventions import TIES_IN_WORDS
from rankeval.evaluation.counted_topics import restricted, with_relevant
from rankeval.evaluation.prepared import Prepared
from rankeval.evaluation.qrels_notices import by_kind, dropped_notices
from rankeval.evaluation.results import Notice, Score, TieNotice, TieRange
from rankeval.evaluation.settings import RELEVANT, Settings
from rankeval.io.parsers.line_errors import Problems
from rankeval.io.sources.parts import is_in_parts
from rankeval.measures import Measure
from rankeval.measures.declare.needs import CATALOG, FEATURES, LISTS, TRAIN
from rankeval.ranking import RankedJudgments
from rankeval.ranking.align import Alignment
from rankeval.ranking.recommended import NO_FACTS

UNJUDGED = "unjudged"
"""The kind of the warning of unjudged documents."""


def run_warnings(
    prepared: Prepared,
    alignment: Alignment,
    chosen: Booleans,
    counted: RankedJudgments,
    scores: Sequence[Score],
    name: str,
) -> tuple[Notice, ...]:
    """Return the warnings of a run with some scores, of which several may be of one measure.

    `chosen` marks the judged topics that count, `counted` are their rankings as the settings cut
    them, and `name` is the run in messages.
    """
    settings, over_topics, qrels = prepared.settings, prepared.over_topics, prepared.judgments
    judged, measures = alignment.judged, prepared.measures
    scores = [*{score.measure: score for score in scores}.values()]
    relevant = with_relevant(judged, settings)
    warnings = [
        *dropped_notices(name, dropped_lines(alignment)),
        *([] if alignment.lines else [Notice("the run has no documents")]),
        *scattered_notices(name, alignment),
        *dropped_notices(qrels.path, qrels.dropped),
        *coverage_warnings(alignment, chosen, scores, settings),
        *no_relevant_warnings(~relevant[chosen], measures, scores, settings.min_grade),
        *left_out_warnings(relevant, alignment.present, settings),
        *unjudged_warnings(counted, settings),
        *tag_warnings(alignment.tags),
        *prepared.doubts,
    ]
    if prepared.cautious:
        notes = (named.note for named in prepared.asked if named.note)
        warnings += map(Notice, dict.fromkeys(notes))
    warnings += map(Notice, over_topics.warnings(counted.topics))
    for measure, score in zip(measures, scores, strict=True):
        caution = measure.caution(counted) if prepared.cautious else None
        warnings += measure_warnings(measure, score.values, caution, over_topics)
    if prepared.bounds:
        warnings += bounds_warnings(scores)
    return (
        *warnings,
        *tie_warnings(prepared, judged, chosen, counted, scores),
        *item_warnings(prepared),
    )


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


def where_missing(scores: Sequence[Score], missing: Booleans) -> str:
    """Name the score of topics without documents: 0, or none if the measure is undefined there.

    `missing` marks them among the topics that count. Return "" if no measure has values of topics.
    """
    by_topic = [score for score in scores if score.has_topics]
    if not by_topic:
        return ""
    undefined = [score.measure for score in by_topic if np.isnan(score.values[missing]).any()]
    if not undefined:
        return " (scored 0)"
    few = len(undefined) <= 3
    names_of_them = " and ".join(undefined) if few else listed([n.encode() for n in undefined])
    no_value = f"{names_of_them} {'has' if few else 'have'} no value"
    everywhere = len(undefined) == len(by_topic)
    return f" (where {no_value})" if everywhere else f" (scored 0, but {no_value} there)"


def no_relevant_warnings(
    without: Booleans,
    measures: Sequence[Measure],
    scores: Sequence[Score],
    min_grade: float | None,
) -> list[Notice]:
    """Warn of topics without a relevant document; some measures have no value there.

    `without` marks them among those that count, and `scores` are those of the measures. Where
    `min_grade` is the lowest relevant grade, only the measures that count no lower one are
    concerned, unless they score in these topics all the same, as nDCG does by a fraction, and
    Judged by any judged document.
    """
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
        said = ["scores 0" if n_without == 1 else "score 0"] if zero else []
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
    have = f"{count(n_topics, 'topic')} {'has' if n_topics == 1 else 'have'}"
    return Notice(f"{have} no relevant document{grade} ({effect})")


def left_out_warnings(relevant: Booleans, present: Booleans, settings: Settings) -> list[Notice]:
    """Return a warning of the topics that are left out as they have no relevant document."""
    if not settings.skip_no_relevant:
        return []
    left_out = ~relevant & (present if settings.topics == "both" else True)
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
        end = f"is undefined for {topics}, left out of its mean"
        of = f"{measure} of {{}} {end}"
        warnings.append(Notice(f"{measure} {end}", "undefined", undefined, of))
    cautions = (caution, over_topics.caution(measure.definition, values))
    return warnings + [Notice(f"{measure}: {text}") for text in cautions if text]


def coverage_warnings(
    alignment: Alignment, chosen: Booleans, scores: Sequence[Score], settings: Settings
) -> list[Notice]:
    """Return warnings of judged topics that the run lacks, and of topics without judgments.

    The latter count for measures of the whole run. `chosen` marks the topics that count.
    """
    warnings = []
    judged = alignment.judged
    nothing = judged.retrieved == 0
    both = settings.topics == "both"
    left_out = nothing & ~alignment.present if both else np.zeros_like(nothing)
    given = "has no document in" if both else "lacks"
    for missing, verb in (left_out, "lacks"), (nothing & ~left_out, given):
        lacking = missing.nonzero()[0].tolist()
        if not lacking:
            continue
        effect = " (left out)" if missing is left_out else where_missing(scores, missing[chosen])
        end = f" {verb} {len(lacking):,} of {count(len(judged), 'judged topic')}{effect}"
        text = f"the run{end}: {listed([judged.topics[i] for i in lacking])}"
        warnings.append(Notice(text, "lacking", len(lacking), f"{{}}{end}"))
    if alignment.without:
        of_run = [score.measure.encode() for score in scores if not score.has_topics]
        number = alignment.n_without
        warnings.append(
            Notice(
                f"{count(number, 'topic')} of the run {'has' if number == 1 else 'have'} no "
                f"judgments (ignored{f' except by {listed(of_run)}' if of_run else ''}): "
                f"{listed(alignment.without, number)}"
            )
        )
    return warnings


TOP = 10
"""First documents of a ranking, whose unjudged share a warning states; a depth may be less."""


def unjudged_warnings(counted: RankedJudgments, settings: Settings) -> list[Notice]:
    """Return a warning of unjudged documents: their share is the mean of `Unjudged`."""
    ranks = TOP if settings.depth is None else min(TOP, settings.depth)
    in_front = counted.rank <= ranks
    unjudged = np.minimum(counted.retrieved, ranks) - counted.count_per_topic(in_front)
    negative = counted.count_per_topic(in_front & (counted.grade < 0))
    unjudged += negative
    if not unjudged.any():
        return []
    size, top = float(unjudged.mean()) / ranks, f" of the top {ranks}"
    kinds = ("is unjudged", "has a negative grade")
    are = " or ".join(kinds[np.array_equal(unjudged, negative) : 1 + negative.any()])
    share = f"{size:.1%}{top}"
    return [Notice(f"{share} {are}", UNJUDGED, size, f"{share} of {{}} {are}")]


def tag_warnings(tags: Collection[bytes]) -> list[Notice]:
    """Return a warning of several run tags in a file."""
    if len(tags) < 2:
        return []
    named = listed(sorted(tags))
    return [Notice(f"the file has {len(tags)} run tags: {named}; the last one names it")]


def dropped_lines(alignment: Alignment, problems: Problems | None = None) -> dict[str, int]:
    """Count the dropped lines of a run by kind."""
    dropped = {**alignment.dropped, **(problems.counts if problems else {})}
    if alignment.duplicates:
        dropped["duplicate documents"] = len(alignment.duplicates)
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


NOISE = 1e-12
AT_ONCE = 1 << 16
"""Judged documents whose orders are in memory at once."""
"""Largest difference that comes from adding the same numbers in another order."""


def tie_warnings(
    prepared: Prepared,
    judged: RankedJudgments,
    chosen: Booleans,
    counted: RankedJudgments,
    scores: Sequence[Score],
) -> list[Notice]:
    """Return a warning of the values that other orders of equal scores give, if they differ.

    `chosen` marks the judged topics that count, `counted` are their rankings as the settings cut
    them, and `scores` has one for each measure.
    """
    tied = judged.tied_topics & chosen
    if not tied.any():
        return []
    # Lists hold the items of the order that was asked for.
    able = [(m, s) for m, s in zip(prepared.measures, scores, strict=True) if not _has_lists(m)]
    in_orders = [
        _in_all_orders(part, [measure for measure, _ in able], prepared.settings)
        for part in judged.select(tied).in_pieces(AT_ONCE)
    ]
    place = tied[chosen]
    changed = np.zeros(np.count_nonzero(tied), dtype=bool)
    ranges = []
    for i, (measure, score) in enumerate(able):
        found = np.vstack([score.values[place], np.hstack([part[i] for part in in_orders])])
        ends = np.fmin.reduce(found), np.fmax.reduce(found)
        differs = ends[1] - ends[0] > NOISE
        if not differs.any():
            continue
        changed |= differs
        total = prepared.over_topics.total_of(measure, counted)
        totals = []
        for end in ends:
            values = score.values.copy()
            values[place] = end
            totals.append(total(values))
        least, greatest = totals
        if greatest - least > NOISE and np.isfinite(totals).all():
            ranges.append(TieRange(score.measure, least, greatest, score.rule == "sum"))
    if not ranges:
        return []
    return [TieNotice(int(changed.sum()), ranges, TIES_IN_WORDS[prepared.settings.ties])]


def _has_lists(measure: Measure) -> bool:
    return LISTS in measure.considers


def _in_all_orders(
    judged: RankedJudgments, measures: Sequence[Measure], settings: Settings
) -> list[Floats]:
    """Return the values of each measure in all orders of equal scores, shape (orders, T)."""
    from rankeval.ranking.tie_orders import ORDERS, with_ties_broken

    known = judged.extras is not None and judged.extras.elsewhere is not None
    # The settings come last: a cut leaves out other documents in another order.
    settings = replace(settings, ties="docno")
    orders = [
        restricted(with_ties_broken(judged, *some), None, settings)
        for some in (zip(ORDERS, strict=True) if known else [ORDERS])
    ]
    return [
        np.concatenate([measure.values(order) for order in orders]).reshape(len(ORDERS), -1)
        for measure in measures
    ]


def item_warnings(prepared: Prepared) -> list[Notice]:
    """Return warnings of facts of items that no measure takes, and of interactions of others."""
    facts, seen, judgments = prepared.needs.facts, prepared.seen, prepared.judgments
    if facts is NO_FACTS:
        return []
    considered = {need for named in prepared.asked for need in named.measure.considers}
    train = facts.train
    idle = [
        option.encode()
        for option, given, need in (
            ("train", train if seen is None else None, TRAIN),
            ("catalog", facts.catalog, CATALOG),
            ("features", facts.features, FEATURES),
        )
        if given is not None and need not in considered
    ]
    warnings = [f"no measure takes {listed(idle)}, which changes nothing"] * bool(idle)
    lacking = []
    if seen is not None and set(seen.topics).isdisjoint(judgments.topics):
        lacking.append("users")
    if train is not None and judgments.docnos.plain.keys().isdisjoint(train.docnos.plain):
        lacking.append("items")
    alike = "check that both files use the same names"
    warnings += [f"train has none of the {kind} in the judgments; {alike}" for kind in lacking]
    return [*map(Notice, warnings)]
