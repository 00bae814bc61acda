import csv
import json

import pytest

import rankeval
from rankeval.choices import Format
from rankeval.commands.diff.show import PRINTER
from rankeval.output.style import Style
from tests.support.files import EXAMPLE_RUNS, qrels_of, run_of
from tests.support.latex_structure import problems as latex_problems

RUNS = {path.stem: path for path in EXAMPLE_RUNS}

# r and s are relevant, x is not; u, v and w are unjudged.
QRELS = qrels_of(t1="r1 s2 x0", t2="r1 x0", t3="r1")
A = run_of("alpha", t1="r s x u", t2="x r", t3="r")
B = run_of("beta", t1="u v r x s", t2="r w x", t3="r")
FORMATS = [form for form in Format if form not in (Format.TREC, Format.HTML)]
FILES = ("diff", "qrels.txt", "a.txt", "b.txt")


@pytest.fixture
def files(shell):
    return shell.write(qrels=QRELS, a=A, b=B)


def test_the_difference_is_told_with_wins_ties_and_losses(files):
    told = " ".join(files(*FILES, "-m", "RR").out.split())

    # RR: 1, 1/2, 1 against 1/3, 1, 1.
    expected = "RR: 0.8333 (A, alpha), 0.7778 (B, beta); B - A is -0.0556 (-6.7%); "
    assert told.startswith(expected + "B wins 1, ties 1 and loses 1 of 3 topics.")


def test_topics_that_moved_most_come_first_with_their_documents(files):
    found = json.loads(files(*FILES, "-m", "RR", "--rows", "3", "-f", "json").out)

    first, second = found["measures"][0]["topics"]
    assert (first["topic"], second["topic"]) == ("t1", "t2")
    assert first["difference"] == pytest.approx(1 / 3 - 1)
    assert [(d["docno"], d["grade"], d["rank_a"], d["rank_b"]) for d in first["documents"]] == [
        ("s", 2, 2, 5),
        ("r", 1, 1, 3),
        ("x", 0, 3, 4),
        ("u", None, None, 1),  # in A it is below the first three
        ("v", None, None, 2),
    ]
    assert [d["docno"] for d in second["documents"]] == ["r", "x", "w"]


def test_holes_are_filled_and_removed_and_a_flip_is_told(files):
    found = json.loads(files(*FILES, "-m", "RR", "--rows", "3", "--holes", "-f", "json").out)

    cases = {case["case"]: case for case in found["measures"][0]["holes"]}
    means = {name: (case["a"], case["b"]) for name, case in cases.items()}
    assert means["not relevant"] == pytest.approx((2.5 / 3, (1 / 3 + 2) / 3))
    # u and v are relevant in B; u stands fourth in A.
    assert means["relevant"] == pytest.approx((2.5 / 3, 1.0))
    assert means["removed"] == pytest.approx((2.5 / 3, 1.0))
    assert [cases[name]["flips"] for name in ("not relevant", "relevant", "removed")] == [
        False,
        True,
        True,
    ]
    assert files(*FILES, "-m", "RR", "--rows", "3", "--holes").out.count("the verdict flips") == 2


def test_holes_raise_the_number_of_relevant_documents_of_both_runs(files):
    """Recall counts a document that only the other run found as missed."""
    found = json.loads(files(*FILES, "-m", "R@2", "--rows", "2", "--holes", "-f", "json").out)

    (relevant,) = [case for case in found["measures"][0]["holes"] if case["case"] == "relevant"]
    # t1 then has r s u v, t2 r w, t3 r.
    assert relevant["a"] == pytest.approx((2 / 4 + 1 / 2 + 1) / 3)
    assert relevant["b"] == pytest.approx((2 / 4 + 2 / 2 + 1) / 3)


def test_separated_values_are_the_documents_or_with_holes_the_cases(files):
    extra = ("-m", "RR", "--rows", "3")
    document = json.loads(files(*FILES, *extra, "--holes", "-f", "json").out)
    tsv = list(csv.reader(files(*FILES, *extra, "-f", "tsv").out.splitlines(), delimiter="\t"))
    cases = list(csv.DictReader(files(*FILES, *extra, "--holes", "-f", "csv").out.splitlines()))

    assert list(csv.reader(files(*FILES, *extra, "-f", "csv").out.splitlines())) == tsv
    assert {row[0] for row in tsv[1:]} == {
        topic["topic"] for topic in document["measures"][0]["topics"]
    }
    assert [case["case"] for case in cases] == [
        case["case"] for case in document["measures"][0]["holes"]
    ]
    assert [float(case["a"]) for case in cases] == pytest.approx(
        [case["a"] for case in document["measures"][0]["holes"]], abs=1e-4
    )


