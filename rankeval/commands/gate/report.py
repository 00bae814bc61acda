"""The result of a gate, from which the table, every report and the exit code are made."""

from collections.abc import Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Self

from rankeval.base.dicts import seal
from rankeval.base.frozen import frozen
from rankeval.commands.gate.decision import Decision
from rankeval.commands.gate.rules.rule import Rule
from rankeval.errors import RankevalError, printable
from rankeval.evaluation.notice_lines import OfRuns
from rankeval.evaluation.results import QrelsFacts, RunResult
from rankeval.evaluation.shown_texts import TextsLike, TextSources
from rankeval.output.shown import Shown
from rankeval.stats import GateVerdict

if TYPE_CHECKING:
    from rankeval.output.looks import Look


@frozen
class TopicDrop:
    """A topic that became worse; `drop` is positive, also for measures that should be small."""

    topic: str
    baseline: float
    candidate: float
    drop: float


@frozen
class RuleOutcome:
    """The outcome of one rule for one candidate.

    ========= ============================================================================
    run       name of the candidate
    rule      the rule
    measure   canonical name of its measure
    loss      True when smaller is better
    signature the conventions behind the numbers
    passed    True if the candidate keeps the rule
    limit     limit in the measure's own units; a share for relative limits of single topics
    baseline  mean of the baseline; None where it is undefined. For max-drop and equivalent over
              the topics for which both have a value
    candidate mean of the candidate, likewise
    drop      difference by which the candidate is worse; negative when it is better
    verdict   result of the test, for max-drop and equivalent only
    topics    topics that became worse, the largest drops first: the first few, and for
              max-topic-drop all that exceed the limit
    n_worse   number of topics that became worse, or that exceed the limit of max-topic-drop
    lost      topics for which only the baseline has a value; one is enough to break a rule
              about drops, and to rule out the verdict "not worse"
    gained    topics for which only the candidate has a value; they rule out "not worse" as well
    tied      True if the limit lies within what other orders of equal scores give
    seeds     for a candidate that is the mean of several runs, the mean of each of them
    baseline_seeds likewise for the baseline
    seconds   time that the verdict took; it does not count when outcomes are compared
    ========= ============================================================================
    """

    run: str
    rule: Rule
    measure: str
    loss: bool
    signature: str
    passed: bool
    limit: float
    baseline: float | None
    candidate: float | None
    drop: float | None
    verdict: GateVerdict | None
    topics: tuple[TopicDrop, ...]
    n_worse: int
    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()
    tied: bool = False
    seeds: tuple[float, ...] = ()
    baseline_seeds: tuple[float, ...] = ()
    seconds: float = field(default=0.0, compare=False, repr=False)


@frozen
class ShownMeasure:
    """A measure without a rule, shown for information; None where a mean is undefined."""

    run: str
    measure: str
    baseline: float | None
    candidate: float | None
    drop: float | None


class GateError(Exception):
    """A gate that did not pass; the message is its report, which `report` holds."""

    def __init__(self, report: "Gated") -> None:
        """Take the report of the gate."""
        super().__init__(f"the gate did not pass\n{report!r}")
        self.report = report


class Gated(Shown):
    """The report of gates, which may be required to pass."""

    @property
    def passed(self) -> bool:
        """Return True if the gates passed."""
        raise NotImplementedError

    def require(self) -> Self:
        """Return the report if the gates passed; raise GateError, which shows it, if not.

        >>> from rankeval import gate
        >>> run = {"q1": {"d1": 1}}
        >>> gate({"q1": {"d1": 1}}, run, run, "min RR=0.5").require().passed
        True
        """
        if not self.passed:
            raise GateError(self)
        return self


@frozen
class GateReport(OfRuns, Gated):
    """The result of a gate, from which tables, reports and the exit code are made.

    ========== ===========================================================================
    baseline   name of the baseline
    candidates names of the candidates
    topics     number of topics
    qrels      the judgments
    decision   policy, alpha and so on
    outcomes   one for each candidate and rule, by candidate and then by rule
    shown      measures without a rule
    missing    by candidate, the judged topics that it lacks; they count as empty rankings
    undefined  by candidate, the measures that have no value for some of these topics
    runs       the evaluated runs, with their warnings
    warnings   doubts about the verdict
    suite      name of the suite, "" for none
    paths      path of the baseline and then of each candidate, "" for a run in memory
    golden     path or name of the golden baseline; "" without one
    queries    queries of the topics that became worse, where these were given
    seconds    time that reading, scoring and judging took; it does not count when reports are
               compared
    ========== ===========================================================================
    """

    baseline: str
    candidates: tuple[str, ...]
    topics: int
    qrels: QrelsFacts
    decision: Decision
    outcomes: tuple[RuleOutcome, ...]
    shown: tuple[ShownMeasure, ...]
    missing: Mapping[str, tuple[str, ...]]
    undefined: Mapping[str, tuple[str, ...]]
    runs: tuple[RunResult, ...]
    warnings: tuple[str, ...]
    suite: str = ""
    paths: tuple[str, ...] = ()
    golden: str = ""
    queries: Mapping[str, str] = field(default_factory=dict)
    seconds: float = field(default=0.0, compare=False, repr=False)

    def __post_init__(self) -> None:
        seal(self)

    __repr__ = Shown.__repr__

    def to_markdown(self, *, digits: int | None = None) -> str:
        """Return the summary that `rankeval gate -f markdown` prints."""
        return self._look().printed(self, "markdown", digits=digits)

    @property
    def broken(self) -> tuple[RuleOutcome, ...]:
        """Return the outcomes of broken rules, which fail the gate."""
        return tuple(outcome for outcome in self.outcomes if not outcome.passed)

    @property
    def passed(self) -> bool:
        """Return True if every candidate keeps every rule."""
        return bool(self.outcomes) and not self.broken

    @property
    def exit_code(self) -> int:
        """Return 0 if the gate passed, else 1."""
        return 0 if self.passed else 1


