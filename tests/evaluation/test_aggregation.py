"""How values of topics become one number: rules, weights, and what they are refused for."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rankeval
from rankeval.evaluation.aggregation import Aggregation
from rankeval.io.small_tables import read_weights
from rankeval.measures import facts as aggregates
from tests.support.growth import MOST, growth
from tests.support.samples import collection

# Reciprocal ranks 1, 1/2, 0 and 1/4.
QRELS = {topic: {"rel": 1, "other": 0} for topic in "abcd"}
RUN = {
    "a": {"rel": 9},
    "b": {"x": 9, "rel": 8},
    "c": {"x": 9},
    "d": {"x": 9, "y": 8, "z": 7, "rel": 6},
}
SOME_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def rr(**options):
    results = rankeval.evaluate(QRELS, RUN, "RR", **options)
    return results.runs[0].scores[0]


@pytest.mark.parametrize(
    ("rule", "name", "expected"),
    [
        ("mean", "mean", (1 + 1 / 2 + 0 + 1 / 4) / 4),
        ("sum", "sum", 1 + 1 / 2 + 0 + 1 / 4),
        ("median", "median", (1 / 4 + 1 / 2) / 2),
        ("geometric", "geometric mean", (1 * (1 / 2) * 0.00001 * (1 / 4)) ** (1 / 4)),
    ],
)
def test_a_chosen_rule_is_worked_by_hand(rule, name, expected):
    score = rr(settings=rankeval.options.Settings(aggregate=rule))

    assert score.aggregate == pytest.approx(expected)
    assert score.rule == name


def test_a_weighted_mean_is_worked_by_hand():
    score = rr(weights={"a": 1, "b": 2, "c": 1, "d": 0})

    assert score.aggregate == pytest.approx((1 * 1 + 2 * (1 / 2) + 1 * 0) / 4)
    assert score.rule == "weighted mean"


@given(SOME_VALUES)
def test_rules_agree_with_numpy_and_scipy(values):
    values = np.array(values)

    assert aggregates.mean(values) == pytest.approx(np.mean(values))
    assert aggregates.total(values) == pytest.approx(np.sum(values))
    assert aggregates.median(values) == np.median(values)
    floored = np.maximum(values, aggregates.GEOMETRIC_FLOOR)
    assert aggregates.geometric_mean(values) == pytest.approx(stats.gmean(floored))


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0.01, 9)), min_size=1, max_size=30))
def test_a_weighted_mean_agrees_with_numpy(pairs):
    values, weights = np.array(pairs).T

    expected = np.average(values, weights=weights)
    assert aggregates.MEAN.of(values, weights) == pytest.approx(expected)
    assert aggregates.MEAN.of(values, 7 * weights) == pytest.approx(expected)


@pytest.mark.parametrize("rule", ["mean", "median", "total", "geometric_mean"])
def test_undefined_values_are_left_out(rule):
    of = getattr(aggregates, rule)

    assert of(np.array([0.5, np.nan, 1.0])) == of(np.array([0.5, 1.0]))


@pytest.mark.parametrize("measure", ["GMAP", "GMBpref", "NumQ", "GAUC(weight='positives')"])
@pytest.mark.parametrize("options", [{"aggregate": "median"}, {"weights": True}])
def test_a_rule_that_the_name_of_a_measure_promises_stays(measure, options):
    qrels, run = collection(4)
    weights = {topic: i + 1 for i, topic in enumerate(qrels)} if "weights" in options else None
    settings = rankeval.options.Settings(aggregate=options.get("aggregate"))
    own = rankeval.evaluate(qrels, run, measure).runs[0].scores[0]
    score = rankeval.evaluate(qrels, run, measure, settings, weights=weights).runs[0].scores[0]

    assert (score.aggregate, score.rule, score.signature) == (
        own.aggregate,
        own.rule,
        own.signature,
    )


def test_counts_can_be_averaged_and_keep_their_sum_under_weights():
    averaged = rankeval.evaluate(QRELS, RUN, "NumRet", rankeval.options.Settings(aggregate="mean"))
    weighted = rankeval.evaluate(QRELS, RUN, "NumRet", weights=dict.fromkeys("abcd", 3))

    assert averaged.runs[0].scores[0].aggregate == (1 + 2 + 1 + 4) / 4
    assert weighted.runs[0].scores[0].aggregate == 1 + 2 + 1 + 4


def test_the_signature_tells_weights_from_other_weights():
    one, same, other = (
        rr(weights=weights).signature
        for weights in (
            {"a": 1, "b": 2, "c": 1, "d": 1},
            {"d": 1.0, "c": 1, "b": 2, "a": 1},
            {"a": 1, "b": 3, "c": 1, "d": 1},
        )
    )

    assert "|aggregate:weighted mean|weights:" in one
    assert one == same != other


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        *(({**dict.fromkeys("acd", 1), "b": w}, "of topic 'b' is not") for w in (-1, math.inf)),
        ({"a": 1, "b": 1}, "2 evaluated topics of 4 without a weight: c, d"),
        (dict.fromkeys("abcd", 0), "are 0"),
    ],
)
def test_weights_that_give_no_mean_are_refused(weights, told):
    with pytest.raises(rankeval.RankevalError, match=told):
        rr(weights=weights)


@pytest.mark.parametrize("rule", ["sum", "median", "geometric"])
def test_weights_and_another_rule_contradict_each_other(rule):
    with pytest.raises(rankeval.UsageError, match="weights give weighted means"):
        rr(settings=rankeval.options.Settings(aggregate=rule), weights=dict.fromkeys("abcd", 1))


@pytest.mark.parametrize(
    "text",
    [
        "a 1\nb 2\nc 0.5\n",
        "topic\tweight\na\t1\nb\t2\nc\t5e-1\n",
        "# counted in the log\r\n\r\na  1\r\nb\t2\r\nc 0.5\r\n",
        "\ufeffqid weight\na 1\nb 2\nc .5",
    ],
)
def test_weights_are_read_from_tabs_or_blanks_with_or_without_a_header(tmp_path, text):
    file = tmp_path / "weights"
    file.write_bytes(text.encode())

    assert read_weights(str(file)).by_topic == {b"a": 1.0, b"b": 2.0, b"c": 0.5}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a 1\nb two\n", 'weights:2: the weight "two" is not possible'),
        ("a 1\nb -2\n", 'weights:2: the weight "-2" is not possible'),
        ("a 1\nb nan\n", 'weights:2: the weight "nan" is not possible'),
        ("a 1\nb 1_0\n", 'weights:2: the weight "1_0" is not possible'),
        ("a 1\n\nb\n", "weights:3: found 1 column"),
        ("a\n", "weights:1: found 1 column"),
        ("a 1\nb 2\na 3\n", 'weights:3: topic "a" is listed twice'),
        ("a 1 x\n", "weights:1: found 3 columns"),
        ("", "weights: has no topics"),
        ("topic weight\n", "weights: has no topics"),
    ],
)
def test_a_wrong_line_of_weights_is_named(tmp_path, text, message):
    file = tmp_path / "weights"
    file.write_text(text)

    with pytest.raises(rankeval.InputError) as error:
        read_weights(str(file))

    assert message in str(error.value)


@pytest.mark.slow
def test_the_time_of_groups_grows_with_their_number_and_not_its_square():
    def work(n_groups):
        topics = [b"%d" % i for i in range(2 * n_groups)]
        over = Aggregation(None, None, {t.decode(): f"g{int(t) // 2}" for t in topics})
        return lambda: over.members(topics)

    assert len(work(50)()) == 50
    assert growth(work, 2000) < MOST
