import pytest

from rankeval.measures import parse_measure
from rankeval.measures.precision import (
    number_nonrelevant_retrieved,
    number_of_topics,
    number_relevant,
    number_relevant_retrieved,
    number_retrieved,
)
from tests.support.builders import UNJUDGED, ranked

# Five retrieved: relevant, unjudged, nonrelevant, junk, highly relevant; one relevant missed.
JUDGED = ranked([1, UNJUDGED, 0, -1, 2], [], missed=[[1], [0]])


def test_each_count_counts_its_documents():
    assert number_of_topics(JUDGED).tolist() == [1, 1]
    assert number_retrieved(JUDGED).tolist() == [5, 0]
    assert number_relevant(JUDGED).tolist() == [3, 0]
    assert number_relevant_retrieved(JUDGED).tolist() == [2, 0]
    assert number_nonrelevant_retrieved(JUDGED).tolist() == [1, 0]


def test_a_threshold_moves_documents_from_relevant_to_nonrelevant():
    assert number_relevant(JUDGED, rel=2).tolist() == [1, 0]
    assert number_relevant_retrieved(JUDGED, rel=2).tolist() == [1, 0]
    assert number_nonrelevant_retrieved(JUDGED, rel=2).tolist() == [2, 0]


@pytest.mark.parametrize("name", ["NumQ", "NumRet", "NumRel", "NumRelRet", "NumNonRelRet"])
def test_counts_add_up_over_topics(name):
    measure = parse_measure(name)
    values = measure.values(JUDGED)

    assert measure.aggregate(values, JUDGED) == values[0] + values[1]
