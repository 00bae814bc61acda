"""`rankeval gate --sequential`: one alpha over all nights."""

import json
import subprocess
import sys

import pytest

from rankeval.stats.judging import alpha_of_look
from tests.support.gate_files import PERFECT, QRELS, worse_on
from tests.support.processes import environment


@pytest.fixture
def night(shell):
    """Judge the run of a night, and give the report as JSON."""
    shell.path("qrels.txt").write_text(QRELS)
    shell.path("base.txt").write_text(PERFECT)

    def text(n_worse, *options):
        shell.path("candidate.txt").write_text(worse_on(n_worse))
        return shell(
            *("gate", "qrels.txt", "base.txt", "candidate.txt", "--max-drop", "RR=0.05"),
            *("--sequential", "state.json", *options),
        )

    def judge(n_worse, *options):
        outcome = text(n_worse, "-f", "json", *options)
        return outcome.code, json.loads(outcome.out) if outcome.out else outcome.err

    judge.text = text
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
    policy = ("--policy", "significant", "--test", "t")
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


@pytest.mark.parametrize("looks", ["0", "-1", "1.5", "1.0", "true", '"1"', "null", "1" + "0" * 400])
def test_looks_that_are_no_whole_number_are_refused_by_name(night, looks):
    text = (
        f'{{"schema": "rankeval-gate-sequence/1", "alpha": 0.05, "looks": {looks}, "digest": ""}}'
    )
    night.state.write_text(text)
    code, told = night(1)

    assert code == 2
    assert f'is not the state of a sequence of gates: "looks" is {looks[:30]}' in told
    assert "expected: a whole number from 1 to 1,000,000,000" in told
    assert night.state.read_text() == text


@pytest.mark.parametrize(
    ("key", "value"), [("alpha", "true"), ("alpha", "1.5"), ("alpha", "NaN"), ("digest", "7")]
)
def test_other_wrong_values_of_a_state_are_refused_by_name(night, key, value):
    night(1)
    state = json.loads(night.state.read_text()) | {key: json.loads(value)}
    night.state.write_text(json.dumps(state))
    code, told = night(1)

    assert code == 2
    assert f'gates: "{key}" is {value}' in told


def test_the_folder_of_a_state_is_created(night, shell):
    assert night(1, "--sequential", "line/state.json")[0] == 0
    assert json.loads(shell.path("line/state.json").read_text())["looks"] == 1


@pytest.mark.skipif(sys.platform == "win32", reason="the file is not locked there")
def test_gates_at_the_same_time_lose_no_look(night, shell):
    """Four candidates with other values: each is a look of its own, at a level of its own."""
    night(0)
    words = ["--max-drop", "RR=0.05", "--sequential", "state.json", "-f", "json"]
    gates = []
    for number in range(1, 5):
        shell.path(f"{number}.txt").write_text(worse_on(number))
        command = [sys.executable, "-m", "rankeval", "gate", "qrels.txt", "base.txt"]
        gates.append(
            subprocess.Popen(
                [*command, f"{number}.txt", *words],
                cwd=night.state.parent,
                env=environment(),
                stdout=subprocess.PIPE,
            )
        )
    looks = [json.loads(gate.communicate(timeout=120)[0])["sequence"]["looks"] for gate in gates]

    assert sorted(looks) == [2, 3, 4, 5]
    assert json.loads(night.state.read_text())["looks"] == 5
    assert not list(night.state.parent.glob("*.lock"))


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


def begun_at(night, looks):
    """Let the next candidate be that look of a sequence."""
    state = {"schema": "rankeval-gate-sequence/1", "alpha": 0.05, "looks": looks - 1, "digest": ""}
    night.state.write_text(json.dumps(state))
    return night.state.read_text()


