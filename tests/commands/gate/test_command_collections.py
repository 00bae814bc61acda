"""Suites over collections: a suite for each collection, in one report."""

import json

import pytest

from tests.support.gate_files import PERFECT, QRELS, worse_on

COLLECTIONS = """
[collection.wiki]
qrels = "qrels.txt"
runs = { production = "base.txt", hybrid = "candidate.txt" }

[collection.news]
qrels = "qrels.txt"
runs = { production = "base.txt", hybrid = "base.txt" }
"""
SUITE = """
collections = "beir.toml"
baseline = "production"
runs = ["hybrid"]

[suite.beir.rules]
max-drop = { RR = 0.01 }
"""


@pytest.fixture
def gate(shell):
    shell.write(qrels=QRELS, base=PERFECT, candidate=worse_on(4))
    shell.path("beir.toml").write_text(COLLECTIONS)
    shell.path("rankeval.toml").write_text(SUITE)
    return shell


def test_each_collection_has_a_suite_of_its_own(gate):
    done = gate("gate", "-f", "json")

    report = json.loads(done.out)
    assert (done.code, report["exit_code"]) == (1, 1)
    found = {one["suite"]: (one["passed"], one["candidates"]) for one in report["suites"]}
    assert found == {"beir/wiki": (False, ["hybrid"]), "beir/news": (True, ["hybrid"])}


def test_paths_may_hold_the_name_of_the_collection(gate):
    for name, run in (("wiki", worse_on(4)), ("news", PERFECT)):
        gate.path(f"{name}.run").write_text(run)
    gate.path("rankeval.toml").write_text(SUITE.replace('"hybrid"', '"{collection}.run"'))

    report = json.loads(gate("gate", "--suite", "beir", "-f", "json").out)

    assert [one["passed"] for one in report["suites"]] == [False, True]


@pytest.mark.parametrize(
    ("suite", "problem"),
    [
        (SUITE.replace("hybrid", "hybird"), "perhaps hybrid"),
        (SUITE.replace("beir.toml", "none.toml"), "none.toml"),
        (SUITE.replace("RR = 0.01", '"RR on macro mean" = 0.01'), "unknown measure 'on'"),
    ],
)
def test_what_is_wrong_ends_with_2(gate, suite, problem):
    gate.path("rankeval.toml").write_text(suite)

    done = gate("gate")

    assert done.code == 2
    assert problem in done.err + done.out


def test_a_system_without_a_run_on_a_collection_ends_with_2(gate):
    gate.path("beir.toml").write_text(COLLECTIONS.replace(', hybrid = "base.txt"', ""))

    done = gate("gate")

    assert (done.code, "hybrid has no run here" in done.err) == (2, True)
