"""Complete values: measures, topics of the qrels, suites, words of a choice."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress

import typer

from rankeval.base.wording import known_word
from rankeval.errors import RankevalError

Completer = Callable[[str], list[str]]

CUTOFFS = ("1", "3", "5", "10", "20", "50", "100", "1000")
MOST_TOPICS = 2000
_HARMLESS = re.compile(r"[\w.:%+,=@-]+")
"""Topics that no shell takes for more than a word."""


def one_of(words: Sequence[str]) -> Completer:
    """Return a completer of a few words."""

    def beginning_with(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return beginning_with


def in_any_case(words: Sequence[str]) -> Callable[[str | None], str | None]:
    """Return typer's callback of an option: the word that is meant, or the value as it is."""

    def meant(value: str | None) -> str | None:
        return None if value is None else known_word(value, words)

    return meant


def measures(incomplete: str) -> list[str]:
    """Complete the last of the measures in a text: its name, or its cutoff."""
    last = re.split(r"[ ,]", incomplete)[-1]
    name, at, cutoff = last.partition("@")
    before = incomplete.removesuffix(last)
    if at:
        return [f"{before}{name}@{number}" for number in one_of(CUTOFFS)(cutoff)]
    return [f"{before}{word}" for word in one_of(_names_of_measures())(last)]


def _names_of_measures() -> list[str]:
    import rankeval
    from rankeval.base.doors import modules_by_name  # importing the measures takes too long

    names = modules_by_name(rankeval.__path__[0], "measures")
    return [name for name, module in names.items() if module == "measures"]


def order(incomplete: str) -> list[str]:
    """Complete the key of an order of runs: name, or a measure."""
    return [*one_of(["name"])(incomplete), *measures(incomplete)]


def topics(context: typer.Context, incomplete: str) -> list[str]:
    """Complete a topic of the qrels that the line names."""
    path = context.params.get("qrels")
    if not path or path == "-":
        return []
    from rankeval.base.wording import decoded
    from rankeval.ranking.qrels import read_qrels

    with suppress(RankevalError):
        names = map(decoded, read_qrels(path).topics)
        return one_of([name for name in names if _HARMLESS.fullmatch(name)])(incomplete)[
            :MOST_TOPICS
        ]
    return []


def suites(context: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of a suite in --config, or in the nearest file of suites."""
    from rankeval.commands.gate.suites import names_of_suites

    with suppress(RankevalError):
        return one_of(names_of_suites(context.params.get("config")))(incomplete)
    return []
