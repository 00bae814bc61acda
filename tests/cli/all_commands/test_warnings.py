"""What is said beside the numbers: on stderr, once; and in the JSON, for each run."""

import json

import pytest

from tests.support.files import qrels_of, run_of

ERR_SCALE = (
    "ERR@20: max_rel=4 is assumed but the largest grade in the qrels is 2: "
    "state the scale with max_rel=, or max_rel='qrels'"
)
SITUATIONS = {
    "topics that the run lacks": (
        {"qrels": qrels_of(t1="a1", t2="a1", t3="a1"), "run": run_of(t2="a")},
        [],
        "the run lacks 2 of 3 judged topics (scored 0): t1, t3",
    ),
    "many topics that the run lacks": (
        {"qrels": qrels_of(**{f"t{i}": "a1" for i in range(6)}), "run": run_of(t5="a")},
        [],
        "the run lacks 5 of 6 judged topics (scored 0): t0, t1, t2 and 2 more",
    ),
    "topics that the run lacks, left out": (
        {"qrels": qrels_of(t1="a1", t2="a1"), "run": run_of(t2="a")},
        ["--topics", "both"],
        "the run lacks 1 of 2 judged topics (left out): t1",
    ),
    "topics that the qrels lack": (
        {"qrels": qrels_of(t1="a1"), "run": run_of(t1="a", t8="a", t9="a")},
        [],
        "2 topics of the run have no judgments (ignored): t8, t9",
    ),
    "unjudged documents": (
        {"qrels": qrels_of(t1="a1", t2="a1"), "run": run_of(t1="a x y", t2="a")},
        [],
        # x and y in t1, none in t2: the mean of Unjudged@10, which is trec_eval's unj.
        "10.0% of the top 10 is unjudged",
    ),
    "ties": (
        {"qrels": qrels_of(t1="a1 b0", t2="a1 b0"), "run": run_of(t1="a=b", t2="a b")},
        [],
        (
            # The relevant document stands first or second on the first topic, first on the second.
            "ties in 1 topic: Rprec could be 0.5000 to 1.0000 (--ties)"
        ),
    ),
    "a topic without relevant documents": (
        {"qrels": qrels_of(t1="a1", t2="a0"), "run": run_of(t1="a", t2="a")},
        [],
        "1 topic has no relevant document (scores 0)",
    ),
    "topics without relevant documents": (
        {"qrels": qrels_of(t1="a1", t2="a0", t3="a0"), "run": run_of(t1="a", t2="a", t3="a")},
        [],
        "2 topics have no relevant document (score 0)",
    ),
    "topics without relevant documents, left out": (
        {"qrels": qrels_of(t1="a1", t2="a0"), "run": run_of(t1="a", t2="a")},
        ["--skip-no-relevant"],
        "1 topic has no relevant document (left out)",
    ),
    "topics whose documents are below the threshold": (
        {"qrels": qrels_of(t1="a2", t2="a1"), "run": run_of(t1="a", t2="a")},
        ["-l", "2"],
        (
            # t2 has a document of grade 1, which nDCG counts.
            "1 topic has no relevant document of grade 2 or more (AP(rel=2), RR(rel=2), "
            "P(rel=2)@10 and 2 more score 0 there)"
        ),
    ),
    "unjudged documents above the depth": (
        {"qrels": qrels_of(t1="a1", t2="a1"), "run": run_of(t1="a x y z", t2="a")},
        ["-M", "2"],
        # a, x and a are left; y and z do not count: 1 / 2 of the first two in t1, none in t2.
        "25.0% of the top 2 is unjudged",
    ),
    "run tags": (
        {"qrels": qrels_of(t1="a1", t2="a1"), "run": run_of("x", t1="a") + run_of("y", t2="a")},
        [],
        "the file has 2 run tags: x, y; the last one names it",
    ),
    "undefined values": (
        {"qrels": qrels_of(t1="a1 b0", t2="a1", t3="a1"), "run": run_of(t1="a b", t2="a", t3="a")},
        ["-m", "AUC"],
        "AUC is undefined for 2 topics, left out of its mean",
    ),
    "the scale of ERR": (
        {"qrels": qrels_of(t1="a2"), "run": run_of(t1="a")},
        ["-m", "ERR@20"],
        ERR_SCALE,
    ),
}


@pytest.mark.parametrize(("files", "options", "message"), SITUATIONS.values(), ids=SITUATIONS)
def test_what_qualifies_the_numbers_is_told_on_stderr_and_in_the_json(
    shell, files, options, message
):
    shell.write(**files)

    outcome = shell("qrels.txt", "run.txt", "-f", "json", "-v", *options)

    assert outcome.code == 0
    assert outcome.err == f"rankeval: warning: {message}\n"
    assert json.loads(outcome.out)["runs"][0]["warnings"] == [message]


