"""Measures of the C/W/L framework."""

import numpy as np
import pytest

from rankeval.io.formats import RUN
from rankeval.io.python_values import columns_of
from rankeval.measures import definitions, parse_measure
from rankeval.ranking.align import align_columns
from rankeval.ranking.items import ExtraNeeds, costs_from
from rankeval.ranking.qrels import from_mapping
from tests.support.builders import UNJUDGED, from_dicts, ranked
from tests.support.oracles import cwl_eval_scores, of_common_topics
from tests.support.samples import collection

N = 1000
EXAMPLE_GRADES = [2, 0, UNJUDGED, 1, -1, 0, 3]
EXAMPLE = ranked(EXAMPLE_GRADES, missed=[[1]])
R1, R4, R7 = 2 / 3, 1 / 3, 1.0  # the gains of the example, at ranks 1, 4 and 7

FAMILY = [name for name, definition in definitions().items() if definition.rule]
OUTS = ("EU", "ETU", "EC", "ETC", "ED")
NO_TOTALS = ("EU", "EC", "ED")


def example_of(name: str, **parameters: object):
    """A measure of the family on a scale up to 3, at rank 5 where it needs a rank."""
    definition = definitions()[name]
    at = {"cutoff": 5} if definition.at else {}
    return definition.measure({"max_rel": 3, **at, **parameters})


def value(name: str, judged=EXAMPLE) -> float:
    return float(parse_measure(name).values(judged)[0])


def test_bpm_stops_at_a_sum_of_gains_that_rounding_left_too_small():
    six_thirds = ranked([1, 1, 1, 1, 1, 1, 0, 3])

    assert sum([1 / 3] * 6) < 2
    assert value("BPM(T=2.0,max_rel=3,out='ED')@20", six_thirds) == pytest.approx(6)


def test_places_below_the_thousandth_do_not_count():
    long = ranked([0] * 999 + [3, 3])

    assert value("NERR10(p=0.99,max_rel=3,out='ETU')", long) == pytest.approx(0.99**999)
    assert value("BPM(T=9.0,max_rel=3,out='ED')@2000", long) == N
    # The last place of the framework has no weight in the U-measure.
    assert value("UMeasure(L=5000,max_rel=3)", long) == 0.0
    assert value("AP(out='ED')", long) == pytest.approx(N)


@pytest.mark.parametrize("name", FAMILY)
def test_grades_are_clipped_to_the_stated_scale(name):
    measure = example_of(name, min_rel=1, max_rel=2)
    wide, narrow = ranked([3, 1, UNJUDGED, 2, 0]), ranked([1, 0, UNJUDGED, 1, 0])

    assert measure.values(wide) == pytest.approx(example_of(name, max_rel=1).values(narrow))
    assert "grades above max_rel=2 count as 2" in (measure.caution(wide) or "")


def test_ift_takes_goals_beyond_the_range_of_the_exponential():
    assert value("IFT(T=5000.0,R1=1.0,A=5000.0,max_rel=3,out='ED')") == pytest.approx(1.0)
    assert value("IFT(T=5000.0,max_rel=3,out='ED')") == pytest.approx(N)


def assert_reports(name, qrels, run, judged, oracle, outs=OUTS):
    """Compare what a measure reports with the columns of cwl-eval, topic by topic."""
    measure = parse_measure(name)
    columns = dict(zip(OUTS, np.transpose(oracle), strict=True))
    for out in outs:
        asked = measure.definition.measure({**dict(measure.given), "out": out})
        ours = of_common_topics(qrels, run, asked.values(judged))
        assert ours == pytest.approx(columns[out], abs=1e-9)


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
def test_measures_of_readers_agree_with_cwl_eval(name, metric, arguments):
    qrels, run = collection(1, grades=(-1, 0, 0, 1, 2, 3))
    judged = from_dicts(qrels, run)
    oracle = [scores for _, scores in cwl_eval_scores(qrels, run, metric, arguments, max_rel=3)]

    assert_reports(name, qrels, run, judged, oracle)


COSTS = {f"D{n:03}": 0.5 + n % 7 for n in range(1000)} | {f"D{n}": 2.5 for n in range(10)}


def with_costs(qrels, run):
    needs = ExtraNeeds(costs=costs_from(COSTS))
    return align_columns(from_mapping(qrels), [columns_of(run, RUN)], needs=needs).judged


@pytest.mark.parametrize(
    ("name", "metric", "arguments"),
    [
        ("INST(T=2.0,max_rel=3)", "INSTCWLMetric", (2.0,)),
        ("SDCG(max_rel=3)@10", "NDCGCWLMetric", (10,)),
        ("IFT(A=0.2,R2=3.0,max_rel=3)", "IFTGoalRateCWLMetric", (1.0, 0.9, 1.0, 0.2, 0.9, 3.0)),
        ("TBG(halflife=20,max_rel=3)", "TBGCWLMetric", (20,)),
        ("UMeasure(L=50,max_rel=3)", "UMeasureCWLMetric", (50,)),
    ],
)
def test_costs_of_documents_agree_with_cwl_eval(name, metric, arguments):
    qrels, run = collection(5, grades=(-1, 0, 0, 1, 2, 3))
    judged = with_costs(qrels, run)
    oracle = [
        scores
        for _, scores in cwl_eval_scores(qrels, run, metric, arguments, max_rel=3, costs=COSTS)
    ]

    assert_reports(name, qrels, run, judged, oracle)


