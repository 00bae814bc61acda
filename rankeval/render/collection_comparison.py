"""A comparison over collections in every format."""

from collections.abc import Callable, Iterator, Sequence

from rankeval.documents.collection_comparison import document, records
from rankeval.render.drawings import drawings
from rankeval.render.latex import captioned_blocks
from rankeval.render.latex import latex as latex_of
from rankeval.render.output_formats import Format
from rankeval.render.printer import Printer
from rankeval.render.style import Style
from rankeval.render.tables import NAME, Block, Cell, Column, Table, numbers, ranked
from rankeval.support.numbers import interval, number, p_value, p_words, signed
from rankeval.support.wording import count
from rankeval.tasks.collections.compare import (
    CollectionComparison,
    ComparedMeasure,
    ComparedSystems,
)


def blocks(comparison: CollectionComparison, style: Style) -> Iterator[Block]:
    """Yield for each measure the mean ranks, the tests in words, and the pairs."""
    for one in comparison.measures:
        yield _ranks(one, comparison.systems, style)
        yield _tests(one)
        yield _pairs(one, style)
    if any(pair.interval for one in comparison.measures for pair in one.pairs):
        yield (
            f"Intervals of differences: {100 * (1 - comparison.alpha):.12g}%, hierarchical "
            f"bootstrap of collections and topics, {comparison.samples:,} samples."
        )
        yield (
            "W/L: collections on which the second is better and worse; shown: on so many or more "
            f"it truly is, with {100 * (1 - comparison.alpha):.12g}% confidence if differences of "
            "topics are nearly normal (partial conjunction of t tests, Fisher's combination)."
        )
    of_pairs = "all pairs"
    if comparison.baseline:
        of_pairs += f" (Nemenyi), and for those with {comparison.baseline} (Holm)"
    yield (
        f"p-values: of mean ranks, adjusted for {of_pairs}. Mean ranks and p-values depend on the "
        "systems compared."
    )


def _ranks(one: ComparedMeasure, systems: Sequence[str], style: Style) -> Table:
    means = [number(mean, style.decimals) for mean in one.macro_means]
    emphases = ranked([*map(float, means)], loss=one.loss)
    ranks = one.test.friedman.mean_ranks or ()
    rows = sorted(zip(ranks, systems, means, emphases, strict=True), key=lambda row: row[0])
    return Table(
        f"{one.measure} over {count(len(one.collections), 'collection')}",
        [Column("system", NAME), *numbers(["mean rank", "macro mean"])],
        [
            [system, number(rank, style.decimals), Cell(mean, emphasis)]
            for rank, system, mean, emphasis in rows
        ],
    )


def _tests(one: ComparedMeasure) -> str:
    test, found = one.test, one.test.friedman
    if found.corrected is None:
        return "Friedman's test needs two collections or more."
    f = (
        f"F({found.df_f[0]}, {found.df_f[1]}) = {found.f:.2f}, {p_words(found.p_f)} "
        "(Iman-Davenport)"
        if found.f is not None
        else "all collections rank the systems alike"
    )
    return (
        f"Friedman's test: chi square({found.df}) = {found.corrected:.2f}, "
        f"{p_words(found.p_value)}; {f}. Critical difference of mean ranks (Nemenyi, alpha "
        f"{test.alpha:g}): {number(test.critical_difference, 3)}."
    )


def _pairs(one: ComparedMeasure, style: Style) -> Table:
    heads = ["difference", "interval", "W/L", "shown", "ranks", "p (Nemenyi)", "p (Holm)"]
    return Table(
        f"{one.measure}, second minus first",
        [Column("first", NAME), Column("second", NAME), *numbers(heads)],
        [_row(pair, style) for pair in one.pairs],
    )


def _row(pair: ComparedSystems, style: Style) -> list[str]:
    low, high = (pair.interval.low, pair.interval.high) if pair.interval else (None, None)
    return [
        pair.first,
        pair.second,
        signed(pair.difference, style.decimals),
        interval(low, high, style.decimals),
        f"{pair.wins}/{pair.losses}",
        "-" if pair.better_on is None else f"{pair.better_on}/{pair.worse_on}",
        signed(pair.rank_difference, style.decimals),
        p_value(pair.nemenyi_p),
        p_value(pair.holm_p),
    ]


def _rows(
    comparison: CollectionComparison, style: Style, safe: Callable[[str], str]
) -> Iterator[Sequence[str]]:
    for at, record in enumerate(records(comparison)):
        if not at:
            yield list(record)
        yield [
            safe(value)
            if isinstance(value, str)
            else str(value)
            if isinstance(value, int)
            else style.number(value)
            for value in record.values()
        ]


def _latex(comparison: CollectionComparison, style: Style) -> Iterator[str]:
    yield "% packages: booktabs\n"
    yield from latex_of(captioned_blocks(blocks(comparison, style), style))


COLLECTION_COMPARISON = Printer[CollectionComparison](
    document=lambda comparison, _: document(comparison),
    records=lambda comparison, _: records(comparison),
    drawings={**drawings(blocks, _rows), Format.LATEX: _latex},
)
