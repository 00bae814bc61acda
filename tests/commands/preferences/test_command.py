"""`rankeval preferences`: its tables, its documents and its picture."""

import json
from itertools import pairwise

import pytest

from tests.support.files import PREFERENCES
from tests.support.schemas import assert_valid


@pytest.fixture
def votes(shell):
    shell.path("prefs.txt").write_text(PREFERENCES)
    return shell


def test_tables_have_strengths_and_the_matrix_of_wins(votes):
    outcome = votes("preferences", "prefs.txt")

    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[0] == "Strengths by preferences"
    assert lines[1].split() == ["system", "strength", "95%", "won", "lost", "tied"]
    assert lines[3].split()[0] == "bm25"
    assert lines[3].split()[-3:] == ["16", "8", "0"]
    matrix = lines[lines.index("Share won by the row's system, a tie counting half") + 3 :]
    assert [line.split() for line in matrix[:3]] == [
        ["1.", "bm25", "-", "0.67"],
        ["2.", "best", "-", "0.50"],
        ["3.", "dense", "0.33", "0.50"],
    ]
    assert "48 preferences of 24 topics" in outcome.out


def test_many_systems_have_no_matrix_in_the_terminal(shell):
    names = [f"s{i}" for i in range(13)]
    lines = [f"q{i} {a} {b} {'ab'[i % 2]}\n" for i in range(4) for a, b in pairwise(names)]
    shell.path("prefs.txt").write_text("".join(lines))

    assert "The matrix of wins of 13 systems" in shell("preferences", "prefs.txt").out


def test_a_leader_is_said_to_be_stronger(shell):
    lines = [f"q{i} x y {'b' if i % 10 == 0 else 'a'}\n" for i in range(100)]
    shell.path("prefs.txt").write_text("".join(lines))

    assert "x is stronger than y." in shell("preferences", "prefs.txt").out


def test_json_follows_its_schema(votes):
    document = json.loads(votes("preferences", "prefs.txt", "-f", "json").out)

    assert_valid(document)
    assert document["schema"] == "rankeval-preferences/1"
    assert [system["name"] for system in document["systems"]] == ["bm25", "best", "dense"]
    assert len(document["pairs"]) == 3


def test_rows_have_systems_and_pairs(votes):
    lines = votes("preferences", "prefs.txt", "-f", "tsv").out.splitlines()

    assert lines[0] == "system\tother\tstatistic\tvalue"
    assert "bm25\t\twins\t16" in lines
    assert "bm25\tdense\tlosses\t8" in lines


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_a_picture_of_all_pairs_is_drawn(votes, suffix):
    outcome = votes("preferences", "prefs.txt", "--plot", f"pairs.{suffix}", "--size", "page")

    assert outcome.code == 0
    drawn = votes.path(f"pairs.{suffix}").read_bytes()
    assert drawn.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[suffix])
    if suffix == "svg":
        assert b"preferences won by" in drawn


def test_a_picture_of_another_format_is_refused_at_once(votes):
    outcome = votes("preferences", "missing.txt", "--plot", "pairs.gif")

    assert outcome.code == 2
    assert "pairs.gif" in outcome.err


def test_few_topics_are_warned_of(shell):
    shell.path("prefs.txt").write_text("q1 x y a\nq2 x y b\nq3 x y a\n")

    assert "3 topics: intervals are rough below 20" in shell("preferences", "prefs.txt").err


def test_preferences_are_read_from_a_pipe(shell):
    outcome = shell("preferences", "-", stdin=PREFERENCES.encode())

    assert outcome.code == 0
    assert "bm25" in outcome.out
