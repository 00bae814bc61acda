"""The types of the document of a gate."""

from typing import Annotated, Literal, NotRequired, TypedDict

from docs.pages.contracts.compare import ComparePairedTest
from docs.pages.contracts.eval import EvalQrels
from docs.pages.contracts.parts import Count, Headed, NotNegative, Positive, Risk, Share
from rankeval.choices import Bound, GatePolicy, VerdictText


class GateRunDocument(TypedDict):
    """Baseline.

    ==== ===================================
    name Name of the run.
    path Its path; "" for a run in memory.
    ==== ===================================
    """

    name: str
    path: str


class GateCandidateDocument(GateRunDocument):
    """Candidate.

    ======= =================================
    name    Name of the run.
    path    Its path; "" for a run in memory.
    missing Judged topics that it lacks.
    ======= =================================
    """

    missing: list[str]


class GateDecisionDocument(TypedDict):
    """Statistical choices.

    ====== =========================================
    policy What decides.
    bound  Test and interval of a change.
    alpha  Significance level of tests.
    ====== =========================================
    """

    policy: GatePolicy
    bound: Bound
    alpha: Risk


class GateTopicDocument(TypedDict):
    """Topic that became worse.

    ========= ===========================================
    topic     Name of the topic.
    baseline  Value of the baseline.
    candidate Value of the candidate.
    drop      Difference by which the candidate is worse.
    ========= ===========================================
    """

    topic: str
    baseline: float
    candidate: float
    drop: float


class GateStatisticsDocument(TypedDict):
    """Evidence for a verdict.

    ================= =============================================================================
    limit             Tolerated drop, in the measure's units.
    alpha             Significance level of the verdict.
    power             Power of `topics_needed`.
    bound             Method that bounded the drop: the chosen one, or t for a measure without a
                      range.
    bounded           True if the measure has a range.
    n_topics          Topics that count.
    n_excluded        Topics left out because a value is undefined.
    n_changed         Topics on which the runs differ.
    baseline_mean     Mean of the baseline over these topics; null without topics.
    candidate_mean    Mean of the candidate over these topics; null without topics.
    drop              Mean drop; negative if the candidate is better; null without topics.
    exceeds           True if the observed drop is above the limit.
    low               Lower confidence bound of the drop at level 1 - alpha; null if the topics do
                      not bound it.
    high              Upper confidence bound of the drop, likewise.
    interval          Two-sided confidence interval of the drop at level 1 - alpha, likewise.
    test              One-sided test of no drop.
    p_value           p-value of that test, corrected.
    p_beyond_limit    p-value of the test that the drop is at most the limit.
    beyond            True if the drop is shown to be beyond the limit, after correction.
    topics_needed     About how many topics show an equal candidate to be not worse with this power;
                      null if unknown.
    ================= =============================================================================
    """

    limit: NotNegative
    alpha: Risk
    power: Risk
    bound: Bound
    bounded: bool
    n_topics: Count
    n_excluded: Count
    n_changed: Count
    baseline_mean: float | None
    candidate_mean: float | None
    drop: float | None
    exceeds: bool
    low: float | None
    high: float | None
    interval: Annotated[list[float | None], ("minItems", 2)]
    test: ComparePairedTest
    p_value: Share
    p_beyond_limit: Share
    beyond: bool
    topics_needed: Positive | None


