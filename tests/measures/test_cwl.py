"""Measures of the C/W/L framework."""

from math import exp, log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankeval.errors import MeasureError
from rankeval.judgments import Floats
from rankeval.measures import definitions, parse_measure
from rankeval.measures._walk import Place, walk
from rankeval.measures.rank_biased import rank_biased_precision
from tests.builders import UNJUDGED, from_dicts, judgments, ranked
from tests.other_tools import cwl_ruler, ranking_of
from tests.synthetic import graded_pair

N = 1000
EXAMPLE_GRADES = [2, 0, UNJUDGED, 1, -1, 0, 3]
EXAMPLE = ranked(EXAMPLE_GRADES, missed=[[1]])
R1, R4, R7 = 2 / 3, 1 / 3, 1.0  # the gains of the example, at ranks 1, 4 and 7

FAMILY = [name for name, definition in definitions().items() if definition.family == "cwl"]

rankings = st.lists(st.sampled_from([UNJUDGED, -1, 0, 1, 2, 3]), min_size=1, max_size=12)


def example_of(name: str, **parameters: object):
    """A measure of the family on a scale up to 3, at rank 5 where it needs a rank."""
    definition = definitions()[name]
    at = {"cutoff": 5} if definition.at else {}
    return definition.measure({"max_rel": 3, **at, **parameters})


def value(name: str, judged=EXAMPLE) -> float:
    return float(parse_measure(name).values(judged)[0])


def by_loop(gains: list[float], continuation, out: str) -> float:
    """The framework's definitions, place by place, for one ranking and costs of 1."""
    gains = (gains + [0.0] * N)[:N]
    go_on = [continuation(i, gains[i - 1], sum(gains[:i])) for i in range(1, N + 1)]
    reach = [1.0]
    for probability in go_on[:-1]:
        reach.append(reach[-1] * probability)
    if out in ("EU", "EC"):
        worth = gains if out == "EU" else [1.0] * N
        return sum(v * g for v, g in zip(reach, worth, strict=True)) / sum(reach)
    if out == "ED":
        return sum(reach)
    stop = [v * (1 - c) for v, c in zip(reach, go_on, strict=True)]
    totals = np.cumsum(gains) if out == "ETU" else np.arange(1, N + 1)
    return float(sum(p * total for p, total in zip(stop, totals, strict=True)))


RULES = {
    "INST(max_rel=3)": lambda i, _r, g: ((i + 1 + (1 - g) - 1) / (i + 1 + (1 - g))) ** 2,
    "INST(T=2.5,max_rel=3)": lambda i, _r, g: ((i + 4 - g) / (i + 5 - g)) ** 2,
    "INSQ(max_rel=3)": lambda i, _r, _g: ((i + 1) / (i + 2)) ** 2,
    "BPM(max_rel=3)@5": lambda i, _r, g: float(g < 1 and i < 5),
    "BPM(T=3.0,max_rel=3)@2000": lambda i, _r, g: float(g < 3 and i < 2000),
    "SDCG(max_rel=3)@5": lambda i, _r, _g: log2(i + 1) / log2(i + 2) if i < 5 else 0.0,
    "NERR8(max_rel=3)@5": lambda i, r, _g: 1 - r if i < 5 else 0.0,
    "NERR9(max_rel=3)@5": lambda i, r, _g: i / (i + 1) * (1 - r) if i < 5 else 0.0,
    "NERR10(max_rel=3)": lambda _i, r, _g: 0.9 * (1 - r),
    "NERR11(max_rel=3)": lambda i, r, _g: ((i + 1) / (i + 2)) ** 2 * (1 - r),
    "IFT(max_rel=3)": lambda _i, _r, g: 1 - 1 / (1 + 0.9 * exp(1 - g)),
    "IFT(A=0.2,max_rel=3)": lambda i, _r, g: (
        (1 - 1 / (1 + 0.9 * exp(1 - g))) / (1 + 0.9 * exp(0.2 - g / i))
    ),
    "NPV(max_rel=3)": lambda _i, _r, _g: 1 / 1.1,
    "TBG(max_rel=3)": lambda i, _r, _g: 2 ** (-1 / 224) if i < N else 0.0,
    "UMeasure(max_rel=3)": lambda i, _r, _g: (N - i) / (N - i + 1) if i < N - 1 else 0.0,
    "UMeasure(L=4,max_rel=3)": lambda i, _r, _g: (4 - i) / (4 - i + 1) if i < 4 else 0.0,
}


