"""Options of the commands that keep the baselines of suites."""

from typing import Annotated

from rankeval.cli.options.file_options import READ
from rankeval.cli.options.panels import RULES

Config = Annotated[
    str | None,
    RULES(
        "--config",
        "FILE",
        "File that holds the suites. Default: the nearest rankeval.toml or pyproject.toml, here or "
        "further up.",
    ),
    READ,
]
AllowMissing = Annotated[
    bool,
    RULES("--allow-missing", "Store a run that lacks judged topics, too; they score 0."),
]
