"""The types of a comparison's document."""

from typing import Annotated, Literal, NotRequired, TypedDict

from docs.pages.contracts.parts import AboveZero, Count, Headed, NotNegative, Risk, Share
from rankeval.choices import CorrectionText, IntervalMethod, TestText


class CompareQrels(TypedDict):
    """Qrels.

    ====== ========================
    digest Digest of the judgments.
    ====== ========================
    """

    digest: str


class CompareMethod(TypedDict):
    """Method.

    ============== =================================================================================
    test           The test.
    correction     Correction of the p-values.
    interval       Interval of the difference.
    alpha          Significance level; intervals have the level 1 - alpha, and are adjusted as
                   p-values are.
    all_pairs      True if every run is compared with every other one.
    power          Power of the planning figures.
    difference     Difference to plan for, in the measure's units or as a share; null without
                   --power.
    relative       True if `difference` is a share of the baseline's mean.
    margins        Margins of equivalence, by measure.
    seed           Seed of tests and intervals that draw at random.
    ============== =================================================================================
    """

    test: TestText
    correction: CorrectionText
    interval: IntervalMethod
    alpha: Risk
    all_pairs: bool
    power: Risk
    difference: AboveZero | None
    relative: bool
    margins: dict[str, AboveZero]
    seed: Count


class CompareRun(TypedDict):
    """Run.

    ======== ========================================
    name     Name of the run.
    path     Path of the run; "" for a run in memory.
    warnings Warnings, one sentence each.
    ======== ========================================
    """

    name: str
    path: str
    warnings: list[str]


class CompareSummary(TypedDict):
    """Summary of differences.

    =================== ===========================================================================
    n_topics            Topics that count.
    n_excluded          Topics left out because a value is undefined.
    baseline_mean       Mean of the baseline over these topics; null without topics.
    run_mean            Mean of the run over these topics; null without topics.
    difference          Mean difference, run minus baseline; null without topics.
    relative_difference The difference as a share of the mean of the baseline; null if that is 0 or
                        undefined.
    median              Median of the differences by topic; null without topics.
    standard_deviation  Standard deviation of the differences, with n - 1; null with fewer than two
                        topics.
    wins                Topics on which the run is better.
    ties                Topics with equal values.
    losses              Topics on which the run is worse.
    =================== ===========================================================================
    """

    n_topics: Count
    n_excluded: Count
    baseline_mean: float | None
    run_mean: float | None
    difference: float | None
    relative_difference: float | None
    median: float | None
    standard_deviation: NotNegative | None
    wins: Count
    ties: Count
    losses: Count


class ComparePairedTest(TypedDict):
    """Paired test.

    =========== ====================================================================
    test        The test; of gates also betting, or both of betting and t.
    alternative Alternative hypothesis: the run is different, better or worse.
    n_topics    Topics that count.
    n_excluded  Topics left out because a value is undefined.
    statistic   The test's statistic; null if it has no finite value.
    p_value     p-value before correction.
    resamples   Number of samples drawn; null for tests that draw none.
    exact       True if the p-value has no approximation and no sampling error.
    seed        Seed of the samples; null if none were drawn.
    note        Reason why the outcome was set by convention; "" if it was computed.
    =========== ====================================================================
    """

    test: Literal["betting", "both", "t", "randomization", "bootstrap", "wilcoxon", "sign"]
    alternative: Literal["two-sided", "greater", "less"]
    n_topics: Count
    n_excluded: Count
    statistic: float | None
    p_value: Share
    resamples: Count | None
    exact: bool
    seed: int | None
    note: str


class CompareInterval(TypedDict):
    """Confidence interval.

    ========== ==========================================================
    method     Method that computed the interval.
    level      Confidence level.
    low        Lower end; null if the topics do not bound the difference.
    high       Upper end; null likewise.
    n_topics   Topics that count.
    n_excluded Topics left out because a value is undefined.
    resamples  Number of bootstrap samples; null if none were drawn.
    seed       Seed of the samples; null if none were drawn.
    ========== ==========================================================
    """

    method: IntervalMethod
    level: Risk
    low: float | None
    high: float | None
    n_topics: Count
    n_excluded: Count
    resamples: Count | None
    seed: int | None


class CompareEquivalence(TypedDict):
    """Two one-sided tests of equivalence.

    ========== ================================================================================
    margin     Smallest difference that is not equivalent.
    alpha      Significance level of the test.
    n_topics   Topics that count.
    n_excluded Topics left out because a value is undefined.
    p_value    The larger one of `p_low` and `p_high`.
    p_low      p-value of the test that the difference is above -margin.
    p_high     p-value of the test that the difference is below margin.
    low        Lower end of the interval at level 1 - 2 alpha; null with fewer than two topics.
    high       Upper end of that interval; null likewise.
    note       Reason why the outcome was set by convention; "" if it was computed.
    ========== ================================================================================
    """

    margin: AboveZero
    alpha: Risk
    n_topics: Count
    n_excluded: Count
    p_value: Share
    p_low: Share
    p_high: Share
    low: float | None
    high: float | None
    note: str


