"""A measure that a file adds, in every command that has measures."""

import json

import pytest

from rankeval.__main__ import run

pytestmark = pytest.mark.usefixtures("forgotten")

PLUGIN = '''
import rankeval

@rankeval.measure("FirstGrade", high=float("inf"))
def first_grade(ranking, *, least: int = 0) -> float | None:
    """Grade of the first document."""
    first = ranking.grades[0] if ranking.retrieved else 0
    return first if first >= least else 0
'''
# The first documents have the grades 3 and 2 in good.run, and 1 and 0 in bad.run.
FILES = {
    "first.py": PLUGIN,
    "qrels.txt": "1 0 a 3\n1 0 b 1\n2 0 a 2\n2 0 c 0\n",
    "good.run": "1 Q0 a 1 2 good\n1 Q0 b 2 1 good\n2 Q0 a 1 1 good\n",
    "bad.run": "1 Q0 b 1 2 bad\n1 Q0 a 2 1 bad\n2 Q0 c 1 2 bad\n2 Q0 a 2 1 bad\n",
}


@pytest.fixture
def printed(tmp_path, monkeypatch, capsys):
    """Run a command with the plugin, and return its exit code and its standard output."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")

    def call(*arguments):
        code = run([*arguments, "--plugin", "first.py"])
        return code, capsys.readouterr().out

    return call


def test_eval_has_its_mean_and_its_parameters(printed):
    code, out = printed(
        *("eval", "qrels.txt", "good.run", "bad.run", "-f", "json"),
        *("-m", "FirstGrade FirstGrade(least=2)"),
    )

    runs = json.loads(out)["runs"]
    means = [[score["mean"] for score in one["measures"].values()] for one in runs]
    assert code == 0
    assert means == [[2.5, 2.5], [0.5, 0.0]]


def test_compare_tests_its_difference(printed):
    code, out = printed("compare", "qrels.txt", "good.run", "bad.run", "-m", "FirstGrade")

    assert code == 0
    assert "FirstGrade (2 topics)" in out
    assert "-2.0000" in out


def test_diff_shows_its_topics(printed):
    code, out = printed("diff", "qrels.txt", "good.run", "bad.run", "-m", "FirstGrade")

    assert code == 0
    assert "topic 1: 3.0000 to 1.0000 (-2.0000)" in out
    assert "topic 2: 2.0000 to 0.0000 (-2.0000)" in out


@pytest.mark.parametrize(("candidate", "code"), [("good.run", 0), ("bad.run", 1)])
def test_gate_judges_by_it(printed, candidate, code):
    rule = ("--max-drop", "FirstGrade=0.5", "--policy", "observed")

    assert printed("gate", "qrels.txt", "good.run", candidate, *rule)[0] == code


def test_explain_shows_its_value(printed):
    code, out = printed("explain", "qrels.txt", "bad.run", "1", "-m", "FirstGrade")

    assert code == 0
    assert "FirstGrade = 1.0000" in out
