"""min-gain, against scipy and plain means."""

import numpy as np
import pytest
from scipy import stats

from tests.support.files import run_of
from tests.support.gate_files import QRELS, TOPICS, judged

RNG = np.random.default_rng(37)
OLD = {t: RNG.choice(["r x y", "x r y", "x y r"]) for t in TOPICS}
NEW = {t: RNG.choice(["r x y"] * 9 + ["x r y"]) for t in TOPICS}
RR = {"r x y": 1.0, "x r y": 1 / 2, "x y r": 1 / 3}
GAIN = np.array([RR[NEW[t]] - RR[OLD[t]] for t in TOPICS])


@pytest.fixture
def gate(shell):
    shell.write(qrels=QRELS, old=run_of("old", **OLD), new=run_of("new", **NEW))

    def judge(*words):
        done = shell("gate", "qrels.txt", "old.txt", "new.txt", *words, "-f", "json")
        assert done.code < 2, done.err
        return judged(done.out)["rules"]

    judge.shell = shell
    return judge


def lower_bound_of(differences):
    return differences.mean() - stats.t.ppf(0.95, len(differences) - 1) * stats.sem(differences)


@pytest.mark.parametrize("by", [-1e-6, 1e-6])
@pytest.mark.parametrize("policy", ["observed", "not-shown-worse", "not-shown-beyond-limit"])
def test_a_gain_has_to_be_observed(gate, policy, by):
    (rule,) = gate("--min-gain", f"RR={GAIN.mean() + by:.9f}", "--policy", policy)

    assert rule["passed"] == (by < 0)


@pytest.mark.parametrize("by", [-1e-6, 1e-6])
def test_a_gain_has_to_be_shown_under_shown_not_worse(gate, by):
    limit = lower_bound_of(GAIN) + by
    assert limit > 0
    policy = ("--policy", "shown-not-worse", "--bound", "t")
    (rule,) = gate("--min-gain", f"RR={limit:.9f}", *policy)

    assert (rule["passed"], rule["verdict"]) == (
        (True, "better") if by < 0 else (False, "inconclusive")
    )


def test_less_of_a_loss_is_a_gain(gate):
    (rule,) = gate("--min-gain", "SetE=0.001")

    assert (rule["loss"], rule["passed"]) == (True, False)  # both find the same documents
