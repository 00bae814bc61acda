"""`rankeval convert --exclude`: a run without the documents that judgments have."""

import json

import pytest

import rankeval
from rankeval.errors import UsageError
from tests.support.commands import run_command

RUN = "q1 Q0 a 1 3 x\nq1 Q0 b 2 2 x\nq1 Q0 c 3 1 x\nq2 Q0 a 1 2 x\nq3 Q0 b 1 1 x\n"
QRELS = "q1 0 b 0\nq1 0 z 1\nq2 0 a 1\nq3 0 a 1\n"
"""b of q1 and a of q2 are judged, whatever the grade; b of q3 is not."""


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.txt").write_text(RUN)
    (tmp_path / "qrels.txt").write_text(QRELS)


def test_judged_documents_are_left_out(tmp_path):
    done = run_command(["convert", "run.txt", "rest.txt", "--to", "trec", "--exclude", "qrels.txt"])

    assert done.code == 0, done.stderr
    rest = (tmp_path / "rest.txt").read_text()
    assert rest == "q1 Q0 a 1 3.0 x\nq1 Q0 c 3 1.0 x\nq3 Q0 b 1 1.0 x\n"


def test_the_depth_is_that_of_the_residual_run(tmp_path):
    rankeval.convert("run.txt", "rest.json", exclude={"q1": {"a": 0}}, depth=1)

    assert json.loads((tmp_path / "rest.json").read_text()) == {
        "q1": {"b": 2.0},
        "q2": {"a": 2.0},
        "q3": {"b": 1.0},
    }


def test_a_topic_whose_documents_are_all_judged_is_left_without_any(tmp_path):
    rankeval.convert("run.txt", "rest.json", exclude="qrels.txt")

    assert json.loads((tmp_path / "rest.json").read_text())["q2"] == {}


def test_judgments_have_no_residual_run():
    with pytest.raises(UsageError, match="--exclude is for runs"):
        rankeval.convert("qrels.txt", "rest.txt", to="trec", exclude="qrels.txt")