class ComparePosterior(TypedDict):
    """Posterior probabilities.

    ========== ==================================================================================
    margin     Half the width of the region of practical equivalence.
    n_topics   Topics that count.
    n_excluded Topics left out because a value is undefined.
    worse      Probability that the run is worse; null with fewer than two topics.
    equal      Probability that the runs are practically equal; null likewise.
    better     Probability that the run is better; null likewise.
    low        Lower end of the credible interval; null likewise. For a loss, of the improvement.
    high       Upper end of the credible interval; null likewise. For a loss, of the improvement.
    level      Probability of the credible interval.
    ========== ==================================================================================
    """

    margin: NotNegative
    n_topics: Count
    n_excluded: Count
    worse: Share | None
    equal: Share | None
    better: Share | None
    low: float | None
    high: float | None
    level: Risk


class ComparePlanning(TypedDict):
    """Planning.

    ============= ==========================================================================
    difference    Difference to detect, in the measure's units; null if unknown.
    topics_needed Number of topics needed to detect it; null if unknown.
    smallest      Smallest difference that these topics can detect; null if unknown.
    alpha         Significance level of one comparison that both figures assume.
    note          Why a figure is null; empty if none is.
    ============= ==========================================================================
    """

    difference: float | None
    topics_needed: Annotated[int, ("minimum", 3)] | None
    smallest: NotNegative | None
    alpha: Risk
    note: str


class CompareComparison(TypedDict):
    """Comparison of two runs in one measure.

    ============ ===============================================================================
    baseline     Name of the baseline, or of the first run of a pair.
    run          Name of the run that is compared with it.
    group        Group of topics; "" for all topics.
    measure      Canonical name of the measure.
    loss         True when smaller values are better.
    signature    Conventions behind the number: measure, parameters, settings and version.
    summary      The values and their difference.
    test         The paired test; null for tests of all runs and for bayes.
    one_sided    Topics on which the measure is defined for one of the two runs only.
    p            Corrected p-value; null for bayes.
    p_raw        p-value before correction; null for bayes.
    interval     Interval of the difference; null where the test has its own or none.
    low          Lower end of the interval; null if the topics do not bound the difference.
    high         Upper end of the interval; null likewise.
    level        Confidence level of the interval by itself, adjusted as p is; with tukey and
                 dunnett, that of all intervals of the measure together.
    equivalence  Test of equivalence; null without a margin.
    p_equivalent p-value of the test of equivalence, corrected; null without a margin.
    posterior    Probabilities of bayes; null for other tests.
    cohens_dz    Mean difference divided by the standard deviation of the differences; null if that
                 is 0 or unknown.
    planning     Topics that another experiment needs; null without --power.
    seeds        Mean of each run of a system of several; [] for one run.
    baseline_seeds Likewise of the baseline.
    ============ ===============================================================================
    """

    baseline: str
    run: str
    group: str
    measure: str
    loss: bool
    signature: str
    summary: CompareSummary
    test: ComparePairedTest | None
    one_sided: Count
    p: Share | None
    p_raw: Share | None
    interval: CompareInterval | None
    low: float | None
    high: float | None
    level: Risk
    equivalence: CompareEquivalence | None
    p_equivalent: Share | None
    posterior: ComparePosterior | None
    cohens_dz: float | None
    planning: ComparePlanning | None
    seeds: list[float]
    baseline_seeds: list[float]


class CompareRanks(TypedDict):
    """Friedman's test and Nemenyi's critical difference over collections.

    =================== ========================================================================
    n_topics            Collections on which every system has a value.
    n_excluded          Collections left out because a value is undefined.
    mean_ranks          Mean rank of each run, in the order of `runs`; null without collections.
    statistic           Friedman's chi square; null without collections.
    corrected           The same, corrected for ties; null without collections.
    df                  Its degrees of freedom.
    p_value             Its p-value.
    f                   F of Iman and Davenport; null if every collection ranks the runs alike.
    df_f                Its degrees of freedom.
    p_f                 Its p-value.
    critical_difference Mean ranks that differ by more differ significantly; null without
                        collections.
    =================== ========================================================================
    """

    n_topics: Count
    n_excluded: Count
    mean_ranks: list[float] | None
    statistic: float | None
    corrected: float | None
    df: Count
    p_value: Share
    f: float | None
    df_f: list[int]
    p_f: Share
    critical_difference: float | None


class CompareDocument(Headed):
    """Comparison of runs.

    Document that `rankeval compare -f json` writes.

    =========== =========================================================
    qrels       The judgments.
    method      The way to compare.
    runs        The runs, the baseline first.
    comparisons One object per measure, group of topics and pair of runs.
    unit        "cluster" where clusters of topics were compared; absent for topics.
    ranks       Friedman's test of the mean ranks by measure, in the order of `runs`, with Nemenyi's
                critical difference; over collections only.
    =========== =========================================================
    """

    schema: Literal["rankeval-compare/1"]
    qrels: CompareQrels
    method: CompareMethod
    runs: Annotated[list[CompareRun], ("minItems", 2)]
    comparisons: list[CompareComparison]
    ranks: NotRequired[dict[str, CompareRanks]]
    unit: NotRequired[Literal["cluster"]]