class GateOutcomeDocument(TypedDict):
    """Outcome of a rule for a candidate.

    ============== =================================================================================
    rule           The rule, as on the command line, with the canonical name of its measure.
    message        The outcome in one sentence.
    kind           Kind of rule.
    measure        Canonical name of the measure.
    group          Group of topics in which the rule holds; "" for all topics.
    relative       True if the limit is a share of the baseline's value.
    run            Name of the candidate.
    loss           True when smaller values are better.
    signature      Conventions behind the number: measure, parameters, settings and version.
    passed         True if the candidate keeps the rule.
    limit          Limit in the measure's units; a relative limit on single topics stays a share.
    baseline       Mean of the baseline; null if it is undefined.
    candidate      Mean of the candidate; null if it is undefined.
    drop           Drop from baseline to candidate; negative if the candidate is better; null if it
                   is undefined.
    topics         The worst topics, up to 50, the largest drops first; for max-topic-drop those
                   beyond the limit.
    n_worse        Number of topics that became worse; for max-topic-drop, beyond the limit.
    n_differing    Number of topics whose values differ.
    lost           Topics for which only the baseline has a value.
    gained         Topics for which only the candidate has a value.
    inconclusive   True if the policy asks for a test, and the test does not decide.
    tied           True if the limit lies within what other orders of equal scores give.
    seeds          For a candidate that is the mean of several runs, the mean of each of them; else
                   empty.
    baseline_seeds For a baseline that is the mean of several runs, the mean of each of them; else
                   empty.
    verdict        Verdict of the test. For rules with a test only.
    statistics     Evidence for the verdict. For rules with a test only.
    ============== =================================================================================
    """

    rule: str
    message: str
    kind: Literal[
        "max-drop",
        "min",
        "max",
        "min-gain",
        "max-topic-drop",
        "equivalent",
        "max-drop-from-golden",
    ]
    measure: str
    group: str
    relative: bool
    run: str
    loss: bool
    signature: str
    passed: bool
    limit: float
    baseline: float | None
    candidate: float | None
    drop: float | None
    topics: list[GateTopicDocument]
    n_worse: Count
    n_differing: Count
    lost: list[str]
    gained: list[str]
    inconclusive: bool
    tied: bool
    seeds: list[float | None]
    baseline_seeds: list[float | None]
    verdict: NotRequired[VerdictText]
    statistics: NotRequired[GateStatisticsDocument]


class GateSuiteDocument(TypedDict):
    """Suite that was judged.

    =========== ===================================================================================
    name        Name of the suite; "" for none.
    passed      True if every candidate keeps every rule.
    exit_code   0 if the suite passed, 1 if a rule fails.
    summary     The outcome in one line.
    baseline    The baseline.
    candidates  The candidates.
    topics      Number of topics.
    production  Path of the production run, which a saved baseline names, if it is there; "" if not.
    golden      Path or name of the golden baseline; "" without one.
    qrels       The judgments.
    decision    The way to decide.
    rules       One object per candidate and rule.
    below       Worst topics, the next command to type, and conventions, one sentence each.
    warnings    Warnings, one sentence each.
    =========== ===================================================================================
    """

    name: str
    passed: bool
    exit_code: Literal[0, 1]
    summary: str
    baseline: GateRunDocument
    candidates: Annotated[list[GateCandidateDocument], ("minItems", 1)]
    topics: Count
    production: str
    golden: str
    qrels: EvalQrels
    decision: GateDecisionDocument
    rules: Annotated[list[GateOutcomeDocument], ("minItems", 1)]
    below: list[str]
    warnings: list[str]


class GateErrorDocument(TypedDict):
    """Error.

    ======= ====================================
    kind    Class of the error.
    message The message, on one line or several.
    ======= ====================================
    """

    kind: str
    message: str


class GateFailureDocument(TypedDict):
    """Suite that could not be judged.

    ========= =========================================
    name      Name of the suite; "" for none.
    passed    False: without a verdict, no suite passes.
    exit_code Exit code of the command.
    summary   The error in one line.
    error     Error that kept the gate from judging.
    ========= =========================================
    """

    name: str
    passed: Literal[False]
    exit_code: Annotated[int, ("minimum", 2)]
    summary: str
    error: GateErrorDocument


class GateDocument(Headed):
    """Report of a gate.

    Document that `rankeval gate --json FILE` and `rankeval gate -f json` write.

    ========= ===============================================================================
    passed    True if every suite passed.
    exit_code Exit code of the command, the worst of a suite: 0 if all passed, 1 if a rule
              fails, 2 if a suite could not be judged.
    summary   The outcome in one line.
    suites    One object per suite; the only one has no name where no suite was asked for.
    ========= ===============================================================================
    """

    schema: Literal["rankeval-gate/1"]
    passed: bool
    exit_code: Annotated[int, ("minimum", 0)]
    summary: str
    suites: Annotated[list[GateSuiteDocument | GateFailureDocument], ("minItems", 1)]
