"""Output formats from outside: a plugin adds YAML, and every command that has -f writes it."""

import json
import re

import pytest

import rankeval
from tests.support.files import ANSWERS, BM25, DENSE, QRELS

yaml = pytest.importorskip("yaml")

PLUGIN = """\
import yaml
import rankeval


def as_yaml(document):
    return yaml.safe_dump(document, sort_keys=False)


rankeval.options.output_format("yaml", suffixes=[".yaml", ".yml"], encode=as_yaml)
"""
FILES = ("qrels.txt", "bm25.txt")
BOTH = (*FILES, "dense.txt")
COMMANDS = {
    "eval": [*BOTH, "-q", "--bounds"],
    "compare": [*BOTH, "--equivalent", "AP=0.01"],
    "diff": [*BOTH, "--holes"],
    "gate": [*BOTH, "--max-drop", "AP=1", "--min", "AP=0"],
    "judges": ["qrels.txt", "qrels.txt", *BOTH[1:]],
    "estimate": [*BOTH, "--machine", "qrels.txt"],
    "explain": [*FILES, "301"],
    "nuggets": ["answers.jsonl", "-q"],
    "systems": [*BOTH],
    "topics": [*BOTH],
    "pool": [*BOTH[1:], "--depth", "2", "--overlap"],
    "measures": ["nDCG"],
    "check": [*FILES],
}
"""The words of every command that has -f."""


@pytest.fixture
def files(shell):
    shell.path("yaml_format.py").write_text(PLUGIN)
    shell.path("answers.jsonl").write_text(ANSWERS)
    written = shell.write(qrels=QRELS, bm25=BM25, dense=DENSE)
    assert written("eval", *FILES, "-q", "-o", "bm25.json").code == 0
    return written


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_writes_a_format_that_a_plugin_adds(files, command):
    words = [command, *COMMANDS[command]]
    expected = files(*words, "-f", "json")

    outcome = files(*words, "-f", "yaml", "--plugin", "yaml_format.py")

    assert (outcome.code, outcome.err) == (expected.code, expected.err)
    assert yaml.safe_load(outcome.out) == json.loads(expected.out)


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "check"])
def test_the_suffix_of_an_output_file_tells_an_added_format(files, command):
    words = [command, *COMMANDS[command], "--plugin", "yaml_format.py"]

    outcome = files(*words, "-o", "found.YML")

    assert outcome.out == ""
    assert files.path("found.YML").read_text() == files(*words, "-f", "yaml").out


def test_a_gate_that_cannot_judge_says_so_in_an_added_format(files):
    words = ["gate", "qrels.txt", "bm25.txt", "dense.txt", "--plugin", "yaml_format.py"]
    files(*words, "--min", "AP=0", "-o", "gate.yaml")

    outcome = files(*words, "--min", "NoSuch=0", "-o", "gate.yaml")

    written = yaml.safe_load(files.path("gate.yaml").read_text())
    assert outcome.code == 2
    assert (written["passed"], written["suites"][0]["error"]["kind"]) == (False, "MeasureError")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_format_that_nothing_has_added_is_refused(files, command):
    outcome = files(command, *COMMANDS[command], "-f", "toml")

    assert (outcome.code, outcome.out) == (2, "")
    assert "there is no format 'toml'" in outcome.err


def test_md_and_tex_are_short_for_markdown_and_latex(files):
    for short, name in (("md", "markdown"), ("tex", "latex")):
        assert files("eval", *FILES, "-f", short).out == files("eval", *FILES, "-f", name).out


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "check"])
def test_help_lists_the_formats_of_the_command_and_no_others(files, command):
    told = " ".join(files(command, "--help").out.split())
    refused = files(command, *COMMANDS[command], "-f", "toml").err

    listed = re.search(r"(?:format|--covers): ([a-z, ]+), or one that a plugin adds", told).group(1)
    known = re.search(r"expected: one of (.*)", refused).group(1)
    assert sorted(listed.split(", ")) == sorted(known.split(", "))


@pytest.mark.parametrize(
    ("name", "suffixes", "message"),
    [
        ("json", [], "the output format 'json' is built in"),
        ("yaml", [".csv"], "the suffix '.csv' belongs to the output format 'csv'"),
        ("yaml", ["yaml"], "the suffix 'yaml' of the output format 'yaml' can match no file"),
        ("yaml", [".YAML"], "can match no file"),
    ],
)
def test_a_name_or_suffix_that_is_not_free_is_refused(name, suffixes, message):
    with pytest.raises(rankeval.UsageError, match=message):
        rankeval.options.output_format(name, suffixes=suffixes, encode=str)


def test_a_plugin_that_fails_adds_no_format(files):
    files.path("fails.py").write_text(PLUGIN + "1 / 0\n")

    failed = files("eval", *FILES, "-f", "yaml", "--plugin", "fails.py")

    assert failed.code == 2
    assert "fails.py:10: the plugin fails.py cannot be loaded: ZeroDivisionError" in failed.err
    assert "there is no format 'broken'" in files("eval", *FILES, "-f", "broken").err


def test_a_format_may_be_added_again(shell):
    shell.write(qrels=QRELS, bm25=BM25)
    for text in ("once\n", "twice\n"):
        rankeval.options.output_format("mine", suffixes=[".mine"], encode=lambda _, text=text: text)

    assert shell("eval", *FILES, "-f", "mine").out == "twice\n"
