"""A comparison over several collections in every format, and its schema."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from rankeval.base.wording import confidence, count, interval, number, p_value, p_words, signed
from rankeval.choices import Format
from rankeval.commands.collections.show import basis
from rankeval.commands.compare_collections.task import (
    CollectionComparison,
    ComparedMeasure,
    ComparedSystems,
)
from rankeval.output.data_rows import Row, named_rows
from rankeval.output.document_form import Document, headed, plain
from rankeval.output.pages import TablesPage, made_with, page_sections, tables_html
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import NAME, Block, Cell, Column, Table, numbers, ranked

SCHEMA = "rankeval-compare-collections/1"


def document(comparison: CollectionComparison) -> Document:
    """Return the tests and the pairs of each measure."""
    return headed(
        SCHEMA,
        plain(
            {
                "systems": comparison.systems,
                "baseline": comparison.baseline,
                "missing": comparison.missing,
                "alpha": comparison.alpha,
                "interval_level": comparison.interval_level,
                "samples": comparison.samples,
                "seed": comparison.seed,
                "measures": {
                    measure.measure: {
                        **_tests_document(measure, comparison),
                        "pairs": [*map(_pair, measure.pairs)],
                    }
                    for measure in comparison.measures
                },
                "warnings": comparison.warnings,
            }
        ),
    )


def _tests_document(compared: ComparedMeasure, comparison: CollectionComparison) -> Document:
    test, friedman = compared.test, asdict(compared.test.friedman)
    for name in ("n_topics", "n_excluded", "mean_ranks"):
        del friedman[name]
    ranks = test.friedman.mean_ranks or ()
    return {
        "loss": compared.loss,
        "collections": compared.collections,
        "left_out": compared.left_out,
        "macro_mean": dict(zip(comparison.systems, compared.macro_means, strict=True)),
        "mean_rank": dict(zip(comparison.systems, ranks, strict=True)),
        "friedman": friedman,
        "q": test.q,
        "critical_difference": test.critical_difference,
    }


def _pair(pair: ComparedSystems) -> Document:
    interval = pair.interval
    return {
        "first": pair.first,
        "second": pair.second,
        "difference": pair.difference,
        "low": interval and interval.low,
        "high": interval and interval.high,
        "level": interval and interval.level,
        "wins": pair.wins,
        "losses": pair.losses,
        "rank_difference": pair.rank_difference,
        "nemenyi_p": pair.nemenyi_p,
        "holm_p": pair.holm_p,
        "better_on": pair.better_on,
        "worse_on": pair.worse_on,
    }


def blocks(comparison: CollectionComparison, style: Style) -> Iterator[Block]:
    """Yield for each measure the mean ranks, the tests in words, and the pairs."""
    for measure in comparison.measures:
        yield _ranks(measure, comparison.systems, style)
        yield _tests(measure)
        yield _pairs(measure, comparison, style)
    if any(pair.interval for one in comparison.measures for pair in one.pairs):
        yield _interval_words(comparison)
        yield (
            "W/L: collections on which the second is better and worse; shown: lower bounds for "
            f"the true numbers, with {confidence(comparison.alpha)} confidence"
            f"{_for_all(comparison)} if differences of topics are nearly normal (partial "
            "conjunction of t tests, Fisher's combination)."
        )
    of_pairs = "all pairs"
    if comparison.baseline:
        of_pairs += f" (Nemenyi), and for those with {comparison.baseline} (Holm)"
    yield (
        f"p-values: of mean ranks, adjusted for {of_pairs}. Mean ranks and p-values depend on the "
        "systems compared."
    )
    yield from basis(comparison.results)


def _ranks(compared: ComparedMeasure, systems: Sequence[str], style: Style) -> Table:
    means = [number(mean, style.decimals) for mean in compared.macro_means]
    emphases = ranked([*map(float, means)], loss=compared.loss)
    ranks = compared.test.friedman.mean_ranks or ()
    rows = sorted(zip(ranks, systems, means, emphases, strict=True), key=lambda row: row[0])
    return Table(
        f"{compared.measure} over {count(len(compared.collections), 'collection')}",
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


def _tests(compared: ComparedMeasure) -> str:
    test, found = compared.test, compared.test.friedman
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


def _pairs(compared: ComparedMeasure, comparison: CollectionComparison, style: Style) -> Table:
    joint = comparison.interval_level == "all" and len(compared.pairs) > 1
    head = "joint interval" if joint else "interval"
    heads = ["difference", head, "W/L", "shown", "ranks", "p (Nemenyi)", "p (Holm)"]
    return Table(
        f"{compared.measure}, second minus first",
        [Column("first", NAME), Column("second", NAME), *numbers(heads)],
        [_row(pair, comparison.alpha, style) for pair in compared.pairs],
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


def rows(comparison: CollectionComparison, _style: Style) -> Iterator[Row]:
    """Yield every pair of each measure."""
    pairs = ((found.measure, pair) for found in comparison.measures for pair in found.pairs)
    return named_rows({"measure": measure, **_pair(pair)} for measure, pair in pairs)


COLLECTION_COMPARISON = Printer[CollectionComparison](
    document=lambda comparison, _: document(comparison),
    rows=rows,
    blocks=blocks,
)


def printer_with_page(command: str) -> Printer[CollectionComparison]:
    """Return the printer that also writes a page, which names the command line."""

    def page(comparison: CollectionComparison, style: Style) -> Iterator[str]:
        return collections_page(comparison, style, command)

    return replace(COLLECTION_COMPARISON, drawings={Format.HTML: page})


def collections_page(
    comparison: CollectionComparison, style: Style, command: str = ""
) -> Iterator[str]:
    """Yield the HTML of a comparison over collections: mean ranks, tests, and pairs."""
    systems = ", ".join(comparison.systems)
    collections = [result.collection for result in comparison.results]
    page = TablesPage(
        title="Comparison over collections",
        headline="",
        sections=page_sections(
            ("Systems", [*blocks(comparison, style)]), warnings=comparison.warnings
        ),
        facts=(
            ("Systems", systems),
            *((f"Collection {collection.name}", collection.qrels) for collection in collections),
            *made_with(command),
        ),
    )
    return tables_html(page)
