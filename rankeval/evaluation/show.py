"""The tables of an evaluation, its rows for programs, and trec_eval's lines."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from rankeval.base.wording import finite, natural, visible
from rankeval.choices import ALL, Format
from rankeval.evaluation.results import Results, RunResult, Score
from rankeval.evaluation.shown_values import (
    aggregation_lines,
    averaged_topics,
    basis,
    by_name,
    decimal,
    decimals,
    notice_lines,
    qrels_line,
    scores_of_group,
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
    from rankeval.output.declared_columns import Row

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
        for name, signature in _signatures(results, style):
            yield Note(f"signature: {name} {signature}")


def _signatures(results: Results, style: Style) -> Iterable[tuple[str, str]]:
    """Return each measure with its signatures."""
    every = (named for run in results.runs for named in by_name(run.scores, style).items())
    return dict.fromkeys((name, score.signature) for name, score in every)


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
    the last row of a table, and a summary follows where there are several tables, or one that also
    has the values over groups of topics.
    """
    found = [*_by_topic(results, style)] if style.per_topic else []
    yield from found
    if style.summary and any(run.groups for run in results.runs):
        yield _by_group(results, style)
    elif style.summary or not found:
        every = [score for run in results.runs for score in run.scores]
        of_run = len(results.runs) > 1 and not all(score.has_topics for score in every)
        if len(found) != 1 or marks or of_run:
            yield summary(results, style, marks)


def _by_group(results: Results, style: Style) -> Table:
    """Return the values over groups of topics, and over all, each with a row for each run."""
    sizes = {group.name: group.topics for run in results.runs for group in run.groups}
    rows: list[list[str | Cell]] = []
    for name in (*sizes, ""):
        runs = tuple(replace(run, scores=scores_of_group(run, name)) for run in results.runs)
        part = summary(replace(results, runs=runs), style)
        label = f"{name} ({sizes[name]})" if name else f"{ALL} ({len(runs[0].topics)})"
        rows += [[label, *row] for row in part.rows]
    table = Table("", [Column("group", NAME), *part.columns], rows, footing=len(results.runs))
    if len(results.runs) > 1:
        return table
    return table.part([0, *range(2, len(table.columns))])


def summary(results: Results, style: Style, marks: Marks = NO_MARKS) -> Table:
    """Return a table with a row per run and a column per measure."""
    named = _scores(results, style)
    cells = {name: _over_all(scores, style) for name, scores in named.items()}
    rows: list[list[str | Cell]] = [
        [run.name, *(_marked(cells[name][i], run, named[name][i], marks) for name in named)]
        for i, run in enumerate(results.runs)
    ]
    return Table("", [Column("run", NAME), *numbers(named)], rows)


def _marked(cell: Cell, run: RunResult, score: Score | None, marks: Marks) -> Cell:
    better, worse = marks.get((run.name, score.measure), ((), ())) if score else ((), ())
    return cell._replace(better=better, worse=worse)


def _scores(results: Results, style: Style) -> dict[str, list[Score | None]]:
    """Return the scores by measure and run; None if a run lacks the measure."""
    found: dict[str, list[Score | None]] = {}
    for i, run in enumerate(results.runs):
        for name, score in by_name(run.scores, style).items():
            found.setdefault(name, [None] * len(results.runs))[i] = score
    return found


def _over_all(scores: Sequence[Score | None], style: Style) -> list[Cell]:
    """Return a measure's values over all topics; those of several runs have the best marked."""
    there = [score for score in scores if score is not None]
    counts = any(score.rule == "sum" for score in there)
    texts, spreads = [""] * len(scores), [""] * len(scores)
    for i, score in enumerate(scores):
        if score is not None:
            digits = decimals(score, style)
            texts[i] = decimal(score.aggregate, digits, UNDEFINED)
            spreads[i] = "" if score.rule == "sum" else spread(score.deviation, digits)
            if score.bounds:
                spreads[i] += _between(score.bounds.least, score.bounds.greatest, digits)
    emphases = [Emphasis.PLAIN] * len(scores)
    if len(scores) > 1 and not counts:
        values = [float(text) if text not in ("", UNDEFINED) else None for text in texts]
        emphases = ranked(values, loss=any(score.loss for score in there))
    shown = map("".join, zip(texts, spreads, strict=True))
    return [Cell(*pair) for pair in zip(shown, emphases, strict=True)]


def _between(low: float, high: float, digits: int) -> str:
    return f" [{decimal(low, digits, UNDEFINED)}, {decimal(high, digits, UNDEFINED)}]"


