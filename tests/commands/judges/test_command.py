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
    assert [one["run"] for one in found["ranked"]] == ["good", "bad"] * 2
    assert found["warnings"] == ["old has no judgment for 1 topic of 5"]
    assert found["pairs"][0]["only_second"] == 1


def test_tables_of_topics_are_whole_with_q(shell):
    judged = {f"t{i:02}": "a1 b0" for i in range(15)}
    files = shell.write(old=qrels_of(**judged), new=qrels_of(**judged))

    assert "t14" not in files("judges", "old.txt", "new.txt", "-v").out
    assert "Topics" not in files("judges", "old.txt", "new.txt").out
    assert "t14" in files("judges", "old.txt", "new.txt", "-q").out


def test_three_judges_have_a_table_of_every_two(shell):
    files = shell.write(
        a=qrels_of(t1="x0 y1", t2="z2"), b=qrels_of(t1="x1 y1", t2="z1"), c=qrels_of(t1="x2")
    )
    lines = files("judges", "a.txt", "b.txt", "c.txt", "-v").out.splitlines()

    at = next(i for i, line in enumerate(lines) if line.startswith("Pairs of judges"))
    assert [line.split() for line in lines[at + 3 : at + 6]] == [
        ["a", "b", "3", "0", "0", "0.3333", "0.0000", "+0.0000"],
        ["a", "c", "1", "2", "0", "0.0000", "0.0000", "+2.0000"],
        ["b", "c", "1", "2", "0", "0.0000", "0.0000", "+1.0000"],
    ]
    assert "Documents by the grade of a" not in "\n".join(lines)


def test_tsv_has_a_line_for_each_number(shell):
    files = shell.write(
        old=qrels_of(t1="a1 b0"),
        new=qrels_of(t1="a1 b1"),
        one=run_of("one", t1="a b"),
        two=run_of("two", t1="b a"),
    )
    lines = files("judges", "old.txt", "new.txt", "one.txt", "two.txt", "-f", "tsv").out

    rows = [line.split("\t") for line in lines.splitlines()]
    assert rows[0] == ["first", "second", "topic", "measure", "statistic", "value"]
    assert ["", "", "", "", "both", "2"] in rows
    assert ["old", "new", "", "", "confusion 0 1", "1"] in rows
    assert ["", "", "t1", "", "raw", "0.5"] in rows


def test_the_answer_comes_first_and_fits_a_screen(shell):
    """Two of three documents have the same grade, and the runs are in the same order by both."""
    files = shell.write(
        old=qrels_of(t1="a1 b0 c0"),
        new=qrels_of(t1="a1 b0 c1"),
        one=run_of("one", t1="a b c"),
        two=run_of("two", t1="b c a"),
    )
    brief = files("judges", "old.txt", "new.txt", "one.txt", "two.txt").out
    whole = files("judges", "old.txt", "new.txt", "one.txt", "two.txt", "-v").out

    head, *rest = brief.splitlines()
    assert head.startswith("old and new gave the same grade to 66.7% of the 3 documents that both")
    assert rest[0].endswith("Order of 2 runs: tau 1.00 for nDCG@10, 1.00 for AP.")
    assert rest[-1] == "-v says more"
    assert len(rest) < 24 < len(whole.splitlines())
    assert all(len(line) <= 80 for line in rest)
