import json

from tests.support.files import EXAMPLE_QRELS, EXAMPLE_RUNS, qrels_of, run_of


def test_the_command_reads_groups_and_names_runs(shell):
    groups = shell.path("groups.txt")
    groups.write_text("bm25 ours\nlsa ours\n")
    words = ["systems", EXAMPLE_QRELS, *EXAMPLE_RUNS, "--run-groups", "groups.txt", "-f", "json"]

    found = json.loads(shell(*map(str, words)).out)

    assert list(found["leave_one_group_out"]) == ["ours"]
    assert set(found["unique_relevant"]) == {"bm25", "lsa", "qld", "rrf", "tfidf", "title"}
    assert len(found["warnings"]) == 1


def test_one_run_is_refused(shell):
    outcome = shell("systems", str(EXAMPLE_QRELS), str(EXAMPLE_RUNS[0]))

    assert (outcome.code, outcome.out) == (2, "")
    assert "two runs or more" in outcome.err


def test_the_answer_comes_first_and_the_rest_with_v(shell):
    """Only `one` has found a. Without its judgment, `two` is above, as it finds b at rank 1."""
    shell.write(
        qrels=qrels_of(t1="a1 b1", t2="a1"),
        one=run_of("one", t1="a c b", t2="a"),
        two=run_of("two", t1="b", t2="b"),
    )
    words = ["systems", "qrels.txt", "one.txt", "two.txt", "-m", "RR"]

    brief, whole = shell(*words).out, shell(*words, "-v").out

    assert " ".join(brief.split()).startswith(
        "Without the documents that it alone added to the pool, one falls by 1 rank in RR."
    )
    assert brief.splitlines()[-1] == "-v says more"
    assert "Runs without the documents" in whole
    assert "Runs without the documents" not in brief