READERS = [
    ("P@10", "PrecisionCWLMetric", (10,), OUTS),
    ("RR", "RRCWLMetric", (), OUTS[1:]),
    ("AP", "APCWLMetric", (), OUTS[1:]),
    ("RBP(p=0.7)", "RBPCWLMetric", (0.7,), OUTS),
]


@pytest.mark.slow
@pytest.mark.parametrize("costs", [None, COSTS], ids=["", "costs"])
@pytest.mark.parametrize(("name", "metric", "arguments", "outs"), READERS)
def test_readers_of_other_measures_agree_with_cwl_eval(name, metric, arguments, outs, costs):
    qrels, run = collection(7, grades=(-1, 0, 0, 0, 1))
    judged = with_costs(qrels, run) if costs else from_dicts(qrels, run)
    oracle = [
        scores
        for _, scores in cwl_eval_scores(qrels, run, metric, arguments, max_rel=1, costs=costs)
    ]
    assert_reports(name, qrels, run, judged, oracle, outs)


@pytest.mark.parametrize(
    "relevant",
    [range(0, 1500, 5), range(1100, 1500, 7), [1499], [999, 1200], [3, 1400]],
    ids=["all", "beyond", "last", "at 1000", "few"],
)
@pytest.mark.parametrize(
    ("name", "metric", "arguments", "outs"),
    [
        ("INST(T=200.0,max_rel=1)", "INSTCWLMetric", (200.0,), OUTS),
        # With a cutoff above 1000, cwl-eval's totals lose the readers who reach place 1000.
        ("BPM(T=500.0,max_rel=1)@1500", "BPMCWLMetric", (500.0, 1500), NO_TOTALS),
        ("SDCG(max_rel=1)@1500", "NDCGCWLMetric", (1500,), NO_TOTALS),
        ("NERR9(max_rel=1)@1500", "NERReq9CWLMetric", (1500,), NO_TOTALS),
        ("BPM(T=500.0,max_rel=1)@1000", "BPMCWLMetric", (500.0, 1000), OUTS),
        ("SDCG(max_rel=1)@1000", "NDCGCWLMetric", (1000,), OUTS),
        ("NERR9(max_rel=1)@1000", "NERReq9CWLMetric", (1000,), OUTS),
        ("TBG(halflife=2000,max_rel=1)", "TBGCWLMetric", (2000,), OUTS),
        ("UMeasure(L=3000,max_rel=1)", "UMeasureCWLMetric", (3000,), OUTS),
        # What these are themselves does not end at 1000 places.
        ("RR", "RRCWLMetric", (), OUTS[1:]),
        ("AP", "APCWLMetric", (), OUTS[1:]),
        ("RBP(p=0.9995)", "RBPCWLMetric", (0.9995,), OUTS[1:]),
    ],
)
def test_readers_of_more_than_1000_documents_agree_with_cwl_eval(
    name, metric, arguments, outs, relevant
):
    run = {"1": {f"d{i:04}": -float(i) for i in range(1500)}}
    qrels = {"1": {f"d{i:04}": 1 for i in relevant}}
    oracle = [scores for _, scores in cwl_eval_scores(qrels, run, metric, arguments, max_rel=1)]

    assert_reports(name, qrels, run, from_dicts(qrels, run), oracle, outs)


@pytest.mark.slow
def test_the_utility_per_document_of_a_reader_of_ap_divides_by_what_is_retrieved():
    qrels, run = collection(7, grades=(-1, 0, 0, 0, 1))
    oracle = cwl_eval_scores(qrels, run, "APCWLMetric", (), max_rel=1)

    judged = from_dicts(qrels, run)
    ours = of_common_topics(qrels, run, parse_measure("AP(norm='ret')").values(judged))
    assert ours == pytest.approx([scores[0] for _, scores in oracle], abs=1e-9)


def test_costs_stay_with_their_documents_when_others_are_dropped():
    qrels, run = {"t": {"D1": 1, "D3": 1}}, {"t": {"D1": 3, "D200": 2, "D3": 1}}
    judged = with_costs(qrels, run)
    assert COSTS["D200"] == 0.5 + 200 % 7

    # One reader goes on to the second place, nobody further.
    assert value("SDCG(max_rel=1,out='ETC')@1", judged) == pytest.approx(2.5)
    two = value("BPM(T=9.0,max_rel=1,out='ETC')@2", judged)
    assert two == pytest.approx(2.5 + COSTS["D200"])
    assert value("BPM(T=9.0,max_rel=1,out='ETC')@2", judged.condensed) == pytest.approx(5.0)
    assert value("BPM(T=9.0,max_rel=1,out='ETC')@4", judged.condensed) == pytest.approx(5 + 1 + 1)
    short = value("BPM(T=9.0,max_rel=1,out='ETC')@3", judged.truncated(1))
    assert short == pytest.approx(2.5 + 1 + 1)
