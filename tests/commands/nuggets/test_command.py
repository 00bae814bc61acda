"""`rankeval nuggets`: tables of runs and topics, and warnings."""

import json

import pytest

from tests.support.files import ANSWERS
from tests.support.schemas import assert_valid


@pytest.fixture
def files(shell):
    shell.path("a.jsonl").write_text(ANSWERS)
    shell.path("b.jsonl").write_text(ANSWERS.replace("partial_", ""))
    return shell


def test_runs_are_rows(files):
    outcome = files("nuggets", "a.jsonl", "dense=b.jsonl")

    assert (outcome.code, outcome.err) == (0, "")
    headline, _, title, heads, _, first, second = outcome.out.splitlines()
    assert headline == "dense scores highest: vital_score 1.0000 over 2 topics."
    assert title == "Scores by nuggets, means over topics"
    assert heads.split()[:4] == ["run", "topics", "strict_vital_score", "strict_all_score"]
    assert first.split()[:5] == ["a", "2", "0.5000", "0.5000", "0.7500"]
    assert [cell.rstrip("*") for cell in second.split()] == ["dense", "2", *["1.0000"] * 6]


def test_topics_come_with_q(files):
    lines = files("nuggets", "a.jsonl", "-q").out.splitlines()

    assert lines[:3] == ["a: vital_score 0.7500 over 2 topics.", "", "a, 2 topics"]
    assert [line.split()[0] for line in lines[3:] if line[0].isalnum()] == [
        *("topic", "301", "302", "all")
    ]


def test_json_always_has_the_topics(files):
    """Other commands read it as results."""
    plain = assert_valid(
        json.loads(files("nuggets", "a.jsonl", "-f", "json").out), "rankeval-nuggets/1"
    )
    whole = assert_valid(
        json.loads(files("nuggets", "a.jsonl", "-q", "-f", "json").out), "rankeval-nuggets/1"
    )

    assert plain == whole
    assert whole["runs"][0]["topics"][1]["topic"] == "302"
    assert whole["runs"][0]["topics"][1]["scores"]["vital_score"] == 0.5
    assert plain["runs"][0]["scores"]["vital_score"] == 0.75


def test_lines_have_a_value_each(files):
    rows = [
        line.split("\t") for line in files("nuggets", "a.jsonl", "-q", "-f", "tsv").out.splitlines()
    ]

    assert rows[0] == ["run", "topic", "score", "value"]
    assert ["a", "302", "vital_score", "0.5"] in rows
    assert ["a", "all", "vital_score", "0.75"] in rows
    assert len(rows) == 1 + 3 * 6


def test_standard_input_is_read_once(files):
    outcome = files("nuggets", "-", "-")

    assert outcome.code == 2
