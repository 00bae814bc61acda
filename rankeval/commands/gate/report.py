"""The result of a gate, from which the table, every report and the exit code are made."""

from collections.abc import Mapping

from rankeval.base.frozen import field, frozen, replace
from rankeval.commands.gate.rules import Decision, Rule
from rankeval.endings import BAD_INPUT, BUG, INTERRUPTED
from rankeval.errors import RankevalError, printable
from rankeval.evaluation.results import QrelsFacts, RunResult
from rankeval.evaluation.saved_results import is_results_path
from rankeval.evaluation.show import OfRuns
from rankeval.evaluation.shown_texts import TextsLike, texts_of
from rankeval.output.shown import Shown
from rankeval.stats import GateVerdict


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

    ============ =========================================================================
    run          name of the candidate
    rule         the rule
    loss         True when smaller is better
    signature    the conventions behind the numbers
    passed       True if the candidate keeps the rule
    limit        limit in the measure's own units; a share for relative limits of single topics
    baseline     mean of the baseline; None where it is undefined. For rules with a test over the
                 topics for which both have a value
    candidate    mean of the candidate, likewise
    drop         difference by which the candidate is worse; negative when it is better
    verdict      result of the test, for rules with one
    topics       topics that became worse, the largest drops first, up to 50 of them; for
                 max-topic-drop those that exceed the limit
    n_worse      the number of these topics
    n_differing  number of topics whose values differ
    lost         topics for which only the baseline has a value; one is enough to break a rule
                 about drops, and to rule out the verdict "not worse"
    gained       topics for which only the candidate has a value; they rule out "not worse" as well
    inconclusive True if the policy asks for a test, and the test does not decide
    tied         True if the limit lies within what other orders of equal scores give
    seeds        for a candidate that is the mean of several runs, the mean of each of them
    baseline_seeds likewise for the baseline
    ============ =========================================================================
    """

    run: str
    rule: Rule
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
    n_differing: int
    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()
    inconclusive: bool = False
    tied: bool = False
    seeds: tuple[float, ...] = ()
    baseline_seeds: tuple[float, ...] = ()


@frozen
class JudgedSuite:
    """What a gate found in one suite, or in the files that it was given.

    ========== ===========================================================================
    qrels      the judgments
    decision   policy, bound and alpha
    baseline   the values of the baseline
    candidates those of the candidates
    outcomes   one for each candidate and rule, by candidate and then by rule
    production path of the production run, which a saved baseline names, if it is there; "" if not
    golden     path or name of the golden baseline; "" without one
    name       name of the suite, "" for none
    queries    queries of the topics that became worse, where these were given
    ========== ===========================================================================
    """

    qrels: QrelsFacts
    decision: Decision
    baseline: RunResult
    candidates: tuple[RunResult, ...]
    outcomes: tuple[RuleOutcome, ...]
    production: str = ""
    golden: str = ""
    name: str = ""
    queries: Mapping[str, str] = field(default_factory=dict)

    @property
    def runs(self) -> tuple[RunResult, ...]:
        """The runs that were evaluated, with their warnings."""
        every = (self.baseline, *self.candidates)
        return tuple(run for run in every if not is_results_path(run.path))

    @property
    def failed(self) -> tuple[RuleOutcome, ...]:
        """The outcomes of the rules that fail."""
        return tuple(outcome for outcome in self.outcomes if not outcome.passed)

    @property
    def passed(self) -> bool:
        """Return True if every candidate keeps every rule."""
        return bool(self.outcomes) and not self.failed

    @property
    def exit_code(self) -> int:
        """Return 0 if the suite passed, else 1."""
        return 0 if self.passed else 1


@frozen
class GateFailure:
    """The reason why a suite could not be judged; reports show it instead of a verdict.

    ========= ============================================================================
    lines     the error message, line by line; names in it are as given
    kind      name of the error's class
    exit_code 2 if options or files are wrong, another one if the program was stopped
    name      name of the suite, "" for none
    ========= ============================================================================
    """

    lines: tuple[str, ...]
    kind: str
    exit_code: int = 2
    name: str = ""
    error: BaseException | None = field(default=None, compare=False, repr=False)
    passed: bool = False

    @property
    def problem(self) -> str:
        """Return the error message as text that is safe on a terminal."""
        return "\n".join(map(printable, self.lines))


def failure_of(error: BaseException, name: str = "") -> GateFailure:
    """Return an error as a failure."""
    code = INTERRUPTED if isinstance(error, KeyboardInterrupt) else BUG
    if isinstance(error, RankevalError | OSError | MemoryError):
        code = BAD_INPUT
    lines = str(error).splitlines() or [type(error).__name__]
    if isinstance(error, RankevalError):
        first = f"{error.place}: {error.problem}" if error.place else error.problem
        more = {"expected": error.expected, "to fix": error.remedy}
        lines = [first, *(f"{word}: {text}" for word, text in more.items() if text)]
    return GateFailure(tuple(lines), type(error).__name__, code, name, error)


@frozen
class GateReport(OfRuns, Shown):
    """The result of a gate.

    ====== ===============================================================================
    suites one for each suite, in their order: a JudgedSuite, or a GateFailure if it could not be
           judged; of `rankeval.gate` the only one
    ====== ===============================================================================
    """

    suites: tuple[JudgedSuite | GateFailure, ...]

    @property
    def judged(self) -> tuple[JudgedSuite, ...]:
        """The suites that could be judged."""
        return tuple(suite for suite in self.suites if isinstance(suite, JudgedSuite))

    @property
    def outcomes(self) -> tuple[RuleOutcome, ...]:
        """The outcomes of all suites."""
        return tuple(outcome for suite in self.judged for outcome in suite.outcomes)

    @property
    def runs(self) -> tuple[RunResult, ...]:
        """The evaluated runs of all suites."""
        return tuple(run for suite in self.judged for run in suite.runs)

    @property
    def passed(self) -> bool:
        """Return True if every suite passed."""
        return bool(self.suites) and all(suite.passed for suite in self.suites)

    @property
    def exit_code(self) -> int:
        """Return the worst exit code of a suite: 0, 1 if a rule fails, 2 without a verdict."""
        return max((suite.exit_code for suite in self.suites), default=2)

    def with_queries(self, queries: TextsLike | None) -> "GateReport":
        """Add the queries of the topics that became worse; read in one pass for all suites."""
        if queries is None:
            return self
        worse = [topic for suite in self.judged for one in suite.failed for topic in one.topics]
        found = texts_of(queries, None, {topic.topic: () for topic in worse}).queries or {}
        return GateReport(
            tuple(
                replace(one, queries=found) if isinstance(one, JudgedSuite) else one
                for one in self.suites
            )
        )
