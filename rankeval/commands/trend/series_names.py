"""The names of the series of a history: earlier names, and series that others replace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from rankeval.errors import UsageError
from rankeval.io.formats.history_lines import HistoryLine

Names = Mapping[str, str]
"""The present name for each earlier name."""


def renamed(
    lines: Sequence[HistoryLine], aliases: Mapping[str, Names], join: Names
) -> list[HistoryLine]:
    """Return the gates with the names that runs have now.

    `aliases` has the earlier names of each suite's runs, and `join` those of all suites. UsageError
    for a name in `join` that no gate has, and for two names of one gate that would become one.
    """
    there = {name for line in lines for name in (line.baseline, *line.candidates)}
    for old in join:
        if old not in there:
            close = get_close_matches(old, there, n=1)
            known = f"one of {', '.join(sorted(there)[:10])}"
            raise UsageError(
                f"no run of the history is called '{old}'",
                expected=f"perhaps {close[0]}" if close else known,
            )
    return [_renamed(line, {**aliases.get(line.suite, {}), **join}) for line in lines]


def _renamed(line: HistoryLine, names: Names) -> HistoryLine:
    now = {name: _last(name, names) for name in (line.baseline, *line.candidates)}
    if all(name == new for name, new in now.items()):
        return line
    candidates = tuple(now[name] for name in line.candidates)
    if len({*candidates}) < len(candidates):
        both = [name for name in line.candidates if candidates.count(now[name]) > 1]
        raise UsageError(
            f"{' and '.join(both)} were judged side by side on {line.time.date()}, "
            "so they are no one series",
            expected="names that one run had at different times",
        )
    return replace(
        line,
        baseline=now[line.baseline],
        candidates=candidates,
        means=tuple(replace(mean, run=now.get(mean.run, mean.run)) for mean in line.means),
    )


def _last(name: str, names: Names) -> str:
    """Follow earlier names to the one that is there now; a circle ends where it began."""
    seen = {name}
    while (new := names.get(name)) is not None and new not in seen:
        name = new
        seen.add(name)
    return name


def replaced(suite: str, nights: Sequence[HistoryLine]) -> Iterator[str]:
    """Yield a warning for each night on which series of candidates end and others begin."""
    judged = [night for night in nights if night.judged]
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for number, night in enumerate(judged):
        for name in night.candidates:
            first.setdefault(name, number)
            last[name] = number
    alone = all(len(night.candidates) == 1 for night in judged)
    if alone and len(first) == len(judged):  # each night has a name of its own
        return
    for number in range(1, len(judged)):
        ended = [name for name in last if last[name] == number - 1]
        begun = [name for name in first if first[name] == number]
        if ended and begun:
            yield _replaced(suite, ended, begun, [judged[number - 1], judged[number]])


def _replaced(
    suite: str, ended: Sequence[str], begun: Sequence[str], nights: Sequence[HistoryLine]
) -> str:
    before, after = (night.time.date() for night in nights)
    several = "" if len(ended) == len(begun) == 1 else ", each OLD with its NEW"
    pair = f"'{ended[0]}={begun[0]}'" if not several else "OLD=NEW"
    return (
        f"{suite + ': ' if suite else ''}the series of {', '.join(ended)} ends on {before}, and "
        f"that of {', '.join(begun)} begins on {after}; if it is the same system, add "
        f"--join {pair}{several}"
    )
