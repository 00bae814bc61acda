"""The tables of an evaluation, and trec_eval's lines."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import PurePath
from typing import TYPE_CHECKING

from rankeval.base.wording import count, finite, natural, visible
from rankeval.choices import ALL, Format
from rankeval.evaluation.conventions import averaged_topics
from rankeval.evaluation.results import Results, RunResult, Score
from rankeval.evaluation.shown_values import (
    NUMBER_OF_TOPICS,
    adds_up,
    aggregation_lines,
    basis,
    bounds_by_topic,
    bounds_over_all,
    decimal,
    decimals,
    each_once,
    grouped,
    lines,
    measure_names,
    notice_lines,
    qrels_line,
    run_labels,
    scores_of_group,
    several_topics,
    signatures,
    spread,
)
from rankeval.output.document_form import Document
from rankeval.output.output_formats import Printer
from rankeval.output.style import USUAL_DECIMALS, Style
from rankeval.output.tables import (
    NAME,
    Block,
    Caption,
    Cell,
    Column,
    Emphasis,
    Note,
    Table,
    numbers,
    ranked,
)

if TYPE_CHECKING:
    from rankeval.output.declared_columns import Rows

UNDEFINED = "-"
OVER_ALL = {"topic": ALL, "collection": "macro mean"}
"""The label of the values over all topics, or collections."""
Marks = Mapping[tuple[str, str], tuple[tuple[str, ...], tuple[str, ...]]]
NO_MARKS: Marks = {}


def blocks(
    results: Results, style: Style, marks: Marks = NO_MARKS, caption: str = ""
) -> Iterator[Block]:
    """Yield the tables, and what they are based on.

    `marks` are the letters behind values, by run and measure, and `caption` says what they mean.
    """
    results = each_once(results, style)
    drawn = list(tables(results, style, marks))
    yield from drawn
    yield ""
    if caption:
        yield Caption(caption)
        yield ""
    path = results.qrels.path
    file = path if style.signs else PurePath(path).name  # a paper has no use for folders
    known = qrels_line(results)
    yield Note(f"qrels: {file} ({known})" if file else f"qrels: {known}")
    said = basis(results.runs)
    if style.signs:  # the line above says how many topics were averaged
        yield from map(Note, said[bool(averaged_topics(results.runs)) :])
    elif said:
        # A table of LaTeX without a caption is put into one of the user's, which holds no other.
        floats = bool(caption or style.caption or style.label or style.per_topic)
        yield (Caption if floats else str)(" ".join(said))
    yield from map(Note, aggregation_lines(results, style))
    if style.signs:
        yield from _meanings(drawn, style, results.unit)
    if style.signature:
        for name, signature in signatures(results, style):
            yield Note(f"signature: {name} {signature}")


def _meanings(drawn: Sequence[Table], style: Style, unit: str) -> Iterator[Note]:
    """Yield what signs in tables mean."""
    cells = [cell for table in drawn for row in table.cells() for cell in row]
    if any(cell.emphasis is Emphasis.BEST for cell in cells) and not style.colour:
        yield Note("* best value of the measure")
    if any(cell.text == UNDEFINED for cell in cells):
        meaning = "undefined, and left out of the value over all topics"
        if unit == "collection":
            meaning = "undefined or without a run: such a system has no mean over collections"
        yield Note(f"{UNDEFINED} {meaning}")


def tables(results: Results, style: Style, marks: Marks = NO_MARKS) -> Iterator[Table]:
    """Yield the tables that the style asks for: per topic, then the summary.

    Topics of one run are rows with a column per measure; those of several runs have a column per
    run, measure by measure, because that is how runs are compared. The values over all topics are
    the last row of a table, and a summary follows where there are several tables. Groups of
    topics come before it: rows for one run, a summary each for several runs.
    """
    has_groups = style.summary and grouped(results)
    if style.per_topic:
        several = len(results.runs) > 1
        found = list(_by_topic(results, style))
        yield from found
        if has_groups:
            yield from _by_group(results, style)
        elif style.summary and (len(found) != 1 or marks or (several and _of_runs(results))):
            yield summary(results, style, marks)
    elif has_groups:
        yield from _by_group(results, style)
    else:
        yield summary(results, style, marks)


def _of_runs(results: Results) -> bool:
    """Return True if any measure is one number for a whole run."""
    return any(not score.has_topics for run in results.runs for score in run.scores)


def _by_group(results: Results, style: Style) -> Iterator[Table]:
    """Yield the values over groups and over all topics."""
    if len(results.runs) == 1:
        (run,) = results.runs
        parts = [run, *(_of_group(run, group.name) for group in run.groups)]
        whole, *groups = (summary(replace(results, runs=(part,)), style) for part in parts)
        names = [f"{group.name} ({group.topics})" for group in run.groups]
        labels = [*names, f"{ALL} ({len(run.topics)})"]
        cells = [table.rows[0][1:] for table in (*groups, whole)]
        yield Table(
            title="",
            columns=[Column("group", NAME), *whole.columns[1:]],
            rows=[[label, *row] for label, row in zip(labels, cells, strict=True)],
            footing=1,
            turned="measure",
        )
        return
    every = [group for run in results.runs for group in run.groups]
    for name in dict.fromkeys(group.name for group in every):
        runs = tuple(_of_group(run, name) for run in results.runs)
        sizes = {group.topics for group in every if group.name == name}
        yield replace(
            summary(replace(results, runs=runs), style),
            title=f"group {name}" + (f", {count(sizes.pop(), 'topic')}" if len(sizes) == 1 else ""),
        )
    yield replace(summary(results, style), title="all topics")


def _of_group(run: RunResult, name: str) -> RunResult:
    """Return the run with the values over a group in place of those over all topics."""
    return replace(run, scores=scores_of_group(run, name))


def summary(results: Results, style: Style, marks: Marks = NO_MARKS) -> Table:
    """Return a table with a row per run and a column per measure."""
    columns = {
        name: [
            _marked(*each, marks)
            for each in zip(_values_over_all(scores, style), results.runs, scores, strict=True)
        ]
        for name, scores in _scores(results, style).items()
    }
    return Table(
        title="",
        columns=[Column("run", NAME), *numbers(columns)],
        rows=[
            [label, *(column[i] for column in columns.values())]
            for i, label in enumerate(run_labels(results.runs))
        ],
        turned="measure",
    )


def _marked(cell: Cell, run: RunResult, score: Score | None, marks: Marks) -> Cell:
    better, worse = marks.get((run.name, score.measure), ((), ())) if score else ((), ())
    return cell._replace(better=better, worse=worse)


def _scores(results: Results, style: Style) -> dict[str, list[Score | None]]:
    """Return the scores by measure and run; None if a run lacks the measure."""
    found: dict[str, list[Score | None]] = {}
    for i, run in enumerate(results.runs):
        for name, score in zip(measure_names(run.scores, style), run.scores, strict=True):
            found.setdefault(name, [None] * len(results.runs))[i] = score
    return found


def _values_over_all(scores: Sequence[Score | None], style: Style) -> list[Cell]:
    """Return a measure's values over all topics; those of several runs have the best marked."""
    printed = [
        "" if score is None else decimal(score.aggregate, decimals(score, style), UNDEFINED)
        for score in scores
    ]
    shown = [
        text
        + ("" if adds_up(score) else spread(score.deviation, decimals(score, style)))
        + _between(score, bounds_over_all(score), style)
        if score is not None
        else text
        for text, score in zip(printed, scores, strict=True)
    ]
    there = [score for score in scores if score is not None]
    if len(scores) < 2 or any(map(adds_up, there)):
        return [Cell(text) for text in shown]
    values = [float(text) if text not in ("", UNDEFINED) else None for text in printed]
    loss = any(score.loss for score in there)
    return [Cell(*pair) for pair in zip(shown, ranked(values, loss=loss), strict=True)]


