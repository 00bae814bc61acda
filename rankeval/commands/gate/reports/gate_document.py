"""The types of the documents of gates and suites, from which their schemas are made."""

from typing import Annotated, Literal, NotRequired, TypedDict

from rankeval.choices import Bound, CorrectionText, Family, GatePolicy, VerdictText
from rankeval.commands.compare.reports.comparison_document import ComparePairedTest
from rankeval.commands.eval.reports.evaluation_document import EvalQrels
from rankeval.output.document_form import Count, Headed, NotNegative, Positive, Risk, Share


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


class GateJudgedCollectionDocument(TypedDict):
    """Collection with its judgments.

    ======= =============================================
    name    Name of the collection.
    part_of Collection that it is a part of; "" for none.
    topics  Number of topics.
    qrels   The judgments.
    ======= =============================================
    """

    name: str
    part_of: str
    topics: Count
    qrels: EvalQrels


class GateDecisionDocument(TypedDict):
    """Statistical choices.

    ============ ==================================================================================
    policy       Verdicts that open the gate.
    alpha        Significance level of the verdicts.
    power        Power of the planning figures.
    test         The test of no drop, one-sided; bound is that of the bound's method.
    correction   Correction of p-values within a family.
    family       The p-values that are corrected together: those of a candidate, of all candidates,
                 or of all suites.
    bound        Confidence bound of a drop.
    planned_drop True drop to plan for, in the measure's units; null for twice the limit.
    seed         Seed of tests that draw at random.
    ============ ==================================================================================
    """

    policy: GatePolicy
    alpha: Risk
    power: Risk
    test: Literal[
        "bound", "betting", "t", "randomization", "bootstrap", "bootstrap-t", "wilcoxon", "sign"
    ]
    correction: CorrectionText
    family: Family
    bound: Bound
    planned_drop: float | None
    seed: Count


class NightBetsDocument(TypedDict):
    """Bets over nights.

    ======== ==================================================================================
    nights   Nights that were bet on.
    p_value  p-value at every look: 1 over the capital, which begins as 1.
    kept     Natural logarithm of the capital that is not staked.
    at_stake Natural logarithms of the capital on each stake; none before the first night.
    ======== ==================================================================================
    """

    nights: Count
    p_value: Share
    kept: float
    at_stake: list[float]


class RuleBetsDocument(TypedDict):
    """Bets on one rule for one candidate.

    ============ =============================================================================
    run          Name of the candidate.
    rule         The rule, with its collection.
    baseline     Mean of the baseline on the last night; null without topics.
    digest       Digest of what topics lost on the last night; an equal one is no new night.
    no_drop      Bets against "no drop".
    within_limit Bets against "a drop of at most the limit".
    ============ =============================================================================
    """

    run: str
    rule: str
    baseline: float | None
    digest: str
    no_drop: NightBetsDocument
    within_limit: NightBetsDocument


class GateSequenceDocument(TypedDict):
    """Sequence of gates.

    ====== ===========================================================
    alpha  Significance level of all looks, rules and candidates together.
    looks  Number of nights on which a value had changed.
    rules  Bets on each rule for each candidate.
    ====== ===========================================================
    """

    alpha: Risk
    looks: Count
    rules: list[RuleBetsDocument]


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


class GateCollectionDropDocument(TypedDict):
    """Drop on one collection.

    ========= ===========================================================================
    name      Name of the collection; its parts are taken together.
    topics    Number of topics.
    baseline  Mean of the baseline; null if it is undefined.
    candidate Mean of the candidate; null if it is undefined.
    drop      Difference by which the candidate is worse; null if it is undefined.
    verdict   Verdict on this collection alone, for the worst collection; null otherwise.
    ========= ===========================================================================
    """

    name: str
    topics: Count
    baseline: float | None
    candidate: float | None
    drop: float | None
    verdict: Literal["worse", "not worse", "cannot tell"] | None


class GateStatisticsDocument(TypedDict):
    """Evidence for a verdict.

    ================= =============================================================================
    limit             Tolerated drop, in the measure's units.
    alpha             Significance level of the verdict.
    power             Power that the planning figures ask for.
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
    smallest_drop     Smallest true drop that these topics detect with this power; null if unknown.
    topics_needed     Topics that show an equal candidate to be not worse with this power; null if
                      unknown.
    planned_drop      True drop that `topics_to_show` is planned for; null if there is none.
    topics_to_show    Topics that detect this drop with this power; null if unknown.
    power_of_smallest Power to detect `smallest_drop`; null if unknown.
    power_of_needed   Power of `topics_needed`; null if unknown.
    power_of_show     Power of `topics_to_show`; null if unknown.
    nights            In a sequence, nights whose bets the p-values rest on; else null.
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
    smallest_drop: float | None
    topics_needed: Positive | None
    planned_drop: float | None
    topics_to_show: Positive | None
    power_of_smallest: Share | None
    power_of_needed: Share | None
    power_of_show: Share | None
    nights: Count | None


class GateOutcomeDocument(TypedDict):
    """Outcome of a rule for a candidate.

    ============== =================================================================================
    run            Name of the candidate.
    rule           The rule, as on the command line.
    kind           Kind of rule.
    group          Group of topics in which the rule holds; "" for all topics.
    collection     Collection in which the rule holds, "macro mean" or "worst collection"; "" for a
                   suite without collections.
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
    tied           True if another order of equal scores could change the outcome.
    tie_range      For max-tie-gap, the means under the worst and the best order of equal scores;
                   else null.
    doubt          Sentence on equal scores that keep the candidate from being shown not worse under
                   the policy shown-not-worse; "" for none.
    seeds          For a candidate that is the mean of several runs, the mean of each of them; else
                   empty.
    baseline_seeds For a baseline that is the mean of several runs, the mean of each of them; else
                   empty.
    message        The outcome in sentences.
    worse_topics   Number of topics that became worse; for max-topic-drop, beyond the limit.
    topics         The worst of these topics, the largest drops first; for max-topic-drop all of
                   them.
    collections    For a rule on several collections, the drop on each; the worst one first, and
                   then the largest drops.
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
        "max-drift",
        "max-tie-gap",
        "max-cost",
        "max-cost-value",
    ]
    group: str
    collection: str
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
    tie_range: NotRequired[tuple[float | None, float | None] | None]
    doubt: NotRequired[str]
    seeds: list[float | None]
    baseline_seeds: list[float | None]
    message: str
    worse_topics: Count
    topics: list[GateTopicDocument]
    collections: list[GateCollectionDropDocument]
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
    collections Collections of a suite over several, whose judgments `qrels` counts together; empty
                for one.
    decision    The way to decide.
    sequence    State of the sequence of gates; null without --sequential.
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
    collections: list[GateJudgedCollectionDocument]
    decision: GateDecisionDocument
    sequence: GateSequenceDocument | None
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


class SequenceDocument(TypedDict):
    """State of a sequence of gates.

    File that `rankeval gate --sequential FILE` writes, and reads again in its next run.

    ====== ===========================================================
    schema Name of this schema.
    alpha  Significance level of all looks, rules and candidates together.
    looks  Number of nights on which a value had changed.
    rules  Bets on each rule for each candidate.
    ====== ===========================================================
    """

    schema: Literal["rankeval-gate-sequence/1"]
    alpha: Risk
    looks: Count
    rules: list[RuleBetsDocument]
