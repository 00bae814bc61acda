"""`rankeval explain`, as it is typed."""

import json
import math
import sys

import pytest

from rankeval.__main__ import run as run_command

QRELS = """\
301 0 a 2
301 0 b 0
301 0 c 1
301 0 d 3
301 0 e 0
301 0 f 1
301 0 g -1
302 0 a 1
"""
RUN = """\
301 Q0 a 1 9 bm25
301 Q0 b 2 8 bm25
301 Q0 x 3 8 bm25
301 Q0 c 4 6 bm25
301 Q0 g 5 5 bm25
301 Q0 d 6 4 bm25
301 Q0 e 7 4 bm25
"""

TABLE = """\
nDCG@5 = 0.4681, topic 301, run bm25
  nDCG@k = DCG@k / IDCG@k

rank  docno  score  grade  gain  discount    adds   value
---------------------------------------------------------
   1  a         9      2*     2    1.0000  0.3852  0.3852
   2  x         8=     ?           1.5850  0.0000  0.3852
   3  b         8=     0      0    2.0000  0.0000  0.3852
   4  c         6      1*     1    2.3219  0.0829  0.4681
   5  g         5     -1      0    2.5850  0.0000  0.4681
* relevant; ? unjudged; = tied, by docno; value: of the ranking up to this rank
inputs: NumRet 7, NumRel 4, NumRelRet@5 2, DCG@5 2.4307, IDCG@5 5.1925
missed: d (grade 3, rank 7), f (grade 1, not retrieved)
"""


@pytest.fixture
def explain(tmp_path, capsys, monkeypatch):
    """Run the command on files of the given content; give exit code, stdout and stderr."""
    monkeypatch.setenv("COLUMNS", "80")

    def explained(*arguments, qrels=QRELS, run=RUN):
        (tmp_path / "qrels.txt").write_text(qrels)
        (tmp_path / "run.txt").write_text(run)
        files = [str(tmp_path / "qrels.txt"), str(tmp_path / "run.txt")]
        code = run_command(["explain", *files, *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return explained


def test_the_table_shows_each_rank_the_ideal_and_what_was_missed(explain):
    assert explain("301", "-m", "nDCG@5") == (0, TABLE, "")


def test_json_holds_everything_at_full_precision(explain):
    _, out, _ = explain("301", "-m", "nDCG@5 AUC", "-f", "json")
    document = json.loads(out)

    assert document["schema"] == "rankeval-explain/1"
    ndcg, auc = document["explanations"]
    assert (ndcg["topic"], ndcg["run"], ndcg["measure"]) == ("301", "bm25", "nDCG@5")
    assert ndcg["value"] == pytest.approx(0.4681097112364759)
    assert ndcg["documents"][1] == {
        "rank": 2,
        "docno": "x",
        "score": 8.0,
        "grade": None,
        "relevant": False,
        "ties": [2, 3],
        "terms": {"discount": pytest.approx(math.log2(3))},
        "contribution": 0.0,
        "running": ndcg["documents"][0]["running"],
    }
    assert ndcg["missed"][0] == {"docno": "d", "grade": 3, "rank": 7}
    assert ndcg["signature"].startswith("rankeval:")
    assert auc["documents"][0]["running"] is None


@pytest.mark.parametrize(
    ("topic", "lines"),
    [
        ("303", ["qrels.txt: no judgments for the topic '303'", "expected: 301, 302"]),
        ("3011", ["expected: perhaps 301"]),
        (__file__, ["expected: 301, 302", "name the topic last, after the files"]),
        ("302", ["run.txt: no ranking for the topic '302'", "expected: a topic of the run"]),
        ("x\x1b", ["qrels.txt: no judgments for the topic 'x\\x1b'", "expected: 301, 302"]),
    ],
)
def test_a_topic_that_is_missing_is_an_error_with_names_of_others(explain, topic, lines):
    code, out, err = explain(topic)

    assert (code, out) == (2, "")
    for line in lines:
        assert line in err


@pytest.mark.parametrize("measure", ["nDCG@10", "AP", "ERR@20", "RBP"])
def test_a_topic_fits_a_screen_and_no_docno_is_broken(explain, monkeypatch, measure):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    names = [f"clueweb22-en0000-00-00000-{i:05}-of-48-letters___" for i in range(100)]
    qrels = "".join(f"1 0 {name} {i % 3}\n" for i, name in enumerate(names))
    run = "".join(f"1 Q0 {name} 1 {-i - 0.1234567} t\n" for i, name in enumerate(names[:60]))

    _, out, _ = explain("1", "-m", measure, qrels=qrels, run=run)

    lines = out.splitlines()
    assert {len(name) for name in names} == {48}
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    shown = [line.split()[1] for line in lines if line[:4].strip().isdigit()]
    assert shown == names[:10]
    whole = explain("1", "-m", measure, "-v", qrels=qrels, run=run)[1]
    assert ("more: -v)" in out) == (measure != "nDCG@10")
    assert "more: -v)" not in whole
