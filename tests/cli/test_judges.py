import json

from tests.support.files import qrels_of, run_of


def test_the_command_tells_judgments_and_runs_apart(shell):
    first = {f"t{i}": f"a{i % 3} b1 c0" for i in range(4)}
    files = shell.write(
        old=qrels_of(**first),
        new=qrels_of(**first, more="x1"),
        good=run_of("good", **dict.fromkeys(first, "a b c")),
        bad=run_of("bad", **dict.fromkeys(first, "c b a")),
    )
    outcome = files("judges", "good.txt", "old.txt", "bad.txt", "human=new.txt", "-f", "json")

    found = json.loads(outcome.out)
    assert [judge["name"] for judge in found["judges"]] == ["old", "human"]
    assert [run["run"] for run in found["measures"]["AP"]["runs"]] == ["good", "bad"]
    assert found["warnings"] == ["old has no judgment for 1 topic of 5"]
    assert found["only_second"] == 1


def test_one_set_of_judgments_cannot_be_compared(shell):
    shell.write(old=qrels_of(t1="a1"), good=run_of("good", t1="a"))

    outcome = shell("judges", "old.txt", "good.txt")

    assert (outcome.code, outcome.out) == (2, "")
    assert "two sets of judgments or more" in outcome.err


def test_tables_of_topics_are_whole_with_q(shell):
    judged = {f"t{i:02}": "a1 b0" for i in range(15)}
    files = shell.write(old=qrels_of(**judged), new=qrels_of(**judged))

    assert "10 of 15" in files("judges", "old.txt", "new.txt").out
    assert "t14" in files("judges", "old.txt", "new.txt", "-q").out


def test_a_pipe_is_told_apart_like_a_file(shell):
    old = qrels_of(t1="a1 b0", t2="a0 b1")
    files = shell.write(old=old)

    piped = files("judges", "old.txt", "-", "-f", "json", stdin=old.encode())

    assert json.loads(piped.out)["raw"] == 1.0


def test_tsv_has_a_line_for_each_number(shell):
    files = shell.write(
        old=qrels_of(t1="a1 b0"),
        new=qrels_of(t1="a1 b1"),
        one=run_of("one", t1="a b"),
        two=run_of("two", t1="b a"),
    )
    lines = files("judges", "old.txt", "new.txt", "one.txt", "two.txt", "-f", "tsv").out

    rows = [line.split("\t") for line in lines.splitlines()]
    assert rows[0] == ["first", "second", "topic", "measure", "statistic", "value", "low", "high"]
    assert ["", "", "", "", "both", "2", "", ""] in rows
    assert ["old", "new", "", "", "confusion 0 1", "1", "", ""] in rows
    assert ["old", "new", "", "AP", "turned", "0", "", ""] in rows
    assert ["", "", "t1", "", "raw", "0.5", "", ""] in rows
