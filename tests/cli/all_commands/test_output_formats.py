"""Output formats from outside: a plugin adds YAML, and commands that have -f write it."""

import json

import pytest

import rankeval
from tests.support.words import words_of, written

yaml = pytest.importorskip("yaml")

PLUGIN = """\
import yaml
import rankeval


def as_yaml(document):
    return yaml.safe_dump(document, sort_keys=False)


rankeval.options.output_format("yaml", suffixes=[".yaml", ".yml"], encode=as_yaml)
"""
COMMANDS = ("eval", "gate", "check")


@pytest.fixture
def files(shell):
    shell.path("yaml_format.py").write_text(PLUGIN)
    return written(shell)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_write_a_format_that_a_plugin_adds(files, command):
    words = words_of(command)
    expected = files(*words, "-f", "json")

    outcome = files(*words, "-f", "yaml", "--plugin", "yaml_format.py")

    assert (outcome.code, outcome.err) == (expected.code, expected.err)
    assert yaml.safe_load(outcome.out) == json.loads(expected.out)


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


def test_a_format_that_does_not_exist_is_refused(files):
    refused = files("eval", "qrels.txt", "bm25.txt", "-f", "broken")

    assert (refused.code, "there is no format 'broken'" in refused.err) == (2, True)
