"""Which topics of a run count, warnings that qualify its numbers, and likely mistakes in it."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace

import numpy as np

from rankeval.base.arrays import Booleans, Floats
from rankeval.base.wording import count, listed
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.prepared import Prepared
from rankeval.evaluation.reading import dropped_notices
from rankeval.evaluation.results import Notice, Score, notice_of_ranges
from rankeval.evaluation.settings import RELEVANT, Settings
from rankeval.io.formats.layouts import Form
from rankeval.io.parsers.columns import Columns, stretches
from rankeval.io.parsers.line_errors import Problems
from rankeval.io.sources.blocks import is_rereadable
from rankeval.io.topic_order import itself
from rankeval.measures import Measure
from rankeval.measures.declare.facts import CATALOG, FEATURES, LISTS, TRAIN
from rankeval.ranking import RankedJudgments
from rankeval.ranking.align import Alignment
from rankeval.ranking.duplicates import document_of_chunk, folded
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.run_source import RunSource

UNJUDGED = "unjudged"
"""The kind of the warning of unjudged documents."""

TOP = 10
"""First documents of a ranking, whose unjudged share a warning states; a depth may be less."""


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
    scores = [*{score.measure: score for score in scores}.values()]
    return (
        *dropped_notices(name, dropped_lines(alignment)),
        *([] if alignment.lines else [Notice("the run has no documents")]),
        *dropped_notices(prepared.judgments.path, prepared.judgments.dropped),
        *_coverage(prepared.settings, alignment, chosen, scores),
        *_no_relevant(prepared, alignment, chosen, scores),
        *_unjudged(prepared.settings, counted),
        *_tags(alignment.tags),
        *prepared.doubts,
        *_of_measures(prepared, counted, scores),
        *_ties(prepared, alignment.judged, chosen, counted, scores),
        *_items(prepared),
    )


def dropped_lines(alignment: Alignment, problems: Problems | None = None) -> dict[str, int]:
    """Count the dropped lines of a run by kind."""
    dropped = {**alignment.dropped, **(problems.counts if problems else {})}
    if alignment.duplicates:
        dropped["duplicate documents"] = len(alignment.duplicates)
    return dict(sorted(dropped.items()))


def _coverage(
    settings: Settings, alignment: Alignment, chosen: Booleans, scores: Sequence[Score]
) -> Iterator[Notice]:
    """Warn of judged topics that the run lacks, and of topics without judgments."""
    judged, both = alignment.judged, settings.topics == "both"
    nothing = judged.retrieved == 0
    left_out = nothing & ~alignment.present & both
    by_topic = [score.values for score in scores if score.has_topics]
    for missing, verb in (
        (left_out, "lacks"),
        (nothing & ~left_out, "has no document in" if both else "lacks"),
    ):
        lacking = [judged.topics[i] for i in missing.nonzero()[0].tolist()]
        if not lacking:
            continue
        effect = " (left out)"
        if missing is not left_out:
            values = [value for of in by_topic for value in of[missing[chosen]].tolist()]
            effect = " (scored 0)" if np.isfinite(values).any() else " (no value)" * bool(values)
        of_topics = count(len(judged), "judged topic")
        text = f"the run {verb} {len(lacking):,} of {of_topics}{effect}: {listed(lacking)}"
        yield Notice(text, "lacking", len(lacking))
    if alignment.without:
        of_run = [score.measure.encode() for score in scores if not score.has_topics]
        has = "has" if alignment.n_without == 1 else "have"
        topics = listed(alignment.without, alignment.n_without)
        yield Notice(
            f"{count(alignment.n_without, 'topic')} of the run {has} no judgments "
            f"(ignored{f' except by {listed(of_run)}' if of_run else ''}): {topics}"
        )


def _no_relevant(
    prepared: Prepared, alignment: Alignment, chosen: Booleans, scores: Sequence[Score]
) -> Iterator[Notice]:
    """Warn of topics without a relevant document, which are left out or score 0.

    With a lowest relevant grade, only the measures that count no lower one are concerned, unless
    they score there all the same, as nDCG does by a fraction, and Judged by any judged document.
    """
    settings = prepared.settings
    without = ~with_relevant(alignment.judged, settings)
    if settings.skip_no_relevant:
        without &= alignment.present if settings.topics == "both" else True
        if without.any():
            yield _without_relevant(without, settings.min_grade, "left out")
        return
    without = without[chosen]
    concerned = [
        score.measure
        for measure, score in zip(prepared.measures, scores, strict=True)
        if score.has_topics
        and _counts_from(measure, settings.min_grade or RELEVANT)
        and not score.values[without].any()
    ]
    if without.any() and concerned:
        some = not all(
            s.measure in concerned or s.loss or s.rule == "sum" or not s.has_topics for s in scores
        )
        names = f"{listed([name.encode() for name in concerned])} " if some else ""
        one = len(concerned) == 1 if some else np.count_nonzero(without) == 1
        effect = f"{names}{'scores' if one else 'score'} 0{' there' if some else ''}"
        yield _without_relevant(without, settings.min_grade, effect)


def _without_relevant(without: Booleans, min_grade: float | None, effect: str) -> Notice:
    number = int(np.count_nonzero(without))
    grade = "" if min_grade in (None, 1) else f" of grade {min_grade:g} or more"
    have = f"{count(number, 'topic')} {'has' if number == 1 else 'have'}"
    return Notice(f"{have} no relevant document{grade} ({effect})")


def _counts_from(measure: Measure, grade: float) -> bool:
    """Return True if a measure counts no document below a grade."""
    rel = measure.parameters.get("rel")
    return rel >= grade if isinstance(rel, int | float) else grade <= RELEVANT


def _unjudged(settings: Settings, counted: RankedJudgments) -> Iterator[Notice]:
    """Warn of unjudged documents: their share is the mean of `Unjudged`."""
    ranks = TOP if settings.depth is None else min(TOP, settings.depth)
    in_front = counted.rank <= ranks
    unjudged = np.minimum(counted.retrieved, ranks) - counted.count_per_topic(in_front)
    negative = counted.count_per_topic(in_front & (counted.grade < 0))
    unjudged += negative
    if unjudged.any():
        size = float(unjudged.mean()) / ranks
        kinds = ("is unjudged", "has a negative grade")
        are = " or ".join(kinds[np.array_equal(unjudged, negative) : 1 + negative.any()])
        yield Notice(f"{size:.1%} of the top {ranks} {are}", UNJUDGED, size)


def _tags(tags: Collection[bytes]) -> Iterator[Notice]:
    if len(tags) > 1:
        named = listed(sorted(tags))
        yield Notice(f"the file has {len(tags)} run tags: {named}; the last one names it")


def _of_measures(
    prepared: Prepared, counted: RankedJudgments, scores: Sequence[Score]
) -> Iterator[Notice]:
    """Warn of undefined values, of what measures and their rules over topics cannot use."""
    over_topics = prepared.over_topics
    if prepared.cautious:
        yield from map(Notice, dict.fromkeys(one.note for one in prepared.asked if one.note))
    yield from map(Notice, over_topics.warnings(counted.topics))
    for measure, score in zip(prepared.measures, scores, strict=True):
        undefined = int(np.count_nonzero(np.isnan(score.values)))
        if undefined:
            topics = count(undefined, "topic")
            text = f"{measure} is undefined for {topics}, left out of its mean"
            yield Notice(text, "undefined", undefined)
        for caution in (
            measure.caution(counted) if prepared.cautious else None,
            over_topics.caution(measure.definition, score.values),
        ):
            if caution:
                yield Notice(f"{measure}: {caution}")
    without = [score.measure.encode() for score in scores if score.bounds is None]
    if prepared.bounds and without:
        yield Notice(f"no bounds are known for {listed(without)}")


NOISE = 1e-12
"""Largest difference that comes from adding the same numbers in another order."""

AT_ONCE = 1 << 16
"""Judged documents whose orders are in memory at once."""


def _ties(
    prepared: Prepared,
    judged: RankedJudgments,
    chosen: Booleans,
    counted: RankedJudgments,
    scores: Sequence[Score],
) -> Iterator[Notice]:
    """Warn of the values that other orders of equal scores give, if they differ."""
    tied = judged.tied_topics & chosen
    if not tied.any():
        return
    # Lists hold the items of the order that was asked for.
    able = [
        (measure, score)
        for measure, score in zip(prepared.measures, scores, strict=True)
        if LISTS not in measure.considers
    ]
    in_orders = [
        _in_all_orders(part, [measure for measure, _ in able], prepared.settings)
        for part in judged.select(tied).in_pieces(AT_ONCE)
    ]
    place = tied[chosen]
    changed = np.zeros(np.count_nonzero(tied), dtype=bool)
    ranges: dict[str, tuple[float, float]] = {}
    sums = set()
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
            ranges[score.measure] = least, greatest
            if score.rule == "sum":
                sums.add(score.measure)
    if ranges:
        yield tie_notice(int(changed.sum()), ranges, sums)


def tie_notice(
    topics: int, ranges: Mapping[str, tuple[float, float]], sums: Collection[str] = ()
) -> Notice:
    """Return the warning of ranges of values, the widest first, and sums last."""

    def place(measure: str) -> tuple[bool, float]:
        return measure in sums, ranges[measure][0] - ranges[measure][1]

    ordered = {name: ranges[name] for name in sorted(ranges, key=place)}
    return notice_of_ranges(f"ties in {count(topics, 'topic')}", ordered)


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


def _items(prepared: Prepared) -> Iterator[Notice]:
    """Warn of facts of items that no measure takes, and of interactions of others."""
    facts, seen, judgments = prepared.needs.facts, prepared.seen, prepared.judgments
    considered = {need for named in prepared.asked for need in named.measure.considers}
    given = {
        CATALOG: facts.catalog,
        FEATURES: facts.features,
        TRAIN: facts.train if seen is None else None,
    }
    idle = [need.name for need, of in given.items() if of is not None and need not in considered]
    if idle:
        yield Notice(f"no measure takes {listed([name.encode() for name in idle])}")
    train = facts.train
    lacking = []
    if seen is not None and set(seen.topics).isdisjoint(judgments.topics):
        lacking.append("users")
    if train is not None and judgments.docnos.plain.keys().isdisjoint(train.docnos.plain):
        lacking.append("items")
    for kind in lacking:
        same = "check that both files use the same names"
        yield Notice(f"train has none of the {kind} in the judgments; {same}")


def topics_that_count(judged: RankedJudgments, settings: Settings, present: Booleans) -> Booleans:
    """Mark the topics that count; `present` marks those that the run has."""
    chosen = present if settings.topics == "both" else np.ones(len(judged), dtype=bool)
    if not settings.skip_no_relevant:
        return chosen
    return chosen & with_relevant(judged, settings)


def with_relevant(judged: RankedJudgments, settings: Settings) -> Booleans:
    """Mark the topics with a relevant document."""
    return judged.count_judged(min_grade=settings.min_grade or RELEVANT) > 0


def restricted(
    judged: RankedJudgments, chosen: Booleans | None, settings: Settings
) -> RankedJudgments:
    """Keep the chosen topics, all for None, and apply the settings to their rankings."""
    if chosen is not None:
        judged = judged.select(chosen)
    if settings.ties == "expected":
        _refuse_cut_ties(judged, settings)
        judged = replace(judged, ties_open=True)
    if settings.depth is not None:
        judged = judged.truncated(settings.depth)
    return judged.condensed if settings.judged_only else judged


def _refuse_cut_ties(judged: RankedJudgments, settings: Settings) -> None:
    """Raise UsageError if the depth cuts through a group of equal scores."""
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


SAMPLE = 10_000
"""Names that are looked at."""

LONGEST = 200
"""Bytes of a name that is looked at, at most."""

_NUMBER = re.compile(rb"0*(\d+)(?:\.0+)?")


def _in_utf8(name: bytes) -> bytes:
    """Return a name in UTF-8, with accents in their letters; what is not UTF-8 is Latin-1."""
    try:
        text = name.decode()
    except UnicodeDecodeError:
        text = name.decode("latin-1")
    from unicodedata import normalize  # few runs have such names

    return normalize("NFC", text).encode()


def _as_integer(name: bytes) -> bytes:
    """Return an integer without leading zeros and without a fraction of zeros."""
    number = _NUMBER.fullmatch(name)
    return number[1] if number else name


SPELLINGS: Mapping[str, Callable[[bytes], bytes]] = {
    "case or blanks": folded,
    "encoding, which is to be UTF-8 in both files": _in_utf8,
    "leading zeros or .0, as of names that were read as numbers": _as_integer,
}
"""The ways in which names differ, and functions that make such names equal."""


def unlike(names: Iterable[bytes], known: Iterable[bytes]) -> str:
    """Say how names are spelled otherwise than known ones, with an example; "" if none is."""
    for how, spelled in SPELLINGS.items():
        forms = {spelled(name): name for name in known}
        for name in names:
            if spelled(name) in forms:
                return f"differ by {how}: {_example(name, forms[spelled(name)])}"
    return ""


def _example(name: bytes, known: bytes) -> str:
    return f"the run has {listed([name])}, the qrels {listed([known])}"


def likely_reason(qrels: Qrels, names: Sequence[bytes]) -> str:
    """Return the likely reason why none of some docnos is judged for its topic."""
    names = [name for name in names if len(name) <= LONGEST]
    judged = frozenset(qrels.docnos.names)
    elsewhere = [name for name in names if name in judged]
    if elsewhere:
        return (
            f"documents such as {listed(elsewhere[:1])} are judged for other topics; check that "
            "run and qrels number the topics in the same way"
        )
    if how := unlike(names, judged):
        return f"docnos {how}"
    for name in names:
        chunk = document_of_chunk(name, judged)
        if chunk is not None:
            document, separator = chunk
            regex = separator.decode().replace(".", r"\.") + ".*"
            return f"docnos look like chunks: {_example(name, document)}; try --collapse '{regex}'"
    has = f"; {_example(names[0], qrels.docnos.names[0])}" if names else ""
    return f"the run may be of another collection{has}"


def no_match_notice(qrels: Qrels, run: RunSource, form: Form) -> Notice:
    """Return a warning that no document of the run is judged, with the likely reason."""
    first = _beginning(run, form)
    names = [] if first is None else first.docnos.slice(0, SAMPLE).tolist()
    return Notice(f"no document of the run is judged: {likely_reason(qrels, names)}")


def _beginning(run: RunSource, form: Form) -> Columns | None:
    """Return the first lines of a run; none of a pipe, which can be read only once."""
    if run.is_file and not is_rereadable(run.path):
        return None
    with closing(run.map_parts(form, itself)) as parts:
        return next(parts, None)


def order_notices(run: RunSource, form: Form) -> list[Notice]:
    """Return a warning if low scores seem to be the best, by ranks or by the order of the file."""
    first = None
    with suppress(InputError):  # a rank that is not a number
        first = _beginning(run, replace(form, ranks=True))
    if first is None:
        return []
    within = np.diff(stretches(first)) == 0
    rises = np.sign(np.diff(first.values)[within])
    ranks = np.zeros(len(rises)) if first.ranks is None else np.diff(first.ranks)[within]
    said = "scores rise down the file"
    if ranks.any():
        rises, said = rises * np.sign(ranks), "ranks contradict scores (see --order rank)"
    if rises.sum() <= len(rises) / 2:  # three of four rise, or of fewer all others are equal
        return []
    best = "the highest score counts as the best: negate scores that are distances"
    return [Notice(f"{said}, and {best}")]
