"""Measure how often a gate by bets over nights is wrong, and after how many nights it sees a drop.

    python -m docs.studies.night_rates [--repetitions N] [--seed N]

Prints tables for docs/statistics/nights.md, in percent: years of clean nights with an alarm, for
several kinds of differences, and for ten candidates and rules; nights until a drop is shown, beside
one test a night; and what one look shows. 60 topics; the limit is 0.01 under not-shown-worse, whose
null hypothesis is "no drop", and under not-shown-beyond-limit "at most the limit".
"""

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from docs.studies.differences import Floats
from docs.studies.rate_table import Table, print_tables
from rankeval.stats import excess_p_values
from rankeval.stats.night_bets import Capital

ALPHA, LIMIT, TOPICS = 0.05, 0.01, 60
SPREAD = 0.05
LOOKS = (200, 1_000)
LINES = 1_000
"""Lines that are simulated at a time, at most."""

Nights = Callable[[np.random.Generator, int, int], Iterator[Floats]]
"""Yields the losses of each night: of lines, topics."""


def normal(rng: np.random.Generator, lines: int, nights: int) -> Iterator[Floats]:
    """Normal losses."""
    for _ in range(nights):
        yield rng.normal(0.0, SPREAD, (lines, TOPICS))


def skewed(sign: float) -> Nights:
    """Exponential losses less their mean, of which few are large; or gains of which few are."""

    def losses(rng: np.random.Generator, lines: int, nights: int) -> Iterator[Floats]:
        for _ in range(nights):
            yield sign * (rng.exponential(SPREAD, (lines, TOPICS)) - SPREAD)

    return losses


def sparse(rng: np.random.Generator, lines: int, nights: int) -> Iterator[Floats]:
    """One topic of twenty differs, by up to 0.5."""
    for _ in range(nights):
        differs = rng.random((lines, TOPICS)) < 0.05
        yield differs * rng.uniform(-0.5, 0.5, (lines, TOPICS))


def tied(rng: np.random.Generator, lines: int, nights: int) -> Iterator[Floats]:
    """Differences of -0.1, 0 and 0.1."""
    for _ in range(nights):
        yield 0.1 * rng.integers(-1, 2, (lines, TOPICS))


def growing(rng: np.random.Generator, lines: int, nights: int) -> Iterator[Floats]:
    """Normal losses whose deviation grows to the fourfold."""
    for night in range(nights):
        yield rng.normal(0.0, SPREAD * (1 + 3 * night / nights), (lines, TOPICS))


def dependent(rng: np.random.Generator, lines: int, nights: int) -> Iterator[Floats]:
    """Normal losses whose deviation follows the mean of the night before."""
    last = np.zeros(lines)
    for _ in range(nights):
        found = rng.normal(size=(lines, TOPICS)) * (SPREAD * (0.5 + 100 * abs(last)))[:, None]
        last = found.mean(axis=1)
        yield found


def with_luck(share: float) -> Nights:
    """Normal losses of which a share of the variance is the topic's, the same every night."""

    def losses(rng: np.random.Generator, lines: int, nights: int) -> Iterator[Floats]:
        own = rng.normal(0.0, SPREAD * share**0.5, (lines, TOPICS))
        for _ in range(nights):
            yield own + rng.normal(0.0, SPREAD * (1 - share) ** 0.5, (lines, TOPICS))

    return losses


KINDS: Mapping[str, Nights] = {
    "normal": normal,
    "skewed, few lose much": skewed(1.0),
    "skewed, few gain much": skewed(-1.0),
    "sparse": sparse,
    "tied": tied,
    "growing noise": growing,
    "dependent nights": dependent,
    "10% of the variance the topics' own": with_luck(0.1),
    "half of the variance the topics' own": with_luck(0.5),
}


class Line:
    """Bets of several lines against losses beyond a limit, as a gate without ties keeps them."""

    def __init__(self, lines: int, limit: float, tolerated: float, family: int = 1) -> None:
        self.limit, self.tolerated, self.family = limit, tolerated, family
        self.capital = Capital.first(lines)
        self.nights = np.zeros(lines, dtype=int)

    def alarms(self, losses: Floats) -> Floats:
        """Return which lines have an alarm after a night of losses (lines, n)."""
        self.nights += 1
        units = (losses - self.limit) / (1.0 + self.limit)
        kept, at_stake = self.capital.kept.copy(), self.capital.at_stake.copy()
        for night in np.unique(self.nights).tolist():
            rows = self.nights == night
            after = Capital(kept[rows], at_stake[:, rows]).after(units[rows], night)
            kept[rows], at_stake[:, rows] = after.kept, after.at_stake
        evidence = Capital(kept, at_stake).whole
        exceeds = losses.mean(axis=1) > self.tolerated
        found: Floats = exceeds & (evidence > np.log(self.family / ALPHA))
        settled = ~exceeds & (evidence > np.log(1 / ALPHA))
        kept[settled], at_stake[:, settled], self.nights[settled] = 0.0, -np.inf, 0
        self.capital = Capital(kept, at_stake)
        return found


