"""Rules on groups of topics, on the drift from a golden baseline, and on several seeds."""

import pytest

from tests.support.gate_files import PERFECT, QRELS, TOPICS, judged, run_with, worse_on

HARD, EASY = TOPICS[:5], TOPICS[5:18]
GROUPS = "".join(f"{t}\thard\n" for t in HARD) + "".join(f"{t}\teasy\n" for t in EASY)


@pytest.fixture
def gate(shell):
    """Run the gate on a candidate that finds two of the five hard topics at rank 2."""
    shell.write(qrels=QRELS, base=PERFECT, candidate=worse_on(2), groups=GROUPS)

    def call(*options, candidate="candidate.txt", baseline="base.txt"):
        outcome = shell("gate", "qrels.txt", baseline, candidate, *options, "--json", "g.json")
        path = shell.path("g.json")
        return outcome, judged(path.read_text()) if path.exists() else None

    call.shell = shell
    return call


# --- groups ---------------------------------------------------------------------------------


def test_every_rule_holds_in_every_group(gate):
    """Two of twenty topics lose 0.5: 0.05 over all, 0.2 over the five hard ones, 0 elsewhere."""
    outcome, report = gate("-v", "--max-drop", "RR=0.1", "--min", "RR=0.7", "--group", "groups.txt")

    found = {
        rule["rule"]: (rule["group"], rule["passed"], round(rule["drop"], 9))
        for rule in report["rules"]
    }
    assert found == {
        "max-drop RR=0.1": ("", True, 0.05),
        "min RR=0.7": ("", True, 0.05),
        "max-drop RR in hard=0.1": ("hard", False, 0.2),
        "min RR in hard=0.7": ("hard", True, 0.2),
        "max-drop RR in easy=0.1": ("easy", True, 0.0),
        "min RR in easy=0.7": ("easy", True, 0.0),
    }
    assert outcome.code == 1
    assert "RR in hard 1.0000 -> 0.8000 -0.2000" in " ".join(outcome.out.split())


def test_a_group_is_judged_as_a_gate_of_its_topics_alone(gate):
    """The verdict of a group is that of a gate whose judgments have only the group's topics."""
    _, whole = gate("--max-drop", "RR in hard=0.1", "--group", "groups.txt")
    lines = [line for line in QRELS.splitlines() if line.split()[0] in HARD]
    gate.shell.write(qrels="\n".join(lines) + "\n")
    _, alone = gate("--max-drop", "RR=0.1")

    (in_group,), (of_topics,) = whole["rules"], alone["rules"]
    for key in ("verdict", "drop", "limit", "baseline", "candidate", "statistics"):
        assert in_group[key] == of_topics[key], key


def test_a_rule_that_names_a_group_holds_there_alone_and_replaces_the_general_one(gate):
    outcome, report = gate(
        *("--max-drop", "RR=0.1", "--max-drop", "RR in hard=0.2", "--min", "RR in easy=1"),
        *("--group", "groups.txt"),
    )

    assert [rule["rule"] for rule in report["rules"]] == [
        "max-drop RR=0.1",
        "max-drop RR in hard=0.2",
        "min RR in easy=1",
        "max-drop RR in easy=0.1",
    ]
    assert outcome.code == 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--max-drop", "RR in hrd=0.1", "--group", "groups.txt"], "perhaps hard"),
        (["--max-drop", "RR in hard=0.1"], "--group FILE"),
        (["--min", "GMAP=0", "--group", "nowhere.txt"], "nowhere.txt: no such file"),
    ],
)
def test_groups_that_are_not_there_are_refused(gate, options, told):
    outcome, _ = gate(*options)

    assert outcome.code == 2
    assert told in outcome.err


# --- a golden baseline, and saved candidates ---------------------------------------------------


def saved(gate, run, name):
    gate.shell("eval", "qrels.txt", run, "-m", "RR P@1", "-q", "-o", name)


def test_small_drops_add_up_unseen_but_for_the_golden_baseline(gate):
    """Each step loses 0.025; the third is 0.075 below the golden baseline."""
    saved(gate, "base.txt", "golden.json")
    saved(gate, "base.txt", "baseline.json")
    rules = (
        "--max-drop",
        "RR=0.03",
        "--max-drop-from-golden",
        "RR=0.06",
        "--golden",
        "golden.json",
    )
    codes = []
    for step in (1, 2, 3):
        gate.shell.write(candidate=worse_on(step))
        outcome, report = gate(*rules, "-v", baseline="baseline.json")
        codes.append((outcome.code, [rule["passed"] for rule in report["rules"]]))
        words = ("baseline.json", "candidate.txt", "--max-drop", "RR=0.03", "--update-baseline")
        assert gate.shell("gate", "-v", "qrels.txt", *words).code == 0

    assert codes == [(0, [True, True]), (0, [True, True]), (1, [True, False])]
    assert report["golden"] == "golden.json"
    assert "RR 1.0000 -> 0.9250 -0.0750 -0.06 from golden" in " ".join(outcome.out.split())