def test_markdown_and_latex_show_the_documents_of_each_topic(files):
    extra = ("-m", "RR", "--rows", "3", "--holes", "-v")
    markdown = files(*FILES, *extra, "-f", "markdown").out
    latex = files(*FILES, *extra, "-f", "latex").out

    assert "**topic t1: 1.0000 to 0.3333 (-0.6667)**" in markdown
    assert "| r | 1 | 1 | 3 | -0.6667 |" in markdown
    assert "| u | ? | - | 1 |  |" in markdown
    assert "r & 1 & 1 & 3 & $-$0.6667 \\\\" in latex
    assert "u & ? & -- & 1 &  \\\\" in latex
    assert latex_problems(latex) == []


def test_of_a_loss_a_smaller_value_wins(files):
    told = " ".join(files(*FILES, "-m", "Unjudged@2").out.split())

    assert told.startswith("Unjudged@2 (less is better): ")
    assert "B wins 0, ties 1 and loses 2 of 3 topics." in told


def test_a_run_can_be_compared_with_itself(files):
    outcome = files("diff", "qrels.txt", "a.txt", "a.txt", "--holes")

    assert outcome.code == 0
    assert "ties 3 and" in " ".join(outcome.out.split())
    assert "topic t" not in outcome.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-m", ""], "no measure to compute"),
        (["--show", "1"], "--show"),
        (["-m", "nDGC@10"], "nDCG"),
        (["-m", "GMAP"], "aggregated by geometric"),
        (["--rows", "0"], "--rows"),
        (["-f", "trec"], "this cannot be written as trec"),
        (["--ties", "best"], "ties by docno, input or rank"),
        (["-o", "a.txt"], "would overwrite this input"),
    ],
)
def test_what_is_wrong_ends_with_2(files, arguments, told):
    outcome = files(*FILES, *arguments)

    assert (outcome.code, outcome.out) == (2, "")
    assert told in outcome.err


@pytest.mark.parametrize("place", [1, 2, 3])
def test_one_of_the_files_may_be_standard_input(files, place):
    extra = ("-m", "RR", "--rows", "3", "--holes", "-f", "json")
    arguments = [*FILES, *extra]
    text = files.path(arguments[place]).read_bytes()
    piped = [*arguments[:place], "-", *arguments[place + 1 :]]

    found = json.loads(files(*piped, stdin=text).out)
    expected = json.loads(files(*arguments).out)

    for one in (found, expected):
        del one["a"]["path"], one["b"]["path"]
    assert found == expected
    assert found["measures"][0]["topics"][0]["documents"]


def test_standard_input_is_read_only_once(files):
    outcome = files("diff", "qrels.txt", "-", "-", stdin=B.encode())

    assert outcome.code == 2
    assert "standard input (-) is named more than once" in outcome.err


@pytest.mark.parametrize(
    "extra",
    [(), *(("-f", form) for form in FORMATS)],
)
def test_no_name_takes_effect(files, extra):
    files.write(b=run_of("\x1b[31m", t1="\x1b]0;x\x07 r", t2="@SUM r"))

    outcome = files(*FILES, "-m", "RR", *extra)

    assert outcome.code == 0
    assert "\x1b" not in outcome.out


def test_holes_of_judgments_by_subtopic_are_relevant_to_each_subtopic(files, tmp_path):
    """Two subtopics; x is not judged: as an ideal document it would cover both at once."""
    qrels, a, b = (tmp_path / name for name in ("subtopics.txt", "first.run", "second.run"))
    qrels.write_text("1 1 d1 1\n1 2 d2 1\n1 3 d3 0\n")
    a.write_text("1 Q0 d1 1 2 a\n1 Q0 d2 2 1 a\n")
    b.write_text("1 Q0 x 1 2 b\n1 Q0 d3 2 1 b\n")
    arguments = ("diff", str(qrels), str(a), str(b), "-m", "StRecall@1", "--holes", "-f", "json")

    found = {
        case["case"]: case for case in json.loads(files(*arguments).out)["measures"][0]["holes"]
    }

    assert (found["not relevant"]["a"], found["not relevant"]["b"]) == (1 / 2, 0)
    assert (found["relevant"]["a"], found["relevant"]["b"]) == (1 / 2, 1)
    assert found["relevant"]["flips"]


