"""Suites over collections: a suite for each collection, in one report."""

import json

import pytest

from tests.support.gate_files import PERFECT, QRELS, worse_on

SUITE = """
collections = ["wiki", "news"]
qrels = "{collection}.qrels"
baseline = "{collection}.base"
runs = ["hybrid={collection}.run"]

[suite.beir.rules]
max-drop = { RR = 0.01 }
"""


@pytest.fixture
def gate(shell):
    for name, run in (("wiki", worse_on(4)), ("news", PERFECT)):
        shell.path(f"{name}.qrels").write_text(QRELS)
        shell.path(f"{name}.base").write_text(PERFECT)
        shell.path(f"{name}.run").write_text(run)
    shell.path("rankeval.toml").write_text(SUITE)
    return shell


def test_each_collection_has_a_suite_of_its_own_in_one_report(gate):
    done = gate("gate", "-f", "json")

    report = json.loads(done.out)
    assert (done.code, report["exit_code"]) == (1, 1)
    found = {one["name"]: (one["passed"], one["candidates"][0]) for one in report["suites"]}
    assert found == {
        f"beir/{name}": (passed, {"name": "hybrid", "path": f"{name}.run", "missing": []})
        for name, passed in (("wiki", False), ("news", True))
    }


def test_a_collection_without_a_run_ends_with_2_and_the_others_are_judged(gate):
    gate.path("news.run").unlink()

    done = gate("gate")

    assert (done.code, done.out.splitlines()[0]) == (
        2,
        "failed 1 of 2 suites: beir/wiki; cannot judge beir/news",
    )
