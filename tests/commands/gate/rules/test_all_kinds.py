"""A kind of rule is one record: what is in it, options, suites, tables and JSON show."""

import json
import subprocess
import sys

import pytest

from rankeval import UsageError
from rankeval.commands.gate.rules.all_kinds import KINDS
from rankeval.gating import parse_rule
from tests.support.files import run_of
from tests.support.gate_files import QRELS, TOPICS
from tests.support.schemas import schema

OF_A_PLUGIN = """
from dataclasses import replace

import numpy as np

from rankeval.commands.gate.rules.all_kinds import MIN


def improved(case):
    return int(np.sum(case.runs.new > case.runs.old))


MIN_TOPICS_IMPROVED = replace(
    MIN,
    name="min-topics-improved",
    help="Fewest topics that get better: nDCG@10=5.",
    expected="a number of topics such as nDCG@10=5",
    accepts=lambda limit, relative: limit >= 0 and not relative,
    require=lambda rule, measure, settings: None,
    passes=lambda case, policy: improved(case) >= case.limit,
    say=lambda one, digits: [f"at least {one.limit:g} topics have to get better"],
)
"""
WITH_THE_PLUGIN = """
import sys
from rankeval.commands.gate.rules import all_kinds
from of_a_plugin import MIN_TOPICS_IMPROVED
all_kinds.KINDS = (*all_kinds.KINDS, MIN_TOPICS_IMPROVED)
from rankeval.__main__ import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.fixture
def with_plugin(tmp_path):
    """Run rankeval with one more kind of rule, in a folder with judgments and two runs."""
    better = dict.fromkeys(TOPICS, "r x y")
    worse = {t: "x r y" if i < 4 else "r x y" for i, t in enumerate(TOPICS)}
    (tmp_path / "of_a_plugin.py").write_text(OF_A_PLUGIN)
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "old.txt").write_text(run_of("old", **worse))
    (tmp_path / "new.txt").write_text(run_of("new", **better))
    (tmp_path / "rankeval.toml").write_text(
        'qrels = "qrels.txt"\nbaseline = "old.txt"\nruns = ["new.txt"]\n'
        "rules.min-topics-improved = { RR = 4 }\n"
    )

    def call(*arguments):
        command = [sys.executable, "-c", WITH_THE_PLUGIN, *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)

    return call


def test_a_new_kind_is_an_option_with_its_help(with_plugin):
    page = " ".join(with_plugin("gate", "--help").stdout.split())

    assert "--min-topics-improved" in page
    assert "Fewest topics that get better" in page


@pytest.mark.parametrize(("limit", "code", "outcome"), [("4", 0, "pass"), ("5", 1, "FAIL")])
def test_a_new_kind_is_judged_and_in_the_table_and_in_json(with_plugin, limit, code, outcome):
    rule = f"RR={limit}"
    files = ("qrels.txt", "old.txt", "new.txt")

    table = with_plugin("gate", "-v", *files, "--min-topics-improved", rule)
    printed = with_plugin(
        "gate", "-v", *files, "--rule", f"min-topics-improved {rule}", "-f", "json"
    )

    assert (table.returncode, printed.returncode) == (code, code), table.stderr
    assert f"min-topics-improved {rule}" in table.stdout
    assert outcome in table.stdout
    assert f"at least {limit} topics have to get better." in table.stdout
    assert json.loads(printed.stdout)["rules"][0]["kind"] == "min-topics-improved"


def test_a_new_kind_is_a_key_of_suites(with_plugin):
    judged = with_plugin("gate")

    assert judged.returncode == 0, judged.stderr
    assert "min-topics-improved RR=4" in judged.stdout


def test_names_of_kinds_differ_and_are_those_of_the_schema():
    names = [kind.name for kind in KINDS]

    assert len({*names}) == len(names)
    objects = [one.get("properties", {}) for one in schema("rankeval-gate/1")["$defs"].values()]
    enums = [keys["kind"].get("enum") for keys in objects if "relative" in keys]
    assert enums == [names]


def test_every_kind_reads_its_own_example():
    for kind in KINDS:
        example = kind.expected.split(" or ")[0].split()[-1]

        assert str(parse_rule(f"{kind.name} {example}")).startswith(f"{kind.name} ")
        with pytest.raises(UsageError) as refused:
            parse_rule("RR=none", kind.name)
        assert refused.value.expected == kind.expected


def test_an_unknown_kind_is_refused():
    with pytest.raises(UsageError, match="no kind of rule is called 'max-dorp'"):
        parse_rule("max-dorp RR=0.1")