@pytest.mark.parametrize("grades", ["a1 b1", "a0 b0 c1"])
def test_ties_among_documents_of_the_same_grade_decide_nothing(shell, grades):
    shell.write(qrels=qrels_of(t=grades), run=run_of(t="c a=b" if "c1" in grades else "a=b"))

    assert shell("qrels.txt", "run.txt").err == ""


def test_each_run_has_a_line_for_each_doubt(shell):
    shell.write(
        qrels=qrels_of(t1="a1 b0", t2="a1 b0"),
        x=run_of("x", t1="a=b q", t2="a=b"),
        y=run_of("y", t1="a=b", t2="a b q q2"),
        z=run_of("z", t1="a b", t2="a b"),
    )

    outcome = shell("qrels.txt", "x.txt", "y.txt", "z.txt", "-m", "AP", "-f", "json", "-v")

    assert outcome.err == (
        "rankeval: warning: x: 5.0% of the top 10 is unjudged\n"
        "rankeval: warning: y: 10.0% of the top 10 is unjudged\n"
        "rankeval: warning: x: ties in 2 topics: AP could be 0.5000 to 1.0000 (--ties)\n"
        "rankeval: warning: y: ties in 1 topic: AP could be 0.7500 to 1.0000 (--ties)\n"
    )
    x, _, z = json.loads(outcome.out)["runs"]
    assert x["warnings"] == [
        "5.0% of the top 10 is unjudged",
        "ties in 2 topics: AP could be 0.5000 to 1.0000 (--ties)",
    ]
    assert z["warnings"] == []


@pytest.mark.parametrize("place", ["tag", "topic", "path"])
def test_escape_sequences_of_files_do_not_reach_the_terminal(shell, place):
    tag, topic = "tag", "t"
    other = "other.txt"
    if place == "tag":
        tag = "\x1b[31mred"
    elif place == "topic":
        topic = "\x1b[31mred"
    else:
        other = "\x1b[31mred.txt"
    shell.write(qrels=qrels_of(t="a1") + f"{topic}2 0 a 1\n", run=run_of(tag, t="a"))
    try:
        shell.path(other).write_text(run_of(tag, t="a", **{f"{topic}2": "a"}))
    except OSError:
        pytest.skip("the file system takes no such name")

    outcome = shell("qrels.txt", "run.txt", other)

    assert outcome.code == 0
    assert outcome.err
    assert "\x1b" not in outcome.err + outcome.out


@pytest.mark.parametrize(
    ("measures", "effect"),
    [
        ("AUC", " (no value)"),
        ("AUC RR", " (scored 0)"),
        ("RR", " (scored 0)"),
    ],
)
def test_a_missing_topic_is_said_to_score_0_only_where_it_does(shell, measures, effect):
    shell.write(qrels=qrels_of(t1="a1 b0", t2="a1 b0"), run=run_of(t2="a b"))

    told = shell("eval", "qrels.txt", "run.txt", "-m", measures, "-v").err

    assert f"the run lacks 1 of 2 judged topics{effect}: t1\n" in told


def test_ties_of_a_run_from_a_pipe_are_told_by_every_command_that_shows_means(shell):
    run, same = run_of(t1="a=b", t2="a=b"), run_of("same", t1="a b", t2="a b")
    shell.write(qrels=qrels_of(t1="a1 b0", t2="a1 b0"), same=same)
    commands = {
        "eval": ["-", "-m", "AP"],
        "compare": ["same.txt", "-", "-m", "AP"],
        "diff": ["same.txt", "-", "-m", "AP"],
        "gate": ["same.txt", "-", "--min", "AP=0.1"],
    }
    for command, arguments in commands.items():
        told = shell(command, "qrels.txt", *arguments, "-v", stdin=run.encode())

        assert told.code == 0, told.err
        assert "AP could be 0.5000 to 1.0000" in told.err


@pytest.mark.parametrize(("digits", "told"), [("3", True), ("1", False)])
@pytest.mark.parametrize(
    "words",
    [
        ["eval", "qrels.txt", "run.txt", "-m", "AP"],
    ],
    ids=lambda words: words[0],
)
def test_ties_that_change_no_printed_digit_are_not_told(shell, words, digits, told):
    many = {f"t{i}": "a b" for i in range(29)}
    grades = dict.fromkeys(["t", *many], "a1 b0")
    # One topic of 30 may lose half of its value: 1/60 of the mean.
    shell.write(qrels=qrels_of(**grades), run=run_of(t="a=b", **many))

    outcome = shell(*words, "--digits", digits, "-v")

    assert outcome.code == 0, outcome.err
    assert ("could be" in outcome.err) == told
