"""The history of gates as a result: suites, the measures of each, and their changes."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from rankeval.base.frozen import frozen
from rankeval.base.shown import InPapers, LookOfResults
from rankeval.commands.trend.nights import CANNOT_TELL

if TYPE_CHECKING:
    from pandas import DataFrame


@frozen
class LevelChange:
    """A change of the level of a measure between two nights.

    ================= ==================================================================
    time, commit      of the first night after it; the commit is "" if none is known
    commit_before     commit of the night before it
    before, after     median of the nights since the change before, and until the next one
    nights_before     number of these nights
    nights_after      likewise
    p_value           corrected for all series of the history, and for a look every night
    judgments_changed True if the judgments of the two nights differ
    ================= ==================================================================
    """

    time: datetime
    commit: str
    commit_before: str
    before: float
    after: float
    nights_before: int
    nights_after: int
    p_value: float
    judgments_changed: bool

    @property
    def fell(self) -> bool:
        """Return True if the measure is lower after it."""
        return self.after < self.before

    @property
    def same_commit(self) -> bool:
        """Return True if both nights are known to have the same commit."""
        return bool(self.commit) and self.commit == self.commit_before


@frozen
class MeasureTrend:
    """The means of one run in one measure, from night to night.

    =========== ========================================================================
    suite       name of the suite; "" for none
    measure     name of the measure
    collection  the collection, "macro mean" or "worst collection"; "" for a suite over none
    group       group of topics; "" for all topics
    role        "candidate", "baseline" or "golden"
    run         name of the run, "(changing name)" if it has another one every night
    loss        True when smaller is better
    times       of the nights, in UTC
    commits     "" for none
    values      means, one a night
    outcomes    "passed", "failed" or "cannot tell", by night; "" without a rule
    changes     of the level, in the order of time; only candidates are tested
    =========== ========================================================================
    """

    suite: str
    measure: str
    collection: str
    group: str
    role: str
    run: str
    loss: bool
    times: tuple[datetime, ...]
    commits: tuple[str, ...]
    values: tuple[float, ...]
    outcomes: tuple[str, ...]
    changes: tuple[LevelChange, ...] = ()

    @property
    def name(self) -> str:
        """Return measure, collection and group as rules name them: nDCG@10 on scifact in hard."""
        on = f" on {self.collection}" if self.collection else ""
        return f"{self.measure}{on}" + (f" in {self.group}" if self.group else "")

    @property
    def passed(self) -> int:
        """The number of nights on which all rules on it were kept, and tests could tell."""
        return self.outcomes.count("passed")

    @property
    def failed(self) -> int:
        """The number of nights on which a rule on it was broken."""
        return self.outcomes.count("failed")

    @property
    def cannot_tell(self) -> int:
        """The number of nights on which a test could not tell."""
        return self.outcomes.count(CANNOT_TELL)

    @property
    def state(self) -> str:
        """Return "fell" or "rose" for good, "recovered" for a change that was made good, or "".

        The last change decides: it is for good if its level has not been left since. One for the
        better right behind one for the worse is a recovery.
        """
        if not self.changes:
            return ""
        *_, last = self.changes
        before = self.changes[-2] if len(self.changes) > 1 else None
        if before is not None and before.fell != last.fell and last.fell == self.loss:
            return "recovered"
        return "fell" if last.fell else "rose"


@frozen
class SuiteTrend:
    """The nights of one suite.

    ====== =============================================================================
    suite  name; "" for none
    times  of the nights, in UTC; a gate that was repeated on a day counts once
    passed number of nights on which the gate passed
    failed number of nights on which a rule was broken
    errors number of nights on which the gate could not judge
    series the measures of the candidates, each with those of the baselines behind it
    ====== =============================================================================
    """

    suite: str
    times: tuple[datetime, ...]
    passed: int
    failed: int
    errors: int
    series: tuple[MeasureTrend, ...]


@frozen
class Trend(InPapers):
    """The history of some suites, and the changes in it.

    ======== ===========================================================================
    suites   in the order of their first nights
    alpha    largest p-value of a change that is named; docs/trend.md has the risk
    seed     of the permutations behind the p-values
    tested   number of candidates' series that could have changed, which Holm's correction is over
    fewest   number of nights that a series needs for a change to be named among so many
    warnings about the history
    ======== ===========================================================================
    """

    suites: tuple[SuiteTrend, ...]
    alpha: float
    seed: int
    tested: int
    fewest: int
    warnings: tuple[str, ...]

    __repr__ = InPapers.__repr__

    def _look(self) -> LookOfResults:
        from rankeval.commands.trend.show import look

        return look()

    @property
    def series(self) -> tuple[MeasureTrend, ...]:
        """Return the series of all suites."""
        return tuple(one for suite in self.suites for one in suite.series)

    @property
    def changed(self) -> tuple[MeasureTrend, ...]:
        """Return the series that have changed."""
        return tuple(one for one in self.series if one.changes)

    def to_frame(self) -> DataFrame:
        """Return a pandas DataFrame with a row for each series and night."""
        import pandas as pd  # slow to import

        rows = [
            (one.suite, one.measure, one.collection, one.group, one.role, one.run, *night)
            for one in self.series
            for night in zip(one.times, one.commits, one.values, one.outcomes, strict=True)
        ]
        named = ["suite", "measure", "collection", "group", "role", "run"]
        return pd.DataFrame(rows, columns=[*named, "time", "commit", "value", "outcome"])