def test_bpm_is_the_mean_gain_down_to_the_stop():
    assert value("BPM(max_rel=3)@5") == pytest.approx((R1 + R4) / 4)
    assert value("BPM(max_rel=3)@3") == pytest.approx(R1 / 3)
    assert value("BPM(T=2.0,max_rel=3)@9") == pytest.approx((R1 + R4 + R7) / 7)


def test_bpm_stops_at_a_sum_of_gains_that_rounding_left_too_small():
    six_thirds = ranked([1, 1, 1, 1, 1, 1, 0, 3])

    assert sum([1 / 3] * 6) < 2
    assert value("BPM(T=2.0,max_rel=3,out='ED')@20", six_thirds) == pytest.approx(6)


def test_sdcg_is_dcg_over_that_of_a_full_page():
    ideal = sum(1 / log2(i + 1) for i in range(1, 6))

    assert value("SDCG(max_rel=3)@5") == pytest.approx((R1 + R4 / log2(5)) / ideal)
    assert value("SDCG(max_rel=3)@5") == pytest.approx(0.274796, abs=1e-6)


def test_nerr8_and_nerr9_weigh_ranks_by_what_is_left_after_gain():
    left = 1 - R1
    after = left * (1 - R4)
    reach = [1, left, left, left, after]
    assert value("NERR8(max_rel=3)@5") == pytest.approx((R1 + left * R4) / sum(reach))
    worn = [v / i for i, v in enumerate(reach, start=1)]
    assert value("NERR9(max_rel=3)@5") == pytest.approx((R1 + left / 4 * R4) / sum(worn))


def test_insq_weighs_ranks_by_an_inverse_square():
    weights = [(2 / (i + 1)) ** 2 for i in range(1, N + 1)]
    expected = (R1 + weights[3] * R4 + weights[6] * R7) / sum(weights)

    assert value("INSQ(max_rel=3)") == pytest.approx(expected)


def test_npv_and_tbg_are_rbp_with_other_parameters():
    p = 1 / 1.1
    assert value("NPV(max_rel=3)") == pytest.approx(
        (1 - p) * (R1 + p**3 * R4 + p**6 * R7) / (1 - p**N)
    )
    p = 2 ** (-1 / 224)
    gain = R1 + p**3 * R4 + p**6 * R7
    assert value("TBG(max_rel=3)") == pytest.approx((1 - p) * gain / (1 - p**N))
    assert value("TBG(max_rel=3,norm=False)") == pytest.approx(gain)


def test_u_measure_weighs_ranks_by_the_length_that_is_left():
    gain = R1 + (1 - 3 / N) * R4 + (1 - 6 / N) * R7

    assert value("UMeasure(max_rel=3,norm=False)") == pytest.approx(gain)
    assert value("UMeasure(max_rel=3)") == pytest.approx(
        gain / sum(1 - k / N for k in range(N - 1))
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("INST(T=1.0,max_rel=3)", 0.386902),
        ("INSQ(T=1.0,max_rel=3)", 0.303796),
        ("BPM(T=1.0,max_rel=3)@5", 0.250000),
        ("SDCG(max_rel=3)@5", 0.274796),
        ("NERR8(max_rel=3)@5", 0.350000),
        ("NERR9(max_rel=3)@5", 0.494071),
        ("NERR10(p=0.9,max_rel=3)", 0.392083),
        ("NERR11(T=1.0,max_rel=3)", 0.520548),
        ("INST(T=1.0,max_rel=3,out='ETU')", 0.729137),
        ("INST(T=1.0,max_rel=3,out='ED')", 1.884557),
        ("TBG(halflife=224,max_rel=3)", 0.006403),
        ("UMeasure(L=1000,max_rel=3)", 0.003982),
    ],
)
def test_measures_of_readers_have_the_values_that_cwl_eval_has(name, expected):
    """Values of cwl-eval 1.0.12, six decimals."""
    assert value(name) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("out", ["EU", "ETU", "EC", "ETC", "ED"])