@pytest.mark.parametrize("test", ["randomization", "bootstrap", "bootstrap-t"])
def test_a_look_that_no_draws_can_reach_is_refused(night, test):
    """1 / 100,001 is below the alpha of look 107 and not below that of look 108."""
    assert alpha_of_look(0.05, 108) < 1 / 100_001 < alpha_of_look(0.05, 107)
    options = ("--policy", "significant", "--test", test)
    begun_at(night, 107)
    code, report = night(20, *options)
    assert (code, report["rules"][0]["verdict"]) == (1, "worse")

    before = begun_at(night, 108)
    code, told = night(20, *options)

    assert code == 2
    assert (
        f"--test {test}: 100,000 draws give no p-value below 1e-05 for 1 limited drop, "
        "and alpha is 9.9e-06: no drop could be shown"
    ) in told
    assert night.state.read_text() == before
    assert night(20, "--policy", "significant", "--test", "t")[0] == 1


def test_rules_share_what_the_draws_can_reach(night):
    """Ten rules need ten times as much: look 22 can be judged, and look 23 cannot."""
    assert alpha_of_look(0.05, 23) < 10 / 100_001 < alpha_of_look(0.05, 22)
    rules = [option for k in range(1, 10) for option in ("--max-drop", f"P@{k}=0.05")]
    options = ("--policy", "significant", "--test", "randomization", *rules)
    begun_at(night, 22)
    assert night(20, *options)[0] == 1

    begun_at(night, 23)
    assert night(20, *options)[0] == 2
    begun_at(night, 23)
    assert night(20, *options, "--correction", "none")[0] == 1


def test_draws_that_cannot_reach_a_small_alpha_are_refused_without_a_sequence(night):
    code, told = night(20, "--alpha", "0.000001", "--test", "randomization")

    assert code == 2
    assert "and alpha is 4.9e-07: no drop could be shown" in told


def test_levels_and_p_values_of_late_looks_have_enough_digits(night):
    begun_at(night, 150)

    _, report = night(15, "--policy", "significant", "--test", "t", "--bound", "t")

    alpha = report["decision"]["alpha"]
    assert 100 * alpha == pytest.approx(0.00062, abs=0.00001)
    sentence = report["rules"][0]["message"]
    assert "p = 2e-07; the 99.99938% lower confidence bound" in sentence, sentence


def test_candidates_of_one_look_share_its_alpha(night, shell):
    """Also where the family is all candidates: bounds know no correction."""
    night(1)
    for name in "abc":
        shell.path(f"{name}.txt").write_text(worse_on(3, tag=name))
    for look, family in ((2, ()), (3, ("--family", "candidates"))):
        outcome = shell(
            *("gate", "qrels.txt", "base.txt", "a.txt", "b.txt", "c.txt", "--max-drop", "RR=0.05"),
            *("--sequential", "state.json", "-f", "json", *family, "--seed", str(look)),
        )

        report = json.loads(outcome.out)
        assert report["sequence"]["looks"] == look
        assert report["decision"]["alpha"] == pytest.approx(alpha_of_look(0.05, look) / 3)
        assert report["decision"]["family"] == "rules"
        for rule in report["rules"]:
            p_values = rule["statistics"]["p_value"], rule["statistics"]["test"]["p_value"]
            assert p_values[0] == p_values[1]  # and no correction on top


@pytest.mark.parametrize(
    ("options", "said", "unsaid"),
    [
        ((), ["whatever the differences", "The policy observed uses no test"], ["normal"]),
        (("--policy", "significant"), ["whatever the differences"], ["observed"]),
        (
            ("--policy", "significant", "--test", "t"),
            ["only where the Student's paired t test keeps so small a level", "normal differences"],
            ["whatever"],
        ),
        (("--policy", "beyond", "--bound", "t"), ["only where the Student's paired"], ["whatever"]),
        (("--policy", "beyond", "--correction", "none"), ["worse by each rule with"], []),
    ],
)
def test_a_sequence_promises_what_its_test_and_policy_keep(night, options, said, unsaid):
    outcome = night.text(2, *options, "-f", "markdown")

    (promise,) = [line for line in outcome.out.splitlines() if "Look 1 of a sequence" in line]
    assert all(words in promise for words in said), promise
    assert not any(words in promise for words in unsaid), promise


def test_another_test_of_the_same_values_is_another_look(night):
    night(2, "--test", "randomization")
    _, report = night(2, "--test", "randomization", "--seed", "1")

    assert report["sequence"]["looks"] == 2
