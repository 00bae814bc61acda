"""A comparison over collections in every format."""

from collections.abc import Callable, Iterator, Sequence

from rankeval.choices import Format
from rankeval.documents.collection_comparison import document, records
from rankeval.documents.collections import basis
from rankeval.render.drawings import drawings
from rankeval.render.latex import captioned_blocks
from rankeval.render.latex import latex as latex_of
from rankeval.render.printer import Printer
from rankeval.render.style import Style
from rankeval.render.tables import NAME, Block, Cell, Column, Table, numbers, ranked
from rankeval.support.numbers import confidence, interval, number, p_value, p_words, signed
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
        yield _pairs(one, comparison, style)
    if any(pair.interval for one in comparison.measures for pair in one.pairs):
        yield _interval_words(comparison)
        yield (
            "W/L: collections on which the second is better and worse; shown: on so many or more "
            f"it truly is, with {confidence(comparison.alpha)} confidence{_for_all(comparison)} if "
            "differences of topics are nearly normal (partial conjunction of t tests, Fisher's "
            "combination)."
        )
    of_pairs = "all pairs"
    if comparison.baseline:
        of_pairs += f" (Nemenyi), and for those with {comparison.baseline} (Holm)"
    yield (
        f"p-values: of mean ranks, adjusted for {of_pairs}. Mean ranks and p-values depend on the "
        "systems compared."
    )
    yield from basis(comparison.results)


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


def _for_all(comparison: CollectionComparison) -> str:
    """Say which pairs a level holds for together; "" for one pair."""
    n_pairs = len(comparison.measures[0].pairs)
    return f" for all {n_pairs:,} pairs of a measure together" if n_pairs > 1 else ""


def _interval_words(comparison: CollectionComparison) -> str:
    """Name the intervals, and say whether each holds by itself or all of a measure together."""
    n_pairs, together = len(comparison.measures[0].pairs), comparison.interval_level == "all"
    way = f"hierarchical bootstrap of collections and topics, {comparison.samples:,} samples"
    level = f"Intervals of differences: {confidence(comparison.alpha)}"
    if n_pairs == 1:
        return f"{level}, {way}."
    if not together:
        return f"{level}, each by itself, without correction; {way}."
    each = confidence(comparison.alpha / n_pairs)
    return (
        f"{level}{_for_all(comparison)}, {each} each (Bonferroni's level for {n_pairs:,}); {way}."
    )


def _tests(one: ComparedMeasure) -> str:
    test, found = one.test, one.test.friedman
    if found.corrected is None:
        return "Friedman's test needs two collections or more."
    f = (
        f"F({found.df_f[0]}, {found.df_f[1]}) = {found.f:.2f}, {p_words(found.p_f, test.alpha)} "
        "(Iman-Davenport)"
        if found.f is not None
        else "all collections rank the systems alike"
    )
    return (
        f"Friedman's test: chi square({found.df}) = {found.corrected:.2f}, "
        f"{p_words(found.p_value, test.alpha)}; {f}. Critical difference of mean ranks (Nemenyi, "
        f"alpha {test.alpha:g}): {number(test.critical_difference, 3)}."
    )


def _pairs(one: ComparedMeasure, comparison: CollectionComparison, style: Style) -> Table:
    joint = comparison.interval_level == "all" and len(one.pairs) > 1
    head = "joint interval" if joint else "interval"
    heads = ["difference", head, "W/L", "shown", "ranks", "p (Nemenyi)", "p (Holm)"]
    return Table(
        f"{one.measure}, second minus first",
        [Column("first", NAME), Column("second", NAME), *numbers(heads)],
        [_row(pair, comparison.alpha, style) for pair in one.pairs],
    )


def _row(pair: ComparedSystems, alpha: float, style: Style) -> list[str]:
    low, high = (pair.interval.low, pair.interval.high) if pair.interval else (None, None)
    return [
        pair.first,
        pair.second,
        signed(pair.difference, style.decimals),
        interval(low, high, style.decimals),
        f"{pair.wins}/{pair.losses}",
        "-" if pair.better_on is None else f"{pair.better_on}/{pair.worse_on}",
        signed(pair.rank_difference, style.decimals),
        p_value(pair.nemenyi_p, alpha),
        p_value(pair.holm_p, alpha),
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
