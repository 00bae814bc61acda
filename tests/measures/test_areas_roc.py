import numpy as np
import pytest

import rankeval
from rankeval.measures import parse_measure
from rankeval.measures.areas import area_under_curve, grouped_area_under_curve, pairwise_accuracy
from tests.support.builders import from_dicts, ranked
from tests.support.oracles import ir_measures_values, of_common_topics, other_tool
from tests.support.samples import collection, untied

UNIVERSES = ("retrieved", "condensed", "judged")


@pytest.mark.parametrize(
    ("weight", "weights"), [(None, (1, 1)), ("'impressions'", (2, 4)), ("'positives'", (1, 3))]
)
def test_gauc_weighs_topics_by_their_documents_or_their_positives(weight, weights):
    """Zhu et al. (2017), equation 2; the third topic is undefined and weighs nothing."""
    judged = ranked([1, 0], [0, 1, 1, 1], [1, 1, 1])
    measure = parse_measure(f"GAUC(weight={weight})")
    values = grouped_area_under_curve(judged)

    assert values[:2] == pytest.approx([1, 0])
    expected = (weights[0] * 1 + weights[1] * 0) / sum(weights)
    assert measure.aggregate(values, judged) == pytest.approx(expected)


def test_gauc_without_a_weight_says_so_beside_the_value():
    qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 0, "b": 1, "c": 0}}
    run = {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 3.0, "b": 2.0, "c": 1.0}}

    def said(measure):
        (found,) = rankeval.evaluate(qrels, run, measure).runs
        return list(found.warnings)

    (plain,) = said("GAUC")
    assert plain.startswith("GAUC: every topic weighs the same;")
    assert said("GAUC(weight='impressions')") == said("GAUC(weight='positives')") == []
    assert said("AUC") == []


@pytest.mark.parametrize("universe", UNIVERSES)
@pytest.mark.parametrize("rel", [1, 2])
def test_auc_agrees_with_scikit_learn(universe, rel):
    metrics = other_tool("sklearn.metrics")
    qrels, run = collection(5, topics=40)
    ours = area_under_curve(from_dicts(qrels, run), rel=rel, universe=universe)
    compared = 0
    for topic, value in zip(sorted(qrels), ours, strict=True):
        scores, judged = run.get(topic, {}), qrels[topic]
        documents = {
            "retrieved": list(scores),
            "condensed": [docno for docno in scores if judged.get(docno, -1) >= 0],
            "judged": [docno for docno in judged if judged[docno] >= 0],
        }[universe]
        labels = [judged.get(docno, 0) >= rel for docno in documents]
        if not scores or len(set(labels)) < 2:
            assert np.isnan(value)
            continue
        expected = metrics.roc_auc_score(labels, [scores.get(docno, -1e9) for docno in documents])
        assert value == pytest.approx(expected, abs=1e-12)
        compared += 1
    assert compared > 20


def test_accuracy_agrees_with_ir_measures_where_that_is_defined():
    """It divides by zero where everything in the cutoff is relevant, so those topics are out."""
    qrels, run = collection(6)
    run = untied(run)
    ours = pairwise_accuracy(from_dicts(qrels, run), cutoff=10)
    defined = [t for t, v in zip(sorted(qrels), ours, strict=True) if not np.isnan(v)]
    qrels = {topic: qrels[topic] for topic in defined}
    ours = pairwise_accuracy(from_dicts(qrels, run), cutoff=10)

    expected = ir_measures_values(qrels, run, "Accuracy@10")

    assert of_common_topics(qrels, run, ours) == pytest.approx(expected, abs=1e-12)
