"""`rankeval judges --consensus`: the grades of several judges, as judgments and in the report."""

import json

import pytest

import rankeval
from tests.support.schemas import assert_valid

FIRST = "1 0 a 1\n1 0 b 0\n2 0 c 1\n2 0 d 0\n"


@pytest.fixture
def judges(shell):
    shell.path("first.qrels").write_text(FIRST)
    shell.path("second.qrels").write_text(FIRST)
    shell.path("third.qrels").write_text(FIRST.replace("b 0", "b 1").replace("2 0 d 0\n", ""))
    return shell


WORDS = ("judges", "first.qrels", "second.qrels", "third.qrels", "--consensus", "consensus.qrels")


def test_the_consensus_of_two_topics_is_written_as_judgments(judges):
    outcome = judges(*WORDS)

    assert outcome.code == 0
    assert judges.path("consensus.qrels").read_text() == FIRST
    assert "Judges against the consensus: how probable each grade is" in outcome.out


def test_json_has_the_errors_of_each_judge(judges):
    found = assert_valid(json.loads(judges(*WORDS, "-f", "json").out), "rankeval-judges/1")

    matrix = found["consensus"]["confusion"]
    assert [*matrix] == ["first", "second", "third"]
    assert matrix["third"]["0"]["1"] > matrix["first"]["0"]["1"] > 0.0
    assert sum(found["consensus"]["prevalence"].values()) == pytest.approx(1.0)


def test_two_judges_have_no_consensus_and_nothing_is_written(judges):
    outcome = judges("judges", "first.qrels", "third.qrels", "--consensus", "consensus.qrels")

    assert outcome.code == 2
    assert "three judges or more" in outcome.err
    assert not judges.path("consensus.qrels").exists()


def test_there_is_no_consensus_unless_it_is_wanted():
    judged = {"1": {"a": 1, "b": 0}}

    assert rankeval.judges([judged] * 3).consensus is None
