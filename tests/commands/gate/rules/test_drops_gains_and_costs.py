"""min-gain, max-cost and max-cost-value, against scipy and plain means."""

import json

import numpy as np
import pytest
from scipy import stats

import rankeval
from tests.support.files import run_of
from tests.support.gate_files import QRELS, TOPICS

RNG = np.random.default_rng(37)
OLD = {t: RNG.choice(["r x y", "x r y", "x y r"]) for t in TOPICS}
NEW = {t: RNG.choice(["r x y"] * 9 + ["x r y"]) for t in TOPICS}
RR = {"r x y": 1.0, "x r y": 1 / 2, "x y r": 1 / 3}
GAIN = np.array([RR[NEW[t]] - RR[OLD[t]] for t in TOPICS])
OLD_MEAN = np.mean([RR[OLD[t]] for t in TOPICS])


@pytest.fixture
def gate(shell):
    shell.write(qrels=QRELS, old=run_of("old", **OLD), new=run_of("new", **NEW))

    def judge(*words):
        done = shell("gate", "qrels.txt", "old.txt", "new.txt", *words, "-f", "json")
        assert done.code < 2, done.err
        return json.loads(done.out)["rules"]

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
        (True, "better") if by < 0 else (False, "cannot tell")
    )


@pytest.mark.parametrize("by", [-1e-6, 1e-6])
def test_too_small_a_gain_is_shown_from_the_upper_bound_on(gate, by):
    upper = 2 * GAIN.mean() - lower_bound_of(GAIN)
    (rule,) = gate("--min-gain", f"RR={upper + by:.9f}", "--bound", "t")

    assert rule["verdict"] == ("cannot tell" if by < 0 else "not better")


@pytest.mark.parametrize("by", [-1e-6, 1e-6])
def test_a_gain_in_percent_is_of_the_baselines_mean(gate, by):
    (rule,) = gate("--min-gain", f"RR={100 * GAIN.mean() / OLD_MEAN + by:.9f}%")

    assert rule["passed"] == (by < 0)


def test_less_of_a_loss_is_a_gain(gate):
    (rule,) = gate("--min-gain", "SetE=0.001", "--rule", "min-gain SetE=0.001")

    assert (rule["loss"], rule["passed"]) == (True, False)  # both find the same documents


def test_the_values_of_topics_that_only_the_baseline_has_are_no_gain():
    qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    runs = [{"q1": {"d1": 1.0}}, {"q1": {"d1": 1.0}, "q2": {"d2": 1.0}}]

    assert rankeval.gate(qrels, *runs, "min-gain RR=0.5").passed
    assert not rankeval.gate(qrels, *reversed(runs), "min-gain RR=0.5").passed


COSTS = {
    run: dict(zip(TOPICS, RNG.normal(mean, 8, len(TOPICS)), strict=True))
    for run, mean in (("old", 100), ("new", 112))
}


def by_topic(costs=COSTS):
    lines = [f"{run}\t{t}\t{c:.12f}\t1" for run, some in costs.items() for t, c in some.items()]
    return "\n".join(["run\ttopic\tlatency ms\tusd", *lines, ""])


@pytest.mark.parametrize("by", [-1e-6, 1e-6])
def test_costs_by_topic_are_paired_and_tested(gate, by):
    gate.shell.path("c.tsv").write_text(by_topic())
    more = np.array([COSTS["new"][t] - COSTS["old"][t] for t in TOPICS])
    words = ("--min", "RR=0", "--run-costs", "c.tsv", "--max-cost")
    observed = gate(*words, f"latency ms=+{more.mean() + by:.9f}")[-1]
    shown = gate(
        *words, f"latency ms={lower_bound_of(more) + by:.9f}", "--policy", "not-shown-beyond-limit"
    )[-1]

    assert (observed["passed"], shown["passed"]) == (by > 0, by > 0)
    assert (observed["measure"], observed["loss"]) == ("latency ms", True)
    assert observed["drop"] == pytest.approx(more.mean())
    assert {topic["topic"] for topic in observed["topics"]} <= {*TOPICS}


