"""Survey a file of judgments or preferences, which is held in memory."""

from collections.abc import Callable, Iterable

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.base.wording import count
from rankeval.commands.check.findings import FileReport, spread
from rankeval.commands.check.oddities import Spellings
from rankeval.evaluation.settings import RELEVANT
from rankeval.io.formats import trec
from rankeval.io.parsers.columns import Columns
from rankeval.io.parsers.line_errors import Problems
from rankeval.ranking.duplicates import LABELS, duplicate_lines, repeated
from rankeval.ranking.qrels import Qrels, from_columns


def survey_judgments(
    columns: Columns,
    what: str,
    report: FileReport,
    problems: Problems,
    again: Callable[[], Iterable[Columns]],
) -> Qrels | None:
    """Add the facts on a file's judgments to its report; return None for preferences."""
    sizes = np.diff(columns.starts)
    report.facts.update(lines=len(columns), topics=len(sizes), documents_per_topic=spread(sizes))
    spellings = Spellings()
    spellings.add(set(columns.docnos.tolist()))
    report.warnings.extend(spellings.warnings(again))
    pairs = repeated(columns, [role for role in LABELS if role in columns.kept])
    problems.add(duplicate_lines(columns, pairs, report.path))
    for role, name in _NAMES.items():
        if role in columns.kept:
            names = set(columns.kept[role].tolist())
            if not names <= trec.PLACEHOLDERS:
                report.facts[name] = len(names)
    if what == "prefs":
        report.warnings.append(
            "preferences are for 'rankeval trec_eval -R prefs'; other commands take groups of "
            "judgments, without the column of subgroups"
        )
        return None
    qrels = from_columns([columns], report.path, trec.QRELS, duplicates="best")
    _survey_grades(qrels, report)
    return qrels


_NAMES = {
    "iteration": "subtopics",
    "stratum": "strata",
    "group": "groups",
    "subgroup": "subgroups",
}


MANY_GRADES, MOST_FREQUENT = 20, 10
"""More than MANY_GRADES distinct grades are summed up, and MOST_FREQUENT of them are counted."""


def _survey_grades(qrels: Qrels, report: FileReport) -> None:
    judged = np.diff(qrels.offsets)
    topic = np.repeat(np.arange(len(judged)), judged)
    relevant = np.bincount(topic[qrels.grade >= RELEVANT], minlength=len(judged))
    grades, which, times = np.unique(qrels.grade, return_inverse=True, return_counts=True)
    shown = np.arange(len(grades))
    if len(grades) > MANY_GRADES:
        report.facts["distinct_grades"] = len(grades)
        report.facts["grade_quartiles"] = _quartiles(qrels.grade)
        # The most frequent first, and of equally frequent ones the least.
        shown = np.argsort(-times, kind="stable")[:MOST_FREQUENT]
    per_topic = [np.bincount(topic[which == i], minlength=len(judged)) for i in shown.tolist()]
    names = [_name(grade) for grade in grades[shown].tolist()]
    report.facts.update(
        grades=dict(zip(names, times[shown].tolist(), strict=True)),
        judged_per_topic=spread(judged),
        relevant_per_topic=spread(relevant),
        grades_per_topic=dict(zip(names, map(spread, per_topic), strict=True)),
    )
    n_without = int(np.count_nonzero(relevant == 0))
    if n_without:
        report.warnings.append(f"{count(n_without, 'topic')} without a relevant document")
    if qrels.fractions:
        fractions = count(qrels.fractions, "grade")
        report.warnings.append(f"{fractions} with a fraction, which trec_eval does not read")
    if qrels.fractions_below_one:
        between = count(qrels.fractions_below_one, "grade")
        report.warnings.append(f"{between} between 0 and 1, relevant only with -l or rel=")


def _quartiles(grades: Floats | Integers) -> dict[str, float]:
    """Return the range and the quartiles of the grades of all judgments."""
    names = ("min", "q1", "median", "q3", "max")
    return dict(zip(names, np.quantile(grades, (0, 0.25, 0.5, 0.75, 1)).tolist(), strict=True))


def _name(grade: float) -> str:
    """Return a grade as text that no other grade has."""
    return short if float(short := f"{grade:g}") == grade else repr(grade)
