"""The bridge gives pytrec_eval's names and values."""

import numpy as np
import pytest

import rankeval
import rankeval.compat.pytrec_eval as bridge

pytrec_eval = pytest.importorskip("pytrec_eval")


@pytest.fixture(scope="module")
def data():
    random = np.random.default_rng(4)
    qrels, run = {}, {}
    for topic in range(12):
        pool = [f"d{i}" for i in range(80)]
        judged, listed = random.choice(pool, 40), random.choice(pool, 50)
        qrels[f"q{topic}"] = {d: int(random.integers(0, 4)) for d in judged.tolist()}
        run[f"q{topic}"] = {d: float(random.integers(0, 30)) / 4 for d in listed.tolist()}
    qrels["none relevant"] = {"d1": 0}
    run["none relevant"] = {"d1": 1.0, "d2": 3.0}
    run["unjudged"] = {"d1": 1.0}
    qrels["missing"] = {"d1": 1}
    return qrels, run


def test_the_same_measures_are_supported():
    assert bridge.supported_measures == set(pytrec_eval.supported_measures)
    ours = {name: set(pytrec_eval.supported_nicknames[name]) for name in bridge.supported_nicknames}
    assert bridge.supported_nicknames == ours


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("judged_only", [False, True])
@pytest.mark.parametrize(
    "measures",
    [set(pytrec_eval.supported_measures), {"official"}, {"P.3,7", "ndcg_cut_2", "Rprec_mult.0.3"}],
    ids=["all", "official", "cutoffs"],
)
def test_names_and_values_are_pytrec_evals(data, measures, level, judged_only):
    qrels, run = data
    expected = pytrec_eval.RelevanceEvaluator(qrels, measures, level, judged_only).evaluate(run)

    found = bridge.RelevanceEvaluator(qrels, measures, level, judged_only).evaluate(run)

    assert found.keys() == expected.keys()
    for topic, values in expected.items():
        assert found[topic] == pytest.approx(values, abs=1e-12)


def test_aggregates_are_pytrec_evals():
    for name, values in {"map": [0.5, 0.2], "num_ret": [4.0, 7.0], "gm_map": [-1.0, -3.5]}.items():
        expected = pytrec_eval.compute_aggregated_measure(name, values)
        assert bridge.compute_aggregated_measure(name, values) == pytest.approx(expected, 1e-12)


def test_an_unsupported_measure_is_a_value_error():
    with pytest.raises(ValueError, match="unsupported measure mapp"):
        bridge.RelevanceEvaluator({"1": {"a": 1}}, {"mapp"})


def test_files_are_read_line_by_line():
    run, qrel = ["1 Q0 a 1 0.5 t\n", "1 Q0 b 2 0.25 t\n"], ["1 0 a 2\n", "2 0 b 0\n"]

    assert bridge.parse_run(run) == pytrec_eval.parse_run(run)
    assert bridge.parse_qrel(qrel) == pytrec_eval.parse_qrel(qrel)
    with pytest.raises(AssertionError, match="twice"):
        bridge.parse_run([*run, *run])


def test_empty_runs_and_rankings_are_numbers():
    evaluator = bridge.RelevanceEvaluator({"1": {"a": 1}}, {"map"})

    assert evaluator.evaluate({}) == {}
    assert evaluator.evaluate({"1": {}}) == {"1": {"map": 0.0}}
    assert bridge.RelevanceEvaluator({"1": {"a": 1}}, []).evaluate({"1": {}, "2": {}}) == {"1": {}}


@pytest.mark.parametrize("level", [0, "1", 1.5])
def test_a_level_that_is_no_positive_integer_is_a_type_error(level):
    for module in (pytrec_eval, bridge):
        with pytest.raises(TypeError):
            module.RelevanceEvaluator({"1": {"a": 1}}, {"map"}, relevance_level=level)
    with pytest.raises(rankeval.UsageError, match="an integer of at least 1"):
        bridge.RelevanceEvaluator({"1": {"a": 1}}, {"map"}, relevance_level=level)


@pytest.mark.parametrize("wrong", [3, "q1", [{"q1": {"d1": 0.5}}]])
def test_what_is_no_run_is_a_type_error(wrong):
    with pytest.raises(TypeError, match=r"expected: +\{topic: \{docno: score\}\}"):
        bridge.RelevanceEvaluator({"q1": {"d1": 1}}, {"map"}).evaluate(wrong)


@pytest.mark.parametrize("names", [{"set_F.0.5"}, {"set_F.0.5,2"}, {"set_F"}, {"set_F.2", "map"}])
def test_keys_of_measures_with_parameters_are_those_of_pytrec_eval(names):
    qrels = {"q1": {"d1": 1, "d2": 0, "d3": 2}, "q2": {"d1": 1}}
    run = {"q1": {"d1": 0.5, "d2": 0.9, "d4": 0.1}, "q2": {"d2": 0.3}}
    expected = pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(run)

    assert bridge.RelevanceEvaluator(qrels, names).evaluate(run) == expected


def test_utility_takes_its_four_coefficients():
    """One relevant and two other documents were retrieved, worth 1 and -1 each."""
    found = bridge.RelevanceEvaluator({"q": {"a": 1, "b": 0, "c": 2}}, {"utility.1,-1,0,0", "map"})

    assert found.evaluate({"q": {"a": 0.5, "b": 0.9, "x": 0.1}})["q"]["utility"] == 1 - 2


def test_topics_are_in_the_order_of_the_run():
    qrels = {"b": {"d": 1}, "a": {"d": 1}, "c": {"x": 1}}
    run = {"c": {"x": 1.0}, "z": {"d": 1.0}, "b": {"d": 1.0}, "a": {"d": 1.0}}

    ours = bridge.RelevanceEvaluator(qrels, {"map"}).evaluate(run)

    assert list(ours) == ["c", "b", "a"]
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"map"}).evaluate(run)
    assert list(ours.items()) == list(theirs.items())
