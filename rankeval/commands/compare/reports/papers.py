"""Comparisons as papers print them, with letters for significant differences, and as a page."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from rankeval.base.wording import confidence, number, visible
from rankeval.commands.compare.reports.comparison_words import (
    COLUMNS,
    method_words,
)
from rankeval.commands.compare.reports.difference_tables import (
    Parts,
    differences,
    everything,
    further,
)
from rankeval.commands.compare.task import Comparison
from rankeval.evaluation.notice_lines import notice_lines
from rankeval.evaluation.shown_values import basis, deviation, spread
from rankeval.output.pages import TablesPage, made_with, page_sections, tables_html
from rankeval.output.style import Style
from rankeval.output.tables import Block, Cell, Column, Table, numbers, ranked
from rankeval.output.text import text as text_of

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def letter(index: int) -> str:
    """Return the letter of a run: a to z, then aa, ab, and so on."""
    first, last = divmod(index, len(LETTERS))
    return (LETTERS[first - 1] if first else "") + LETTERS[last]


Marks = dict[tuple[str, str], tuple[tuple[str, ...], tuple[str, ...]]]
"""By run and measure, the letters of the runs that it is significantly better and worse than."""


def significant(comparison: Comparison, group: str = "") -> Marks:
    """Return the letters of significant differences; with a baseline, all others have its a."""
    letters = {run.name: letter(i) for i, run in enumerate(comparison.runs)}
    better: dict[tuple[str, str], list[str]] = {}
    worse: dict[tuple[str, str], list[str]] = {}
    for pair in comparison.pairs:
        if pair.group == group and pair.is_shown(comparison.method.alpha):
            winner, loser = (pair.run, pair.baseline)[:: 1 if pair.gain > 0 else -1]
            better.setdefault((winner, pair.measure), []).append(letters[loser])
            worse.setdefault((loser, pair.measure), []).append(letters[winner])
    baseline = comparison.runs[0].name
    every = comparison.method.all_pairs
    return {
        key: (
            tuple(sorted(better.get(key, []))),
            () if every else tuple(sorted(worse.get(key, []))),
        )
        for key in {**better, **worse}
        if every or key[0] != baseline
    }


def _cells(comparison: Comparison, group: str, style: Style) -> dict[str, list[Cell]]:
    """Return the means of a group of topics with their marks, by run."""
    cells: dict[str, list[Cell]] = {run.name: [] for run in comparison.runs}
    marks = significant(comparison, group)
    pairs = [pair for pair in comparison.pairs if pair.group == group]
    for measure in _measures(comparison):
        of_measure = [pair for pair in pairs if pair.measure == measure]
        means: dict[str, float | None] = {}
        seeds: dict[str, tuple[float, ...]] = {}
        for pair in of_measure:
            means.setdefault(pair.baseline, pair.summary.baseline_mean)
            means.setdefault(pair.run, pair.summary.candidate_mean)
            seeds |= {pair.baseline: pair.baseline_seeds, pair.run: pair.seeds}
        printed = [number(means[run], style.decimals) for run in cells]
        values = [
            None if means[run] is None else float(text)
            for run, text in zip(cells, printed, strict=True)
        ]
        emphases = ranked(values, loss=of_measure[0].loss)
        for run, text, emphasis in zip(cells, printed, emphases, strict=True):
            better, worse = marks.get((run, measure), ((), ()))
            of_seeds = spread(deviation(seeds[run]), style.decimals)
            cells[run].append(Cell(text + of_seeds, emphasis, better=better, worse=worse))
    return cells


def _measures(comparison: Comparison) -> list[str]:
    return list(dict.fromkeys(pair.measure for pair in comparison.pairs))


def tables(comparison: Comparison, style: Style) -> Iterator[Table]:
    """Yield a table of means for all topics, and one per group."""
    for group in ("", *comparison.groups):
        yield Table(
            group,
            [Column(""), Column("run", 12), *numbers(_measures(comparison))],
            [
                [letter(i), run, *row]
                for i, (run, row) in enumerate(_cells(comparison, group, style).items())
            ],
        )


class Places(NamedTuple):
    """The notation of letters behind a number: better or worse than the run of the letter."""

    better: str
    worse: str


DETAILS = "--details shows differences, p-values and effect sizes."
SCRIPTS = Places("superscript", "subscript")
SIGNS = Places("+", "-")


def caption(comparison: Comparison, *, intervals: bool = False) -> str:
    """Return the caption: the meaning of the letters, the test, and the intervals if shown."""
    method_of = method_words(comparison, intervals=intervals)
    return " ".join([letters_words(comparison, SCRIPTS), method_of, *basis(comparison.runs)])


def letters_words(comparison: Comparison, places: Places) -> str:
    """Return the meaning of the letters."""
    method = comparison.method
    means = "better than the run of that letter"
    if not method.all_pairs:
        means = f"better ({places.better}) or worse ({places.worse}) than the baseline a"
    if method.gives_probabilities:
        return f"Letters: {means}, probability at least {confidence(method.alpha)}."
    return f"Letters: significantly {means}."


def _more(comparison: Comparison, style: Style, parts: Parts) -> Iterator[Block]:
    """Yield the tables and sentences below the means."""
    if parts.details:
        yield from differences(comparison, style)
        yield COLUMNS
    yield from further(comparison, style, parts)


def text(comparison: Comparison, style: Style, parts: Parts) -> Iterator[str]:
    """Print the tables of means for three runs or more; those of differences if asked for."""
    best = "" if style.colour else "* best value of the measure"
    return text_of(blocks(comparison, style, parts, SIGNS, best), style)


def blocks(
    comparison: Comparison,
    style: Style,
    parts: Parts,
    places: Places = SCRIPTS,
    best: str = "",
) -> Iterator[Block]:
    """Yield the tables and sentences of a text; `best` explains how the best value is marked."""
    if len(comparison.runs) < 3 or parts.details or comparison.method.margins:
        yield from everything(comparison, style, parts)
        return
    yield from tables(comparison, style)
    yield ""
    yield letters_words(comparison, places)
    yield method_words(comparison, intervals=False)
    yield from basis(comparison.runs)
    yield from [best] if best else []
    yield from [DETAILS] if places is SIGNS else []
    yield from further(comparison, style, parts)
    yield f"qrels: digest {comparison.digest}"


def markdown(comparison: Comparison, style: Style, parts: Parts) -> Iterator[str]:
    """Print the tables of means, and their caption below."""
    from rankeval.output.markdown import markdown as markdown_of

    words = caption(comparison, intervals=parts.details)
    found = [*tables(comparison, style), words, *_more(comparison, style, parts)]
    return markdown_of(found)


def latex(comparison: Comparison, style: Style, parts: Parts) -> Iterator[str]:
    """Print the tables of means in the booktabs style, each with its caption."""
    from rankeval.output.latex import captioned
    from rankeval.output.latex import latex as latex_of

    yield "% packages: booktabs\n"
    yield f"% qrels: digest {visible(comparison.digest)}\n"
    words = caption(comparison, intervals=parts.details)
    titled = (
        replace(table, title=f"{words} Topics: {table.title}." if table.title else words)
        for table in tables(comparison, style)
    )
    yield from latex_of([*captioned(titled, style), *_more(comparison, style, parts)])


def comparison_page(
    comparison: Comparison, style: Style, parts: Parts, command: str = ""
) -> Iterator[str]:
    """Yield the HTML of a comparison: means with letters, and the tables of differences."""
    warnings = (*notice_lines(comparison.runs, style.decimals), *comparison.warnings)
    shown: list[Block] = [*blocks(comparison, style, parts)]
    details: list[Block] = []
    heads = [column.head for one in shown if isinstance(one, Table) for column in one.columns]
    if "diff" not in heads:
        details += differences(comparison, style)
        details.append(COLUMNS)
    first = comparison.runs[0]
    page = TablesPage(
        title="Every pair of runs"
        if comparison.method.all_pairs
        else f"Comparison with {first.name}",
        headline="",
        sections=page_sections(("Means", shown), ("Differences", details), warnings=warnings),
        facts=(
            *(((f"Run {run.name}"), run.path or "in memory") for run in comparison.runs),
            ("Digest of the judgments", comparison.digest),
            *made_with(command),
        ),
    )
    return tables_html(page)
