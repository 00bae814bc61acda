"""Documents named like their topic are dropped by one option of all commands that evaluate."""

import pytest

import rankeval
from tests.support.commands import run_command

RUN = "q1 Q0 q1 1 3 x\nq1 Q0 d1 2 2 x\nq2 Q0 d2 1 1 x\n"
QRELS = "q1 0 d1 1\nq2 0 d2 1\n"
"""RR of q1 is 1/2 with the topic's own document at rank 1, and 1 without it; that of q2 is 1."""


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.txt").write_text(RUN)
    (tmp_path / "qrels.txt").write_text(QRELS)


@pytest.mark.parametrize(("options", "mean"), [([], "0.7500"), (["--drop-self"], "1.0000")])
def test_documents_named_like_their_topic_are_dropped(options, mean):
    done = run_command(["eval", "qrels.txt", "run.txt", "-m", "RR", *options])

    assert done.code == 0, done.stderr
    assert mean in done.stdout


def test_the_keyword_of_python_is_that_of_the_shell():
    assert rankeval.evaluate("qrels.txt", "run.txt", "RR").runs[0]["RR"].mean == 0.75
    (run,) = rankeval.evaluate("qrels.txt", "run.txt", "RR", drop_self=True).runs
    assert run["RR"].mean == 1.0


@pytest.mark.parametrize("command", ["eval", "compare", "diff", "topics", "report"])
def test_the_option_is_found_by_its_words(command):
    shown = " ".join(run_command([command, "--help"]).stdout.split())

    assert "--drop-self" in shown
    assert "has the name of its topic" in shown