def _by_topic(results: Results, style: Style) -> Iterator[Table]:
    """Yield tables of topics: by the measures of one run, or by the runs for each measure."""
    runs, named = results.runs, _scores(results, style)
    columns = {
        name: [*zip(runs, scores, _over_all(scores, style), strict=True)]
        for name, scores in named.items()
    }
    of_topics = [
        name
        for name, scores in named.items()
        if any(score is not None and score.has_topics for score in scores)
    ]
    if len(runs) == 1 and of_topics:
        every = [column for (column,) in columns.values()]
        yield _of_topics(f"run {runs[0].name}", [*named], every, results.unit, style)
    elif len(runs) > 1:
        for name in of_topics:
            heads = [run.name for run in runs]
            yield _of_topics(name, heads, columns[name], results.unit, style)


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
    by_topic: dict[str, list[str | Cell]] = {
        topic: [topic, *[""] * len(columns)] for run, _, _ in columns for topic in run.topics
    }
    for place, (run, score, _) in enumerate(columns, 1):
        if score is not None and score.has_topics:
            digits = decimals(score, style)
            of = score.bounds
            for i, (topic, value) in enumerate(zip(run.topics, score.values.tolist(), strict=True)):
                ends = _between(of.low[i], of.high[i], digits) if of else ""
                by_topic[topic][place] = decimal(value, digits, UNDEFINED) + ends
    rows = [*by_topic.values()]
    if unit == "topic":
        rows.sort(key=lambda row: natural(str(row[0])))
    if style.summary:
        rows.append([OVER_ALL[unit], *(whole for *_, whole in columns)])
    columns_of = [Column(unit, NAME), *numbers(heads)]
    return Table(title, columns_of, rows, footing=int(style.summary))


def rows(results: Results, style: Style) -> "Iterator[Row]":
    """Yield the values for TSV, CSV and JSON Lines, run by run: topics, groups, all topics."""
    from rankeval.output.declared_columns import TopicName  # tables do without

    bounded = any(score.bounds for run in results.runs for score in run.scores)
    more = {
        "group": any(run.groups for run in results.runs),
        "low": bounded,
        "high": bounded,
        "deviation": any(run.seeds for run in results.runs),
        "signature": style.signature,
    }
    yield ["run", "measure", "topic", "value", *(name for name, there in more.items() if there)]
    for run, name, score, topic, of_topic, value, ends, group in _values(results, style):
        low, high = (_number(score, end) for end in ends)
        deviation = None if of_topic else finite(score.deviation)
        further = (group or None, low, high, deviation, score.signature)
        wanted = [one for one, there in zip(further, more.values(), strict=True) if there]
        named = TopicName(topic) if of_topic else topic
        yield [run, name, named, _number(score, value), *wanted]


def _number(score: Score, value: float) -> float | None:
    """Return a number, a count as an integer, and None for an undefined one."""
    number = finite(value)
    whole = number is not None and score.rule == "sum" and number.is_integer()
    return int(number) if number is not None and whole else number


def _values(
    results: Results, style: Style
) -> Iterator[tuple[str, str, Score, str, bool, float, Sequence[float], str]]:
    """Yield run, measure, score, topic or a word for several, which it is, value, bounds, group."""
    for run in results.runs:
        named = by_name(run.scores, style).items()
        columns = [
            (name, score, score.values.tolist(), _ends(score))
            for name, score in named
            if score.has_topics
        ]
        labels = run.labels or ("",) * len(run.topics)
        topics = zip(run.topics, labels, strict=True) if style.per_topic else ()
        for at, (topic, group) in enumerate(topics):
            for name, score, values, ends in columns:
                yield run.name, name, score, topic, True, values[at], ends[at], group
        for group in (*(group.name for group in run.groups), "") if style.summary else ():
            for name, score in by_name(scores_of_group(run, group), style).items():
                of, value = f"{ALL}:{group}" if group else ALL, score.aggregate
                over = (score.bounds.least, score.bounds.greatest) if score.bounds else UNBOUNDED
                yield run.name, name, score, of, False, value, over, group


UNBOUNDED = (math.nan, math.nan)


def _ends(score: Score) -> Sequence[Sequence[float]]:
    """Return the least and greatest value of each topic; NaN if they are not known."""
    of = score.bounds
    if of is None:
        return [UNBOUNDED] * len(score.values)
    return [*zip(of.low.tolist(), of.high.tolist(), strict=True)]


def trec(results: Results, style: Style) -> Iterator[str]:
    """Print trec_eval's lines, without undefined values; each of several runs begins with its name.

    A value over a group has the name `all:GROUP`. Signatures are comments at the end.
    """
    from rankeval.output import escape  # tables do without

    line = "{:<22}\t{}\t{}\n".format
    begun = results.runs[0].name if len(results.runs) == 1 else ""
    for run, name, score, topic, of_topic, value, _, _ in _values(results, style):
        if run != begun:
            begun = run
            yield line("runid", ALL, escape.trec(run))
        number = _number(score, value)
        if number is not None:
            text = str(number) if isinstance(number, int) else f"{number:z6.{style.decimals}f}"
            of = escape.trec(topic)
            of = escape.topic(of) if of_topic else of
            yield line(escape.trec(name), of, text)
    for name, signature in _signatures(results, style) if style.signature else ():
        yield f"# {visible(name)}\t{visible(signature)}\n"


def document(results: Results, style: Style) -> Document:
    """Return the document, for JSON."""
    from rankeval.evaluation.saved_results import document  # tables do without

    return document(results, style)


PRINTER = Printer[Results](blocks, rows, document, drawings={Format.TREC: trec})


def doubts(results: Results) -> list[str]:
    """Return the notices of the runs, which the command prints apart."""
    return [*notice_lines(results.runs, USUAL_DECIMALS)]
