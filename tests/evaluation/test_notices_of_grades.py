"""Warnings of a run by the grades of its judgments: fractions, negative ones, none relevant."""

import math

import pytest

import rankeval

FRACTIONS = {"1": {"a": 0.25, "b": 0.5, "c": 0.0, "d": 0.75}, "2": {"x": 0.9, "y": 0.1}}
RANKED = {"1": {"a": 3.0, "b": 2.0, "c": 1.0}, "2": {"y": 2.0, "x": 1.0}}


def warnings(qrels, run, measures, **settings):
    return list(rankeval.evaluate(qrels, run, measures, **settings).runs[0].warnings)


def test_fractions_as_gains_leave_no_doubt():
    """By hand: gains over the logarithms of ranks, and the same of the ideal order."""

    def dcg(*gains):
        return sum(gain / math.log2(rank) for rank, gain in enumerate(gains, 2))

    found = rankeval.evaluate(FRACTIONS, RANKED, "nDCG@10").runs[0]

    values = (dcg(0.25, 0.5, 0) / dcg(0.75, 0.5, 0.25), dcg(0.1, 0.9) / dcg(0.9, 0.1))
    assert found["nDCG@10"].aggregate == pytest.approx(sum(values) / 2)
    assert found.warnings == ()


def test_measures_of_relevant_documents_say_where_the_fractions_count():
    assert warnings(FRACTIONS, RANKED, "nDCG@10 AP P@1") == [
        "2 topics have no relevant document (AP, P@1 score 0 there)",
        (
            "5 judgments with a grade between 0 and 1, not relevant for AP, P@1: set the lowest "
            "relevant grade with -l, or rel="
        ),
    ]
    assert warnings(FRACTIONS, RANKED, "nDCG@10 AP P@1", min_grade=0.1) == []


def test_measures_that_score_without_a_relevant_document_are_not_said_to_score_0():
    qrels = {"1": {"a": 0, "b": 0, "c": 0}, "2": {"x": 1, "y": 0}}

    assert warnings(qrels, RANKED, "NumRet Judged@10") == []
    assert warnings(qrels, RANKED, "Judged@10 RR") == [
        "1 topic has no relevant document (RR scores 0 there)"
    ]


@pytest.mark.parametrize(
    ("grades", "told"),
    [
        ([9.25, 7.5, 6.125, 3.75, 2.0625, 1.5], True),  # scores of BM25
        ([0.93, 0.81, 0.4, 0.33, 0.2, 0.1], False),  # probabilities of a judging model
        ([1.5, 2.25, 0.75, 2.75, 1.25], False),  # means of judges
        ([5, 4.5, 3.5, 2.5, 0.5], False),  # stars
    ],
)
def test_grades_that_may_be_grades_are_not_called_scores(grades, told):
    qrels = {"1": dict(zip("abcdef", grades, strict=False))}

    found = warnings(qrels, {"1": {"a": 1.0, "b": 0.5}}, "nDCG@10")

    assert any("look like a run" in warning for warning in found) == told


@pytest.mark.parametrize(
    ("grades", "share", "said"),
    [
        ({"a": -1, "b": -2, "c": 1}, 2 / 10, "has a negative grade"),
        ({"a": -1, "c": 1}, 2 / 10, "is unjudged or has a negative grade"),
        ({"c": 1}, 2 / 10, "is unjudged"),
        ({"a": 0, "b": 0, "c": 1}, 0, ""),
    ],
)
def test_the_share_of_unjudged_documents_is_the_mean_of_the_measure(grades, share, said):
    """trec_eval's unj: places of the first ten without a judgment, or with a negative one."""
    found = rankeval.evaluate(
        {"1": grades, "2": {"x": 1}}, {"1": RANKED["1"]}, "Unjudged@10 Judged"
    )

    result = found.runs[0]
    assert result["Unjudged@10"].aggregate == pytest.approx(share / 2)  # nothing in topic 2
    told = [text for text in result.warnings if "top 10" in text]
    assert told == ([f"{share / 2:.1%} of the top 10 {said}"] if said else [])
    if said == "has a negative grade":
        assert result["Judged"].per_topic["1"] == 1.0
