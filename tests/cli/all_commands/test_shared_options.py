"""Options that several commands have mean the same in all of them."""

import json

import pytest

from rankeval.cli.options.evaluating_options import Conventions, ReadingOptions, RunningOptions
from rankeval.cli.options.output_options import NumbersOutput
from tests.support.commands import built_commands
from tests.support.files import qrels_of, run_of

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
QRELS = qrels_of(t1="r1 x0", t2="r1 x0")
BASE = run_of("base", t1="r x", t2="x r")
OTHER = run_of("other", t1="x r", t2="x r")
FORM = ("-f", "json")
CALLS = {
    "eval": lambda *files: ("eval", *files, "-m", "RR", *FORM),
    "compare": lambda *files: ("compare", *files, "-m", "RR", *FORM),
    "diff": lambda *files: ("diff", *files, "-m", "RR", *FORM),
    "explain": lambda *files: ("explain", files[0], files[-1], "t1", "-m", "RR", *FORM),
}
VALUES = {
    "eval": lambda found: next(iter(found["runs"][1]["measures"].values()))["mean"],
    "compare": lambda found: found["comparisons"][0]["summary"]["run_mean"],
    "diff": lambda found: found["measures"][0]["summary"]["run_mean"],
    "explain": lambda found: found["explanations"][0]["value"],
}


@pytest.fixture
def value(shell):
    """Call a command on the files above and give the value of the second run."""
    shell.write(qrels=QRELS, base=BASE, other=OTHER)

    def call(command, *arguments, files=("qrels.txt", "base.txt", "other.txt")):
        outcome = shell(*CALLS[command](*files), *arguments)
        assert outcome.code == 0, outcome.err
        return VALUES[command](json.loads(outcome.out)), outcome.err

    call.shell = shell
    return call


@pytest.mark.parametrize("command", COMMANDS)
class TestEveryCommand:
    """The commands that evaluate take the same options with the same effect."""

    def test_reads_other_formats(self, value, command):
        table = "id,item,points\nt1,x,2\nt1,r,1\nt2,x,2\nt2,r,1\n"
        value.shell.path("base.csv").write_text(table)
        value.shell.path("other.csv").write_text(table)
        files = ("qrels.txt", "base.csv", "other.csv")
        named = (
            *("--qrels-format", "trec", "--run-format", "csv"),
            *("--columns", "topic=id,docno=item,score=points"),
        )

        assert value(command, *named, files=files)[0] == 0.5

    def test_skips_wrong_lines(self, value, command):
        value.shell.write(other=OTHER + "t2 Q0 z 3 abc other\n")

        found, warned = value(command, "--on-error", "skip")

        assert found == 0.5
        assert "1 line dropped" in warned

    def test_takes_the_best_of_repeated_lines(self, value, command):
        value.shell.write(other=OTHER + "t1 Q0 r 3 9 other\n" + "t2 Q0 r 3 9 other\n")

        assert value(command, "--duplicates", "best")[0] == 1

    def test_breaks_ties_as_in_the_file(self, value, command):
        value.shell.write(other=run_of("other", t1="r=x", t2="r=x"))

        assert value(command, "--ties", "input")[0] == 1
        assert value(command)[0] == 0.5

    def test_orders_by_rank(self, value, command):
        value.shell.write(
            **{
                name: f"t1 Q0 x 2 9 {name}\nt1 Q0 r 1 8 {name}\n"
                f"t2 Q0 x 2 9 {name}\nt2 Q0 r 1 8 {name}\n"
                for name in ("base", "other")
            }
        )

        assert value(command, "--order", "rank")[0] == 1
        assert value(command, "--like", "msmarco")[0] == 1
        assert value(command)[0] == 0.5
