"""Comparisons as papers print them: runs by measures, with letters for significant differences."""

from collections.abc import Iterator
from dataclasses import replace

from rankeval.render.comparison import Parts, differences, further
from rankeval.render.comparison_words import anova_words, columns_words, method_words
from rankeval.render.latex import latex as latex_of
from rankeval.render.markdown import markdown as markdown_of
from rankeval.render.style import Style
from rankeval.render.tables import Block, Cell, Column, Emphasis, Table, numbers
from rankeval.support.numbers import number
from rankeval.support.visible import visible
from rankeval.tasks.compare.compare import Comparison
from rankeval.tasks.compare.pairs import Pair

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def letter(index: int) -> str:
    """Return the letter of a run: a to z, then aa, ab, and so on."""
    first, last = divmod(index, len(LETTERS))
    return (LETTERS[first - 1] if first else "") + LETTERS[last]


def _cells(comparison: Comparison, group: str, style: Style) -> dict[str, dict[str, Cell]]:
    """Return the means of a group of topics by run and measure.

    Each has the letters of the runs that it is significantly better or worse than.
    """
    letters = {run.name: letter(i) for i, run in enumerate(comparison.runs)}
    cells: dict[str, dict[str, Cell]] = {name: {} for name in letters}
    pairs = [pair for pair in comparison.pairs if pair.group == group]
    for measure in dict.fromkeys(pair.measure for pair in pairs):
        of_measure = [pair for pair in pairs if pair.measure == measure]
        means = _means(of_measure)
        printed = {run: number(mean, style.digits) for run, mean in means.items()}
        known = [(mean, run) for run, mean in means.items() if mean is not None]
        ends = [run for _, run in sorted(known)]
        best = "" if not ends else printed[ends[0] if of_measure[0].loss else ends[-1]]
        found = [pair for pair in of_measure if pair.is_shown(comparison.method.alpha)]
        for run, text in printed.items():
            better = [letters[_loser(pair)] for pair in found if _winner(pair) == run]
            worse = [letters[_winner(pair)] for pair in found if _loser(pair) == run]
            shown = () if comparison.method.all_pairs else tuple(sorted(worse))
            if run == comparison.runs[0].name and not comparison.method.all_pairs:
                better, shown = [], ()
            emphasis = Emphasis.BEST if text == best else Emphasis.PLAIN
            cells[run][measure] = Cell(text, emphasis, better=tuple(sorted(better)), worse=shown)
    return cells


def tables(comparison: Comparison, style: Style) -> Iterator[Table]:
    """Yield a table of means for all topics, and one per group."""
    for group in ("", *comparison.groups):
        cells = _cells(comparison, group, style)
        measures = list(next(iter(cells.values())))
        yield Table(
            group,
            [Column(""), Column("run", 8), *numbers(measures)],
            [[letter(i), run, *row.values()] for i, (run, row) in enumerate(cells.items())],
        )


def _means(pairs: list[Pair]) -> dict[str, float | None]:
    means: dict[str, float | None] = {}
    for pair in pairs:
        means.setdefault(pair.baseline, pair.summary.baseline_mean)
        means.setdefault(pair.run, pair.summary.candidate_mean)
    return means


def _winner(pair: Pair) -> str:
    return pair.run if pair.gain > 0 else pair.baseline


def _loser(pair: Pair) -> str:
    return pair.baseline if pair.gain > 0 else pair.run


def caption(comparison: Comparison) -> str:
    """Return the caption: the meaning of the letters, and the test."""
    method = comparison.method
    likely = f"with a probability of {100 * (1 - method.alpha):.12g}% or more"
    how = likely if method.gives_probabilities else "significantly"
    means = f"{how} better than the run of that letter"
    if not method.all_pairs:
        means = f"{how} better (superscript) or worse (subscript) than the baseline a"
    anova = [
        f"{name}: {anova_words(found)}."
        for name, found in comparison.anova.items()
        if found.df_error
    ]
    return " ".join([f"Letters: {means}. {method_words(comparison)}", *anova])


def _more(comparison: Comparison, style: Style, parts: Parts) -> Iterator[Block]:
    """Yield the tables and sentences below the means."""
    if parts.details:
        # The analysis of variance is in the caption.
        found = differences(comparison, style, parts)
        yield from (block for block in found if not isinstance(block, str))
        yield columns_words(parts.effect_of(comparison))
    yield from further(comparison, style, parts)


def markdown(comparison: Comparison, style: Style, parts: Parts) -> Iterator[str]:
    """Print the tables of means, and their caption below."""
    found = [*tables(comparison, style), caption(comparison), *_more(comparison, style, parts)]
    return markdown_of(found)


def latex(comparison: Comparison, style: Style, parts: Parts) -> Iterator[str]:
    """Print the tables of means in the booktabs style, each with its caption."""
    yield "% packages: booktabs\n"
    yield f"% qrels: digest {visible(comparison.digest)}\n"
    words = caption(comparison)
    titled = (
        replace(one, title=f"{words} Topics: {one.title}." if one.title else words)
        for one in tables(comparison, style)
    )
    yield from latex_of([*titled, *_more(comparison, style, parts)])
