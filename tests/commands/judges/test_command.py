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

    assert "10 of 15" in files("judges", "old.txt", "new.txt", "-v").out
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
    assert rows[0] == ["first", "second", "topic", "measure", "statistic", "value", "low", "high"]
    assert ["", "", "", "", "both", "2", "", ""] in rows
    assert ["old", "new", "", "", "confusion 0 1", "1", "", ""] in rows
    assert ["", "", "t1", "", "raw", "0.5", "", ""] in rows


def test_documents_to_be_judged_are_left_out_and_said(shell):
    """`rankeval pool` writes grade -1; a topic that has nothing else is not judged."""
    files = shell.write(
        old=qrels_of(t1="a1 b0 c0", t2="a1"),
        new="t1 0 a 1\nt1 0 b -1\nt1 0 c 0\nt2 0 a -1\n",
    )
    told = files("judges", "old.txt", "new.txt", "-f", "json")

    found = json.loads(told.out)
    assert found["unjudged_grade"] == -1
    assert [judge["unjudged"] for judge in found["judges"]] == [0, 2]
    (pair,) = found["pairs"]
    assert (pair["both"], pair["raw"], pair["only_first"]) == (2, 1.0, 2)
    assert list(pair["confusion"]) == ["0", "1"]
    lines = files("judges", "old.txt", "new.txt", "-v").out.splitlines()
    assert ["new", "2", "1", "2"] in [line.split() for line in lines]
    rows = files("judges", "old.txt", "new.txt", "-f", "tsv").out.splitlines()
    assert "new\t\t\t\tunjudged\t2\t\t" in rows
    assert "new\t\t\t\tjudgments\t2\t\t" in rows


def test_a_collection_can_say_which_grade_is_no_judgment(shell):
    files = shell.write(
        old="t1 0 a 1\nt1 0 b -1\nt1 0 c -2\n", new="t1 0 a 1\nt1 0 b 0\nt1 0 c -2\n"
    )

    def both(*options):
        told = files("judges", "old.txt", "new.txt", *options, "-f", "json").out
        return json.loads(told)["both"]

    assert both() == both("--unjudged-grade", "-1") == both("--unjudged-grade", "-2") == 2
    assert both("--unjudged-grade=-9") == 3
    assert files("judges", "old.txt", "new.txt", "--unjudged-grade", "spam").code == 2


def test_intervals_need_five_topics(shell):
    few = {f"t{i}": "a1 b0" for i in range(4)}
    many = {f"t{i}": f"a1 b0 c{i % 2}" for i in range(6)}
    files = shell.write(
        old=qrels_of(**few),
        new=qrels_of(**few),
        one=qrels_of(**many),
        two=qrels_of(**dict.fromkeys(many, "a1 b0 c0")),
    )
    none = files("judges", "old.txt", "new.txt")
    some = files("judges", "one.txt", "two.txt")

    assert "No intervals: 4 topics with a document judged twice; at least 5" in none.out
    found = json.loads(files("judges", "old.txt", "new.txt", "-f", "json").out)
    raw = found["agreement"]["raw"]
    assert (found["n_topics"], raw["low"], raw["high"]) == (4, None, None)
    assert "Intervals: 95%, over 6 topics, by the jackknife." in some.out


def test_runs_are_ranked_without_documents_to_be_judged(shell):
    """`Judged` counts them; infAP, which estimates from a sample, is told that they are in it."""
    judged = "t1 0 a 1\nt1 0 b 0\nt2 0 a 1\n"
    pooled = "t1 0 c -1\nt1 0 d -1\nt3 0 a -1\n"
    files = shell.write(
        old=judged,
        new=judged + pooled,
        without=judged,
        good=run_of("good", t1="c a b d", t2="a", t3="a"),
        bad=run_of("bad", t1="b d c a", t2="b a", t3="b a"),
    )

    def measured(new, measures):
        told = files("judges", "old.txt", new, "good.txt", "bad.txt", "-m", measures, "-f", "json")
        return [one["values"][1] for one in json.loads(told.out)["ranked"]]

    def evaluated(measures):
        told = files("new.txt", "good.txt", "bad.txt", "-m", measures, "-f", "json")
        return [one["measures"][measures]["mean"] for one in json.loads(told.out)["runs"]]

    names = "AP Judged@4 nDCG@10 NumQ"
    assert measured("new.txt", names) == measured("without.txt", names)
    assert measured("new.txt", "infAP") == evaluated("infAP") != measured("without.txt", "infAP")


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


def test_verbose_warns_of_each_run_under_each_set_of_judgments(shell):
    files = shell.write(
        old=qrels_of(t1="a1 b0"),
        new=qrels_of(t1="a1 b0 c0"),
        one=run_of("one", t1="a b c d e f g"),
        two=run_of("two", t1="a c h i"),
    )
    judged = ("judges", "old.txt", "new.txt", "one.txt", "two.txt")
    whole, brief = files(*judged, "-v").err, files(*judged).err

    assert "one by old: 50.0% of the top 10 is unjudged" in brief
    for run, share in (("one by new", 40), ("two by old", 30), ("two by new", 20)):
        assert f"{run}: {share}.0% of the top 10 is unjudged" in whole
        assert run not in brief
