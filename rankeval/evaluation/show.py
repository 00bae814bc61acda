"""How results are shown: tables, rows for programs, trec_eval's lines, and sentences on them."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress, islice, repeat
from pathlib import PurePath
from typing import TYPE_CHECKING

from rankeval.base.frozen import replace
from rankeval.base.wording import UNDEFINED, count, finite, natural
from rankeval.choices import ALL
from rankeval.evaluation.results import (
    WHOLE_RUN,
    Results,
    RunResult,
    Score,
    by_name,
    notice_lines,
    scores_of_group,
)
from rankeval.output.document_form import Document
from rankeval.output.output_formats import Printer
from rankeval.output.shown import Shown
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
    yield from (Caption(caption), "") if caption else ()
    facts, averaged = results.qrels, averaged_topics(results.runs)
    path = facts.path if style.signs else PurePath(facts.path).name  # a paper needs no folders
    known = averaged or count(facts.topics, results.unit)
    known += f", {count(facts.judgments, 'judgment')}, digest {facts.digest}"
    yield Note(f"qrels: {path} ({known})" if path else f"qrels: {known}")
    said = basis(results.runs)
    if style.signs:  # the line above says how many topics were averaged
        yield from map(Note, said[bool(averaged) :])
    elif said:
        # A table of LaTeX without a caption is put into one of the user's, which holds no other.
        floats = bool(caption or style.caption or style.label or style.per_topic)
        yield (Caption if floats else str)(" ".join(said))
    yield from map(Note, _aggregation(results, style))
    if style.signs:
        yield from _meanings(drawn, style, results.unit)
    if style.signature:
        every = [one for run in results.runs for one in by_name(run.scores, style).items()]
        said = [f"signature: {name} {score.signature}" for name, score in every]
        yield from map(Note, dict.fromkeys(said))


def _aggregation(results: Results, style: Style) -> Iterator[str]:
    """Yield the aggregation that the user chose, and sums and measures of the whole run."""
    by_rule: dict[str, dict[str, None]] = {}
    for run in results.runs if style.summary else ():
        for name, score in by_name(run.scores, style).items():
            by_rule.setdefault(score.rule, {})[name] = None
    rule, weights = (results.settings.get(name) for name in ("aggregate", "weights"))
    if WHOLE_RUN in by_rule:
        yield f"of the {WHOLE_RUN}: {', '.join(by_rule[WHOLE_RUN])}"
    if weights or rule:
        yield f"means are weighted by {weights}" if weights else f"aggregate over topics: {rule}"
    if "sum" in by_rule and rule != "sum":
        yield f"sum over topics: {', '.join(by_rule['sum'])}"


def _meanings(drawn: Sequence[Table], style: Style, unit: str) -> Iterator[Note]:
    """Yield what signs in tables mean."""
    cells = [cell for table in drawn for row in table.cells() for cell in row]
    if any(cell.emphasis == Emphasis.BEST for cell in cells) and not style.colour:
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


def summary(results: Results, style: Style, marks: Marks = NO_MARKS) -> Table:
    """Return a table with a row per run and a column per measure."""
    columns = _columns(results, style, marks)
    rows: list[list[str | Cell]] = [
        [run.name, *(column[i][1] for column in columns.values())]
        for i, run in enumerate(results.runs)
    ]
    return Table("", [Column("run", NAME), *numbers(columns)], rows)


def _by_group(results: Results, style: Style) -> Table:
    """Return the values over groups of topics, and over all, each with a row for each run."""
    sizes = {group.name: group.topics for run in results.runs for group in run.groups}
    rows: list[list[str | Cell]] = []
    for name in (*sizes, ""):
        runs = tuple(replace(run, scores=scores_of_group(run, name)) for run in results.runs)
        part = summary(replace(results, runs=runs), style)
        label = f"{name} ({sizes[name]})" if name else f"{ALL} ({len(runs[0].topics)})"
        rows += [[label, *row] for row in part.rows]
    return Table("", [Column("group", NAME), *part.columns], rows, footing=len(results.runs))


def _columns(
    results: Results, style: Style, marks: Marks = NO_MARKS
) -> dict[str, list[tuple[Score | None, Cell]]]:
    """Return each run's score by measure, None where it lacks it, and the value over all topics.

    Of several values, the best are marked; `marks` are as in `blocks`.
    """
    named = [by_name(run.scores, style) for run in results.runs]
    found: dict[str, list[tuple[Score | None, Cell]]] = {}
    for name in dict.fromkeys(name for scores in named for name in scores):
        scores = [of_run.get(name) for of_run in named]
        there = [score for score in scores if score is not None]
        texts, more = [""] * len(scores), [""] * len(scores)
        for i, score in enumerate(scores):
            if score is not None:
                digits = decimals(score, style)
                texts[i] = decimal(score.aggregate, digits)
                if score.seeds and score.rule != "sum":
                    more[i] = spread(score.deviation, digits)
                if score.bounds:
                    more[i] += _between(score.bounds.least, score.bounds.greatest, digits)
        emphases = [Emphasis.PLAIN] * len(scores)
        if len(scores) > 1 and not any(score.rule == "sum" for score in there):
            values = [float(text) if text not in ("", UNDEFINED) else None for text in texts]
            emphases = ranked(values, loss=any(score.loss for score in there))
        found[name] = []
        for run, score, *text, emphasis in zip(
            results.runs, scores, texts, more, emphases, strict=True
        ):
            key = (run.name, score.measure) if score is not None else ("", "")
            better, worse = marks.get(key, ((), ()))
            found[name].append((score, Cell("".join(text), emphasis, "", better, worse)))
    return found


def _by_topic(results: Results, style: Style) -> Iterator[Table]:
    """Yield tables of topics: by the measures of one run, or by the runs for each measure.

    Topics that are numbers are in the order of numbers: 1, 2, 10.
    """
    runs, columns = results.runs, _columns(results, style)
    parts = [(name, [run.name for run in runs], column) for name, column in columns.items()]
    if len(runs) == 1:
        parts = [(f"run {runs[0].name}", [*columns], [one for (one,) in columns.values()])]
    for title, heads, column in parts:
        scores = [score for score, _ in column]
        if not any(score is not None and score.has_topics for score in scores):
            continue
        topics = dict.fromkeys(topic for run in runs for topic in run.topics)
        by_topic = {topic: [topic, *[""] * len(column)] for topic in topics}
        for place, score in enumerate(scores, 1):
            if score is not None:
                digits = decimals(score, style)
                for i, (topic, value) in enumerate(score.per_topic.items()):
                    of = score.bounds
                    between = _between(of.low[i], of.high[i], digits) if of else ""
                    by_topic[topic][place] = decimal(value, digits) + between
        rows: list[Sequence[str | Cell]] = [*by_topic.values()]
        if results.unit == "topic":
            rows.sort(key=lambda row: natural(str(row[0])))
        if style.summary:
            rows.append([OVER_ALL[results.unit], *(cell for _, cell in column)])
        head = [Column(results.unit, NAME), *numbers(heads)]
        yield Table(title, head, rows, footing=int(style.summary))


def are_whole(values: Iterable[float]) -> bool:
    """Return True if all values that are finite are integers."""
    return all(float(value).is_integer() for value in values if math.isfinite(value))


def decimals(score: Score, style: Style) -> int:
    """Return the decimals that a score is printed with: none if it is a count."""
    is_count = score.rule == "sum" and are_whole([*score.values.tolist(), score.aggregate])
    return 0 if is_count else style.decimals


def decimal(value: float, digits: int, undefined: str = UNDEFINED) -> str:
    """Round to a number of decimals, without the sign of a negative zero."""
    return f"{value:z.{digits}f}" if math.isfinite(value) else undefined


def _between(low: float, high: float, digits: int) -> str:
    return f" [{decimal(low, digits)}, {decimal(high, digits)}]"


def spread(deviation: float, digits: int) -> str:
    """Return the deviation over seeds, as in ` ± 0.0123`; "" for NaN."""
    return f" ± {deviation:.{digits}f}" if deviation >= 0 else ""


def rows(results: Results, style: Style) -> "Iterator[Row]":
    """Yield the values for TSV, CSV and JSON Lines, run by run: topics, groups, all topics."""
    from rankeval.output.declared_columns import TopicName  # tables do without

    runs = results.runs
    grouped, seeded = any(run.groups for run in runs), any(run.seeds for run in runs)
    bounded = any(score.bounds for run in runs for score in run.scores)
    wanted = (grouped, bounded, bounded, seeded, style.signature)
    more = compress(("group", "low", "high", "deviation", "signature"), wanted)
    yield ["run", "measure", "topic", "value", *more]
    for run in runs:
        columns = [
            (name, style.signature and score.signature, _numbers(score))
            for name, score in by_name(run.scores, style).items()
            if score.has_topics
        ]
        labels = run.labels or ("",) * len(run.topics)
        topics = zip(run.topics, labels, strict=True) if style.per_topic else ()
        for at, (topic, group) in enumerate(topics):
            named = TopicName(topic)
            for name, signature, values in columns:
                value, low, high = values[at]
                some = compress((group or None, low, high, None, signature), wanted)
                yield [run.name, name, named, value, *some]
        for group in (*(group.name for group in run.groups), "") if style.summary else ():
            of = f"{ALL}:{group}" if group else ALL
            for name, score in by_name(scores_of_group(run, group), style).items():
                ((value, low, high),) = _numbers(score, over_all=True)
                deviation = finite(score.deviation)
                some = compress((group or None, low, high, deviation, score.signature), wanted)
                yield [run.name, name, of, value, *some]


def _numbers(score: Score, *, over_all: bool = False) -> list[tuple[float | None, ...]]:
    """Return value, least and greatest of each topic, or only those over all topics.

    Counts are integers, and None stands for undefined and unknown ones.
    """
    of, columns = score.bounds, [[score.aggregate] if over_all else score.values.tolist()]
    if of:
        columns += [[of.least], [of.greatest]] if over_all else [of.low.tolist(), of.high.tolist()]
    found: list[Iterable[float | None]] = []
    for values in columns:
        numbers = [finite(value) for value in values]
        if score.rule == "sum":
            numbers = [n if n is None or not n.is_integer() else int(n) for n in numbers]
        found.append(numbers)
    return [*zip(*found, *[repeat(None)] * (3 - len(found)), strict=False)]


def trec(results: Results, style: Style) -> Iterator[str]:
    """Print trec_eval's lines, without undefined values; each of several runs begins with its name.

    A value over a group has the name `all:GROUP`.
    """
    from rankeval.output import escape  # tables do without
    from rankeval.output.declared_columns import TopicName

    line, form = "{:<22}\t{}\t{}\n".format, f"z6.{style.decimals}f"
    begun = results.runs[0].name if len(results.runs) == 1 else ""
    for run, name, topic, number, *_ in islice(rows(results, style), 1, None):
        if run != begun:
            begun = str(run)
            yield line("runid", ALL, escape.trec(begun))
        if number is not None:
            text = str(number) if isinstance(number, int) else format(number, form)
            of = escape.trec(str(topic))
            of = escape.topic(of) if isinstance(topic, TopicName) else of
            yield line(escape.trec(str(name)), of, text)


def document(results: Results, style: Style) -> Document:
    """Return the document, for JSON."""
    from rankeval.evaluation.saved_results import document  # tables do without

    return document(results, style)


PRINTER = Printer[Results](blocks, rows, document, drawings={"trec": trec})


def doubts(results: Results) -> list[str]:
    """Return the notices of the runs, which the command prints apart."""
    return [*notice_lines(results.runs, USUAL_DECIMALS)]


def topics_of(number: int, judged: int) -> str:
    """Return a number of topics, and of how many judged ones if these are more."""
    return count(number, "topic") if number >= judged else f"{number:,} of {count(judged, 'topic')}"


def averaged_topics(runs: Sequence[RunResult]) -> str:
    """Return how many of the judged topics were averaged: `47 of 50 topics`; "" for all of them."""
    judged = max((run.judged for run in runs), default=0)
    numbers = sorted({len(run.topics) for run in runs if run.topics})
    if not numbers or numbers[0] >= judged:
        return ""
    least = "" if len(numbers) == 1 else f"{numbers[0]:,} to "
    return least + topics_of(numbers[-1], judged)


def basis(runs: Sequence[RunResult]) -> list[str]:
    """Return sentences on the basis of values, if it is not the usual one."""
    topics = averaged_topics(runs)
    said = [f"Averaged: {topics}."] if topics else []
    said += seeds_sentence(runs)
    return [*said, *conventions_sentence([words for run in runs for words in run.conventions])]


def conventions_sentence(words: Iterable[str]) -> list[str]:
    """Return the sentence that names conventions, each once; none for the default ones."""
    named = "; ".join(dict.fromkeys(words))
    return [f"Conventions: {named}."] if named else []


def seeds_sentence(runs: Iterable[RunResult]) -> list[str]:
    """Return the sentence that explains ±; none if no system has several runs."""
    sizes = sorted({len(run.seeds) for run in runs if run.seeds})
    number = " to ".join(dict.fromkeys(map(str, sizes[:1] + sizes[-1:])))
    return [f"±: sample standard deviation over {number} seeds."] if sizes else []


class OfRuns(Shown):
    """A result of runs, whose notices are among its warnings."""

    def _runs(self) -> Sequence[RunResult]:
        runs: Sequence[RunResult] = self.runs  # type: ignore[attr-defined]  # of the class it is mixed into
        return runs

    def _doubts(self) -> Sequence[str]:
        return [*notice_lines(self._runs(), USUAL_DECIMALS), *super()._doubts()]
