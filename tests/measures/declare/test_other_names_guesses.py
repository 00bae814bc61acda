"""Spellings that people try: P5, map-l2, hit rate@5, precision at 10."""

import pytest

from rankeval.errors import MeasureError
from rankeval.measures import definition_of, definitions, parse_measures
from tests.support.oracles import assert_agrees_with_ranx


def meant(text):
    """The measures, and the names as given."""
    found = parse_measures(text)
    return [str(one.measure) for one in found], [one.as_given for one in found]


@pytest.mark.parametrize(
    ("text", "measures"),
    [
        ("P5", ["P@5"]),
        ("p10", ["P@10"]),
        ("prec@5", ["P@5"]),
        ("R100 nDCG10 MAP10 mrr10", ["R@100", "nDCG@10", "AP@10", "RR@10"]),
        ("r_precision", ["Rprec"]),
        ("R_precision", ["Rprec"]),
        ("map-l2", ["AP(rel=2)"]),
        ("P5-l2", ["P(rel=2)@5"]),
        ("precision@5-l3", ["P(rel=3)@5"]),
        ("ndcg@10-l1", ["nDCG@10"]),
        ("ndcg@10-l2", ["nDCG(gains={1:0})@10"]),
        ("ndcg-l3", ["nDCG(gains={1:0,2:0})"]),
        ("hit rate@5", ["Success@5"]),
        ("hit rate@1,5", ["Success@1", "Success@5"]),
        ("average precision", ["AP"]),
        ("mean average precision@100", ["AP@100"]),
        ("mean reciprocal rank@10", ["RR@10"]),
        ("precision at 10", ["P@10"]),
        ("AP hit rate@5 recall@100", ["AP", "Success@5", "R@100"]),
        ("hit rate@5, average precision, P5", ["Success@5", "AP", "P@5"]),
    ],
)
def test_a_spelling_means_a_measure(text, measures):
    assert meant(text)[0] == measures


def test_what_a_user_wrote_is_the_name_as_given():
    text = "P5 map-l2 hit rate@5 AP"

    assert meant(text)[1] == ["P5", "map-l2", "hit rate@5", "AP"]


@pytest.mark.parametrize("name", definitions())
def test_no_spelling_takes_over_a_canonical_name(name):
    assert definition_of(name).name == name


@pytest.mark.parametrize("text", ["AP P@5", "P precision", "official map", "recall precision"])
def test_names_of_measures_are_not_joined(text):
    first, second = text.split()
    alone = [str(one.measure) for word in (first, second) for one in parse_measures(word)]

    assert meant(text)[0] == alone


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("err@10-l2", "'err@10-l2': ERR has no lowest relevant grade"),
        ("map(rel=2)-l2", "'map(rel=2)-l2': rel is given twice"),
        ("ndcg(gains={1:3})-l2", "'ndcg(gains={1:3})-l2': gains is given twice"),
        ("map-l0", "AP: rel=0 is not possible"),
        ("rate@5", "unknown measure 'rate'"),
        ("hit score@5", "Success needs a cutoff"),
    ],
)
def test_a_spelling_that_means_nothing_is_refused(text, problem):
    with pytest.raises(MeasureError) as caught:
        parse_measures(text)

    assert str(caught.value).splitlines()[0] == problem


@pytest.mark.parametrize(
    "theirs", ["map-l2", "precision@5-l2", "ndcg@10-l2", "ndcg-l3", "recall@10-l3", "mrr-l2"]
)
def test_ranx_means_the_same_by_a_level(theirs):
    (ours,) = meant(theirs)[0]

    assert_agrees_with_ranx(ours, theirs)