@pytest.mark.parametrize("name", RULES)
def test_measures_of_readers_equal_a_loop_over_the_places(name, out):
    gains = [max(grade or 0, 0) / 3 for grade in EXAMPLE_GRADES]
    measure = parse_measure(name)
    measure = measure.definition.measure({**dict(measure.given), "out": out})

    assert measure.values(EXAMPLE)[0] == pytest.approx(by_loop(gains, RULES[name], out))


def test_places_below_the_thousandth_do_not_count():
    long = ranked([0] * 999 + [3, 3])

    assert value("NERR10(p=0.99,max_rel=3,out='ETU')", long) == pytest.approx(0.99**999)
    assert value("BPM(T=9.0,max_rel=3,out='ED')@2000", long) == N
    # The last place of the framework has no weight in the U-measure.
    assert value("UMeasure(L=5000,max_rel=3)", long) == 0.0


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize(
    ("grades", "missed"),
    [([], [1, 0]), ([0, UNJUDGED, 0], [0]), ([-1, -2], []), ([UNJUDGED], []), ([0], [2])],
    ids=["no ranking", "no relevant", "only negative", "nothing judged", "relevant missed"],
)
def test_nothing_relevant_found_scores_zero(name, grades, missed):
    assert example_of(name).values(ranked(grades, missed=[missed])).tolist() == [0.0]


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize("out", ["EU", "ETU", "EC", "ETC", "ED"])
def test_a_topic_without_a_ranking_is_zero_whatever_is_asked_for(name, out):
    assert example_of(name, out=out).values(judgments([[]], [[1, 0]])).tolist() == [0.0]


@pytest.mark.parametrize("name", FAMILY)
def test_grades_are_clipped_to_the_stated_scale(name):
    measure = example_of(name, min_rel=1, max_rel=2)
    wide, narrow = ranked([3, 1, UNJUDGED, 2, 0]), ranked([1, 0, UNJUDGED, 1, 0])

    assert measure.values(wide) == pytest.approx(example_of(name, max_rel=1).values(narrow))
    assert "grades above max_rel=2 count as 2" in (measure.caution(wide) or "")


@pytest.mark.parametrize("name", ["IFT", "NPV", "TBG", "UMeasure"])
def test_the_scale_is_that_of_the_qrels_unless_stated(name):
    assert value(name) == value(f"{name}(max_rel=3)")
    assert value(name, ranked([0, 0])) == 0.0


@pytest.mark.parametrize(
    "name",
    [
        "INST",
        "INST(max_rel=0)",
        "INST(T=0.0,max_rel=3)",
        "BPM(max_rel=3)",
        "INSQ(max_rel=3,out='X')",
    ],
)
def test_impossible_readers_are_refused(name):
    with pytest.raises(MeasureError):
        parse_measure(name)


def test_a_scale_without_extent_and_a_division_without_meaning_are_refused():
    with pytest.raises(MeasureError, match="max_rel=3 is not above min_rel=3"):
        value("INST(min_rel=3,max_rel=3)")
    with pytest.raises(MeasureError, match="norm=False and out='ED' exclude each other"):
        value("TBG(norm=False,out='ED')")


def test_ift_takes_goals_beyond_the_range_of_the_exponential():
    assert value("IFT(T=5000.0,R1=1.0,A=5000.0,max_rel=3,out='ED')") == pytest.approx(1.0)
    assert value("IFT(T=5000.0,max_rel=3,out='ED')") == pytest.approx(N)


