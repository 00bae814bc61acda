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
FILES = ("qrels.txt", "bm25.txt")
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


@pytest.mark.parametrize("command", ["eval", "gate"])
def test_the_suffix_of_an_output_file_tells_an_added_format(files, command):
    words = [*words_of(command), "--plugin", "yaml_format.py"]

    outcome = files(*words, "-o", "found.YML")

    assert outcome.out == ""
    assert files.path("found.YML").read_text() == files(*words, "-f", "yaml").out


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
