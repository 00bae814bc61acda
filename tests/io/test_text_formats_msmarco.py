"""Three columns of whole numbers hold MS MARCO's ranks only where they count up."""

from contextlib import nullcontext
from random import Random

import pytest

import rankeval
from rankeval.__main__ import run
from rankeval.errors import InputError
from rankeval.io.blocks import USUAL
from rankeval.io.formats import Form
from rankeval.io.read import read_columns
from tests.support.compiled import without_kernel
from tests.support.read_sizes import fast

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


def first_in_doubt(rows):
    """The line of the first number that does not count up in its topic, by the rule itself."""
    last = {}
    for line, (topic, number) in enumerate(rows, 1):
        if number != last[topic] + 1 if topic in last else number > 1:
            return line
        last[topic] = number
    return None


def counting(rng, n_rows):
    """Numbers that count up in topics that come back; one of them may be changed."""
    last, rows, topic = {}, [], "a"
    for _ in range(n_rows):
        topic = rng.choice((topic, topic, *"abc"))
        last[topic] = last.get(topic, rng.choice((-1, 0))) + 1
        rows.append((topic, last[topic]))
    if rng.random() < 0.7:
        at = rng.randrange(n_rows)
        rows[at] = rows[at][0], rng.choice((0, 1, 2, 17, rows[at][1] + 1))
    return rows


@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize("seed", range(30))
def test_the_same_line_is_refused_however_the_file_is_read(tmp_path, seed, kernel):
    rng = Random(seed)
    rows = counting(rng, rng.choice((1, 2, 5, 40)))
    text = "".join(f"{topic} d{i} {number}\n" for i, (topic, number) in enumerate(rows))
    (tmp_path / "run").write_text(text)
    expected = first_in_doubt(rows)

    for sizes in (USUAL, fast(), *(fast(block_bytes=size) for size in (9, 20, 100))):
        for jobs in 1, 2:
            with nullcontext() if kernel else without_kernel():
                parts = read_columns(str(tmp_path / "run"), Form("run"), jobs=jobs, sizes=sizes)
                if expected is None:
                    assert sum(map(len, parts)) == len(rows)
                    continue
                with pytest.raises(InputError, match="ranks or scores") as refused:
                    list(parts)
                assert refused.value.place.endswith(f"run:{expected}")
