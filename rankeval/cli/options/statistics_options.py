"""Options for tests, corrections, error rates and cutoffs."""

from typing import Annotated

from rankeval.choices import Correction, listed
from rankeval.cli.options.file_options import READ, RunFile
from rankeval.cli.options.panels import STATISTICS
from rankeval.errors import UsageError
from rankeval.stats.statistical_tests import PAIRED_TESTS, names_of_tests


def cutoffs_of(text: str) -> list[int]:
    """Read the cutoffs of --cutoffs, in ascending order; UsageError for anything else."""
    try:
        cutoffs = sorted({int(word) for word in text.split(",")})
    except ValueError:
        cutoffs = []
    if not cutoffs or cutoffs[0] < 1:
        raise UsageError(
            f"the cutoffs '{text}' are not possible",
            place="--cutoffs",
            expected="whole numbers of at least 1, such as 1,5,10,100",
        )
    return cutoffs


Baseline = Annotated[
    RunFile | None,
    STATISTICS(
        "--baseline RUN",
        "Mark significant differences from RUN, by the paired t test with Holm's correction. "
        "RUN is a file, or the name of one of the runs; it is evaluated first, and once.",
        common=True,
    ),
]
PairedTestName = Annotated[
    str | None,
    STATISTICS(
        "--test TEST",
        f"Paired test: {listed(PAIRED_TESTS)}. Default: t, Student's paired t test.",
        any_of=PAIRED_TESTS,
    ),
]
AnyTestName = Annotated[
    str,
    STATISTICS(
        "--test TEST",
        f"Significance test: {listed(names_of_tests())}. Default: t, Student's paired t "
        "test. tukey, randomized-tukey and dunnett test all runs at once; bayes gives "
        "probabilities.",
        any_of=names_of_tests(),
    ),
]
CorrectionName = Annotated[
    Correction | None,
    STATISTICS(
        "--correction RULE",
        f"Correction of p-values for multiple tests: {listed(Correction)}. Default: "
        "holm, over the runs that are compared; tests of all runs at once need none.",
    ),
]
PairwiseCorrection = Annotated[
    Correction,
    STATISTICS(
        "--correction RULE",
        "Correction of the p-values of the pairs of runs of each measure: "
        f"{listed(Correction)}. Default: none.",
    ),
]


def _risk(value: float | None) -> float | None:
    """Return the value of --alpha; UsageError for one that is no risk."""
    if value is None:
        return None
    from rankeval.stats.checked_arrays import require_risk

    return require_risk(value, "--alpha")


Alpha = Annotated[
    float | None,
    STATISTICS(
        "--alpha RISK",
        "Significance level: the risk of finding a difference where there is none. Default: 0.05.",
        callback=_risk,
    ),
]
RunCostsFile = Annotated[
    str | None,
    STATISTICS(
        "--run-costs FILE",
        "What each run costs, for the plot tradeoff: a header, then lines of run and number.",
    ),
    READ,
]
Seed = Annotated[int | None, STATISTICS("--seed N", "Seed for random numbers. Default: 0.", min=0)]
