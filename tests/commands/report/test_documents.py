"""The rankings of a report, against plain sorting, and the texts of their documents."""

import pytest

import rankeval
from rankeval.commands.report.collect import report
from tests.plots.conftest import QRELS, RUNS

DEPTH = 4


@pytest.mark.usefixtures("undrawn")
def test_rankings_are_those_of_sorting_each_run():
    qrels = {str(t): {f"d{i}": (i * t) % 3 for i in range(12)} for t in range(1, 6)}
    runs = [
        {t: {f"d{i}": float((i * k + int(t)) % 7) for i in range(3, 20)} for t in qrels}
        for k in (2, 3, 5)
    ]

    found = report(qrels, runs, "AP", rows=DEPTH).explorer.rankings

    assert [*found] == [*qrels]
    for topic, of_topic in found.items():
        expected = [
            sorted(run[topic], key=lambda d, run=run[topic]: (run[d], d), reverse=True)[:DEPTH]
            for run in runs
        ]
        shown = [[of_topic.docnos[at] for at in ranking] for ranking in of_topic.rankings]
        assert shown == expected
        assert len({*of_topic.docnos}) == len(of_topic.docnos) == len(of_topic.grades)
        grades = dict(zip(of_topic.docnos, of_topic.grades, strict=True))
        assert grades == {docno: qrels[topic].get(docno) for docno in of_topic.docnos}


@pytest.mark.usefixtures("undrawn")
def test_of_many_topics_those_have_rankings_on_which_runs_differ_most():
    qrels = {t: {"a": 1, "b": 0} for t in "123"}
    best, worst = {"a": 2.0, "b": 1.0}, {"a": 1.0, "b": 2.0}
    runs = [dict.fromkeys("123", best), {"1": worst, "2": best, "3": worst}]

    found = report(qrels, runs, "RR", max_topics=2).explorer

    assert found.topics == ("1", "2", "3")
    assert [*found.rankings] == ["1", "3"]


@pytest.mark.usefixtures("undrawn")
def test_texts_are_those_of_the_documents_in_the_rankings_and_missing_ones_are_told():
    qrels = {"1": {"a": 1}, "2": {"b": 1}}
    runs = [{"1": {"a": 1.0, "c": 0.5}, "2": {"b": 1.0}}]
    docs = {"a": ("Breakfast", "spam and eggs"), "b": "toast"}

    found = report(qrels, runs, "RR", queries={"1": "eggs"}, docs=docs)

    texts = found.explorer.texts
    assert (texts.query("1"), texts.query("2")) == ("eggs", "")
    shown = texts.document("1", "a")
    assert (shown.title, [*shown.pieces()]) == (
        "Breakfast",
        [("spam and ", False), ("eggs", True)],
    )
    assert texts.document("1", "c").missing
    assert any("1 document not in the documents: c" in line for line in found.warnings)


@pytest.mark.parametrize("ties", ["expected", "best"])
def test_ties_without_one_order_have_no_ranks(ties):
    settings = rankeval.options.Settings(ties=ties)

    found = report(QRELS, RUNS[:2], "AP", settings)

    assert found.explorer.rankings == {}
    assert found.explorer.topics
    # IPrec has no mean over all orders of equal scores.
    kinds = {picture.kind for picture in found.pictures}
    assert ("pr" in kinds) == (ties != "expected")
