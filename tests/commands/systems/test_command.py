import json

from tests.support.files import EXAMPLE_QRELS, EXAMPLE_RUNS


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
