"""NTCIR's measures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.errors import MeasureError
from rankeval.measures import parse_measure
from rankeval.measures.ntcir import (
    normalised_cumulative_utility,
    o_measure,
    p_measure,
    p_plus,
    q_measure,
)
from tests.support.builders import UNJUDGED, from_dicts, ranked
from tests.support.oracles import of_common_topics, pyntcireval_values
from tests.support.samples import collection

# Ideal grades 3, 2, 1, 1, so cg* is 3, 5, 6, 7, 7, ...; the last document is not retrieved.
EXAMPLE = ranked([2, 0, UNJUDGED, 1, -1, 0, 3], missed=[[1]])
BR1, BR4, BR7 = (1 + 2) / (1 + 3), (2 + 3) / (4 + 7), (3 + 6) / (7 + 7)


def value(name: str, judged=EXAMPLE) -> float:
    return float(parse_measure(name).values(judged)[0])


@pytest.mark.parametrize(
    ("name", "expected", "published"),
    [
        ("Q", (BR1 + BR4 + BR7) / 4, 0.461851),
        ("Q@5", (BR1 + BR4) / 4, 0.301136),
        ("Q@3", BR1 / 3, None),
        ("Q(beta=0)", (1 / 1 + 2 / 4 + 3 / 7) / 4, None),
        ("Q(beta=2)", (5 / 7 + 8 / 18 + 15 / 21) / 4, None),
        ("OMeasure", (1 + 2) / (1 + 3), 0.750000),
        ("PMeasure", BR7, 0.642857),
        ("P+", (BR1 + BR4 + BR7) / 3, 0.615801),
        ("NCU", (1 / 1 + 2 / 4 + 3 / 7) / 4, None),
        ("NCU(beta=1)", (BR1 + BR4 + BR7) / 4, None),
        (
            "NCU(stop='rb',gamma=0.9,beta=1)",
            (BR1 + 0.9 * BR4 + 0.81 * BR7) / (1 + 0.9 + 0.81 + 0.729),
            0.488457,
        ),
        ("NCU(stop='rb',gamma=1)", (1 / 1 + 2 / 4 + 3 / 7) / 4, None),
        ("NCU(stop='gu',beta=1)", (2 * BR1 + 1 * BR4 + 3 * BR7) / 7, 0.554731),
        (
            "NCU(stop='gu',stops={1:5,2:1,3:0},beta=1)",
            (1 * BR1 + 5 * BR4 + 0 * BR7) / (0 + 1 + 5 + 5),
            None,
        ),
        ("EBR(max_rel=3)", 3 / 8 * BR1 + 5 / 8 * (1 / 8 * BR4 + 7 / 8 * 7 / 8 * BR7), None),
        (
            "EBR(beta=0,max_rel=3)",
            3 / 8 + 5 / 8 * (1 / 8 * 2 / 4 + 7 / 8 * 7 / 8 * 3 / 7),
            None,
        ),
        ("iRBU(max_rel=3)", 3 / 8 * 0.99 + 5 / 8 * (0.99**4 / 8 + 49 / 64 * 0.99**7), None),
        (
            "iRBU(p=0.5,max_rel=4)",
            3 / 16 / 2 + 13 / 16 * (1 / 16 / 16 + 15 / 16 * 7 / 16 / 128),
            None,
        ),
    ],
)
def test_measures_of_ntcir_on_a_ranking_worked_by_hand(name, expected, published):
    """Published values are pyNTCIREVAL's, six decimals."""
    assert value(name) == pytest.approx(expected)
    if published is not None:
        assert expected == pytest.approx(published, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("NCU(stops={1:2})", "stops= has no effect with stop='u'"),
        ("NCU(stop='rb',stops={1:2})", "stops= has no effect with stop='rb'"),
        ("NCU(gamma=0.5)", "gamma= has no effect with stop='u'"),
        ("NCU(stop='gu',gamma=0.5)", "gamma= has no effect with stop='gu'"),
        ("EBR(max_rel=2)", "above max_rel=2"),
        ("iRBU(max_rel=2)", "above max_rel=2"),
        ("EBR", "EBR needs max_rel"),
        ("Q(beta=-1)", "beta=-1"),
    ],
)
def test_parameters_that_mean_nothing_are_refused(name, problem):
    with pytest.raises(MeasureError, match=problem):
        value(name)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("name", "metric", "arguments"),
    [
        ("Q", "QMeasure", (1.0,)),
        ("Q(beta=10)@10", "QMeasure", (10.0, 10)),
        ("OMeasure", "OMeasure", (1.0,)),
        ("PMeasure", "PMeasure", (1.0,)),
        ("PPlus(beta=0.5)", "PPlusMeasure", (0.5,)),
        ("NCU(stop='rb',beta=1.0)", "NCUrbBR", (0.9, 1.0)),
        ("NCU(stop='gu',stops={1:1,2:4,3:5})", "NCUguP", ([1, 4, 5],)),
    ],
)
def test_measures_of_ntcir_agree_with_pyntcireval(name, metric, arguments, seed):
    qrels, run = collection(seed, grades=(-1, 0, 0, 1, 2, 3))
    expected = pyntcireval_values(qrels, run, metric, arguments, grades=[1, 2, 3])
    ours = parse_measure(name).values(from_dicts(qrels, run))

    assert of_common_topics(qrels, run, ours) == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=10), st.integers(1, 3), st.floats(0, 10))
def test_an_ideal_ranking_scores_one(grades, best, beta):
    judged = ranked(sorted([*grades, best], reverse=True))

    for function in (q_measure, o_measure, p_measure, p_plus):
        assert function(judged, beta=beta) == pytest.approx([1.0])
    for stop in ("u", "rb", "gu"):
        assert normalised_cumulative_utility(judged, stop=stop, beta=beta) == pytest.approx([1.0])
