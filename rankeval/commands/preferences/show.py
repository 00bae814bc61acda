"""Strengths by preferences in every format, and their schema."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Literal, TypedDict

from rankeval.base.wording import count, interval, number, p_value, signed
from rankeval.commands.preferences.task import PreferencesReport, PreferredPair
from rankeval.output.data_rows import Row
from rankeval.output.document_form import Count, Headed, headed, plain
from rankeval.output.printer import Printer
from rankeval.output.style import Style
from rankeval.output.tables import NAME, Block, Column, Table, numbers

if TYPE_CHECKING:
    from rankeval.output.looks import Look

SCHEMA = "rankeval-preferences/1"
WIDEST = 12
"""Systems at most of which a table shows the matrix of wins."""


class PreferencesSystem(TypedDict):
    """A system.

    ======== =======================================================================
    name     Name.
    strength Logarithm of the strength; the mean of all systems is 0.
    low      Lower end of the interval; null for one topic.
    high     Upper end.
    wins     Preferences won.
    losses   Preferences lost.
    ties     Ties.
    ======== =======================================================================
    """

    name: str
    strength: float
    low: float | None
    high: float | None
    wins: Count
    losses: Count
    ties: Count


class PreferencesPair(TypedDict):
    """Two systems.

    ========= ==========================================================================
    first     Name of the stronger one.
    second    Name of the other.
    wins      Preferences that the first won against the second.
    losses    Preferences that it lost.
    ties      Ties.
    beats     Probability by the model that the first wins.
    ties_with Probability by the model that they tie.
    p_value   Of equal strength, corrected over all pairs by Holm; null for one topic.
    ========= ==========================================================================
    """

    first: str
    second: str
    wins: Count
    losses: Count
    ties: Count
    beats: float
    ties_with: float
    p_value: float | None


class PreferencesDocument(Headed):
    """Strengths by preferences.

    Document that `rankeval preferences -f json` writes.

    ======== ===================================================================
    level    Level of the intervals.
    topics   Number of topics.
    number   Number of preferences.
    ties     Davidson's nu: equal systems tie with the probability nu / (2 + nu).
    systems  The systems, the strongest first.
    pairs    Every two of them.
    warnings Sentences.
    ======== ===================================================================
    """

    schema: Literal["rankeval-preferences/1"]
    level: float
    topics: Count
    number: Count
    ties: float
    systems: list[PreferencesSystem]
    pairs: list[PreferencesPair]
    warnings: list[str]


def document(report: PreferencesReport) -> PreferencesDocument:
    """Return the strengths, and the wins of every two systems against each other."""
    return headed(
        SCHEMA,
        plain(
            {
                "level": report.level,
                "topics": report.topics,
                "number": report.number,
                "ties": report.ties,
                "systems": [asdict(system) for system in report.systems],
                "pairs": [asdict(pair) for pair in report.pairs],
                "warnings": report.warnings,
            }
        ),
    )


def blocks(report: PreferencesReport, style: Style) -> Iterator[Block]:
    """Yield a table of the strengths, the matrix of wins, and their basis."""
    yield _strengths(report, style)
    yield from _matrix(report)
    yield from _basis(report)


def _strengths(report: PreferencesReport, style: Style) -> Table:
    rows = [
        [
            system.name,
            signed(system.strength, style.decimals),
            interval(system.low, system.high, style.decimals),
            str(system.wins),
            str(system.losses),
            str(system.ties),
        ]
        for system in report.systems
    ]
    heads = ["strength", f"{100 * report.level:g}%", "won", "lost", "tied"]
    return Table("Strengths by preferences", [Column("system", NAME), *numbers(heads)], rows)


def _matrix(report: PreferencesReport) -> Iterator[Block]:
    """Yield the share that each row's system won against each column's, ties counting half."""
    names = [system.name for system in report.systems]
    if len(names) > WIDEST:
        yield (
            f"The matrix of wins of {len(names)} systems: in -f json and -f csv, or as a picture "
            "with --plot FILE.svg."
        )
        return
    won: dict[tuple[str, str], str] = {}
    for pair in report.pairs:
        share = share_won(pair)
        won[pair.first, pair.second] = number(share, 2)
        won[pair.second, pair.first] = number(None if share is None else 1.0 - share, 2)
    rows = [[row, *(won.get((row, column), "") for column in names)] for row in names]
    columns = [Column("system", NAME), *numbers(map(str, range(1, len(names) + 1)))]
    rows = [[f"{place}. {row[0]}", *row[1:]] for place, row in enumerate(rows, 1)]
    yield Table("Share won by the row's system, a tie counting half", columns, rows)


def share_won(pair: PreferredPair) -> float | None:
    """Return the share that the first system won, a tie counting half; None for no preference."""
    every = pair.wins + pair.losses + pair.ties
    return (pair.wins + pair.ties / 2.0) / every if every else None


def _basis(report: PreferencesReport) -> Iterator[str]:
    tie = report.ties / (2.0 + report.ties)
    even = f"; equal systems tie {100 * tie:.0f}% of the time" if report.ties else ""
    yield (
        f"{count(report.number, 'preference')} of {count(report.topics, 'topic')}; strengths are "
        f"logarithms with the mean 0{even}. Intervals: Wald's, by topics."
    )
    leader, *others = report.systems
    with_leader = [pair for pair in report.pairs if pair.first == leader.name]
    alpha = 1.0 - report.level
    shown = [p for p in with_leader if p.p_value is not None and p.p_value < alpha]
    close = next((pair for pair in with_leader if pair not in shown), None)
    if close is None:
        rest = "all others" if len(others) > 1 else others[0].name
        yield f"{leader.name} is stronger than {rest}."
    elif close.p_value is not None:
        yield (
            f"{leader.name} does not differ significantly from {close.second} "
            f"(p = {p_value(close.p_value, alpha)}, corrected over all pairs by Holm)."
        )


HEADS = ("system", "other", "statistic", "value")


def rows(report: PreferencesReport, _style: Style) -> Iterator[Row]:
    """Yield a row for each number of a system, and of every two."""
    yield HEADS
    for system in report.systems:
        for name, value in asdict(system).items():
            if name != "name":
                yield [system.name, None, name, value]
    for pair in report.pairs:
        for name, value in asdict(pair).items():
            if name not in {"first", "second"}:
                yield [pair.first, pair.second, name, value]


PREFERENCES = Printer[PreferencesReport](
    document=lambda report, _: document(report),
    rows=rows,
    blocks=blocks,
)


def look() -> "Look":
    """Return how the result shows itself."""
    from rankeval.output.looks import Look, in_html, nothing

    return Look(PREFERENCES, in_html(blocks), runs=nothing)
