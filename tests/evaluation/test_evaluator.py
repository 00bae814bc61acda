"""An Evaluator gives the values of `rankeval.evaluate`, to the last bit, and of pytrec_eval."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval import Evaluator, InputError
from rankeval.options import Settings

NAMES = "map ndcg_cut_10 P_10 recip_rank Rprec bpref ndcg recall_5 success_1"
TREC_EVAL = {
    "map",
    "ndcg_cut.10",
    "P.10",
    "recip_rank",
    "Rprec",
    "bpref",
    "ndcg",
    "recall.5",
    "success.1",
}
MEASURES = (
    "AP nDCG@10 P@10 RR AP(rel=2)@5 nDCG(dcg='exp-log2') ERR@20 RBP Judged@5 NumRet IPrec@0.5"
)
RELEVANT_ONLY = "AP nDCG@10 P@10 RR AP(rel=2)@5 DCG(dcg='exp-log2') Rprec R@5 F@5 R_cap@5 Success@1"
"""Measures for which judged documents that are not relevant need not be looked up."""

DOCNOS = [*(f"d{i}" for i in range(12)), "é", "ü\U0001f600", "\uffff", "7", "Z", "z"]
TOPICS = ["1", "10", "2", "ä"]


def rankings(values):
    return st.dictionaries(st.sampled_from(DOCNOS), values, max_size=len(DOCNOS))


def judged(rankings_, **more):
    return st.dictionaries(st.sampled_from(TOPICS), rankings_, **more)


GRADES = st.dictionaries(st.sampled_from(DOCNOS), st.integers(-1, 3), min_size=1)
QRELS = judged(GRADES, min_size=1)
RUNS = judged(rankings(st.sampled_from([0.0, 0.5, 1.0, 2, -3.5]) | st.floats(-9, 9)))
SETTINGS = st.sampled_from(
    [
        Settings(),
        Settings(topics="both"),
        Settings(topics="both", skip_no_relevant=True),
        Settings(ties="input"),
        Settings(ties="worst", depth=4),
        Settings(judged_only=True),
        Settings(single_precision=True),
        Settings(aggregate="geometric"),
    ]
)


def same(first, second):
    """Equal, or both undefined."""
    return first == second or (math.isnan(first) and math.isnan(second))


def rows_of(run):
    """The run in a form that is read into columns, as files are."""
    return [(topic, docno, score) for topic in run for docno, score in run[topic].items()]


def shares_a_topic(qrels, run, settings):
    counted = set(qrels)
    if settings.skip_no_relevant:
        counted = {topic for topic in qrels if max(qrels[topic].values()) > 0}
    return bool(counted) and any(run.get(topic) for topic in counted)


@pytest.mark.parametrize("measures", [MEASURES, RELEVANT_ONLY])
@given(QRELS, RUNS, SETTINGS)
def test_values_are_those_of_evaluate_to_the_last_bit(measures, qrels, run, settings):
    run = {topic: ranking for topic, ranking in run.items() if ranking}
    evaluator = Evaluator(qrels, measures, settings)

    means, per_topic = evaluator.means(run), evaluator.per_topic(run)

    if shares_a_topic(qrels, run, settings):
        (expected,) = rankeval.evaluate(qrels, [rows_of(run)], measures, settings).runs
        assert list(per_topic) == list(expected.topics)
        for score in expected.scores:
            assert same(means[score.as_given], score.aggregate)
            for topic, value in zip(expected.topics, score.values.tolist(), strict=True):
                assert same(per_topic[topic][score.as_given], value)


@given(
    judged(st.dictionaries(st.sampled_from(DOCNOS), st.integers(0, 3), min_size=1), min_size=1),
    judged(rankings(st.integers(-20, 20).map(lambda i: i / 4))),
)
def test_values_are_those_of_pytrec_eval(qrels, run):
    # pytrec_eval may never return from an empty ranking, and compares scores as 32-bit floats.
    pytrec_eval = pytest.importorskip("pytrec_eval")
    run = {topic: ranking for topic, ranking in run.items() if ranking}
    expected = pytrec_eval.RelevanceEvaluator(qrels, TREC_EVAL).evaluate(run)

    found = Evaluator(qrels, NAMES, Settings(topics="both")).per_topic(run)

    assert found.keys() == expected.keys()
    for topic, values in expected.items():
        for name in NAMES.split():
            assert found[topic][name] == pytest.approx(values[name], abs=1e-12)


@given(QRELS, RUNS, SETTINGS)
def test_results_of_dictionaries_are_those_of_rows(qrels, run, settings):
    run = {topic: ranking for topic, ranking in run.items() if ranking}  # as rows can name them
    if shares_a_topic(qrels, run, settings):
        found, expected = (
            rankeval.evaluate(qrels, form, MEASURES, settings) for form in (run, [rows_of(run)])
        )
        assert repr(found.to_dict(per_topic=True)) == repr(expected.to_dict(per_topic=True))
        for name in ("name", "topics", "warnings", "missing", "tied", "judged"):
            assert getattr(found.runs[0], name) == getattr(expected.runs[0], name)


@pytest.mark.parametrize("n_judged", [5, 60, 400])
@pytest.mark.parametrize("n_scores", [1, 7, 10**6])
def test_values_are_those_of_evaluate_with_few_or_many_judgments_and_scores(n_judged, n_scores):
    random = np.random.default_rng(11)
    names = [f"{i % 7}é{i}" if i % 50 == 0 else f"d{i}" for i in range(500)]
    qrels, run = {}, {}
    for i, topic in enumerate(map(str, range(12))):
        qrels[topic] = {str(d): n % 3 for n, d in enumerate(random.permutation(names)[:n_judged])}
        ranked = random.permutation(names)[: 90 + i % 3 * 30]
        scores = random.integers(0, n_scores, len(ranked)) / 4
        run[topic] = dict(zip(map(str, ranked), scores.tolist(), strict=True))
    del run["5"]

    for measures in (MEASURES, RELEVANT_ONLY):
        found = Evaluator(qrels, measures).per_topic(run)
        (expected,) = rankeval.evaluate(qrels, [rows_of(run)], measures).runs
        for score in expected.scores:
            values = [of_topic[score.as_given] for of_topic in found.values()]
            np.testing.assert_array_equal(values, score.values)


def test_an_integer_among_text_is_the_same_document():
    evaluator = Evaluator({"1": {"7": 1}}, "RR")

    assert evaluator.means({"1": {"a": 2.0, 7: 1.0}}) == {"RR": 0.5}
    with pytest.raises(InputError, match="twice"):
        evaluator.means({"1": {"7": 2.0, 7: 1.0}})


def test_equal_scores_are_ordered_by_the_bytes_of_docnos_descending():
    # In UTF-16, U+FFFF would come after U+1F600; in UTF-8 and by code point it comes before.
    evaluator = Evaluator({"1": {"\uffff": 1, "a": 1}}, "RR P@1")

    found = evaluator.per_topic({"1": {"\uffff": 1.0, "\U0001f600": 1.0, "a": 1.0}})

    assert found == {"1": {"RR": 0.5, "P@1": 0.0}}


@pytest.mark.parametrize(
    ("score", "found"),
    [
        (math.nan, "nan"),
        (math.inf, "inf"),
        (None, "None"),
        ("1.5", "'1.5'"),
        (True, "True"),
        (False, "False"),
        (10**400, "integer"),
    ],
)
def test_a_score_that_is_no_finite_number_is_refused_as_evaluate_does(score, found):
    qrels, run = {"1": {"a": 1}}, {"1": {"a": 3.0, "b": score}}

    with pytest.raises(InputError, match=f"score of document 'b' is .*{found}") as refused:
        Evaluator(qrels, "AP").means(run)
    with pytest.raises(InputError) as expected:
        rankeval.evaluate(qrels, run, "AP")

    assert str(refused.value) == str(expected.value)


def test_a_missing_topic_scores_0_or_is_left_out_and_an_empty_ranking_scores_0():
    qrels = {"1": {"a": 1}, "2": {"b": 1}}
    both = Evaluator(qrels, "AP", topics="both")

    assert Evaluator(qrels, "AP").means({"1": {"a": 1.0}}) == {"AP": 0.5}
    assert both.means({"1": {"a": 1.0}}) == {"AP": 1.0}
    assert both.per_topic({"1": {"a": 1.0}, "2": {}}) == {"1": {"AP": 1.0}, "2": {"AP": 0.0}}
    assert both.evaluate({"1": {"a": 1.0}, "2": {}})["run"]["AP"] == 0.5
    weighted = Evaluator(qrels, "AP", weights={"1": 3.0, "2": 1.0})
    assert weighted.means({"1": {"a": 1.0}}) == {"AP": 0.75}


@pytest.mark.parametrize("run", [{}, {"9": {"a": 1.0}}, {"9": {}}])
def test_without_a_shared_topic_means_are_0(run):
    both = Evaluator({"1": {"a": 1}}, "AP nDCG", Settings(topics="both"))

    assert both.means(run) == {"AP": 0.0, "nDCG": 0.0}
    assert both.per_topic(run) == {}
    assert [score.aggregate for score in both.evaluate(run).runs[0].scores] == [0.0, 0.0]
    assert Evaluator({"1": {"a": 1}}, "AP").per_topic(run) == {"1": {"AP": 0.0}}
    if run.get("9"):
        with pytest.raises(InputError, match="no topic in common"):
            rankeval.evaluate({"1": {"a": 1}}, run, "AP")
