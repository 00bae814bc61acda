"""Three columns of whole numbers hold MS MARCO's ranks only where they count up."""

import pytest

import rankeval
from rankeval.__main__ import run
from rankeval.errors import InputError

RANKS = {
    "from 1": "1\ta\t1\n1\tb\t2\n2\ta\t1\n",
    "from 0": "1\ta\t0\n1\tb\t1\n2\ta\t0\n",
    "of topics in turn": "1\ta\t1\n2\ta\t1\n1\tb\t2\n2\tb\t2\n",
    "after a comment": "# made by hand\n\n1 a 1\n1 b 2\n",
}
SCORES = {
    "scores that fall": ("11 p1 36\n11 p2 12\n", 1),
    "scores that begin with 1": ("11 p1 1\n11 p2 1\n", 2),
    "a score of a later topic": ("1 a 1\n1 b 2\n2 a 17\n", 3),
    "a gap": ("1 a 1\n1 b 3\n", 2),
    "ranks that fall": ("# none\n1 a 2\n1 b 1\n", 2),
}


@pytest.mark.parametrize("text", RANKS.values(), ids=RANKS)
def test_ranks_that_count_up_are_read(tmp_path, text):
    (tmp_path / "run").write_text(text)

    assert list(rankeval.Run(tmp_path / "run")["1"]) == ["a", "b"]


@pytest.mark.parametrize(("text", "line"), SCORES.values(), ids=SCORES)
def test_other_numbers_are_refused_unless_the_format_is_named(
    tmp_path, monkeypatch, capsys, text, line
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run").write_text(text)
    (tmp_path / "qrels").write_text("11 0 p2 1\n1 0 b 1\n")

    with pytest.raises(InputError, match="ranks or scores") as caught:
        rankeval.evaluate("qrels", "run", "AP")
    assert caught.value.place == f"run:{line}"
    assert "--run-format" in caught.value.remedy
    assert run(["convert", "run", "x.jsonl"]) == 2
    assert run(["check", "run"]) == 2
    assert f"run:{line}" in capsys.readouterr().out

    assert run(["eval", "qrels", "run", "--run-format", "msmarco", "-m", "AP"]) == 0
    assert rankeval.Run("run", format="msmarco")


def test_ranks_from_0_are_named_by_check_and_written_from_1(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run").write_text(RANKS["from 0"])
    (tmp_path / "trec.run").write_text("1 Q0 a 0 3 t\n1 Q0 b 1 2 t\n")

    run(["check", "run"])
    assert "ranks that begin with 0 in 2 topics" in capsys.readouterr().out
    assert run(["convert", "run", "x", "--to", "msmarco"]) == 0
    assert (tmp_path / "x").read_text() == RANKS["from 1"]
    assert run(["convert", "trec.run", "y", "--to", "msmarco"]) == 0
    assert (tmp_path / "y").read_text() == "1\ta\t1\n1\tb\t2\n"
