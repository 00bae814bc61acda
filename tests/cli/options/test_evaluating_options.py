"""The options of commands that evaluate runs are keywords of `rankeval.evaluate`."""

import pytest

from rankeval.cli.options.evaluating_options import EvaluatingOptions
from rankeval.cli.options.file_options import RunFile
from rankeval.options import RunNames, Settings
from tests.support.commands import built_commands


def test_options_are_the_keywords_of_evaluate():
    options = EvaluatingOptions(
        depth=5, topics="both", on_error="skip", run_names="stem", jobs=2, quiet=True
    )

    assert options.keywords([RunFile("a.run", "A"), RunFile("b.run")]) == {
        "settings": Settings(depth=5, topics="both", on_error="skip"),
        "run_names": RunNames("stem", ["A", None]),
        "jobs": 2,
    }


@pytest.mark.parametrize("command", ["judges", "systems", "topics", "estimate"])
def test_commands_have_all_of_these_options(command):
    known = {parameter.name for parameter in built_commands()[command].params}

    assert known >= set(EvaluatingOptions.__dataclass_fields__) | {"plugins"}


@pytest.mark.parametrize(
    "command", ["judges qrels.txt new.txt", "systems qrels.txt", "topics qrels.txt"]
)
def test_that_v_says_more_is_said_once(shell, command):
    run = "".join(f"t{i} Q0 {docno} 0 1 {{0}}\n" for i in range(12) for docno in "ab")
    judged = "".join(f"t{i} 0 a 1\n" for i in range(12))
    shell.write(qrels=judged, new=judged, one=run.format("one"), two=run.format("two"))

    told = shell(*command.split(), "one.txt", "two.txt", "-m", "AP")

    assert told.code == 0
    assert (told.out + told.err).count("-v says more") == 1
    assert "could be" in told.err
