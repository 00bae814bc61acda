"""`rankeval estimate`: its tables, its JSON, and what it needs."""

import json

import pytest

from tests.support.files import EXAMPLE_QRELS, EXAMPLE_RUNS
from tests.support.schemas import assert_valid


@pytest.fixture
def people(shell):
    lines = EXAMPLE_QRELS.read_text().splitlines(keepends=True)
    shell.path("people.qrels").write_text(
        "".join(line for line in lines if int(line.split()[0]) % 3 == 0)
    )
    return shell


def words(*more):
    runs = map(str, EXAMPLE_RUNS[:2])
    return ("estimate", "people.qrels", *runs, "--machine", str(EXAMPLE_QRELS), *more)


def test_tables_have_means_and_differences(people):
    outcome = people(*words("-m", "AP"))

    assert outcome.code == 0
    lines = outcome.out.splitlines()
    (pair,) = json.loads(people(*words("-m", "AP", "-f", "json")).out)["differences"]
    value, low, high = (f"{pair['found'][name]:+.4f}" for name in ("value", "low", "high"))
    assert (pair["run"], pair["other"], value[0]) == ("lsa", "bm25", "+")
    assert " ".join(lines[:2]) == (
        "Means over all topics that users might ask: people judged 16 of 50 topics, drawn at "
        f"random; the machine judged all. AP: lsa - bm25 is {value} [{low}, {high}]."
    )
    assert lines[4].split() == [
        *("measure", "run", "estimate", "95%", "CI", "people", "machine", "lambda", "saved"),
    ]
    assert max(map(len, lines)) <= 80
    assert lines[-1] == "-v says more"
    assert "Differences between runs" not in lines
    assert "Differences between runs" in people(*words("-m", "AP", "-v")).out.splitlines()


def test_the_best_run_is_before_the_second_in_whatever_order_they_are_given(people):
    files = [*map(str, EXAMPLE_RUNS[:2])]
    more = ["--machine", str(EXAMPLE_QRELS), "-m", "AP"]
    first, second = (
        people("estimate", "people.qrels", *given, *more).out for given in (files, files[::-1])
    )

    assert "AP: lsa - bm25 is +" in first.replace("\n", " ")
    assert first.splitlines()[:2] == second.splitlines()[:2]


def test_json_and_rows_have_every_number(people):
    found = assert_valid(
        json.loads(people(*words("-m", "AP", "--finite", "-f", "json")).out), "rankeval-estimate/1"
    )
    rows = people(*words("-m", "AP", "--finite", "-f", "tsv")).out.splitlines()

    assert found["finite"] is True
    assert len(found["runs"]) == 2
    assert len(found["differences"]) == 1
    assert len(rows) == 1 + 3 * 11
    assert rows[1].split("\t")[-1] == repr(found["runs"][0]["found"]["value"])
