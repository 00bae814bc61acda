"""Options for tests, corrections, error rates and cutoffs."""

from typing import Annotated

from rankeval.cli.options.file_options import READ
from rankeval.cli.options.panels import STATISTICS


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