def test_holes_belong_to_no_stratum(files, tmp_path):
    qrels, run = tmp_path / "strata.txt", tmp_path / "one.run"
    qrels.write_text("1 0 d1 1 1\n1 0 d2 2 0\n")
    run.write_text("1 Q0 x 1 2 a\n1 Q0 d1 2 1 a\n")

    outcome = files("diff", str(qrels), str(run), str(run), "-m", "statAP", "--holes")

    assert outcome.code == 2
    assert "the effect of unjudged documents on statAP is not known" in outcome.err


# --- several measures -----------------------------------------------------------------------

SEVERAL = (*FILES, "-m", "RR AP", "-m", "P@2", "--rows", "3", "--holes")


def test_each_of_several_measures_is_told_as_it_is_alone(files):
    together = json.loads(files(*SEVERAL, "-f", "json").out)
    alone = [
        json.loads(files(*FILES, "-m", name, "--rows", "3", "--holes", "-f", "json").out)
        for name in ("RR", "AP", "P@2")
    ]

    assert together["measures"] == [one for found in alone for one in found["measures"]]
    assert [one["measure"] for one in together["measures"]] == ["RR", "AP", "P@2"]


def test_lines_name_their_measure(files):
    lines = files(*SEVERAL[:-1], "-f", "tsv").out.splitlines()
    holes = files(*SEVERAL, "-f", "csv").out.splitlines()
    records = [json.loads(line) for line in files(*SEVERAL, "-f", "jsonl").out.splitlines()]

    at = lines[0].split("\t").index("measure")
    assert [*dict.fromkeys(line.split("\t")[at] for line in lines[1:])] == ["RR", "AP", "P@2"]
    assert [*dict.fromkeys(line.split(",")[-1] for line in holes[1:])] == ["RR", "AP", "P@2"]
    assert [*dict.fromkeys(record["measure"] for record in records)] == ["RR", "AP", "P@2"]


def test_top_limits_topics_and_rows_limit_documents(files):
    few = json.loads(files(*FILES, "-m", "RR", "--top", "1", "--rows", "1", "-f", "json").out)

    (topic,) = few["measures"][0]["topics"]
    assert few["top"] == 1
    first = [one["docno"] for one in topic["documents"] if 1 in (one["rank_a"], one["rank_b"])]
    assert first == ["r", "u"]


def test_paths_with_seed_are_one_system_each(files):
    for number in "12":
        files.path(f"b.{number}.run").write_text(B)

    told = files("diff", "qrels.txt", "a.txt", "b.{seed}.run", "-m", "RR")
    document = json.loads(
        files("diff", "qrels.txt", "a.txt", "b.{seed}.run", "-m", "RR", "-f", "json").out
    )

    assert "0.7778 ± 0.0000 (B, beta)" in " ".join(told.out.split())
    assert "documents are those of b.1.run." in " ".join(told.out.split())
    assert [one["path"] for one in document["b"]["seeds"]] == ["b.1.run", "b.2.run"]
    assert "seeds" not in document["a"]


def test_a_glob_of_several_systems_is_no_side(files):
    for name in ("b", "c"):
        for number in "12":
            files.path(f"{name}.{number}.run").write_text(B)

    outcome = files("diff", "qrels.txt", "a.txt", "*.{seed}.run")

    assert (outcome.code, outcome.out) == (2, "")
    assert "the two paths match 3 systems: a.txt, b.{seed}.run, c.{seed}.run" in outcome.err


def test_topics_are_opened_by_name_in_the_order_given(files):
    found = json.loads(files(*FILES, "t3", "t1", "-m", "RR", "-f", "json").out)
    unknown = files(*FILES, "t9")

    assert [topic["topic"] for topic in found["measures"][0]["topics"]] == ["t3", "t1"]
    assert (unknown.code, unknown.out) == (2, "")
    assert "the topic 't9' was not evaluated" in unknown.err


def test_two_topics_fit_a_screen_and_no_docno_is_broken():
    names = [f"clueweb22-en0000-00-00000-{i:05}-a-long-name-of-a-document" for i in range(30)]
    qrels = {topic: {name: i % 3 for i, name in enumerate(names)} for topic in "12"}
    a = {topic: {name: -i for i, name in enumerate(names)} for topic in "12"}
    b = {topic: {name: i for i, name in enumerate(names)} for topic in "12"}
    found = rankeval.diff(qrels, a, b)

    told, all_of_it = (
        "".join(PRINTER.text(found, "table", Style(width=80, colour=False, verbose=verbose)))
        for verbose in (False, True)
    )

    lines = told.splitlines()
    assert len(lines) <= 22, told  # warnings and the next prompt are below
    assert max(map(len, lines)) <= 80
    assert sum(any(name in line for name in names) for line in lines) == 6
    assert told.count("clueweb22") == 6
    assert all_of_it.count("clueweb22") == 2 * 20
