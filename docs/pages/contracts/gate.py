"""The types of the documents of gates and of suites."""

from typing import Annotated, Literal, NotRequired, TypedDict

from docs.pages.contracts.compare import ComparePairedTest
from docs.pages.contracts.eval import EvalQrels
from docs.pages.contracts.parts import Count, Headed, NotNegative, Positive, Risk, Share
from rankeval.choices import Bound, CorrectionText, GatePolicy, VerdictText


class GateDocument(Headed):
    """Report of a gate.

    Document that `rankeval gate --json FILE` and `rankeval gate -f json` write.
    """

    schema: Literal["rankeval-gate/1"]


class GatePathsDocument(TypedDict):
    """Paths.

    ========== ========================
    baseline   Path of the baseline.
    candidates Paths of the candidates.
    ========== ========================
    """

    baseline: str
    candidates: Annotated[list[str], ("minItems", 1)]


class GateDecisionDocument(TypedDict):
    """Statistical choices.

    ========== ===================================================================
    policy     Verdicts that open the gate.
    alpha      Significance level of the verdicts.
    power      Power of the topics needed.
    correction Correction of the p-values of a candidate's max-drop rules.
    bound      Confidence bound of a drop, and test of no drop.
    ========== ===================================================================
    """

    policy: GatePolicy
    alpha: Risk
    power: Risk
    correction: CorrectionText
    bound: Bound


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
    test: ComparePairedTest
    p_value: Share
    p_beyond_limit: Share
    beyond: bool
    topics_needed: Positive | None


class GateOutcomeDocument(TypedDict):
    """Outcome of a rule for a candidate.

    ============== =================================================================================
    run            Name of the candidate.
    rule           The rule, as on the command line.
    kind           Kind of rule.
    group          Group of topics in which the rule holds; "" for all topics.
    measure        Canonical name of the measure.
    loss           True when smaller values are better.
    signature      Conventions behind the number: measure, parameters, settings and version.
    passed         True if the candidate keeps the rule.
    limit          Limit in the measure's units; a relative limit on single topics stays a share.
    relative       True if the limit is a share of the baseline's value.
    baseline       Mean of the baseline; null if it is undefined.
    candidate      Mean of the candidate; null if it is undefined.
    drop           Drop from baseline to candidate; negative if the candidate is better; null if it
                   is undefined.
    tied           True if the limit lies within what other orders of equal scores give.
    seeds          For a candidate that is the mean of several runs, the mean of each of them; else
                   empty.
    baseline_seeds For a baseline that is the mean of several runs, the mean of each of them; else
                   empty.
    message        The outcome in sentences.
    worse_topics   Number of topics that became worse; for max-topic-drop, beyond the limit.
    topics         The worst of these topics, the largest drops first; for max-topic-drop all of
                   them.
    lost_topics    Topics for which only the baseline has a value.
    gained_topics  Topics for which only the candidate has a value.
    verdict        Verdict of the test. For rules with a test only.
    statistics     Evidence for the verdict. For rules with a test only.
    ============== =================================================================================
    """

    run: str
    rule: str
    kind: Literal[
        "max-drop",
        "min",
        "max",
        "min-gain",
        "max-topic-drop",
        "equivalent",
        "max-drop-from-golden",
    ]
    group: str
    measure: str
    loss: bool
    signature: str
    passed: bool
    limit: float
    relative: bool
    baseline: float | None
    candidate: float | None
    drop: float | None
    tied: bool
    seeds: list[float | None]
    baseline_seeds: list[float | None]
    message: str
    worse_topics: Count
    topics: list[GateTopicDocument]
    lost_topics: list[str]
    gained_topics: list[str]
    verdict: NotRequired[VerdictText]
    statistics: NotRequired[GateStatisticsDocument]


class GateShownDocument(TypedDict):
    """Measure without a rule.

    ========= ====================================================================
    run       Name of the candidate.
    measure   Canonical name of the measure.
    baseline  Mean of the baseline; null if it is undefined.
    candidate Mean of the candidate; null if it is undefined.
    drop      Difference by which the candidate is worse; null if it is undefined.
    ========= ====================================================================
    """

    run: str
    measure: str
    baseline: float | None
    candidate: float | None
    drop: float | None


class GateReportDocument(GateDocument):
    """Report.

    =========== ===================================================================================
    passed      True if every candidate keeps every rule.
    exit_code   Exit code of the command: 0 if the gate passed, 1 if a rule is broken.
    summary     The outcome in one line.
    suite       Name of the suite; "" for none.
    paths       Paths of the runs; "" for runs in memory.
    golden      Path or name of the golden baseline; "" without one.
    baseline    Name of the baseline.
    candidates  Names of the candidates.
    topics      Number of topics.
    qrels       The judgments.
    decision    The way to decide.
    rules       One object per candidate and rule.
    shown       Measures without a rule.
    missing     Judged topics that each candidate lacks, by candidate.
    undefined   Measures that are undefined for some of these topics, by candidate.
    warnings    Warnings, one sentence each.
    =========== ===================================================================================
    """

    passed: bool
    exit_code: Literal[0, 1]
    summary: str
    suite: str
    paths: GatePathsDocument
    golden: str
    baseline: str
    candidates: Annotated[list[str], ("minItems", 1)]
    topics: Count
    qrels: EvalQrels
    decision: GateDecisionDocument
    rules: Annotated[list[GateOutcomeDocument], ("minItems", 1)]
    shown: list[GateShownDocument]
    missing: dict[str, list[str]]
    undefined: dict[str, list[str]]
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


class GateFailureDocument(GateDocument):
    """Failure.

    Document of a gate that could not judge.

    ========= =========================================
    passed    True if every candidate keeps every rule.
    exit_code Exit code of the command.
    summary   The outcome in one line.
    suite     Name of the suite; "" for none.
    error     Error that kept the gate from judging.
    ========= =========================================
    """

    passed: Literal[False]
    exit_code: Annotated[int, ("minimum", 2)]
    summary: str
    suite: str
    error: GateErrorDocument


class GateSuitesDocument(Headed):
    """Report of several suites.

    Document that `rankeval gate --all-suites --json FILE` and `rankeval gate --all-suites -f json`
    write, also for several `--suite`.

    ========= ===============================================================================
    passed    True if every suite passed.
    exit_code Exit code of the command, the worst of a suite: 0 if all passed, 1 if a rule is
              broken, 2 if a suite could not be judged.
    summary   The outcome in one line.
    suites    One document per suite, as the schema rankeval-gate/1 describes it.
    ========= ===============================================================================
    """

    schema: Literal["rankeval-gate-suites/1"]
    passed: bool
    exit_code: Literal[0, 1, 2]
    summary: str
    suites: Annotated[list[GateReportDocument | GateFailureDocument], ("minItems", 1)]
