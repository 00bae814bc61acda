"""`rankeval gate --sequential`: evidence over all nights, at one alpha."""

import json
import math
import subprocess
import sys

import pytest

from rankeval.stats.night_bets import NightBets
from tests.support.gate_files import PERFECT, QRELS, worse_on
from tests.support.processes import environment

POLICY = ("--policy", "not-shown-worse")


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


def test_each_night_is_bet_on_at_the_same_alpha(night):
    bets = NightBets()
    for look, n_worse in enumerate((1, 2, 1, 3), start=1):
        _, report = night(n_worse)
        bets = bets.after([0.5] * n_worse + [0.0] * (20 - n_worse))
        statistics = report["rules"][0]["statistics"]

        assert report["sequence"]["looks"] == look == statistics["nights"]
        assert report["decision"]["alpha"] == statistics["alpha"] == 0.05
        assert statistics["test"]["p_value"] == pytest.approx(bets.p_value)
        assert json.loads(night.state.read_text())["looks"] == look


def test_the_same_values_again_are_no_new_look(night):
    first, again = night(2), night(2)

    assert first == again
    assert again[1]["sequence"]["looks"] == 1


def test_another_rule_is_a_new_look(night):
    night(2)
    _, report = night(2, "--max-drop", "P@1=0.05")

    assert report["sequence"]["looks"] == 2
    assert [rule["statistics"]["nights"] for rule in report["rules"]] == [1, 1]


def test_a_drop_that_no_night_shows_is_shown_by_several(night):
    """3 or 4 of 20 topics lose 0.5."""
    codes = [night(3 + look % 2, *POLICY)[0] for look in range(8)]

    assert codes == sorted(codes)
    assert (codes[0], codes[-1]) == (0, 1)
    said = night.text(4, *POLICY, "-v").out
    assert "over 8 nights" in " ".join(said.split())


def test_a_night_within_the_limit_ends_what_was_shown(night):
    """A drop that was made good does not make later nights worse."""
    for look in range(8):
        code, _ = night(5 + look % 2, *POLICY)
    assert code == 1

    code, report = night(0, *POLICY)
    assert (code, report["rules"][0]["statistics"]["nights"]) == (0, 0)
    code, report = night(3, *POLICY)
    assert (code, report["rules"][0]["verdict"]) == (0, "cannot tell")


def test_evidence_against_another_baseline_is_forgotten(night, shell):
    for look in range(3):
        night(3 + look % 2, *POLICY)
    shell.path("base.txt").write_text(worse_on(1))
    _, report = night(3, *POLICY)

    assert report["rules"][0]["statistics"]["nights"] == 1


def test_a_drop_beyond_the_limit_is_bet_on_apart(night):
    for look in range(8):
        _, report = night(3 + look % 2, "--policy", "not-shown-beyond-limit")
    statistics = report["rules"][0]["statistics"]

    assert statistics["p_value"] < statistics["p_beyond_limit"] < 1.0


@pytest.mark.parametrize(
    "text",
    [
        *("", "{}", "[]", '{"schema": "rankeval-gate-sequence/1", "alpha": 0.05}', "nothing"),
        '{"schema": "rankeval-gate-sequence/1", "alpha": 0.05, "looks": 1, "digest": ""}',
        '{"schema": "rankeval-gate-sequence/1", "alpha": 0.05, "looks": 1, "rules": [7]}',
        *(
            f'{{"schema": "rankeval-gate-sequence/1", "alpha": {alpha}, "looks": {looks}, '
            '"rules": []}'
            for alpha, looks in [
                *((0.05, looks) for looks in (10**400, 10**40, "true", "2.5", '"3"', "NaN", -1)),
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


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *[("alpha", "true"), ("alpha", "1.5"), ("alpha", "NaN"), ("rules", "7")],
        *[("looks", "-1"), ("looks", "1.5"), ("looks", "null"), ("looks", "1" + "0" * 400)],
    ],
)
def test_wrong_values_of_a_state_are_refused_by_name(night, key, value):
    night(1)
    state = json.loads(night.state.read_text()) | {key: json.loads(value)}
    night.state.write_text(json.dumps(state))
    code, told = night(1)

    assert code == 2
    assert f'gates: "{key}" is {value[:30]}' in told


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *[("run", 1), ("rule", None), ("baseline", "x"), ("digest", 7), ("no_drop", [])],
        ("no_drop", {"nights": 1, "kept": 0.0, "at_stake": [0.0]}),
        ("within_limit", {"nights": 0, "kept": 0.0, "at_stake": [0.0] * 8}),
        ("within_limit", {"nights": 1, "kept": 0.0, "at_stake": [0.0] * 7 + [math.nan]}),
        ("within_limit", {"nights": 1, "kept": "all", "at_stake": [0.0] * 8}),
        ("within_limit", {"nights": 1}),
    ],
)
def test_wrong_bets_of_a_state_are_refused(night, key, value):
    night(1)
    state = json.loads(night.state.read_text())
    state["rules"][0][key] = value
    night.state.write_text(json.dumps(state))
    code, told = night(1)

    assert code == 2
    assert "is not the state of a sequence of gates: " in told
    assert "restore the file, or name a new one to begin a sequence" in told


def test_the_folder_of_a_state_is_created(night, shell):
    assert night(1, "--sequential", "line/state.json")[0] == 0
    assert json.loads(shell.path("line/state.json").read_text())["looks"] == 1


@pytest.mark.skipif(sys.platform == "win32", reason="the file is not locked there")
def test_gates_at_the_same_time_lose_no_look(night, shell):
    """Four candidates with other values: each is a night of its own."""
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


