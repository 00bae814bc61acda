"""Comparisons as papers print them: runs by measures, with letters for significant differences."""

from collections.abc import Iterator

from rankeval.render import blocks, escape
from rankeval.render.blocks import Block, latex_number
from rankeval.render.comparison import Parts, differences, further
from rankeval.render.comparison_words import anova_words, columns_words, method_words
from rankeval.render.markup import latex_table, markdown_table
from rankeval.render.style import Style
from rankeval.support.frozen import frozen
from rankeval.support.numbers import number
from rankeval.support.visible import visible
from rankeval.tasks.compare.compare import Comparison
from rankeval.tasks.compare.pairs import Pair

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@frozen
class Marked:
    """A mean, with the letters of runs that it is significantly better or worse than."""

    text: str
    best: bool
    better: tuple[str, ...]
    worse: tuple[str, ...]


def letter(index: int) -> str:
    """Return the letter of a run: a to z, then aa, ab, and so on."""
    first, last = divmod(index, len(LETTERS))
    return (LETTERS[first - 1] if first else "") + LETTERS[last]


def _grid(comparison: Comparison, group: str, style: Style) -> dict[str, dict[str, Marked]]:
    """Return the means of a group of topics with their marks, by run and measure."""
    letters = {run.name: letter(i) for i, run in enumerate(comparison.runs)}
    grid: dict[str, dict[str, Marked]] = {name: {} for name in letters}
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
            grid[run][measure] = Marked(text, text == best, tuple(sorted(better)), shown)
    return grid


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
    """Print a table of means for all topics, and one per group."""
    for group in ("", *comparison.groups):
        if group:
            yield f"\n**{escape.markdown(group)}**\n\n"
        grid = _grid(comparison, group, style)
        measures = list(next(iter(grid.values())))
        heads = ["", "run", *map(escape.markdown, measures)]
        right = [False, False, *[True] * len(measures)]
        rows = (
            [letter(i), escape.markdown(run), *(_markdown_cell(marked[m]) for m in measures)]
            for i, (run, marked) in enumerate(grid.items())
        )
        yield from markdown_table(heads, right, rows)
    yield f"\n{escape.markdown_prose(caption(comparison))}\n"
    more = list(_more(comparison, style, parts))
    yield "\n" if more else ""
    yield from blocks.markdown(more)


def _markdown_cell(marked: Marked) -> str:
    text = f"**{marked.text}**" if marked.best else marked.text
    above, below = ",".join(marked.better), ",".join(marked.worse)
    return (
        text + (f"<sup>{above}</sup>" if above else "") + (f"<sub>{below}</sub>" if below else "")
    )


def latex(comparison: Comparison, style: Style, parts: Parts) -> Iterator[str]:
    """Print tables in the booktabs style, with their caption."""
    yield "% packages: booktabs\n"
    yield f"% qrels: digest {visible(comparison.digest)}\n"
    safe = escape.latex
    for group in ("", *comparison.groups):
        grid = _grid(comparison, group, style)
        measures = list(next(iter(grid.values())))
        topics = f" Topics: {group}." if group else ""
        rows = (
            [letter(i), safe(run), *(_latex_cell(marked[measure]) for measure in measures)]
            for i, (run, marked) in enumerate(grid.items())
        )
        yield from latex_table(
            safe(caption(comparison) + topics),
            [False, False, *[True] * len(measures)],
            ["", "run", *map(safe, measures)],
            rows,
        )
    yield from blocks.latex(_more(comparison, style, parts))


def _latex_cell(marked: Marked) -> str:
    text = latex_number(marked.text)
    text = f"\\textbf{{{text}}}" if marked.best else text
    above, below = ",".join(marked.better), ",".join(marked.worse)
    return (
        text
        + (f"\\textsuperscript{{{above}}}" if above else "")
        + (f"\\textsubscript{{{below}}}" if below else "")
    )
