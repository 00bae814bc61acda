"""Which topics of a run count, warnings that qualify its numbers, and likely mistakes in it."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import compress

import numpy as np

from rankeval.base.arrays import Booleans
from rankeval.base.frozen import replace
from rankeval.base.wording import count, listed
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.prepared import Prepared
from rankeval.evaluation.results import Notice, Score, notice_of_ranges
from rankeval.evaluation.settings import RELEVANT, Settings, dropped_notices
from rankeval.io.blocks import is_rereadable
from rankeval.io.columns import Columns, stretches
from rankeval.io.formats import Form
from rankeval.io.lines_parser import Problems
from rankeval.io.topic_order import itself
from rankeval.measures.facts import ELSEWHERE, LISTS, SUBTOPICS
from rankeval.ranking import RankedJudgments
from rankeval.ranking.align import Alignment
from rankeval.ranking.duplicates import document_of_chunk, folded
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.ranked import ORDERS, in_parts, with_ties_broken
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
        *_no_relevant(prepared.settings, alignment, chosen, scores),
        *_unjudged(prepared.settings, counted),
        *_of_judgments(prepared),
        *_of_measures(prepared, counted, scores),
        *_ties(prepared, alignment.judged, chosen, counted, scores),
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
    judged = alignment.judged
    lacking = judged.retrieved == 0
    effect = ""
    if settings.topics == "both":
        lacking &= ~alignment.present
        effect = " (left out)"
    elif (lacking & chosen).any():
        values = [score.values[lacking[chosen]] for score in scores if score.has_topics]
        effect = " (scored 0)" if np.isfinite(values).any() else " (no value)"
    if lacking.any():
        names = [*compress(judged.topics, lacking)]
        of_topics = count(len(judged), "judged topic")
        text = f"the run lacks {len(names):,} of {of_topics}{effect}: {listed(names)}"
        yield Notice(text, "lacking", len(names))
    if number := alignment.n_without:
        has = f"{count(number, 'topic')} of the run {'has' if number == 1 else 'have'}"
        yield Notice(f"{has} no judgments (ignored): {listed(alignment.without, number)}")


def _no_relevant(
    settings: Settings, alignment: Alignment, chosen: Booleans, scores: Sequence[Score]
) -> Iterator[Notice]:
    """Warn of topics without a relevant document, which are left out or score 0.

    Some measures have a value there all the same, as nDCG has by a fraction.
    """
    without = alignment.judged.count_judged(min_grade=settings.min_grade or RELEVANT) == 0
    if settings.skip_no_relevant:
        without &= alignment.present if settings.topics == "both" else True
        effect = "left out"
    else:
        without = without[chosen]
        of_topics = [score for score in scores if score.has_topics]
        zero = [score.measure for score in of_topics if not score.values[without].any()]
        effect = f"{listed(zero)} score{'s' * (len(zero) == 1)} 0 there" if zero else ""
        if len(zero) == len(of_topics):
            effect = "scores 0" if without.sum() == 1 else "score 0"
    if effect and (number := int(without.sum())):
        have = "has" if number == 1 else "have"
        low = f" of grade {settings.min_grade:g} or more" if settings.min_grade else ""
        yield Notice(f"{count(number, 'topic')} {have} no relevant document{low} ({effect})")


def _unjudged(settings: Settings, counted: RankedJudgments) -> Iterator[Notice]:
    """Warn of unjudged documents: their share is the mean of `Unjudged`."""
    ranks = TOP if settings.depth is None else min(TOP, settings.depth)
    in_front = counted.rank <= ranks
    unjudged = np.minimum(counted.retrieved, ranks) - counted.count_per_topic(in_front)
    negative = counted.count_per_topic(in_front & (counted.grade < 0))
    kinds = {"is unjudged": unjudged.any(), "has a negative grade": negative.any()}
    if any(kinds.values()):
        size = float((unjudged + negative).mean()) / ranks
        are = " or ".join(compress(kinds, kinds.values()))
        yield Notice(f"{size:.1%} of the top {ranks} {are}", UNJUDGED, size)


def _of_judgments(prepared: Prepared) -> Iterator[Notice]:
    """Warn of grades and subtopics that measures do not use, and of files that look swapped."""
    qrels = prepared.judgments
    unset = [
        str(measure)
        for measure in prepared.measures
        # A measure that is given a scale takes gains instead of the threshold.
        if measure.parameters.get("rel") == 1
        and not {"rel", "max_rel"} & dict(measure.given).keys()
    ]
    if qrels.fractions_below_one and unset:
        found = f"{count(qrels.fractions_below_one, 'judgment')} with a grade between 0 and 1"
        remedy = "set the lowest relevant grade with -l, or rel="
        yield Notice(f"{found}, not relevant for {listed(unset)}: {remedy}")
    others = [str(one) for one in prepared.measures if SUBTOPICS not in one.considers]
    if qrels.subtopics is not None and others:
        several = int(np.count_nonzero(np.diff(qrels.subtopics.offsets) > 1))
        if several:
            found = f"{count(several, 'document')} with judgments for several subtopics"
            yield Notice(f"{found}: the largest grade counts for {listed(others)}")
    # A run's scores are fractions, mostly distinct, and above scales on which people judge in them.
    n, highest = len(qrels.grade), qrels.highest_grade
    fit = n >= 5 and highest > 5 and qrels.fractions > n // 2
    if fit and len(np.unique(qrels.grade)) > n // 2:
        yield Notice(
            "the judgments look like a run: most grades are fractions, few are alike, and the "
            f"highest is {highest:g}; the judgments come first, and then the runs"
        )
    train = prepared.needs.facts.train
    if train is not None:
        no_user = prepared.rules.seen is not None and set(train.topics).isdisjoint(qrels.topics)
        no_item = train.docnos.plain.keys().isdisjoint(qrels.docnos.plain)
        for kind in compress(("users", "items"), (no_user, no_item)):
            yield Notice(f"train has none of the {kind} in the judgments: compare their names")


def _of_measures(
    prepared: Prepared, counted: RankedJudgments, scores: Sequence[Score]
) -> Iterator[Notice]:
    """Warn of undefined values, and of data that measures cannot use."""
    if prepared.cautious:
        yield from map(Notice, dict.fromkeys(one.note for one in prepared.asked if one.note))
    for measure, score in zip(prepared.measures, scores, strict=True):
        if undefined := int(np.isnan(score.values).sum()):
            text = f"{measure} is undefined for {count(undefined, 'topic')}, left out of its mean"
            yield Notice(text, "undefined", undefined)
        if caution := prepared.cautious and measure.caution(counted):
            yield Notice(f"{measure}: {caution}")
    without = [score.measure for score in scores if score.bounds is None]
    if prepared.bounds and without:
        yield Notice(f"no bounds are known for {listed(without)}")


NOISE = 1e-12
"""Largest difference that comes from adding the same numbers in another order."""


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
    # Lists, and documents judged for other topics, are in the order that was asked for.
    able = [
        (measure, score)
        for measure, score in zip(prepared.measures, scores, strict=True)
        if not {LISTS, ELSEWHERE} & {*measure.considers}
    ]
    parts = []
    for part in in_parts(judged.select(tied)):
        # A cut comes last: it leaves out other documents in another order.
        orders = _cut(with_ties_broken(part), prepared.settings)
        parts.append([measure.values(orders).reshape(len(ORDERS), -1) for measure, _ in able])
    place = tied[chosen]
    changed = np.zeros(place.sum(), dtype=bool)
    ranges: dict[str, tuple[float, float]] = {}
    for (measure, score), *values in zip(able, *parts, strict=True):
        found = np.vstack([score.values[place], np.hstack(values)])
        least, greatest = score.values.copy(), score.values.copy()
        least[place], greatest[place] = np.fmin.reduce(found), np.fmax.reduce(found)
        changed |= (greatest - least)[place] > NOISE
        total = prepared.over_topics.total_of(measure, counted)
        ends = total(least), total(greatest)
        if np.isfinite(ends).all() and ends[1] - ends[0] > NOISE:
            ranges[score.measure] = ends
    if ranges:
        widest = dict(sorted(ranges.items(), key=lambda one: one[1][0] - one[1][1]))
        yield notice_of_ranges(f"ties in {count(int(changed.sum()), 'topic')}", widest)


def topics_that_count(judged: RankedJudgments, settings: Settings, present: Booleans) -> Booleans:
    """Mark the topics that count; `present` marks those that the run has."""
    chosen = present if settings.topics == "both" else np.ones(len(judged), dtype=bool)
    if settings.skip_no_relevant:
        return chosen & (judged.count_judged(min_grade=settings.min_grade or RELEVANT) > 0)
    return chosen


def restricted(
    judged: RankedJudgments, chosen: Booleans | None, settings: Settings
) -> RankedJudgments:
    """Keep the chosen topics, all for None, and apply the settings to their rankings."""
    if chosen is not None:
        judged = judged.select(chosen)
    if settings.ties == "expected":
        depth = settings.depth
        if depth is not None and ((judged.tie_first <= depth) & (judged.tie_last > depth)).any():
            raise UsageError(
                f"a depth of {depth} cuts through equal scores, which have no mean over all orders",
                remedy="cut in the measure, as in AP@100, or break ties by another rule",
            )
        judged = replace(judged, ties_open=True)
    return _cut(judged, settings)


def _cut(judged: RankedJudgments, settings: Settings) -> RankedJudgments:
    if settings.depth is not None:
        judged = judged.truncated(settings.depth)
    return judged.condensed if settings.judged_only else judged


SAMPLE = 10_000
"""Lines of a run whose names are looked at."""


def _in_utf8(name: bytes) -> bytes:
    """Return a name in UTF-8, with accents in their letters; what is not UTF-8 is Latin-1."""
    try:
        text = name.decode()
    except UnicodeDecodeError:
        text = name.decode("latin-1")
    from unicodedata import normalize  # few runs have such names

    return normalize("NFC", text).encode()


SPELLINGS: Mapping[str, Callable[[bytes], bytes]] = {
    "case or blanks": folded,
    "encoding, which is to be UTF-8 in both files": _in_utf8,
    "leading zeros or .0, as of names that were read as numbers": (
        lambda name: re.sub(rb"\A0*(\d+)(?:\.0+)?\Z", rb"\1", name)
    ),
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


def likely_reason(qrels: Qrels, lines: Columns) -> str:
    """Return the likely reason why none of some lines of a run is judged for its topic.

    Spelling is compared with the judgments of the lines' own topics, which are a few of all.
    """
    code = qrels.codes_of(lines.topics)[stretches(lines)]
    rows = (code >= 0).nonzero()[0][:SAMPLE]
    names = lines.docnos.view(rows if len(rows) else slice(SAMPLE)).tolist()
    if elsewhere := [name for name in names if name in qrels.docnos.plain]:
        return (
            f"documents such as {listed(elsewhere[:1])} are judged for other topics; check that "
            "run and qrels number the topics in the same way"
        )
    of_topics = np.isin(qrels.topic, code[rows])
    judged = {qrels.docnos.names[number] for number in qrels.docno[of_topics].tolist()}
    if how := unlike(names, judged):
        return f"docnos {how}"
    for name in names:
        if chunk := document_of_chunk(name, judged):
            document, separator = chunk
            regex = separator.decode().replace(".", r"\.") + ".*"
            return f"docnos look like chunks: {_example(name, document)}; try --collapse '{regex}'"
    example = _example(names[0], qrels.docnos.names[0])
    return f"the run may be of another collection; {example}"


def no_match_notice(qrels: Qrels, run: RunSource, form: Form) -> Notice:
    """Return a warning that no document of the run is judged, with the likely reason."""
    first = _beginning(run, form)
    reason = "" if first is None else f": {likely_reason(qrels, first)}"
    return Notice(f"no document of the run is judged{reason}")


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
    rises, said = np.sign(np.diff(first.values)[within]), "scores rise down the file"
    if first.ranks is not None and (ranks := np.diff(first.ranks)[within]).any():
        rises, said = rises * np.sign(ranks), "ranks contradict scores (see --order rank)"
    if rises.sum() <= len(rises) / 2:  # three of four rise, or of fewer all others are equal
        return []
    best = "the highest score counts as the best: negate scores that are distances"
    return [Notice(f"{said}, and {best}")]
