"""Notices: text that knows its parts, and one line for several runs."""

import copy
import pickle

import pytest

from rankeval.evaluation.results import Notice, RunResult, notice_lines, notice_of_ranges

TIED = Notice("ties in 3 topics, ordered by docno")


def shown(*runs, **how):
    """The lines for runs of these names and notices."""
    results = [RunResult(name, f"{name}.run", (), (), notices) for name, notices in runs]
    return list(notice_lines(results, **how))


def lacking(n):
    return Notice(f"the run lacks {n} topics: some", "lacking", n)


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda n: pickle.loads(pickle.dumps(n))]
)
def test_a_copy_knows_the_parts(again):
    notice = notice_of_ranges("ties in 2 topics", {"AP": (0.25, 0.5)})

    copied = again(notice)

    parts = (notice, "ties", 0.25, {"AP": (0.25, 0.5)})
    assert (copied, copied.kind, copied.size, copied.ranges) == parts


def test_notices_alike_in_some_runs_name_them():
    assert shown(("a", (TIED,)), ("b", (TIED,)), ("c", ())) == [f"a, b: {TIED}"]


def test_of_many_runs_the_one_with_most_is_shown():
    few = [(f"dense{n}", (lacking(n),)) for n in range(1, 5)]
    many = [*few, *((f"seed{n}", (lacking(n),)) for n in (9, 1200, 31))]

    most = "seed1200: the run lacks 1200 topics: some"
    assert shown(*many, brief=True) == [most]
    assert shown(*few)[1:3] == [f"dense{n}: the run lacks {n} topics: some" for n in (2, 3)]


def test_in_brief_a_kind_of_doubt_is_one_line_about_the_run_that_has_most_of_it():
    runs = [("a", (lacking(2), TIED)), ("b", (lacking(7),)), ("c", ())]

    assert shown(*runs, brief=True) == ["b: the run lacks 7 topics: some", f"a: {TIED}"]


def test_ties_are_shown_where_values_are_printed_differently():
    narrow = notice_of_ranges("ties in 2 topics", {"AP": (0.25, 0.250049)})
    both = notice_of_ranges("ties in 2 topics", {"RR": (0.5, 0.75), "AP": (0.25, 0.250049)})

    assert narrow == "ties in 2 topics: AP could be 0.25000 to 0.25005 (--ties)"
    assert shown(("a", (narrow,)), digits=5) == [narrow]
    assert shown(("a", (narrow,)), digits=4) == []
    assert both == ("ties in 2 topics: RR could be 0.5000 to 0.7500 (--ties)")
    assert shown(("a", (both,)), digits=4, hidden=["RR"]) == []
    assert shown(("a", (both,)), digits=5, hidden=["RR"]) == [narrow]
