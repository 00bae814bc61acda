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


def test_the_table_has_means_and_with_v_differences(people):
    outcome, whole = people(*words("-m", "AP")), people(*words("-m", "AP", "-v"))

    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert " ".join(lines[:2]) == (
        "Means over all topics that users might ask: people judged 16 of 50 topics, drawn at "
        "random; the machine judged all."
    )
    assert max(map(len, lines)) <= 80
    assert lines[-1] == "-v says more"
    (pair,) = json.loads(people(*words("-m", "AP", "-f", "json")).out)["differences"]
    value, low, high = (f"{pair['found'][name]:.4f}" for name in ("value", "low", "high"))
    assert f"lsa - bm25 {value} [{low}, {high}]" in " ".join(whole.out.split())
    assert "lsa - bm25" not in outcome.out


def test_json_and_rows_have_every_number(people):
    found = assert_valid(
        json.loads(people(*words("-m", "AP", "-f", "json")).out), "rankeval-estimate/1"
    )
    rows = people(*words("-m", "AP", "-f", "tsv")).out.splitlines()

    assert len(found["runs"]) == 2
    assert len(found["differences"]) == 1
    assert len(rows) == 1 + 3 * 11
    assert rows[1].split("\t")[-1] == repr(found["runs"][0]["found"]["value"])
