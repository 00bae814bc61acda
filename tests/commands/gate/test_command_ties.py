"""Equal scores in `rankeval gate`: the rule max-tie-gap, and what noninferior takes as shown."""

import json
import xml.etree.ElementTree as ET

import pytest

import rankeval
from tests.support.files import qrels_of
from tests.support.schemas import assert_valid

TOPICS = [f"t{i:02}" for i in range(60)]
QRELS = qrels_of(**dict.fromkeys(TOPICS, "z1 x0 y0"))
"""z is relevant, and the greatest docno, which equal scores are ordered by: greatest first."""
NONINFERIOR = ("--policy", "noninferior")


def run_text(equal=(), wrong=()):
    """A run with z, y and x: in some topics all scores are equal, in others z is second."""
    lines = []
    for topic in TOPICS:
        scores = (1, 1, 1) if topic in equal else (2, 3, 1) if topic in wrong else (3, 2, 1)
        lines += [f"{topic} Q0 {d} 1 {s} tag\n" for d, s in zip("zyx", scores, strict=True)]
    return "".join(lines)


@pytest.fixture
def gate(shell):
    """Run the gate on a candidate whose scores are equal in the first few topics."""
    shell.write(qrels=QRELS, base=run_text(wrong=TOPICS[-4:]))

    def call(n_equal, *options, candidate=None):
        text = candidate or run_text(TOPICS[:n_equal], TOPICS[-4:])
        shell.write(candidate=text)
        return shell("gate", "qrels.txt", "base.txt", "candidate.txt", *options)

    call.shell = shell
    call.rules = lambda n_equal, *options, **how: assert_valid(
        json.loads(call(n_equal, *options, "-f", "json", **how).out)
    )["rules"]
    return call


# RR of an equal topic is 1 in the best order, and 1/3 in the worst one.
GAP = 2 / 3 / len(TOPICS)


@pytest.mark.parametrize("n_equal", [0, 3, 60])
@pytest.mark.parametrize("beside", [-1e-6, 1e-6])
def test_the_gap_of_orders_decides_at_its_limit(gate, n_equal, beside):
    text = run_text(TOPICS[:n_equal])
    limit = max(n_equal * GAP + beside, 0.0)
    (rule,) = gate.rules(0, "--max-tie-gap", f"RR={limit!r}", candidate=text)

    assert rule["passed"] is (n_equal == 0 or beside > 0)
    assert rule["tie_range"] == pytest.approx([1 - n_equal * GAP, 1.0])
    assert (rule["kind"], rule["tied"], rule.get("verdict")) == ("max-tie-gap", False, None)


def test_a_gap_is_that_of_the_candidate(gate):
    """The baseline's scores, and the order that was asked for, do not matter."""
    gate.shell.write(base=run_text(TOPICS))

    assert gate(0, "--max-tie-gap", "RR=0", candidate=run_text()).code == 0
    gate.shell.write(base=run_text())
    for ties in ("best", "worst", "docno", "input"):
        failed = gate(60, "--max-tie-gap", "RR=0.6", "--ties", ties, candidate=run_text(TOPICS))
        assert failed.code == 1


def test_a_gap_of_a_measure_where_less_is_better(gate):
    """Of x, y and z, one is judged in all; the first document is judged or not."""
    gate.shell.write(qrels=qrels_of(**dict.fromkeys(TOPICS, "z1")))

    (rule,) = gate.rules(0, "--max-tie-gap", "Unjudged@1=0.4", candidate=run_text(TOPICS[:30]))

    assert (rule["passed"], rule["tie_range"]) == (False, [0.5, 0.0])


def test_a_gap_of_a_group(gate):
    gate.shell.write(groups="".join(f"{t}\t{'ab'[t > 't29']}\n" for t in TOPICS))
    rules = gate.rules(30, "--max-tie-gap", "RR in a=0.01", "--group", "groups.txt")
    others = gate.rules(30, "--max-tie-gap", "RR in b=0.01", "--group", "groups.txt")

    assert ([one["passed"] for one in rules], [one["passed"] for one in others]) == (
        [False],
        [True],
    )
    assert rules[0]["tie_range"] == pytest.approx([1 / 3, 1.0])


def test_a_suite_and_python_have_the_rule(gate):
    gate(60, "--min", "RR=0.1")
    gate.shell.path("rankeval.toml").write_text(
        "qrels = 'qrels.txt'\nbaseline = 'base.txt'\nruns = ['candidate.txt']\n"
        "rules.max-tie-gap = { RR = 0.01 }\n"
    )

    outcome, ready = gate.shell("gate"), gate.shell("gate", "--dry-run")
    paths = [str(gate.shell.path(name)) for name in ("qrels.txt", "base.txt", "candidate.txt")]
    report = rankeval.gate(*paths, "max-tie-gap RR=0.01")

    assert (outcome.code, ready.code, report.exit_code) == (1, 0, 1)
    assert report.outcomes[0].tie_range == pytest.approx((1 / 3, 1.0))


