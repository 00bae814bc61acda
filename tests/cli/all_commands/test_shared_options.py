"""Options that several commands have mean the same in all of them."""

import pytest

from rankeval.cli.options.evaluating_options import Conventions, ReadingOptions, RunningOptions
from rankeval.cli.options.output_options import NumbersOutput
from tests.support.commands import built_commands

COMMANDS = ("eval", "compare", "diff", "explain")
"""Those of `gate` are keys of its suites, but for a few."""
SHARED = [
    name
    for group in (Conventions, ReadingOptions, NumbersOutput, RunningOptions)
    for name in group.__dataclass_fields__
    if name != "form"  # each command lists its own formats
]


@pytest.mark.parametrize("name", [*SHARED, "plugins"])
def test_shared_options_are_the_same_everywhere(name):
    known = built_commands()
    found = [
        (one.opts, one.metavar, one.help, one.rich_help_panel)
        for command in COMMANDS
        for one in known[command].params
        if one.name == name
    ]

    assert len(found) == len(COMMANDS)
    assert all(one == found[0] for one in found)


# RR by topic: 1 and 1/2 for `base`, 1/2 and 1/2 for `other`.