def _values_by_topic(run: RunResult, score: Score | None, style: Style) -> dict[str, str]:
    """Return the values of topics as they are printed; none for a measure of the whole run."""
    if score is None or not score.has_topics:
        return {}
    digits = decimals(score, style)
    return {
        topic: decimal(value, digits, UNDEFINED) + _between(score, bounds, style)
        for topic, value, bounds in zip(
            run.topics, score.values.tolist(), bounds_by_topic(score), strict=True
        )
    }


def _between(score: Score, bounds: tuple[float, float], style: Style) -> str:
    """Return the bounds, as in ` [0.2900, 0.4500]`; "" if they are not known."""
    if score.bounds is None:
        return ""
    digits = decimals(score, style)
    low, high = (decimal(bound, digits, UNDEFINED) for bound in bounds)
    return f" [{low}, {high}]"


def _by_topic(results: Results, style: Style) -> Iterator[Table]:
    """Yield tables of topics: by the measures of one run, or by the runs for each measure."""
    labels = run_labels(results.runs)
    if len(results.runs) == 1:
        (run,) = results.runs
        shown = [score for score in run.scores if score.measure != NUMBER_OF_TOPICS] or run.scores
        if any(score.has_topics for score in shown):
            of_run = [(run, score, _values_over_all([score], style)[0]) for score in shown]
            heads = measure_names(shown, style)
            yield _of_topics(f"run {labels[0]}", heads, of_run, results.unit, style)
        return
    every = {
        name: scores
        for name, scores in _scores(results, style).items()
        if any(score is not None and score.has_topics for score in scores)
    }
    measures = {
        name: scores
        for name, scores in every.items()
        if any(score and score.measure != NUMBER_OF_TOPICS for score in scores)
    } or every
    for name, scores in measures.items():
        columns = [*zip(results.runs, scores, _values_over_all(scores, style), strict=True)]
        yield _of_topics(name, labels, columns, results.unit, style)


