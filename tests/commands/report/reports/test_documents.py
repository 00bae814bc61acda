"""The judged documents of a report, against those that `diff` finds and a plain loop."""

import pytest

import rankeval
from rankeval.commands.report.reports import documents
from rankeval.commands.report.reports.collect import report
from tests.plots.conftest import QRELS, RUNS


def plain(qrels, runs, topic, depth):
    """Return the judged documents among the first ranks of any run, from plain sorting."""
    orders = [sorted(run[topic], key=lambda d: (run[topic][d], d), reverse=True) for run in runs]
    found = {}
    for docno, grade in qrels[topic].items():
        ranks = tuple(o.index(docno) + 1 if docno in o else None for o in orders)
        if min((rank for rank in ranks if rank), default=depth + 1) <= depth:
            found[docno] = (grade, ranks)
    return found, [sum(d not in qrels[topic] for d in order[:depth]) for order in orders]


@pytest.mark.usefixtures("undrawn")
def test_ranks_are_those_of_sorting_each_run():
    qrels = {str(t): {f"d{i}": (i * t) % 3 for i in range(12)} for t in range(1, 6)}
    runs = [
        {t: {f"d{i}": float((i * k + int(t)) % 7) for i in range(3, 20)} for t in qrels}
        for k in (2, 3, 5)
    ]

    found = report(qrels, runs, "AP", depth=4).documents

    assert found.every
    assert [one.topic for one in found.topics] == list(qrels)
    for one in found.topics:
        expected, unjudged = plain(qrels, runs, one.topic, 4)
        assert {d.docno: (d.grade, d.ranks) for d in one.documents} == expected
        assert list(one.unjudged) == unjudged
        assert one.left_out == 0
        grades = [d.grade for d in one.documents]
        assert grades == sorted(grades, reverse=True)


@pytest.mark.usefixtures("undrawn")
def test_documents_are_those_that_diff_knows():
    found = {one.topic: one for one in report(QRELS, RUNS[:2], "AP").documents.topics}

    for topic in rankeval.diff(QRELS, *RUNS[:2], "AP").topics:
        known = {one.docno: (one.grade, (one.rank_a, one.rank_b)) for one in topic.judged}
        listed = {d.docno: (d.grade, d.ranks) for d in found[topic.topic].documents}
        assert listed.items() <= known.items()
        assert len(listed) + found[topic.topic].left_out == len(known)


@pytest.mark.usefixtures("undrawn")
def test_of_many_topics_those_are_listed_on_which_runs_differ_most(monkeypatch):
    monkeypatch.setattr(documents, "MOST_TOPICS", 2)
    monkeypatch.setattr(documents, "MOST_ROWS", 1)
    qrels = {t: {"a": 1, "b": 0} for t in "123"}
    best, worst = {"a": 2.0, "b": 1.0}, {"a": 1.0, "b": 2.0}
    runs = [dict.fromkeys("123", best), {"1": worst, "2": best, "3": worst}]

    found = report(qrels, runs, "RR").documents

    assert not found.every
    assert [one.topic for one in found.topics] == ["1", "3"]
    assert [(len(one.documents), one.left_out) for one in found.topics] == [(1, 1)] * 2


@pytest.mark.parametrize("ties", ["expected", "best"])
def test_ties_without_one_order_have_no_ranks(ties):
    settings = rankeval.options.Settings(ties=ties)

    found = report(QRELS, RUNS[:2], "AP", settings)

    assert found.documents is None
    # IPrec and PRG have no mean over all orders of equal scores.
    kinds = {picture.kind for picture in found.pictures}
    assert ({"pr", "prg", "judged"} & kinds) == (
        {"judged"} if ties == "expected" else {"pr", "prg", "judged"}
    )
