"""Order systems by pairwise preferences between their answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.base.shown import InPapers, LookOfResults
from rankeval.base.wording import count, finite, listed
from rankeval.choices import Correction
from rankeval.commands.preferences.preference_lines import (
    Preferences,
    PreferencesLike,
    read_preferences,
)
from rankeval.errors import InputError
from rankeval.io.sources.parts import one_state
from rankeval.stats.checked_arrays import require_risk
from rankeval.stats.corrections import adjust_p_values
from rankeval.stats.preference_strengths import (
    Strengths,
    bradley_terry,
    decisions_contradict,
    tables_of,
    unbounded,
)

FEW = 20
"""Topics below which a warning says that intervals are rough."""


@frozen
class PreferredSystem:
    """A system: its strength, the interval of it, and the results of its answers.

    The strength is a logarithm; the mean of all systems is 0. The interval is None for one topic.
    """

    name: str
    strength: float
    low: float | None
    high: float | None
    wins: int
    losses: int
    ties: int


@frozen
class PreferredPair:
    """Two systems: the wins of their answers against each other, and the model's expectation.

    `first` wins with the probability `beats`, and ties with `ties_with`; `p_value` is that of equal
    strength, corrected over all pairs by Holm's method, and None for one topic.
    """

    first: str
    second: str
    wins: int
    losses: int
    ties: int
    beats: float
    ties_with: float
    p_value: float | None


@frozen
class PreferencesReport(InPapers):
    """The order of systems by preferences.

    ======== =======================================================================
    systems  the systems, the strongest first
    pairs    every two of them in this order, compared with each other or not
    ties     Davidson's nu: equal systems tie with the probability nu / (2 + nu)
    number   number of preferences
    topics   number of topics
    level    of the intervals
    warnings sentences
    ======== =======================================================================
    """

    systems: tuple[PreferredSystem, ...]
    pairs: tuple[PreferredPair, ...]
    ties: float
    number: int
    topics: int
    level: float
    warnings: tuple[str, ...] = ()

    __repr__ = InPapers.__repr__

    def _look(self) -> LookOfResults:
        from rankeval.commands.preferences.show import look

        return look()


@one_state()
def preferences(given: PreferencesLike, *, alpha: float = 0.05) -> PreferencesReport:
    r"""Order systems by preferences between the answers of two, as people or models give them.

    ===== ==================================================================================
    given a file of lines `topic a b result`, where the result is a, b or tie; in text, CSV,
          TSV (a header may name the columns, in any order) or JSON Lines. Or rows of these four
          values, records, {column: values} or a table such as a frame of pandas
    alpha intervals have the level 1 - alpha
    ===== ==================================================================================

    Strengths are those of Bradley and Terry's model with Davidson's ties, of the greatest
    likelihood; intervals are Wald's, by the sandwich over topics, whose preferences
    may depend on each other (see `bradley_terry` of `rankeval.stats`).

    InputError for a line that is wrong, and where the preferences give no finite strengths: systems
    that were never compared, directly or by way of others, or of which some won against all others
    and never lost or tied.

    Source: Davidson, "On extending the Bradley-Terry model to accommodate ties in paired comparison
    experiments", Journal of the American Statistical Association 65, 1970.

    >>> found = preferences([("q1", "x", "y", "a"), ("q2", "x", "y", "a"), ("q3", "x", "y", "b")])
    >>> [(system.name, round(system.strength, 3)) for system in found.systems]
    [('x', 0.347), ('y', -0.347)]
    """
    level = 1.0 - require_risk(alpha, "alpha")
    read = read_preferences(given)
    names = sorted({*read.first, *read.second})
    place = {name: at for at, name in enumerate(names)}
    first, second = ([place[name] for name in side] for side in (read.first, read.second))
    _require_estimates(names, first, second, read)
    found = bradley_terry(first, second, read.scores, read.topics, level=level)
    strength = np.round(found.strength, 10)  # equal ones differ in their last digits
    order = sorted(range(len(names)), key=lambda at: (-strength[at], names[at]))
    return PreferencesReport(
        systems=tuple(_system(names, found, at) for at in order),
        pairs=_pairs(names, found, order),
        ties=found.ties,
        number=len(read.scores),
        topics=found.n_topics,
        level=level,
        warnings=tuple(_warnings(found)),
    )


def _system(names: Sequence[str], found: Strengths, at: int) -> PreferredSystem:
    return PreferredSystem(
        name=names[at],
        strength=float(found.strength[at]),
        low=finite(found.low[at]),
        high=finite(found.high[at]),
        wins=int(found.wins[at].sum()),
        losses=int(found.wins[:, at].sum()),
        ties=int(found.tied[at].sum()),
    )


def _pairs(
    names: Sequence[str], found: Strengths, order: Sequence[int]
) -> tuple[PreferredPair, ...]:
    every = list(combinations(order, 2))
    p_values = [float(found.p_value[pair]) for pair in every]
    if not any(map(math.isnan, p_values)):
        p_values = adjust_p_values(p_values, correction=Correction.HOLM).tolist()
    return tuple(
        PreferredPair(
            first=names[i],
            second=names[j],
            wins=int(found.wins[i, j]),
            losses=int(found.wins[j, i]),
            ties=int(found.tied[i, j]),
            beats=float(found.beats[i, j]),
            ties_with=float(1.0 - found.beats[i, j] - found.beats[j, i]),
            p_value=finite(p_value),
        )
        for (i, j), p_value in zip(every, p_values, strict=True)
    )


def _require_estimates(
    names: Sequence[str], first: Sequence[int], second: Sequence[int], read: Preferences
) -> None:
    """Raise InputError if no finite strengths fit; it names the systems at fault."""
    wins, tied = tables_of(first, second, read.scores)
    groups = unbounded(wins, tied)
    if len(groups) > 1:
        met = wins + wins.T + tied > 0
        above, below = groups[0], [at for group in groups[1:] for at in group]
        apart = not met[np.ix_(above, below)].any()
        sides = [listed([names[at].encode() for at in side]) for side in (above, below)]
        problem = "were never compared with" if apart else "never lost to, nor tied with,"
        raise InputError(
            f"strengths have no finite estimate: {sides[0]} {problem} {sides[1]}",
            place=read.place,
            expected="between any two groups of systems a win or a tie in both directions",
            remedy="judge more pairs of these systems, or leave one side out",
        )
    if tied.any() and not decisions_contradict(wins, tied):
        raise InputError(
            "strengths have no finite estimate: so few wins among the ties do not show how "
            "often equal systems tie",
            place=read.place,
            expected="more wins than ties along some cycle, such as wins in both directions",
            remedy="judge more pairs",
        )


def _warnings(found: Strengths) -> list[str]:
    if found.n_topics >= FEW:
        return []
    if found.n_topics == 1:
        return ["one topic gives no intervals, for they rest on differences between topics"]
    return [f"{count(found.n_topics, 'topic')}: intervals are rough below {FEW}"]