@frozen
class GateFailure:
    """The reason why a gate could not judge; reports show it instead of a verdict.

    ========= ============================================================================
    lines     the error message, line by line; names in it are as given
    kind      name of the error's class
    exit_code 2 if options or files are wrong, another one if the program was stopped
    suite     name of the suite, "" for none
    seconds   time until the error; it does not count when failures are compared
    ========= ============================================================================
    """

    lines: tuple[str, ...]
    kind: str
    exit_code: int
    suite: str = ""
    seconds: float = field(default=0.0, compare=False, repr=False)

    @property
    def problem(self) -> str:
        """Return the error message as text that is safe on a terminal."""
        return "\n".join(map(printable, self.lines))

    @property
    def passed(self) -> bool:
        """Return False: without a verdict, no gate passes."""
        return False


def failure_of(
    error: BaseException, exit_code: int, suite: str = "", *, seconds: float = 0.0
) -> GateFailure:
    """Return an error as a failure."""
    return GateFailure(_lines(error), type(error).__name__, exit_code, suite, seconds)


def _lines(error: BaseException) -> tuple[str, ...]:
    if not isinstance(error, RankevalError):
        return tuple(str(error).splitlines()) or (type(error).__name__,)
    first = f"{error.place}: {error.problem}" if error.place else error.problem
    more = {"expected": error.expected, "to fix": error.remedy}
    return (first, *(f"{word}: {text}" for word, text in more.items() if text))


@frozen
class SuitesReport(Gated):
    """The results of several suites that were judged together.

    ======= ==============================================================================
    reports one for each suite, in their order: a GateReport, or a GateFailure if the suite could
            not be judged
    ======= ==============================================================================
    """

    reports: tuple[GateReport | GateFailure, ...]

    __repr__ = Shown.__repr__

    def _look(self) -> "Look":
        from rankeval.commands.gate.show import look_of_suites

        return look_of_suites()

    def to_markdown(self, *, digits: int | None = None) -> str:
        """Return the summary that `rankeval gate --all-suites -f markdown` prints."""
        return self._look().printed(self, "markdown", digits=digits)

    @property
    def judged(self) -> tuple[GateReport, ...]:
        """Return the reports of the suites that could be judged."""
        return tuple(report for report in self.reports if isinstance(report, GateReport))

    @property
    def runs(self) -> tuple[RunResult, ...]:
        """Return the evaluated runs of all suites."""
        return tuple(run for one in self.judged for run in one.runs)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return the doubts about all verdicts, each with its suite."""
        return tuple(f"{one.suite}: {line}" for one in self.judged for line in one.warnings)

    @property
    def passed(self) -> bool:
        """Return True if every suite passed."""
        return bool(self.reports) and all(report.passed for report in self.reports)

    @property
    def exit_code(self) -> int:
        """Return the worst exit code of a suite: 0, 1 if a rule is broken, 2 without a verdict."""
        return max((report.exit_code for report in self.reports), default=2)


AnyReport = GateReport | SuitesReport | GateFailure
"""The report of a gate, of several suites, or of a gate that could not judge."""


def with_queries(
    reports: tuple[GateReport | GateFailure, ...], queries: TextsLike | None
) -> tuple[GateReport | GateFailure, ...]:
    """Add the queries of the topics that became worse; read in one pass for all reports."""
    if queries is None:
        return reports
    topics = dict.fromkeys(
        topic.topic
        for report in reports
        if isinstance(report, GateReport)
        for outcome in report.outcomes
        for topic in outcome.topics
    )
    found = TextSources(queries).of(dict.fromkeys(topics, ())).queries
    return tuple(
        replace(report, queries=found) if isinstance(report, GateReport) else report
        for report in reports
    )
