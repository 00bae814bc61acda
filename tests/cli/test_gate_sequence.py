"""`rankeval gate --sequential`: one alpha over all nights."""

import json

import pytest

from rankeval.stats.sequences import alpha_of_look
from tests.support.gate_files import PERFECT, QRELS, worse_on


@pytest.fixture
def night(shell):
    """Judge the run of a night, and give the report as JSON."""
    shell.path("qrels.txt").write_text(QRELS)
    shell.path("base.txt").write_text(PERFECT)

    def judge(n_worse, *options):
        shell.path("candidate.txt").write_text(worse_on(n_worse))
        outcome = shell(
            *("gate", "qrels.txt", "base.txt", "candidate.txt", "--max-drop", "RR=0.05"),
            *("--sequential", "state.json", "-f", "json", *options),
        )
        return outcome.code, json.loads(outcome.out) if outcome.out else outcome.err

    judge.state = shell.path("state.json")
    return judge


def test_each_new_candidate_is_judged_at_a_smaller_level(night):
    for look, n_worse in enumerate((1, 2, 1, 3), start=1):
        _, report = night(n_worse)

        assert report["sequence"]["looks"] == look
        assert report["decision"]["alpha"] == pytest.approx(alpha_of_look(0.05, look))
        assert report["rules"][0]["statistics"]["alpha"] == report["decision"]["alpha"]
        assert json.loads(night.state.read_text())["looks"] == look


def test_the_same_values_again_are_no_new_look(night):
    first, again = night(2), night(2)

    assert first == again
    assert again[1]["sequence"]["looks"] == 1


def test_another_rule_is_a_new_look(night):
    night(2)
    _, report = night(2, "--max-drop", "P@1=0.05")

    assert report["sequence"]["looks"] == 2


def test_a_drop_that_one_night_shows_may_not_be_enough_later(night):
    """5 of 20 topics lose 0.5: p = 0.01, enough for the first look (0.025), not for the third."""
    policy = ("--policy", "significant")
    code, report = night(5, *policy)
    assert (code, report["rules"][0]["verdict"]) == (1, "worse")

    night(0, *policy)
    code, report = night(5, *policy)

    assert (code, report["rules"][0]["verdict"]) == (0, "cannot tell")


@pytest.mark.parametrize(
    "text",
    [
        *("", "{}", "[]", '{"schema": "rankeval-gate-sequence/1", "alpha": 0.05}', "nothing"),
        *(
            f'{{"schema": "rankeval-gate-sequence/1", "alpha": {alpha}, "looks": {looks}, '
            '"digest": ""}'
            for alpha, looks in [
                *((0.05, looks) for looks in (10**400, 10**40, "true", "2.5", '"3"', "NaN", 0)),
                (10**400, 1),
            ]
        ),
    ],
)
def test_a_file_that_is_no_state_is_refused_and_kept(night, text):
    night.state.write_text(text)

    code, told = night(1)

    assert code == 2
    assert "state.json: is not the state of a sequence of gates" in told
    assert night.state.read_text() == text


def test_a_sequence_keeps_the_alpha_that_it_was_begun_with(night):
    night(1)
    code, told = night(1, "--alpha", "0.1")

    assert code == 2
    assert "has the alpha 0.05, but this gate has 0.1" in told


def test_a_suite_names_its_state(shell):
    """The path is relative to the suite's folder, as the others are."""
    shell.path("sub").mkdir()
    shell.path("sub/qrels.txt").write_text(QRELS)
    shell.path("sub/base.txt").write_text(PERFECT)
    shell.path("sub/rankeval.toml").write_text(
        'qrels = "qrels.txt"\nbaseline = "base.txt"\nruns = ["candidate.txt"]\n'
        'sequential = "state.json"\n[rules]\nmax-drop = { RR = 0.05 }\n'
    )
    for look, n_worse in enumerate((1, 2), start=1):
        shell.path("sub/candidate.txt").write_text(worse_on(n_worse))

        outcome = shell("gate", "--config", "sub/rankeval.toml", "-f", "json")

        assert json.loads(outcome.out)["sequence"]["looks"] == look, outcome.err
        assert json.loads(shell.path("sub/state.json").read_text())["looks"] == look
    other = shell("gate", "--config", "sub/rankeval.toml", "--sequential", "own.json", "-f", "json")
    assert json.loads(other.out)["sequence"]["looks"] == 1


def test_the_state_of_a_suite_is_none_of_its_inputs(shell):
    shell.path("qrels.txt").write_text(QRELS)
    shell.path("base.txt").write_text(PERFECT)
    shell.path("rankeval.toml").write_text(
        'qrels = "qrels.txt"\nbaseline = "base.txt"\nruns = ["base.txt"]\n'
        'sequential = "base.txt"\n[rules]\nmax-drop = { RR = 0.05 }\n'
    )

    outcome = shell("gate")

    assert (outcome.code, outcome.out) == (2, "")
    assert "the output would overwrite this input" in outcome.err
    assert shell.path("base.txt").read_text() == PERFECT
