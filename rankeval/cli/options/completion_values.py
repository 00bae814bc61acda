"""Complete values: measures and their parameters, topics of the qrels, suites, words of a rule."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import typer

from rankeval.choices import POLICIES
from rankeval.errors import RankevalError

Completer = Callable[[str], list[str]]

CATALOGUE = Path(__file__).with_name("measures.json")
"""The measures and their parameters, which `make docs` writes: importing numpy takes too long."""

CUTOFFS = ("1", "3", "5", "10", "20", "50", "100", "1000")
LEVELS = ("0.1", "0.2", "0.5", "0.8", "1.0")
SCANNED = 4 << 20
"""Bytes of the qrels in which topics are looked for."""

MOST_TOPICS = 2000


def one_of(words: Sequence[str]) -> Completer:
    """Return a completer of a few words."""

    def beginning_with(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return beginning_with


def policies(incomplete: str) -> list[str]:
    """Return the names of a gate's policies that begin so."""
    return one_of([*POLICIES])(incomplete)


def measures(incomplete: str) -> list[tuple[str, str]]:
    """Complete the last of the measures in a text: names, then cutoffs or parameters."""
    before, last = _last_measure(incomplete)
    return [(f"{before}{text}", help_) for text, help_ in _measure(last)]


def order(incomplete: str) -> list[tuple[str, str]]:
    """Complete the key of an order of runs: name, or a measure."""
    name = [("name", "natural order of the names")] if "name".startswith(incomplete) else []
    return [*name, *measures(incomplete)]


def _last_measure(text: str) -> tuple[str, str]:
    """Split the last measure from those before it; blanks and commas in brackets belong to it."""
    depth, start = 0, 0
    for at, character in enumerate(text):
        depth += (character in "({") - (character in ")}")
        if depth <= 0 and character in " ,":
            start = at + 1
    return text[:start], text[start:]


def _measure(begun: str) -> Iterator[tuple[str, str]]:
    import json  # not where options are declared, as every command starts with those

    known = json.loads(CATALOGUE.read_text(encoding="utf-8"))
    name, bracket, inside = begun.partition("(")
    if bracket and ")" not in inside:
        yield from _parameters(name, inside, known.get(name, {}).get("parameters", {}))
        return
    head, at, cutoff = begun.rpartition("@")
    if at:
        takes = known.get(head.partition("(")[0], {}).get("at")
        numbers = {"cutoff": CUTOFFS, None: ()}.get(takes, LEVELS)
        yield from ((f"{head}@{n}", "") for n in numbers if n.startswith(cutoff))
        return
    for other, facts in known.items():
        if other.startswith(begun):
            yield other, facts["title"]


def _parameters(
    name: str, inside: str, known: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """Yield names of parameters, or the values of the last one."""
    given, comma, last = inside.rpartition(",")
    before = f"{name}({given}{comma}"
    parameter, equals, value = last.partition("=")
    if equals:
        for one in known.get(parameter, ()):
            if one.startswith(value):
                yield f"{before}{parameter}={one})", ""
        return
    used = re.findall(r"(\w+)=", given)
    for other in known:
        if other.startswith(parameter) and other not in used:
            yield f"{before}{other}=", ""


def topics(context: typer.Context, incomplete: str) -> list[str]:
    """Complete a topic of the qrels that the line names."""
    path = context.params.get("qrels")
    if not path or path == "-":
        return []
    found: dict[str, None] = {}
    for topic in _topics_of(path):
        if topic.startswith(incomplete):
            found[topic] = None
            if len(found) == MOST_TOPICS:
                break
    return list(found)


def _topics_of(path: str) -> Iterator[str]:
    """Yield the topics of judgments: of TREC's lines at once, of other files by the readers."""
    import gzip

    with suppress(OSError, EOFError, UnicodeDecodeError):
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as stream:
            lines = stream.read(SCANNED).decode().splitlines()
        fields = [line.split() for line in lines if line.strip() and not line.startswith("#")]
        if fields and len(fields[0]) == 4 and fields[0][3].lstrip("-").isdigit():
            yield from dict.fromkeys(line[0] for line in fields if line)
            return
    with suppress(RankevalError):
        from rankeval.base.wording import decoded
        from rankeval.ranking.qrels import read_qrels

        yield from map(decoded, read_qrels(path).topics)


def suites(context: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of a suite in --config, or in the nearest file of suites."""
    from rankeval.commands.gate.suites.read_suites import names_of_suites

    with suppress(RankevalError):
        return one_of(names_of_suites(context.params.get("config")))(incomplete)
    return []


def catalogue() -> str:
    """Return the measures with titles, parameters and the values of these, as JSON."""
    import json

    from rankeval.commands.measures.task import search_measures

    known: dict[str, dict[str, Any]] = {
        one.name: {
            "at": next((p.name for p in one.parameters if p.sign == "@"), None),
            "title": one.documentation.title.partition(":")[0].rstrip("."),
            "parameters": {
                p.name: re.findall(r"'[\w -]+'|\bTrue\b|\bFalse\b|\bNone\b", p.allowed)
                or ([p.default] if p.default else [])
                for p in one.parameters
                if p.sign != "@"
            },
        }
        for one in search_measures()
    }
    return json.dumps(known, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(catalogue(), end="")  # noqa: T201  `make docs` writes it to CATALOGUE
