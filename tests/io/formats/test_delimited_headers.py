"""A first line is a header if its names are known, and data if there is a number in their place."""

import pytest

import rankeval
from rankeval.__main__ import run
from rankeval.errors import InputError

JUDGED = {"1": {"a": 1, "b": 1}}
RUN = "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t\n"


@pytest.mark.parametrize("separator", ["\t", ",", " ", ";"])
@pytest.mark.parametrize(
    "names", [("query-id", "corpus-id"), ("user_id", "item_id"), ("topic", "docno"), ("qid", "pid")]
)
@pytest.mark.parametrize("suffix", ["", ".tsv", ".csv"])
def test_judgments_of_two_columns_may_have_names(tmp_path, separator, names, suffix):
    lines = [names, ("1", "a"), ("1", "b")]
    path = tmp_path / f"judged{suffix}"
    path.write_text("".join(f"{separator.join(line)}\n" for line in lines))

    qrels = rankeval.Qrels(path)

    assert {topic: dict(qrels[topic]) for topic in qrels} == JUDGED


def test_judgments_of_two_columns_may_have_given_names(tmp_path):
    (tmp_path / "judged.csv").write_text("who,what\n1,a\n1,b\n")

    qrels = rankeval.Qrels(tmp_path / "judged.csv", columns={"topic": "who", "docno": "what"})

    assert dict(qrels["1"]) == JUDGED["1"]


DATA = {
    "csv": ("run.csv", "1,a,0.9\n1,b,0.5\n", {"topic": "1", "docno": "a", "score": "0.9"}),
    "semicolons": ("run.csv", "1;a;0.9\n", {"topic": "1", "docno": "a", "score": "0.9"}),
    "tabs": ("run.tsv", "1\ta\t0.9\n", {"topic": "1", "docno": "a", "score": "0.9"}),
}


@pytest.mark.parametrize("case", DATA)
@pytest.mark.parametrize("named", [True, False])
def test_data_are_no_names_of_columns(tmp_path, monkeypatch, capsys, case, named):
    monkeypatch.chdir(tmp_path)
    name, text, columns = DATA[case]
    (tmp_path / name).write_text(text)
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    given = {"columns": columns} if named else {}

    with pytest.raises(InputError):
        list(rankeval.Run(name, **given))
    words = ["--columns", ",".join(map("=".join, columns.items()))] if named else []
    assert run(["eval", "qrels", name, *words]) == 2
    if case != "tabs" or named:
        assert "the first line is data" in capsys.readouterr().err


def test_given_names_hold_for_the_files_that_have_them(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("topic docno grade\n1 a 1\n")
    (tmp_path / "own.csv").write_text("x,y,z\n1,a,0.9\n")
    (tmp_path / "known.csv").write_text("qid,docno,score\n1,a,0.9\n")
    words = ["eval", "qrels", "known.csv", "own.csv", "-m", "AP", "-f", "tsv", "--columns"]

    assert run([*words, "topic=x,docno=y,score=z"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["known\tAP\tall\t1.0", "own\tAP\tall\t1.0"]
    assert run([*words, "topic=x,docno=y,score=w"]) == 2
    assert 'has no column "w" for the score' in capsys.readouterr().err