def test_a_walk_may_have_a_cost_for_each_place_of_each_topic():
    judged = ranked([1, 0, 1], [0, 1, 1])
    cost = np.array([[1.0, 2.0, 4.0], [3.0, 5.0, 0.5]])

    def go_on(place: Place) -> Floats:
        return 1.0 / (1.0 + place.total_cost)

    reading = walk(judged, judged.grade.astype(float), go_on, depth=3, cost=cost)

    assert reading.utility == pytest.approx([1 + 1 / 2 * 1 / 4, 1 / 4 + 1 / 4 * 1 / 9])
    assert reading.spent == pytest.approx(
        [1 + 1 / 2 * 2 + 1 / 2 * 1 / 4 * 4, 3 + 1 / 4 * 5 + 1 / 4 * 1 / 9 * 0.5]
    )
    assert reading.beyond == pytest.approx([1 / 2 * 1 / 4 * 1 / 8, 1 / 4 * 1 / 9 * 1 / 9.5])
    assert reading.total_cost.tolist() == [7.0, 8.5]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("name", "metric", "arguments"),
    [
        ("INST(T=2.0,max_rel=3)", "INSTCWLMetric", (2.0,)),
        ("INSQ(T=2.0,max_rel=3)", "INSQCWLMetric", (2.0,)),
        ("BPM(max_rel=3)@10", "BPMCWLMetric", (1.0, 10)),
        ("SDCG(max_rel=3)@10", "NDCGCWLMetric", (10,)),
        ("NERR8(max_rel=3)@10", "NERReq8CWLMetric", (10,)),
        ("NERR9(max_rel=3)@10", "NERReq9CWLMetric", (10,)),
        ("NERR10(max_rel=3)", "NERReq10CWLMetric", (0.9,)),
        ("NERR11(T=2.0,max_rel=3)", "NERReq11CWLMetric", (2.0,)),
        ("IFT(T=2.0,max_rel=3)", "IFTGoalCWLMetric", (2.0, 0.9, 1.0)),
        ("IFT(A=0.2,R2=3.0,max_rel=3)", "IFTGoalRateCWLMetric", (1.0, 0.9, 1.0, 0.2, 0.9, 3.0)),
        ("TBG(max_rel=3)", "TBGCWLMetric", (224,)),
        ("UMeasure(max_rel=3)", "UMeasureCWLMetric", (1000,)),
    ],
)
def test_measures_of_readers_agree_with_cwl_eval(name, metric, arguments, seed):
    cwl = cwl_ruler()
    qrels, run = graded_pair(seed)
    expected = []
    for topic in sorted(qrels):
        gains = [max(grade or 0, 0) / 3 for grade in ranking_of(topic, qrels, run)]
        oracle = getattr(cwl, metric)(*arguments)
        oracle.measure(cwl.Ranking(topic, gains, [1.0] * len(gains)))
        expected.append(oracle.get_scores() if gains else [0.0] * 5)

    measure, judged = parse_measure(name), from_dicts(qrels, run)
    for out, values in zip(("EU", "ETU", "EC", "ETC", "ED"), np.transpose(expected), strict=True):
        asked = measure.definition.measure({**dict(measure.given), "out": out})
        assert asked.values(judged) == pytest.approx(values, abs=1e-9)


@given(rankings, rankings)
@settings(max_examples=10)
def test_topics_do_not_disturb_each_other(one, other):
    both = ranked(one, other)
    for name in ("INST", "BPM", "NERR9", "UMeasure"):
        measure = example_of(name)
        alone = measure.values(ranked(one))[0], measure.values(ranked(other))[0]
        assert measure.values(both).tolist() == [*alone]
        assert np.all((measure.values(both) >= 0) & (measure.values(both) <= 1 + 1e-12))


@given(rankings)
@settings(max_examples=30)
def test_npv_is_rank_biased_precision_but_for_the_places_below_a_thousand(grades):
    judged = ranked(grades)
    rbp = rank_biased_precision(judged, p=1 / 1.25, max_rel=3)

    assert parse_measure("NPV(rate=0.25,max_rel=3)").values(judged) == pytest.approx(rbp)