@pytest.mark.parametrize("test", ["t", "randomization", "bootstrap", "wilcoxon"])
def test_tests_of_single_nights_are_refused(night, test):
    code, told = night(20, "--test", test)

    assert code == 2
    assert f"a sequence of gates is judged by bets over its nights, not by {test}" in told
    assert not night.state.exists()


def test_draws_that_cannot_reach_a_small_alpha_are_refused_without_a_sequence(shell):
    shell.path("qrels.txt").write_text(QRELS)
    shell.path("base.txt").write_text(PERFECT)
    shell.path("candidate.txt").write_text(worse_on(20))
    outcome = shell(
        *("gate", "qrels.txt", "base.txt", "candidate.txt", "--max-drop", "RR=0.05"),
        *("--alpha", "0.000001", "--test", "randomization"),
    )

    assert outcome.code == 2
    assert "and alpha is 1e-06: no drop could be shown" in outcome.err


def test_rules_and_candidates_of_a_sequence_are_one_family(night, shell):
    for name, n_worse in (("a", 3), ("b", 4), ("c", 6)):
        shell.path(f"{name}.txt").write_text(worse_on(n_worse, tag=name))
    outcome = (
        shell(
            *("gate", "qrels.txt", "base.txt", "a.txt", "b.txt", "c.txt", "--max-drop", "RR=0.05"),
            *("--sequential", "state.json", "-f", "json"),
        )
        if night(0)[0] == 0
        else None
    )
    statistics = [rule["statistics"] for rule in json.loads(outcome.out)["rules"]]
    raw = [one["test"]["p_value"] for one in statistics]

    assert raw == sorted(raw, reverse=True)
    assert statistics[2]["p_value"] == pytest.approx(min(1.0, 3 * raw[2]))


def test_a_candidate_with_another_name_continues_the_only_one(night, shell):
    night(3)
    shell.path("new.txt").write_text(worse_on(4, tag="tonight"))
    outcome = shell(
        *("gate", "qrels.txt", "base.txt", "new.txt", "--max-drop", "RR=0.05"),
        *("--sequential", "state.json", "-f", "json"),
    )
    report = json.loads(outcome.out)

    assert report["rules"][0]["statistics"]["nights"] == 2
    assert any("continues the sequence of" in line for line in report["warnings"])
    assert [one["run"] for one in report["sequence"]["rules"]] == report["candidates"]


def test_suites_with_sequences_may_be_one_family(shell):
    shell.path("qrels.txt").write_text(QRELS)
    shell.path("base.txt").write_text(PERFECT)
    shell.path("candidate.txt").write_text(worse_on(6))
    suite = (
        '[suite.{0}]\nqrels = "qrels.txt"\nbaseline = "base.txt"\n'
        'runs = ["candidate.txt"]\nsequential = "{0}.json"\nfamily = "suites"\n'
        "rules.max-drop = {{ RR = 0.05 }}\n"
    )
    shell.path("rankeval.toml").write_text(suite.format("one") + suite.format("two"))
    outcome = shell("gate", "--suite", "one", "--suite", "two", "-f", "json")
    assert outcome.out, outcome.err
    judged = json.loads(outcome.out)["suites"]
    p_values = [one["rules"][0]["statistics"] for one in judged]

    assert [one["p_value"] for one in p_values] == [
        pytest.approx(min(1.0, 2 * one["test"]["p_value"])) for one in p_values
    ]


def test_rules_over_collections_are_bet_on(shell):
    for name, n_worse in (("x", 3), ("y", 5)):
        shell.path(f"{name}.qrels").write_text(QRELS)
        shell.path(f"{name}.base").write_text(PERFECT)
        shell.path(f"{name}.run").write_text(worse_on(n_worse))
    shell.path("collections.toml").write_text(
        'qrels = "{collection}.qrels"\n'
        'runs = { old = "{collection}.base", new = "{collection}.run" }\n'
        "[collection.x]\n[collection.y]\n"
    )
    shell.path("rankeval.toml").write_text(
        'collections = "collections.toml"\nbaseline = "old"\nruns = ["new"]\n'
        'sequential = "state.json"\n[rules]\n'
        'max-drop = { "RR on macro mean" = 0.05, "RR on worst collection" = 0.05 }\n'
    )
    outcome = shell("gate", "-f", "json")
    assert outcome.out, outcome.err
    report = json.loads(outcome.out)
    macro = NightBets().after([0.5] * 8 + [0.0] * 32)

    assert report["rules"][0]["statistics"]["test"]["p_value"] == pytest.approx(macro.p_value)
    assert [one["rule"] for one in report["sequence"]["rules"]] == [
        "max-drop RR on macro mean=0.05",
        "max-drop RR on worst collection=0.05 (x)",
        "max-drop RR on worst collection=0.05 (y)",
    ]


@pytest.mark.parametrize(
    ("options", "said", "unsaid"),
    [
        ((), ["whatever the differences", "The policy observed uses no test"], ["by each rule"]),
        (POLICY, ["whatever the differences"], ["The policy observed"]),
        (("--policy", "beyond", "--correction", "none"), ["worse by each rule with"], []),
    ],
)
def test_a_sequence_promises_what_its_bets_and_policy_keep(night, options, said, unsaid):
    outcome = night.text(2, *options, "-f", "markdown")

    (promise,) = [line for line in outcome.out.splitlines() if "Look 1 of a sequence" in line]
    assert all(words in promise for words in said), promise
    assert not any(words in promise for words in unsaid), promise


def test_a_measure_without_a_range_has_no_bets(night):
    code, told = night(2, "--max-drop", "DCG@3=0.1")

    assert code == 2
    assert "a least and a greatest" in told
