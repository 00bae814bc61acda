"""Notices: text that knows its parts, and one line for several runs."""

import copy
import pickle

import pytest

from rankeval.evaluation.notice_lines import brief_lines, notice_lines
from rankeval.evaluation.results import Notice, RunResult, TieNotice, TieRange

TIED = Notice("ties in 3 topics, ordered by docno")


def told(*runs, digits=None):
    """The lines for runs of these names and notices."""
    results = [RunResult(name, f"{name}.run", (), (), notices) for name, notices in runs]
    return list(notice_lines(results, digits))


def ties(*ranges, topics=2):
    return TieNotice(topics, [TieRange(*one) for one in ranges], "ordered by docno")


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda n: pickle.loads(pickle.dumps(n))]
)
def test_a_copy_knows_the_parts(again):
    copied = again(lacking(3))

    assert copied == lacking(3)
    assert (copied.kind, copied.size, copied.of) == ("lacking", 3, "{} lacks 3 topics")


def test_notices_alike_in_some_runs_name_them():
    assert told(("a", (TIED,)), ("b", (TIED,)), ("c", ())) == [f"a, b: {TIED}"]


def test_many_runs_are_told_by_the_largest_number():
    few = [(f"dense{n}", (lacking(n),)) for n in range(1, 5)]
    many = [*few, *((f"seed{n}", (lacking(n),)) for n in (9, 1200, 31))]

    assert told(*many) == ["seed1200: the run lacks 1200 topics: some (the most of 7 runs)"]
    assert told(*few)[1:3] == [f"dense{n}: the run lacks {n} topics: some" for n in (2, 3)]


NARROW, WIDE = ("AP", 0.25, 0.250049), ("RR", 0.5, 0.75)


def test_values_of_other_orders_are_told_where_they_are_printed_differently():
    notice = ties(NARROW, WIDE)

    assert told(("a", (notice,)), digits=4) == [
        "equal scores in 2 topics: other orders give RR from 0.5000 to 0.7500; ordered by docno"
    ]
    assert "AP from 0.25000 to 0.25005, RR" in told(("a", (notice,)), digits=5)[0]
    assert told(("a", (ties(NARROW),)), digits=4) == []
    assert told(("a", (ties(("NumRelRet@5", 3.0, 4.0, True)),)), digits=0) == [
        "equal scores in 2 topics: other orders give NumRelRet@5 from 3 to 4; ordered by docno"
    ]


@pytest.mark.parametrize("again", [copy.deepcopy, lambda n: pickle.loads(pickle.dumps(n))])
def test_a_copy_of_a_warning_of_ties_can_be_rounded(again):
    copied = again(ties(NARROW, WIDE))

    assert copied == ties(NARROW, WIDE)
    assert copied.told(2) == ties(WIDE).told(2)


def test_of_many_runs_the_one_with_the_widest_range_is_told():
    runs = [(f"seed{n}", (ties(("AP", 0.5, 0.5 + n / 100)),)) for n in (1, 2, 9, 3, 4, 5, 6)]

    assert told(*runs, digits=2) == [
        (
            "seed9: equal scores in 2 topics: other orders give AP from 0.50 to 0.59; ordered by "
            "docno (the most of 7 runs)"
        )
    ]


def lacking(n):
    return Notice(f"the run lacks {n} topics: some", "lacking", n, f"{{}} lacks {n} topics")


def briefly(*runs, digits=None):
    results = [RunResult(name, f"{name}.run", (), (), notices) for name, notices in runs]
    return list(brief_lines(results, digits))


def test_in_brief_a_kind_of_doubt_is_one_line_about_the_run_that_has_most_of_it():
    runs = [("a", (lacking(2), TIED)), ("b", (lacking(7),)), ("c", ())]

    assert briefly(*runs) == ["b lacks 7 topics", f"a: {TIED}"]


def test_in_brief_ties_are_the_widest_range_that_the_digits_show():
    runs = [("a", (ties(NARROW, WIDE),)), ("b", (ties(NARROW),))]

    assert briefly(*runs, digits=2) == [
        "ties: RR of a could be 0.50 to 0.75 (--ties)",
    ]
    assert briefly(("b", (ties(NARROW),)), digits=4) == []
