"""Results of an evaluation: values by run, measure and topic, with warnings."""

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Self

from rankeval.support.frozen import frozen

if TYPE_CHECKING:  # the command's --help knows of results, and must not wait for numpy
    from rankeval.support.arrays import Floats


class Notice(str):
    """A warning in one line, as text that knows its parts.

    `found` is the part about this run; `before` and `after` are the same for all runs with such
    a notice, so that the notices of several runs can be printed in one line.
    """

    __slots__ = ("after", "before", "found")

    before: str
    found: str
    after: str

    def __new__(cls, before: str, found: str = "", after: str = "") -> Self:
        """Join the parts to a line."""
        notice = super().__new__(cls, before + found + after)
        notice.before, notice.found, notice.after = before, found, after
        return notice

    def __reduce__(self) -> tuple[type[Self], tuple[str, str, str]]:
        """Copy and pickle it as its parts."""
        return type(self), (self.before, self.found, self.after)


@frozen(eq=False)
class ScoreBounds:
    """Least and greatest score that judging the unjudged documents could lead to.

    ======== =============================================================================
    low      least value of each topic, shape (T,)
    high     greatest value of each topic, shape (T,)
    least    least value over all topics
    greatest greatest value over all topics
    exact    False where the bounds hold, but may not be reachable by any judging
    ======== =============================================================================
    """

    low: "Floats"
    high: "Floats"
    least: float
    greatest: float
    exact: bool


@frozen(eq=False)
class Score:
    """One measure of one run.

    ========= ============================================================================
    measure   canonical name, such as nDCG@10
    as_given  the name in the user's words
    values    one value per topic of the run's result, shape (T,); NaN where undefined
    aggregate all topics in one number; NaN when the measure is defined for none of them
    rule      how the topics became that number, such as "mean"
    loss      True when smaller is better
    signature the conventions behind the number
    bounds    lowest and highest value that judging could give, if requested and known
    span      least and greatest value that a topic can have; None where there is no such range, or
              it is unknown
    ========= ============================================================================
    """

    measure: str
    as_given: str
    values: "Floats"
    aggregate: float
    rule: str
    loss: bool
    signature: str
    bounds: ScoreBounds | None = None
    span: tuple[float, float] | None = None


@frozen
class GroupResult:
    """The values over the topics of a group: how many topics, and one number per score."""

    name: str
    topics: int
    aggregates: tuple[float, ...]


@frozen(eq=False)
class RunResult:
    """The scores of one run, in the order in which the measures were requested.

    Two names of one measure, as in `map AP`, give two scores with the same values.

    `name` is the run's tag, `topics` the topics that were evaluated, and `warnings` the doubts
    that a reader of the numbers should know. If topics were grouped, `groups` holds the values
    by group, and `labels` the group of each topic, "" for a topic without one. `missing` are the
    judged topics that the run lacks, and `tied` counts the topics in which equal scores leave
    open at which rank a document that is judged for any topic stands. `dropped` counts the lines
    of the file that were left out, by kind.
    """

    name: str
    path: str
    topics: tuple[str, ...]
    scores: tuple[Score, ...]
    warnings: tuple[Notice, ...]
    groups: tuple[GroupResult, ...] = ()
    labels: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    tied: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)


@frozen
class QrelsFacts:
    """The judgments of an evaluation: path, counts, digest, and dropped lines by kind."""

    path: str
    topics: int
    judgments: int
    digest: str
    dropped: Mapping[str, int] = field(default_factory=dict)


@frozen
class FailedRun:
    """A run that could not be evaluated: its path, "" for a run in memory, and the error's text."""

    path: str
    error: str


@frozen(eq=False)
class Results:
    """One evaluation: some runs against one set of judgments.

    `failed` are the runs that `on_run_error="skip"` left out.
    """

    qrels: QrelsFacts
    settings: Mapping[str, str | int | float | bool | None]
    runs: tuple[RunResult, ...]
    failed: tuple[FailedRun, ...] = ()