@pytest.mark.parametrize(("limit", "passed"), [("+10%", False), ("12.1%", True), ("12", True)])
@pytest.mark.parametrize("policy", ["observed", "shown-not-worse"])
def test_one_cost_a_run_is_compared_without_a_test(gate, limit, passed, policy):
    gate.shell.path("c.tsv").write_text("run ms\nold 100\nnew 112\n")
    words = ("--run-costs", "c.tsv", "--max-cost", f"ms={limit}", "--policy", policy)
    rule = gate("--min", "RR=0", *words)[-1]

    assert (rule["passed"], rule["drop"]) == (passed, 12)
    assert "verdict" not in rule


@pytest.mark.parametrize(("limit", "passed"), [("112", True), ("111.9", False)])
def test_a_cost_has_a_ceiling_and_runs_are_found_by_their_paths(gate, limit, passed):
    gate.shell.path("c.tsv").write_text("run ms\nold.txt 100\nnew.txt 112\n")
    rule = gate("--min", "RR=0", "--run-costs", "c.tsv", "--max-cost-value", f"ms={limit}")[-1]

    assert (rule["passed"], rule["baseline"], rule["candidate"]) == (passed, 100, 112)


def test_a_topic_without_the_candidates_cost_breaks_the_rule(gate):
    there = {**COSTS, "new": dict([*COSTS["new"].items()][1:])}
    gate.shell.path("c.tsv").write_text(by_topic(there))
    rule = gate("--min", "RR=0", "--run-costs", "c.tsv", "--max-cost", "usd=5")[-1]

    assert (rule["passed"], rule["lost_topics"]) == (False, [TOPICS[0]])


def test_a_suite_names_its_costs_and_replaces_a_rule_above_it(gate):
    gate.shell.path("c.tsv").write_text("run ms\nold 100\nnew 112\n")
    gate.shell.path("rankeval.toml").write_text(
        'qrels = "qrels.txt"\nbaseline = "old.txt"\nruns = "new.txt"\nrun-costs = "c.tsv"\n'
        'rules.max-cost = { ms = "+5%" }\n[suite.web.rules]\nmin = { RR = 0 }\n'
        'max-cost = { ms = "+20%" }\n'
    )

    assert gate.shell("gate").code == 0
    checked = gate.shell("gate", "--dry-run")
    assert (checked.code, "ready: 2 rules" in checked.out) == (0, True)


@pytest.mark.parametrize(
    ("text", "rule", "problem"),
    [
        ("run ms\nold 1\n", "ms=1", "has no ms of the run 'new'"),
        ("run ms\nold 1\nnew 2\n", "s=1", "has no cost 's'"),
        ("run ms\nold 1\nold 2\n", "ms=1", 'the run "old" is listed again'),
        ("run ms\nold fast\n", "ms=1", 'the cost "fast" is not possible'),
        ("run ms\nold nan\n", "ms=1", 'the cost "nan" is not possible'),
        ("run ms\nold 1 2\n", "ms=1", "found 3 columns, the header has 2"),
        ("run topic ms\nold t1 1\nold t1 2\n", "ms=1", 'topic "t1" of the run "old"'),
        ("run ms ms\nold 1 1\n", "ms=1", "names a cost twice"),
        ("old 1\n", "ms=1", "found no header"),
        ("run ms\n", "ms=1", "holds no run"),
        ("", "ms=1", "holds no run"),
        ("run ms\nold 1\nnew 1\n", "ms in hard=1", "a cost is limited over all topics"),
        ("run ms\nold 1\nnew 1\n", "ms=-1", "'-1' is not a limit for ms"),
        (None, "ms=1", "limits a cost, but no costs are given"),
    ],
)
def test_costs_that_cannot_be_used_are_refused(gate, text, rule, problem):
    words = ["--min", "RR=0", "--max-cost", rule]
    if text is not None:
        gate.shell.path("c.tsv").write_text(text)
        words += ["--run-costs", "c.tsv"]
    done = gate.shell("gate", "qrels.txt", "old.txt", "new.txt", *words)

    assert done.code == 2
    assert problem in done.err


def test_two_limits_of_one_cost_are_refused(gate):
    gate.shell.path("c.tsv").write_text("run ms\nold 1\nnew 1\n")
    words = ("--max-cost", "ms=1", "--max-cost", "ms=2", "--run-costs", "c.tsv", "--min", "RR=0")
    done = gate.shell("gate", "qrels.txt", "old.txt", "new.txt", *words)

    assert done.code == 2
    assert "limit the same measure, ms, differently" in done.err
