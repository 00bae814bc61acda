"""Rules for reading files, and warnings of judgments and of lines that were dropped."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, TypedDict

import numpy as np

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.wording import count, listed
from rankeval.errors import printable
from rankeval.evaluation.results import Notice
from rankeval.io.formats.formats import check_name
from rankeval.io.formats.layouts import Form
from rankeval.io.parsers.column_names import parse_columns, require_roles
from rankeval.io.parsers.line_errors import Problems
from rankeval.measures import Measure
from rankeval.measures.declare.facts import SUBTOPICS
from rankeval.ranking.duplicates import Collapse, Duplicates, collapse_at
from rankeval.ranking.qrels import Qrels


class ReadingFields(TypedDict, total=False):
    """The fields of `Reading`, as keywords of functions."""

    qrels_format: str | None
    run_format: str | None
    columns: Mapping[str, str] | str | None
    on_error: Literal["refuse", "skip"]
    duplicates: Duplicates
    collapse: str | None


@checked
@frozen
class Reading:
    """The fields of `Settings` that say how files are read; functions that only read take them."""

    qrels_format: str | None = None
    run_format: str | None = None
    columns: Mapping[str, str] | str | None = None
    on_error: Literal["refuse", "skip"] = "refuse"
    duplicates: Duplicates = "refuse"
    collapse: str | None = None

    def __post_init__(self) -> None:
        _ = self.chunks

    def format_of(self, what: str) -> str | None:
        """Return the name of the format of a run, or of judgments."""
        return self.run_format if what == "run" else self.qrels_format

    def qrels_form(self) -> Form:
        """Return the form of judgments, with a new count of wrong lines."""
        check_name(self.qrels_format)
        return Form("qrels", self.qrels_format, self._columns, self._problems)

    def run_form(self) -> Form:
        """Return the form of a run, with a new count of wrong lines."""
        check_name(self.run_format)
        return Form("run", self.run_format, self._columns, self._problems)

    @property
    def chunks(self) -> Collapse | None:
        """Return the rule that collapses chunks into documents, or None."""
        return collapse_at(self.collapse)

    @property
    def marks(self) -> list[str]:
        """Return the parts of a signature: the rules that can change a number."""
        marks = []
        if self.duplicates != "refuse":
            marks.append(f"duplicates:{self.duplicates}")
        if self.on_error == "skip":
            marks.append("wrong-lines:skipped")
        if (chunks := self.chunks) is not None:
            text = chunks.regex.replace("|", r"\x7c")
            marks.append(printable(f"collapse:{chunks.by}:regex={text}"))
        return marks

    def reading_facts(self) -> dict[str, str | None]:
        """Return the rules that can change a number, for the settings of the results."""
        return {
            "on_error": self.on_error,
            "duplicates": self.duplicates,
            "collapse": self.collapse,
        }

    @property
    def _columns(self) -> Mapping[str, str]:
        if isinstance(self.columns, str):
            return parse_columns(self.columns)
        return require_roles(self.columns or {})

    @property
    def _problems(self) -> Problems | None:
        return Problems() if self.on_error == "skip" else None


FEW_GRADES = 5
"""The fewest grades that are taken for scores."""

HIGHEST_SCALE = 5
"""The end of the scales on which people and models judge in fractions; scores may be higher."""


def qrels_warnings(qrels: Qrels, measures: Sequence[Measure]) -> list[Notice]:
    """Return the warnings of judgments that the measures cannot use, or use in another way."""
    scores = score_warnings(
        len(qrels.grade), qrels.fractions, qrels.highest_grade, lambda: len(np.unique(qrels.grade))
    )
    return [*_of_fractions(qrels, measures), *_of_subtopics(qrels, measures), *scores]


def _of_fractions(qrels: Qrels, measures: Sequence[Measure]) -> Iterator[Notice]:
    """Warn of fractional grades below the default threshold of relevance."""
    unset = [
        str(measure)
        for measure in measures
        # A measure that is given a scale takes gains instead of the threshold.
        if measure.parameters.get("rel") == 1
        and not {"rel", "max_rel"} & dict(measure.given).keys()
    ]
    if qrels.fractions_below_one and unset:
        found = f"{count(qrels.fractions_below_one, 'judgment')} with a grade between 0 and 1"
        remedy = "set the lowest relevant grade with -l, or rel="
        yield Notice(f"{found}, not relevant for {_named(unset)}: {remedy}")


def _of_subtopics(qrels: Qrels, measures: Sequence[Measure]) -> Iterator[Notice]:
    """Warn of measures that ignore subtopics, and of subtopics that are rounds of judging.

    TREC-COVID's qrels have rounds, such as 0.5, one for each document.
    """
    subtopics = qrels.subtopics
    if subtopics is None:
        return
    others = [str(measure) for measure in measures if SUBTOPICS not in measure.considers]
    by_subtopic = [str(measure) for measure in measures if SUBTOPICS in measure.considers]
    of_document = np.diff(subtopics.offsets)
    n_several = int(np.count_nonzero(of_document > 1))
    if n_several and others:
        found = f"{count(n_several, 'document')} with judgments for several subtopics"
        yield Notice(f"{found}: the largest grade counts for {_named(others)}")
    fractions = [name for name in subtopics.names if _FRACTION.fullmatch(name)]
    if by_subtopic and not subtopics.stated and (fractions or (of_document == 1).all()):
        yield Notice(
            f"the subtopics look like rounds of judging ({listed(fractions or subtopics.names)}): "
            f"of such, {_named(by_subtopic)} mean nothing; if they are subtopics, give a table "
            "whose column is called subtopic, or --quiet"
        )


_FRACTION = re.compile(rb"[0-9]*\.[0-9]*[1-9][0-9]*")


def _named(measures: Sequence[str]) -> str:
    return listed([name.encode() for name in measures])


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


def dropped_notices(name: str, dropped: Mapping[str, int]) -> list[Notice]:
    """Return a warning if lines were dropped."""
    if not dropped:
        return []
    kinds = ", ".join(f"{number} × {kind}" for kind, number in sorted(dropped.items()))
    lines = count(sum(dropped.values()), "line")
    return [Notice(f"{name}: {lines} dropped ({kinds})")]
