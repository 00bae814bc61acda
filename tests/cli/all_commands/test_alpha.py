"""--alpha of every command that has it: risks that floats cannot tell from none are refused."""

import pytest

from tests.support.gate_files import PERFECT, QRELS, worse_on

RUNS = ("q.txt", "a.txt", "b.txt")
COMMANDS = [
    ("gate", *RUNS, "--max-drop", "RR=0.1"),
    ("gate", *RUNS, "--max-drop", "RR=0.1", "--bound", "t"),
    ("gate", *RUNS, "--equivalent", "RR=0.1", "--bound", "betting"),
    ("compare", *RUNS, "-m", "RR"),
    ("systems", *RUNS, "-m", "RR"),
    ("report", *RUNS, "-m", "RR", "-o", "page.html"),
    ("plot", "ranks", *RUNS, "-m", "RR"),
]


@pytest.fixture
def files(shell):
    shell.write(q=QRELS, a=PERFECT, b=worse_on(2))
    return shell


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("alpha", ["1e-50", "1e-320", "1e-16", "0", "-0.1", "1", "nan", "inf"])
def test_a_risk_that_is_none_is_refused(files, command, alpha):
    outcome = files(*command, f"--alpha={alpha}")

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(f"rankeval: --alpha is {float(alpha)}\n  expected: ")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("alpha", ["4e-15", "1e-9"])
def test_a_tiny_risk_is_taken(files, command, alpha):
    assert files(*command, f"--alpha={alpha}").code in {0, 1}
