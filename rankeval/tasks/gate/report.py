"""What a gate says: the value behind the table, every report and the exit code."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rankeval.evaluation.results import QrelsFacts, RunResult
from rankeval.stats import GateVerdict
from rankeval.support.frozen import frozen
from rankeval.tasks.gate.decision import Decision
from rankeval.tasks.gate.rules import Rule

if TYPE_CHECKING:  # which knows of decisions
    from rankeval.tasks.gate.sequence import GateSequence


@frozen
class TopicDrop:
    """A topic that became worse; `drop` is above 0 whichever way the measure points."""

    topic: str
    baseline: float
    candidate: float
    drop: float


@frozen
class RuleOutcome:
    """What became of one rule for one candidate.

    ========= ============================================================================
    run       the candidate
    rule      the rule
    measure   canonical name of its measure
    loss      True when smaller is better
    signature the conventions behind the numbers
    passed    whether the rule lets the candidate through
    limit     what the rule came down to, in the measure's own units; for relative limits of
              single topics the share itself
    baseline  mean of the baseline; None where it is undefined; for max-drop over the topics that
              both have a value for
    candidate mean of the candidate, likewise
    drop      how much worse the candidate is, below 0 when it is better
    verdict   what the topics say about the drop, for max-drop only
    topics    topics that became worse, worst first: the first few for max-drop, all that broke
              the limit for max-topic-drop
    n_worse   how many topics became worse, or broke the limit of max-topic-drop
    lost      topics for which the baseline has a value and the candidate none; no limit of a
              drop is kept where there is one, and no verdict is "not worse"
    gained    topics for which the candidate alone has a value; no verdict is "not worse"
    tied      whether the order of equal scores could turn the outcome
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


@frozen
class Shown:
    """A measure without a rule, for the reader; None where a mean is undefined."""

    run: str
    measure: str
    baseline: float | None
    candidate: float | None
    drop: float | None


@frozen
class GateReport:
    """What a gate says: the one value that tables, reports and the exit code are made from.

    ========== ===========================================================================
    baseline   its name
    candidates names of the candidates
    topics     number of topics
    qrels      the judgments
    decision   policy, alpha, test and so on
    outcomes   candidate by candidate, rule by rule
    shown      measures without a rule
    missing    by candidate, the topics that it lacks and that count as if nothing was retrieved
    undefined  by candidate, the measures that have no value for some of these topics
    runs       what was evaluated, with what a reader of the numbers must know
    warnings   what could make the verdict another one
    suite      the suite that asked, "" for none
    sequence   the state of a sequence of gates after this one; None for a gate by itself
    paths      of the baseline and then of each candidate, "" for what is no file
    ========== ===========================================================================
    """

    baseline: str
    candidates: tuple[str, ...]
    topics: int
    qrels: QrelsFacts
    decision: Decision
    outcomes: tuple[RuleOutcome, ...]
    shown: tuple[Shown, ...]
    missing: Mapping[str, tuple[str, ...]]
    undefined: Mapping[str, tuple[str, ...]]
    runs: tuple[RunResult, ...]
    warnings: tuple[str, ...]
    suite: str = ""
    paths: tuple[str, ...] = ()
    sequence: "GateSequence | None" = None

    @property
    def broken(self) -> tuple[RuleOutcome, ...]:
        """The outcomes that close the gate."""
        return tuple(outcome for outcome in self.outcomes if not outcome.passed)

    @property
    def passed(self) -> bool:
        """Whether every rule lets every candidate through."""
        return bool(self.outcomes) and not self.broken

    @property
    def exit_code(self) -> int:
        """0 where the gate is open, 1 where it is closed."""
        return 0 if self.passed else 1


@frozen
class GateFailure:
    """Why a gate could not judge: what its reports say in place of a verdict.

    ========= ============================================================================
    problem   what is wrong, in lines
    kind      the name of the error's class
    exit_code 2 where options or files are wrong, another where the program ended otherwise
    suite     the suite that asked, "" for none
    ========= ============================================================================
    """

    problem: str
    kind: str
    exit_code: int
    suite: str = ""
