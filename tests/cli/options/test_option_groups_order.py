"""Arguments in the wrong order: judgments that do not come first, and a topic that is not last."""

import shlex

import pytest

from tests.support.commands import run_command

QRELS = "topic,docno,grade\n1,a,1\n"
RUN = "topic,docno,score,tag\n1,a,2.5,t\n"


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.csv").write_text(QRELS)
    (tmp_path / "run.csv").write_text(RUN)
    (tmp_path / "other run.csv").write_text(RUN)
    (tmp_path / "trec.qrels").write_text("1 0 a 1\n")
    (tmp_path / "trec.run").write_text("1 Q0 a 1 2.5 t\n")


@pytest.mark.parametrize(
    ("words", "right"),
    [
        ("run.csv qrels.csv", "eval qrels.csv run.csv"),
        ("eval run.csv 'other run.csv' qrels.csv", "eval qrels.csv run.csv 'other run.csv'"),
        ("compare run.csv qrels.csv run.csv", "compare qrels.csv run.csv run.csv"),
        ("diff run.csv 'other run.csv' qrels.csv", "diff qrels.csv run.csv 'other run.csv'"),
        (
            "gate run.csv qrels.csv 'other run.csv' --max-drop AP=1",
            "gate qrels.csv run.csv 'other run.csv'",
        ),
        ("explain run.csv qrels.csv 1", "explain qrels.csv run.csv"),
        ("plot box run.csv qrels.csv", "plot box qrels.csv run.csv"),
    ],
)
def test_judgments_that_do_not_come_first_are_recognised(words, right):
    done = run_command(shlex.split(words))

    assert (done.code, done.stdout) == (2, "")
    assert done.stderr == (
        "rankeval: qrels.csv: this file holds judgments, which come first\n"
        f"  to fix:   rankeval {right}\n"
    )
    assert run_command([*shlex.split(right), *(["1"] if "explain" in right else [])]).code in (0, 2)


@pytest.mark.parametrize("words", ["trec.qrels 1 trec.run", "1 trec.qrels trec.run"])
def test_a_topic_that_is_not_last_is_recognised(words):
    done = run_command(["explain", *words.split()])

    assert (done.code, done.stdout) == (2, "")
    assert done.stderr == (
        "rankeval: the topic comes last, and '1' is not a file\n"
        "  expected: QRELS RUN TOPIC\n"
        "  to fix:   rankeval explain trec.qrels trec.run 1\n"
    )
