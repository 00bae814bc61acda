"""Equal scores in `rankeval gate`: a rule whose limit other orders could cross is marked."""

import pytest

from tests.support.files import qrels_of, run_of
from tests.support.gate_files import judged

TIED = run_of("tied", t1="r=x", t2="r x")
"""RR of t1 is 1 or 1/2 as the tie goes, so the mean is 0.75 to 1; docno descending puts x first."""


@pytest.fixture
def gate(shell):
    shell.write(
        qrels=qrels_of(t1="r1 x0", t2="r1 x0"),
        whole=run_of("whole", t1="r x", t2="r x"),
        tied=TIED,
    )

    def judge(rule, *more, baseline="whole.txt", candidate="tied.txt"):
        words = ("qrels.txt", baseline, candidate, *rule, *more)
        done = shell("gate", *words, "-f", "json")
        assert done.code < 2, done.err
        return judged(done.out)["rules"][0], done

    return judge


@pytest.mark.parametrize(
    ("rule", "passed", "tied"),
    [
        (("--max-drop", "RR=0.2"), False, True),  # the drop is 0.25, or 0
        (("--max-drop", "RR=0.3"), True, False),
        (("--max-drop", "RR=20%"), False, True),
        (("--min", "RR=0.8"), False, True),
        (("--min", "RR=0.7"), True, False),
        (("--max", "RR=0.8"), True, True),
        (("--equivalent", "RR=0.1"), False, True),
        (("--equivalent", "RR=0.3"), False, False),  # too few topics, and no order helps
    ],
)
def test_a_rule_is_tied_if_its_limit_lies_within_the_range_of_ties(gate, rule, passed, tied):
    outcome, _done = gate(rule)

    assert (outcome["passed"], outcome["tied"]) == (passed, tied)
    assert ("tied" in outcome["message"]) == tied


def test_ties_of_the_baseline_count_for_drops_and_not_for_floors(gate):
    swapped = {"baseline": "tied.txt", "candidate": "whole.txt"}

    assert gate(("--min-gain", "RR=0.1"), **swapped)[0]["tied"]
    assert not gate(("--min", "RR=0.8"), **swapped)[0]["tied"]
