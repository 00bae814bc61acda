"""An Evaluator gives the values of `rankeval.evaluate`, to the last bit, and of pytrec_eval."""

import io
import math
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankeval
from rankeval import Evaluator, InputError, UsageError
from rankeval.options import Items, Settings

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


def test_a_stream_gives_the_results_of_its_topics_and_keeps_them():
    evaluator = Evaluator({"1": {"a": 1}, "2": {"b": 1}}, "AP", Settings(topics="both"))

    evaluator.update(np.array(["b", "a"]), np.array([2.0, 1.0]), topics="1")
    before = evaluator.compute().runs[0].scores[0].aggregate
    evaluator.update(["b"], [1], topics="2")

    assert before == 0.5
    assert evaluator.compute().runs[0].scores[0].aggregate == 0.75
    with pytest.raises(UsageError, match="'2' was added before"):
        evaluator.update(["b"], [1], topics="2")
    evaluator.reset()
    assert evaluator.compute().runs[0].scores[0].aggregate == 0.0


def test_a_pickled_evaluator_needs_no_file_again(tmp_path):
    costs, train = tmp_path / "costs.tsv", tmp_path / "train.tsv"
    costs.write_text("a\t2\nb\t1\n")
    train.write_text("1 b\n2 a\n")
    run = {"1": {"a": 2.0, "b": 1.0}}
    evaluator = Evaluator(
        {"1": {"a": 1}}, "TBG ARP@1", costs=costs, items=Items(train=train, exclude_seen=True)
    )
    values = evaluator.means(run)

    pickled = pickle.dumps(evaluator)
    costs.unlink()
    train.unlink()

    assert pickle.loads(pickled).means(run) == values


def test_threads_share_an_evaluator():
    random = np.random.default_rng(3)
    qrels = {str(t): {f"d{d}": int(random.integers(0, 3)) for d in range(20)} for t in range(9)}
    runs = [
        {t: {f"d{d}": float(random.integers(0, 30)) for d in range(40)} for t in qrels}
        for _ in range(40)
    ]
    expected = [Evaluator(qrels, MEASURES).means(run) for run in runs]
    shared = Evaluator(qrels, MEASURES)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(shared.means, runs)) == expected


def test_a_stream_takes_names_that_are_bytes_or_integers():
    evaluator = Evaluator({b"\xff": {b"\xfe": 1}, 7: {5: 1}}, "AP")
    evaluator.update([b"\xfe"], [1.0], topics=b"\xff")
    evaluator.update(np.array([4, 5]), np.array([2.0, 1.0]), topics=7)

    assert evaluator.compute().runs[0].scores[0].values.tolist() == [0.5, 1.0]
    for again in 7, "7", b"7", np.int64(7):
        with pytest.raises(UsageError, match="topic '7' was added before"):
            evaluator.update(["b"], [1.0], topics=again)
    with pytest.raises(InputError, match="'5' is listed twice"):
        evaluator.update([5, "5"], [1.0, 2.0], topics=8)


@pytest.mark.parametrize(
    ("topic", "docnos", "scores", "problem"),
    [
        (["1"], ["a"], [1.0], "ids have 1 dimension\n"),
        ("1", [["a"]], [1.0], "the docno .* is of the type list"),
        ("1", [None], [1.0], "the docno None is of the type NoneType"),
        ("1", "ab", [1.0, 2.0], r"ids are 'ab' \(str\)"),
        ("1", ["a"], 1.0, r"scores are 1.0 \(float\)"),
        ("1", ["a", "b"], [1.0], "2 docnos and 1 scores"),
        ("1", ["a", "a"], [1.0, 2.0], "'a' is listed twice"),
    ],
)
def test_a_stream_names_what_is_no_ranking(topic, docnos, scores, problem):
    with pytest.raises(rankeval.RankevalError, match=problem):
        Evaluator({"1": {"a": 1}}, "AP").update(docnos, scores, topics=topic)


def closed_file():
    file = io.StringIO("AP")
    file.close()
    return file


@pytest.mark.parametrize(
    ("call", "place"),
    [
        (lambda file: Evaluator({"1": {"a": 1}}, file), "measures"),
        (lambda file: rankeval.evaluate({"1": {"a": 1}}, {"1": {"a": 1}}, file), "measures"),
        (lambda file: Evaluator({"1": {"a": 1}}).update(file, [1.0], topics="1"), "ids"),
        (lambda file: Evaluator({"1": {"a": 1}}).update(["a"], file, topics="1"), "scores"),
        (rankeval.Qrels, "source"),
    ],
)
def test_a_closed_file_is_refused_with_what_it_stands_for(call, place):
    with pytest.raises(InputError, match=f"{place}: the file is closed"):
        call(closed_file())
