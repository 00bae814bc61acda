"""`rankeval fuse`: what is written, and what is said."""

import pytest

from tests.support.files import BM25, DENSE, QRELS


@pytest.fixture
def files(shell):
    return shell.write(qrels=QRELS, bm25=BM25, dense=DENSE)


def test_the_run_goes_to_standard_output_in_trecs_format(files):
    """Topic 301 has the rankings a b c and c a b, topic 302 d a and a d."""
    outcome = files("fuse", "bm25.txt", "dense.txt", "--method", "rrf(k=0)")

    assert outcome.out.splitlines() == [
        f"301 Q0 a 1 {1 / 1 + 1 / 2!r} rrf",
        f"301 Q0 c 2 {1 / 3 + 1 / 1!r} rrf",
        f"301 Q0 b 3 {1 / 3 + 1 / 2!r} rrf",
        "302 Q0 d 1 1.5 rrf",
        "302 Q0 a 2 1.5 rrf",
    ]
    assert (outcome.code, outcome.err) == (0, "")


def test_topics_that_a_run_lacks_are_told(files):
    files.write(dense=DENSE.replace("302", "303"))

    outcome = files("fuse", "bm25.txt", "dense.txt")

    assert [line.split()[0] for line in outcome.out.splitlines()].count("303") == 2
    assert outcome.err.splitlines() == [
        "rankeval: warning: bm25.txt lacks 1 of 3 topics",
        "rankeval: warning: dense.txt lacks 1 of 3 topics",
    ]


def test_a_run_that_is_wrong_leaves_no_output(files):
    files.write(dense=DENSE + "303 Q0 x 1 nothing dense\n")

    outcome = files("fuse", "bm25.txt", "dense.txt", "-o", "out.run")

    assert (outcome.code, outcome.out) == (2, "")
    assert "dense.txt:6" in outcome.err
    assert not files.path("out.run").exists()
    assert files("fuse", "bm25.txt", "dense.txt").out == ""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--method", "wsum", "--weights", "1,x"), "'1,x' is not a number, in --weights"),
        (("--method", "rrf(k)"), "'' is not a number, in rrf(k)"),
        (("-m", "AP"), " needs --tune"),
        (("-o", "bm25.txt"), "bm25.txt"),
    ],
)
def test_options_that_make_no_sense_are_refused(files, words, told):
    outcome = files("fuse", "bm25.txt", "dense.txt", *words)

    assert (outcome.code, outcome.out) == (2, "")
    assert told in outcome.err


TUNED = ("fuse", "bm25.txt", "dense.txt", "--method", "combsum", "--tune", "qrels.txt")


def test_tuning_prints_held_out_scores_that_the_fused_run_has(files):
    """Each topic is fused by the settings chosen without it, so that eval gives the same number."""
    outcome = files(*TUNED, "-m", "RR", "-o", "fused.run")

    assert (outcome.code, outcome.out) == (0, "")
    line = next(line for line in outcome.err.splitlines() if line.startswith("RR, each topic"))
    table = files("eval", "qrels.txt", "fused.run", "-m", "RR", "-f", "tsv").out
    assert f": {float(table.splitlines()[-1].split()[-1]):.4f} (" in line


def test_the_report_of_tuning_leaves_standard_output_to_the_run(files):
    outcome, quiet = files(*TUNED), files(*TUNED, "--quiet")

    assert all(line.split()[1] == "Q0" for line in outcome.out.splitlines())
    assert "(usual: " in outcome.err
    assert (quiet.out, quiet.err) == (outcome.out, "")