def test_a_rule_on_drift_needs_a_golden_baseline(gate):
    outcome, _ = gate("--max-drop-from-golden", "RR=0.01")

    assert outcome.code == 2
    assert "--golden FILE" in outcome.err


@pytest.mark.parametrize("baseline", ["base.txt", "base.json"])
def test_a_candidate_may_be_saved_values(gate, baseline):
    saved(gate, "base.txt", "base.json")
    saved(gate, "candidate.txt", "candidate.json")
    rules = ("--max-drop", "RR=0.03", "--min", "RR=0.9")

    _, of_run = gate(*rules, baseline=baseline)
    outcome, of_values = gate(*rules, baseline=baseline, candidate="candidate.json")

    assert outcome.code == 1
    for key in ("rules", "qrels", "summary"):
        assert of_values[key] == of_run[key], key


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--min", "AP=0.1"], "has no values of AP"),
        (["--depth", "5"], "depth is"),
        (["--skip-no-relevant"], "is not defined in the same way"),
    ],
)
def test_saved_values_of_another_evaluation_are_refused(gate, options, told):
    saved(gate, "base.txt", "base.json")
    saved(gate, "candidate.txt", "candidate.json")

    outcome, _ = gate(
        "--max-drop", "RR=0.1", *options, baseline="base.json", candidate="candidate.json"
    )

    assert outcome.code == 2
    assert told in outcome.err


# --- several seeds -----------------------------------------------------------------------------


def seeds(gate, *worse):
    """Write runs of one system, each with another number of topics at rank 2."""
    for number, count in enumerate(worse, 1):
        text = run_with(f"dense-{number}", **dict.fromkeys(TOPICS[:count], "x r y"))
        gate.shell.path(f"dense.{number}.run").write_text(text)


def test_runs_of_several_seeds_are_averaged_by_topic(gate):
    seeds(gate, 2, 4, 6)

    _, report = gate("--max-drop", "RR=0.05", candidate="dense.{seed}.run")

    (rule,) = report["rules"]
    assert rule["candidate"] == pytest.approx((0.95 + 0.9 + 0.85) / 3)
    assert rule["seeds"] == pytest.approx([0.95, 0.9, 0.85])


def test_the_spread_of_seeds_counts_in_the_verdict(gate):
    """The same mean over seeds: where they agree the drop is shown, where they differ it is not."""
    seeds(gate, 8, 8, 8)
    _, agreeing = gate("--max-drop", "RR=0.01", candidate="dense.{seed}.run")
    seeds(gate, 0, 4, 20)
    _, differing = gate("--max-drop", "RR=0.01", candidate="dense.{seed}.run")

    (one,), (other,) = agreeing["rules"], differing["rules"]
    assert one["drop"] == pytest.approx(other["drop"]) == pytest.approx(0.2)
    assert (one["verdict"], other["verdict"]) == ("worse", "inconclusive")


def test_a_baseline_of_several_seeds_is_averaged_and_its_spread_counts(gate):
    """Candidate: RR 1. The runs of the baseline lose 0.5 on 0, 4 and 20 of twenty topics."""
    seeds(gate, 0, 4, 20)
    words = ("--max-drop", "RR=0.01")
    _, report = gate(*words, candidate="candidate.txt", baseline="dense.{seed}.run")
    (rule,) = report["rules"]

    assert rule["baseline"] == pytest.approx((1.0 + 0.9 + 0.5) / 3)
    assert (rule["baseline_seeds"], rule["seeds"]) == (pytest.approx([1.0, 0.9, 0.5]), [])
    seeds(gate, 0, 0, 0)
    _, same = gate(*words, "-v", candidate="dense.{seed}.run", baseline="dense.{seed}.run")
    (rule,) = same["rules"]
    assert (rule["drop"], rule["seeds"], rule["baseline_seeds"]) == (0.0, [1.0] * 3, [1.0] * 3)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--equivalent", "RR=0.1"], "does not count the spread"),
        (["--min-gain", "RR=0.1"], "does not count the spread"),
    ],
)
def test_what_does_not_count_the_spread_of_seeds_is_refused(gate, options, told):
    seeds(gate, 1, 2)

    outcome, _ = gate(*options, candidate="dense.{seed}.run")

    assert outcome.code == 2
    assert told in outcome.err
