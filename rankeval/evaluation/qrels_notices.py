"""Warnings of judgments, and of lines that were dropped."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from rankeval.base.wording import count, listed
from rankeval.evaluation.results import Notice
from rankeval.io.parsers.columns import decimal_number
from rankeval.measures import Measure
from rankeval.measures.declare.needs import SUBTOPICS
from rankeval.ranking.qrels import Qrels

FEW_GRADES = 5
"""The fewest grades that are taken for scores."""

HIGHEST_SCALE = 5
"""The end of the scales on which people and models judge in fractions; scores may be higher."""


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
