"""What is said beside the numbers: on stderr, once; and in the JSON, for each run."""

import json

import pytest

from tests.support.files import qrels_of, run_of

SITUATIONS = {
    "topics that the run lacks": (
        {"qrels": qrels_of(t1="a1", t2="a1", t3="a1"), "run": run_of(t2="a")},
        [],
        "the run lacks 2 of 3 judged topics (scored 0): t1, t3",
    ),
    "ties": (
        {"qrels": qrels_of(t1="a1 b0", t2="a1 b0"), "run": run_of(t1="a=b", t2="a b")},
        [],
        (
            # The relevant document stands first or second on the first topic, first on the second.
            "ties in 1 topic: Rprec could be 0.5000 to 1.0000 (--ties)"
        ),
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
    "undefined values": (
        {"qrels": qrels_of(t1="a1 b0", t2="a1", t3="a1"), "run": run_of(t1="a b", t2="a", t3="a")},
        ["-m", "AUC"],
        "AUC is undefined for 2 topics, left out of its mean",
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
