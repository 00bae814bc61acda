"""Tests, corrections and risks."""

from enum import StrEnum
from typing import Annotated

import typer

from rankeval.cli.options.panels import STATISTICS


class PairedTests(StrEnum):
    """The paired tests; a test holds these names to those of `rankeval.stats`."""

    T = "t"
    RANDOMIZATION = "randomization"
    BOOTSTRAP = "bootstrap"
    BOOTSTRAP_T = "bootstrap-t"
    WILCOXON = "wilcoxon"
    SIGN = "sign"


class Corrections(StrEnum):
    """The corrections; a test holds these names to those of `rankeval.stats`."""

    HOLM = "holm"
    BONFERRONI = "bonferroni"
    BH = "bh"
    NONE = "none"


class Bounds(StrEnum):
    """How drops are bounded; a test holds these names to those of `rankeval.stats`."""

    T = "t"
    BETTING = "betting"
    BOTH = "both"


PairedTestName = Annotated[
    PairedTests | None,
    typer.Option(
        "--test",
        metavar="TEST",
        help=f"The paired test: {', '.join(PairedTests)}. By default t, Student's.",
        rich_help_panel=STATISTICS,
    ),
]
CorrectionName = Annotated[
    Corrections | None,
    typer.Option(
        "--correction",
        metavar="RULE",
        help=f"Of p-values, for testing several times: {', '.join(Corrections)}. By default holm; "
        "for tests of all runs bonferroni, over measures.",
        rich_help_panel=STATISTICS,
    ),
]
BoundName = Annotated[
    Bounds | None,
    typer.Option(
        "--bound",
        metavar="BOUND",
        help="What shows that a drop is within the limit: betting, the default, which needs a "
        "measure with a range and nothing else; t, which needs less topics but differences that "
        "are near enough to normal; both.",
        rich_help_panel=STATISTICS,
    ),
]
Alpha = Annotated[
    float | None,
    typer.Option(
        "--alpha",
        metavar="RISK",
        help="Risk of finding a difference where there is none, 0.05 by default.",
        rich_help_panel=STATISTICS,
    ),
]
AtPower = Annotated[
    float | None,
    typer.Option(
        "--at-power",
        metavar="SHARE",
        help="Chance of finding a difference that is there, for planning: 0.8 by default.",
        rich_help_panel=STATISTICS,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        min=0,
        help="Seed of what is drawn at random, 0 by default.",
        rich_help_panel=STATISTICS,
    ),
]