def _of_topics(
    title: str,
    heads: Sequence[str],
    columns: Sequence[tuple[RunResult, Score | None, Cell]],
    unit: str,
    style: Style,
) -> Table:
    """Return a table of scores by topic, and below them the values over all if they are wanted.

    Topics that are numbers are in the order of numbers: 1, 2, 10.
    """
    by_topic = [_values_by_topic(run, score, style) for run, score, _ in columns]
    topics = dict.fromkeys(topic for run, _, _ in columns for topic in run.topics)
    rows: list[list[str | Cell]] = [
        [topic, *(values.get(topic, "") for values in by_topic)] for topic in topics
    ]
    if unit == "topic":
        rows.sort(key=lambda row: natural(str(row[0])))
    if style.summary:
        rows.append([OVER_ALL[unit], *(whole for *_, whole in columns)])
    return Table(
        title,
        [Column(unit, NAME), *numbers(heads)],
        rows,
        footing=int(style.summary),
        long=True,
    )


def trec(results: Results, style: Style) -> Iterator[str]:
    """Print "%-22s\\t%s\\t%6.4f", counts as integers.

    As from trec_eval, topics come first and an undefined value has no line. Of several runs,
    each begins with its name in trec_eval's `runid` line. A value over a group has the name
    `all:GROUP`, and comes before those over all. Signatures are comments at the end.
    """
    from rankeval.output import escape  # tables do without

    results = each_once(results, style)
    for run, values in groupby(lines(results, style), key=lambda line: line.run):
        if len(results.runs) > 1:
            yield _line("runid", ALL, escape.trec(run))
        for line in values:
            if finite(line.value) is not None:
                topic = (
                    escape.trec(several_topics(line.group))
                    if line.topic is None
                    else escape.topic(escape.trec(line.topic))
                )
                number = decimal(line.value, line.digits, undefined="")
                number = number.rjust(6 if line.digits else 0)  # trec_eval's %6.4f and %ld
                yield _line(escape.trec(line.measure), topic, number)
    if style.signature:
        for name, signature in signatures(results, style):
            yield f"# {visible(name)}\t{visible(signature)}\n"


def _line(name: str, topic: str, value: str) -> str:
    return f"{name:<22}\t{topic}\t{value}\n"


def rows(results: Results, style: Style) -> "Rows":
    """Yield the values, for TSV, CSV and JSON Lines."""
    from rankeval.evaluation.saved_results import value_rows  # tables do without

    return value_rows(each_once(results, style), style)


def document(results: Results, style: Style) -> Document:
    """Return the document, for JSON."""
    from rankeval.evaluation.saved_results import document  # tables do without

    return document(results, style)


PRINTER = Printer[Results](blocks, rows, document, drawings={Format.TREC: trec})


def doubts(results: Results) -> list[str]:
    """Return the notices of the runs, which the command prints apart."""
    return [*notice_lines(results.runs, USUAL_DECIMALS)]