def clean_years(repetitions: int, seed: int) -> Table:
    """Lines with an alarm in clean nights, of one candidate, and of ten."""
    rows = []
    for name, kind in KINDS.items():
        rng = np.random.default_rng(seed)
        worse = Line(repetitions, 0.0, LIMIT)
        beyond = Line(repetitions, LIMIT, LIMIT)
        ten = Line(repetitions, 0.0, LIMIT, family=10)
        ever = np.zeros((3, repetitions), dtype=bool)
        rates: list[float] = []
        for night, losses in enumerate(kind(rng, repetitions, LOOKS[-1]), 1):
            clipped = np.clip(losses, -1.0, 1.0)
            ever |= [line.alarms(clipped) for line in (worse, beyond, ten)]
            if night in LOOKS:
                tens = ever[2, : repetitions // 10 * 10].reshape(-1, 10).any(axis=1)
                rates += [100 * float(np.mean(one)) for one in (ever[0], ever[1], tens)]
        rows.append(((name,), tuple(rates)))
    heads = tuple(
        f"{policy}, {looks} nights"
        for looks in LOOKS
        for policy in ("`not-shown-worse`", "`not-shown-beyond-limit`", "ten candidates or rules")
    )
    lines = (repetitions, repetitions, repetitions // 10) * 2
    return Table("Lines of clean nights with an alarm", ("differences", *heads), tuple(rows), lines)


def delays(repetitions: int, seed: int) -> Table:
    """Drops that are shown within some nights, when they begin on night 51."""
    rows = [
        (f"{drop:g}", str(nights))
        for drop in (0.01, 0.02, 0.025, 0.05)
        for nights in (1, 3, 5, 10, 30)
    ]
    found: dict[tuple[str, str], tuple[float, ...]] = {}
    for drop in (0.01, 0.02, 0.025, 0.05):
        rng = np.random.default_rng(seed)
        worse, beyond = Line(repetitions, 0.0, LIMIT), Line(repetitions, LIMIT, LIMIT)
        ever = np.zeros((3, repetitions), dtype=bool)
        for night, noise in enumerate(normal(rng, repetitions, 80), 1):
            losses = np.clip(noise + (drop if night > 50 else 0.0), -1.0, 1.0)
            alarms = [worse.alarms(losses), beyond.alarms(losses)]
            if night > 50:
                alone = excess_p_values(losses.T, -1.0) < ALPHA
                ever |= [*alarms, alone & (losses.mean(axis=1) > LIMIT)]
                key = f"{drop:g}", str(night - 50)
                found[key] = tuple(100 * float(one.mean()) for one in ever)
    heads = ("`not-shown-worse`", "`not-shown-beyond-limit`", "a test every night, alone")
    title = "Drops from night 51 on that are shown within some nights"
    table = tuple((labels, found[labels]) for labels in rows)
    return Table(title, ("drop", "nights", *heads), table)


def one_look(repetitions: int, seed: int) -> Table:
    """Drops of 0.05 that the first night shows, beside a gate without a sequence."""
    rows = []
    for n_topics in (60, 100, 200):
        for spread in (0.05, 0.1, 0.2):
            rng = np.random.default_rng(seed)
            losses = np.clip(rng.normal(0.05, spread, (repetitions, n_topics)), -1.0, 1.0)
            first = Line(repetitions, 0.0, LIMIT).alarms(losses)
            alone = (excess_p_values(losses.T, -1.0) < ALPHA) & (losses.mean(axis=1) > LIMIT)
            rates = tuple(100 * float(one.mean()) for one in (first, alone))
            rows.append(((str(n_topics), f"{spread:g}"), rates))
    title = "Drops of 0.05 that the first night shows"
    heads = ("topics", "deviation", "a sequence", "a gate alone")
    return Table(title, heads, tuple(rows))


def tables(repetitions: int = 1_000, seed: int = 1) -> Iterator[Table]:
    """All tables, one after the other."""
    yield one_look(repetitions, seed)
    yield delays(repetitions, seed)
    yield clean_years(repetitions, seed)


if __name__ == "__main__":
    print_tables(__doc__, tables, repetitions=1_000, seed=1)
