"""Options for tests, corrections, error rates and cutoffs."""

from typing import Annotated

import typer

from rankeval.choices import Bound, Correction, GateTest, TestName, TestText, listed
from rankeval.cli.options.file_options import READ, RunFile
from rankeval.cli.options.panels import STATISTICS
from rankeval.errors import UsageError


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
    typer.Option(
        "--baseline",
        metavar="RUN",
        help="Mark significant differences from RUN, by the paired t test with Holm's correction. "
        "RUN is a file, or the name of one of the runs; it is evaluated first, and once.",
        rich_help_panel=STATISTICS,
    ),
]
PairedTestName = Annotated[
    TestName | None,
    typer.Option(
        "--test",
        metavar="TEST",
        help=f"Paired test: {listed(TestName)}. Default: t, Student's paired t test.",
        rich_help_panel=STATISTICS,
    ),
]
GateTestName = Annotated[
    GateTest | None,
    typer.Option(
        "--test",
        metavar="TEST",
        help=f"One-sided test of 'no drop': {listed(GateTest)}. Default: bound, the method of "
        "--bound, so that test and bound agree.",
        rich_help_panel=STATISTICS,
    ),
]
AnyTestName = Annotated[
    TestText,
    typer.Option(
        "--test",
        metavar="TEST",
        help=f"Significance test: {listed(TestText)}. Default: t, Student's paired t "
        "test. tukey, randomized-tukey and dunnett test all runs at once; bayes gives "
        "probabilities.",
        rich_help_panel=STATISTICS,
    ),
]
CorrectionName = Annotated[
    Correction | None,
    typer.Option(
        "--correction",
        metavar="RULE",
        help=f"Correction of p-values for multiple tests: {listed(Correction)}. Default: "
        "holm; for tests of all runs at once bonferroni, over measures.",
        rich_help_panel=STATISTICS,
    ),
]
PairwiseCorrection = Annotated[
    Correction,
    typer.Option(
        "--correction",
        metavar="RULE",
        help="Correction of the p-values of the pairs of runs of each measure: "
        f"{listed(Correction)}. Default: none.",
        rich_help_panel=STATISTICS,
    ),
]
BoundName = Annotated[
    Bound | None,
    typer.Option(
        "--bound",
        metavar="BOUND",
        help="Method that tests and bounds a drop. betting (default): needs only a measure with a "
        "known range; t: needs fewer topics, but nearly normal differences; both: requires both.",
        rich_help_panel=STATISTICS,
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
    typer.Option(
        "--alpha",
        callback=_risk,
        metavar="RISK",
        help="Significance level: the risk of finding a difference where there is none. "
        "Default: 0.05.",
        rich_help_panel=STATISTICS,
    ),
]
AtPower = Annotated[
    float | None,
    typer.Option(
        "--at-power",
        metavar="SHARE",
        help="Power to plan for: the chance of detecting a true difference. Default: 0.8.",
        rich_help_panel=STATISTICS,
    ),
]
RunCostsFile = Annotated[
    str | None,
    typer.Option(
        "--run-costs",
        metavar="FILE",
        help="What each run costs, for the plot tradeoff: a header, then lines of run and number.",
        rich_help_panel=STATISTICS,
    ),
    READ,
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        min=0,
        help="Seed for random numbers. Default: 0.",
        rich_help_panel=STATISTICS,
    ),
]
