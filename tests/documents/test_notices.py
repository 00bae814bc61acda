"""Notices: text that knows its parts, and one line for several runs."""

import copy
import pickle

import pytest

from rankeval.documents.notices import notice_lines
from rankeval.evaluation.results import Notice, RunResult

TIED = Notice("ties in ", "3 topics", ", ordered by docno")


def told(*runs):
    """The lines for runs of these names and notices."""
    return list(
        notice_lines([RunResult(name, f"{name}.run", (), (), notices) for name, notices in runs])
    )


def test_a_notice_is_its_text():
    assert TIED == "ties in 3 topics, ordered by docno"
    assert Notice("plain") == "plain"


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda n: pickle.loads(pickle.dumps(n))]
)
def test_a_copy_knows_the_parts(again):
    copied = again(TIED)

    assert copied == TIED
    assert (copied.before, copied.found, copied.after) == (TIED.before, TIED.found, TIED.after)


def test_a_single_run_needs_no_name():
    assert told(("bm25", (TIED, Notice("plain")))) == [TIED, "plain"]


def test_what_was_found_stands_with_the_run_it_was_found_in():
    other = Notice(TIED.before, "1 topic", TIED.after)

    assert told(("a", (TIED,)), ("b", ()), ("c", (other,))) == (
        ["ties in 3 topics (a), 1 topic (c), ordered by docno"]
    )


def test_notices_alike_in_some_runs_name_them():
    assert told(("a", (TIED,)), ("b", (TIED,)), ("c", ())) == [f"a, b: {TIED}"]


def test_runs_of_the_same_name_are_told_apart_as_in_tables():
    assert told(("a", (TIED,)), ("a", ())) == [f"a: {TIED}"]


def test_many_runs_are_told_by_the_largest_number():
    notices = [(f"seed{n}", (Notice("ties in ", f"{n:,} topics", "."),)) for n in (9, 1200, 31)]
    others = [(f"dense{n}", (Notice("ties in ", f"{n} topics", "."),)) for n in range(1, 5)]

    assert told(*notices, *others) == ["ties in up to 1,200 topics (seed1200, the most of 7 runs)."]
    assert told(*others)[0].startswith("ties in 1 topics (dense1), 2 topics (dense2), ")


def test_many_runs_with_the_same_notice_are_not_all_named():
    runs = [(f"seed{n}", (TIED,)) for n in range(1, 9)]

    assert told(*runs, ("bm25", ())) == [f"seed1, seed2, seed3 and 5 more runs: {TIED}"]


def test_nothing_to_tell_is_no_line():
    assert told(("a", ()), ("b", ())) == []
