"""A kind of rule is one record: what is in it, options, suites, tables and JSON show."""

import subprocess
import sys

import pytest

from tests.support.gate_files import PERFECT, QRELS, judged, worse_on

NEW_KIND = """
from rankeval.commands.gate.rules import KINDS, Kind

KINDS["max-share-worse"] = Kind(
    "Largest share of the topics that get worse: nDCG@10=0.2.",
    lambda rule, at, found, policy: (at.new < at.old).mean() <= rule.limit,
)
"""
WITH_THE_KIND = (
    NEW_KIND
    + """
import sys
from rankeval.__main__ import run
sys.exit(run(sys.argv[1:]))
"""
)


@pytest.fixture
def with_kind(tmp_path):
    """Run rankeval with one more kind of rule, in a folder with judgments and two runs."""
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "old.txt").write_text(PERFECT)
    (tmp_path / "new.txt").write_text(worse_on(4))
    (tmp_path / "rankeval.toml").write_text(
        'qrels = "qrels.txt"\nbaseline = "old.txt"\nruns = ["new.txt"]\n'
        "rules.max-share-worse = { RR = 0.2 }\n"
    )

    def call(*arguments):
        command = [sys.executable, "-c", WITH_THE_KIND, *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)

    return call


def test_a_new_kind_is_a_record_of_under_ten_lines():
    assert len(NEW_KIND.strip().splitlines()) < 10


def test_a_new_kind_is_an_option_with_its_help(with_kind):
    page = " ".join(with_kind("gate", "--help").stdout.split())

    assert "--max-share-worse" in page
    assert "Largest share of the topics that get worse" in page


@pytest.mark.parametrize(("limit", "code", "word"), [("0.2", 0, "passed"), ("0.19", 1, "failed")])
def test_a_new_kind_is_judged_and_in_the_table_and_in_json(with_kind, limit, code, word):
    """Four of twenty topics get worse."""
    words = ("gate", "qrels.txt", "old.txt", "new.txt", "--max-share-worse", f"RR={limit}")

    table, printed = with_kind(*words), with_kind(*words, "-f", "json")

    assert (table.returncode, printed.returncode) == (code, code), table.stderr
    assert f"{word}  RR" in table.stdout
    assert f"max-share-worse {limit}" in table.stdout
    (rule,) = judged(printed.stdout)["rules"]
    assert (rule["kind"], rule["passed"]) == ("max-share-worse", code == 0)