def test_all_reports_tell_the_gap(gate):
    files = {"--junit": "g.xml", "--html": "g.html", "--comment": "g.md", "--append": "g.jsonl"}
    options = [word for pair in files.items() for word in pair]

    outcome = gate(0, "-v", "--max-tie-gap", "RR=0.01", *options, candidate=run_text(TOPICS))

    told = "RR is 0.3333 to 1.0000 as equal scores are ordered, 0.6667 apart; the most is 0.01"
    assert told in " ".join(outcome.out.split())
    (failure,) = ET.parse(gate.shell.path("g.xml")).getroot().iter("failure")
    assert told in failure.get("message")
    for name in ("g.html", "g.md"):
        assert told in gate.shell.path(name).read_text()
    (rule,) = json.loads(gate.shell.path("g.jsonl").read_text())["rules"]
    assert rule["passed"] is False


@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_saved_values_do_not_tell_a_gap(gate, options):
    gate.shell("eval", "qrels.txt", "base.txt", "-q", "-m", "RR", "-o", "saved.json")
    files = ("qrels.txt", "base.txt", "saved.json")

    outcome = gate.shell("gate", *files, "--max-tie-gap", "RR=0.01", *options)

    assert (outcome.code, outcome.out) == (2, "")
    assert "saved.json holds values without scores" in outcome.err


@pytest.mark.parametrize("limit", ["-0.1", "1%", "1.1", "x"])
def test_what_is_no_gap_is_refused(gate, limit):
    outcome = gate(0, "--max-tie-gap", f"RR={limit}")

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("rankeval: --max-tie-gap: ")


# --- noninferior ----------------------------------------------------------------------------


def test_a_candidate_without_scores_is_not_shown_to_be_not_worse(gate):
    (rule,) = gate.rules(0, "--max-drop", "RR=0.9", *NONINFERIOR, candidate=run_text(TOPICS))

    assert (rule["passed"], rule["verdict"]) == (False, "cannot tell")
    assert rule["doubt"] == "All scores of the candidate are equal, so that their order decides"
    assert rule["doubt"] in rule["message"]


def test_a_candidate_without_scores_is_not_shown_to_be_worse_either(gate):
    """x is relevant now, and the last of equal scores."""
    last = "".join(f"{topic} Q0 x 1 2 tag\n{topic} Q0 z 2 1 tag\n" for topic in TOPICS)
    gate.shell.write(qrels=qrels_of(**dict.fromkeys(TOPICS, "x1 y0 z0")), base=last)

    (rule,) = gate.rules(0, "--max-drop", "RR=0.01", *NONINFERIOR, candidate=run_text(TOPICS))

    assert rule["drop"] == pytest.approx(2 / 3)
    assert (rule["passed"], rule["verdict"]) == (False, "cannot tell")


def test_a_candidate_without_scores_is_judged_by_measures_that_ask_for_no_order(gate):
    text = run_text(TOPICS)
    (rule,) = gate.rules(0, "--max-drop", "SetF=0.1", *NONINFERIOR, candidate=text)

    assert (rule["passed"], rule["verdict"], rule["doubt"]) == (True, "not worse", "")


@pytest.mark.parametrize(("limit", "verdict"), [(0.1, "cannot tell"), (0.4, "not worse")])
def test_the_worst_order_of_equal_scores_has_to_show_it(gate, limit, verdict):
    """9 of 60 topics could lose 2/3: 0.1 on average, and 0.4 is far above that."""
    (rule,) = gate.rules(9, "--max-drop", f"RR={limit}", *NONINFERIOR)

    assert rule["drop"] == pytest.approx(0.0)
    assert (rule["passed"], rule["verdict"]) == (verdict == "not worse", verdict)
    assert bool(rule["doubt"]) is not rule["passed"]


def test_other_policies_judge_the_order_that_was_asked_for(gate):
    for policy in ("observed", "significant", "beyond"):
        (rule,) = gate.rules(9, "--max-drop", "RR=0.1", "--policy", policy)
        assert (rule["passed"], rule["verdict"], rule["doubt"]) == (True, "not worse", "")


def test_equal_scores_of_the_baseline_alone_raise_no_doubt(gate):
    gate.shell.write(base=run_text(TOPICS[:9]))

    (rule,) = gate.rules(0, "--max-drop", "RR=0.1", *NONINFERIOR, candidate=run_text())

    assert (rule["verdict"], rule["doubt"]) == ("not worse", "")
