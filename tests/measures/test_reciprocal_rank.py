import pytest

from rankeval.errors import MeasureError
from rankeval.measures import parse_measure
from rankeval.measures.reciprocal_rank import (
    expected_reciprocal_rank,
    normalised_expected_reciprocal_rank,
)
from tests.support.builders import UNJUDGED, from_dicts, ranked
from tests.support.samples import collection


def test_err_of_a_small_ranking():
    """Chapelle et al. (2009), equation 5, on a scale of 0 to 3: stops 7/8, then 1/8, then 3/8."""
    judged = ranked([3, 1, 2])

    expected = 7 / 8 + (1 / 8) * (1 / 8) / 2 + (1 / 8) * (7 / 8) * (3 / 8) / 3
    assert expected_reciprocal_rank(judged, max_rel=3) == pytest.approx([expected])


def test_normalised_err_divides_by_the_best_order_of_all_judged_documents():
    judged = ranked([1, UNJUDGED, 2], missed=[[3]])

    err = 1 / 8 + (7 / 8) * (3 / 8) / 3
    ideal = 7 / 8 + (1 / 8) * (3 / 8) / 2 + (1 / 8) * (5 / 8) * (1 / 8) / 3
    assert normalised_expected_reciprocal_rank(judged, max_rel=3) == pytest.approx([err / ideal])
    at_1 = normalised_expected_reciprocal_rank(judged, max_rel=3, cutoff=1)
    assert at_1 == pytest.approx([(1 / 8) / (7 / 8)])


def test_a_grade_above_the_scale_is_refused():
    with pytest.raises(MeasureError, match="grade 5, above max_rel=4"):
        expected_reciprocal_rank(ranked([1], missed=[[5]]))


def test_a_large_scale_does_not_overflow():
    """2^2000 fits no double; 2^(1999 - 2000) does."""
    judged = ranked([1999, 2000])

    expected = 1 / 2 + (1 / 2) * 1 / 2
    assert expected_reciprocal_rank(judged, max_rel="qrels") == pytest.approx([expected])


@pytest.mark.parametrize(
    ("name", "grades", "warns"),
    [
        ("ERR", [4], False),
        ("ERR", [2], True),
        ("nERR@20", [2], True),
        ("ERR(max_rel=3)", [2], False),
        ("ERR(max_rel='qrels')", [2], False),
    ],
)
def test_a_scale_that_the_qrels_do_not_show_is_cautioned_about(name, grades, warns):
    caution = parse_measure(name).caution(ranked(grades))

    assert bool(caution) is warns
    assert not warns or "max_rel=" in caution


def gdeval_err(ranking, cutoff):
    """gdeval.pl's definition in plain loops: grades up to 4, the chance to get this far."""
    total, decay = 0.0, 1.0
    for rank, grade in enumerate(ranking[:cutoff], start=1):
        stop = (2 ** max(grade, 0) - 1) / 16
        total += stop * decay / rank
        decay *= 1 - stop
    return total


@pytest.mark.parametrize("cutoff", [1, 5, 20])
@pytest.mark.parametrize("seed", [1, 2])
def test_err_is_what_gdeval_defines(cutoff, seed):
    qrels, run = collection(seed)
    ours = expected_reciprocal_rank(from_dicts(qrels, run), cutoff=cutoff)

    for topic, value in zip(sorted(qrels), ours, strict=True):
        scores = run.get(topic, {})
        order = sorted(scores, key=lambda docno: (scores[docno], docno.encode()), reverse=True)
        ranking = [qrels[topic].get(docno, 0) for docno in order]
        assert value == pytest.approx(gdeval_err(ranking, cutoff), abs=1e-12)
