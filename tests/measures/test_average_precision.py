import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from rankeval.measures import parse_measure
from rankeval.measures.average_precision import (
    average_precision,
    geometric_mean_average_precision,
    yet_another_average_precision,
)
from tests.support.builders import UNJUDGED, from_dicts, ranked
from tests.support.oracles import (
    assert_agrees_with_ir_measures,
    assert_agrees_with_pytrec_eval,
    assert_agrees_with_ranx,
    other_tool,
    pytrec_eval_values,
)
from tests.support.samples import aligned, batches, collection, common_topics


@pytest.mark.parametrize(
    ("ranking", "expected"),
    [
        ("RNRNNNNNRR", (1 / 1 + 2 / 3 + 3 / 9 + 4 / 10) / 4),
        ("NRNNRRRNNN", (1 / 2 + 2 / 5 + 3 / 6 + 4 / 7) / 4),
    ],
)
def test_average_precision_of_a_textbook_ranking(ranking, expected):
    """Manning, Raghavan and Schütze (2008), exercise 8.8: four relevant documents."""
    judged = ranked([int(judgment == "R") for judgment in ranking])

    assert average_precision(judged) == pytest.approx([expected])


@pytest.mark.parametrize(("norm", "divisor"), [("rel", 4), ("min", min(5, 4)), ("ret", 3)])
def test_a_norm_says_what_the_sum_of_precisions_is_divided_by(norm, divisor):
    """The founding notes on RAG: relevant 1, 3, 5, 6; ranking 1 4 3 5 7."""
    judged = ranked([1, UNJUDGED, 1, 1, UNJUDGED], missed=[[1]])

    expected = (1 / 1 + 2 / 3 + 3 / 4) / divisor
    assert average_precision(judged, norm=norm, cutoff=5) == pytest.approx([expected])


def test_a_perfect_short_ranking_is_perfect_only_by_the_smaller_of_both():
    judged = ranked([1, 1, 1])

    assert average_precision(judged, cutoff=2) == pytest.approx([2 / 3])
    assert average_precision(judged, norm="min", cutoff=2) == pytest.approx([2 / 2])
    assert average_precision(judged, norm="min") == average_precision(judged)


def test_unjudged_documents_keep_their_rank_unless_judged_only():
    judged = ranked([UNJUDGED, -1, 1])

    assert average_precision(judged) == pytest.approx([1 / 3])
    assert average_precision(judged.condensed) == pytest.approx([1 / 1])


@pytest.mark.parametrize("norm", ["rel", "min", "ret"])
def test_topics_without_anything_to_divide_by_are_0(norm):
    judged = ranked([0, UNJUDGED], [], [0], missed=[[], [1], [1]])

    assert average_precision(judged, norm=norm, cutoff=3).tolist() == [0.0, 0.0, 0.0]


def test_the_geometric_mean_floors_each_topic():
    """trec_eval, gm_map: values below 0.00001 count as 0.00001."""
    judged = ranked([1, 0], [0, 1], [0, 0])
    measure = parse_measure("GMAP")
    values = geometric_mean_average_precision(judged)

    assert values.tolist() == [1.0, 1 / 2, 0.0]
    expected = (1 * 1 / 2 * 0.00001) ** (1 / 3)
    assert measure.aggregate(values, judged) == pytest.approx(expected)


def test_yaap_is_a_logit_of_the_gathered_precision():
    gathered = 1 / 1 + 2 / 3
    judged = ranked([1, 0, 1], [0], missed=[[1], []])

    expected = math.log((1 + gathered) / (1 + 3 - gathered))
    assert yet_another_average_precision(judged) == pytest.approx([expected, math.log(1 / 1)])


@pytest.mark.parametrize("rel", [1, 2])
@pytest.mark.parametrize(
    ("name", "theirs"),
    [("AP", "map"), ("AP@5", "map_cut.5"), ("AP@10", "map_cut.10"), ("AP@1000", "map_cut.1000")],
)
def test_average_precision_agrees_with_trec_eval(name, theirs, rel):
    assert_agrees_with_pytrec_eval(name, theirs, rel=rel)


def test_the_geometric_mean_agrees_with_trec_eval():
    """Its value of a topic is the logarithm."""
    qrels, run = collection(1)
    qrels = {topic: qrels[topic] for topic in common_topics(qrels, run)}
    judged = from_dicts(qrels, run)
    measure = parse_measure("GMAP")

    logarithms = pytrec_eval_values(qrels, run, "gm_map")

    ours = measure.aggregate(measure.values(judged), judged)
    assert ours == pytest.approx(math.exp(sum(logarithms) / len(logarithms)))


@pytest.mark.parametrize(
    "name", ["AP", "AP(rel=2)", "AP@5", "AP(judged_only=True)", "AP(judged_only=True)@3"]
)
def test_average_precision_agrees_with_ir_measures(name):
    assert_agrees_with_ir_measures(name)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "theirs"), [("AP", "map"), ("AP@5", "map@5")])
def test_average_precision_agrees_with_ranx(name, theirs):
    assert_agrees_with_ranx(name, theirs)


@pytest.mark.parametrize("cutoff", [1, 5, 20])
def test_the_norm_of_retrieved_agrees_with_scikit_learn(cutoff):
    """average_precision_score of the first k, where all relevant documents are retrieved."""
    metrics = other_tool("sklearn.metrics")
    labels = np.random.default_rng(1).integers(0, 2, size=(20, 30))
    labels[:, 0] = 1
    judged = ranked(*labels.tolist())

    for topic, ours in enumerate(average_precision(judged, norm="ret", cutoff=cutoff)):
        first = labels[topic, :cutoff]
        expected = metrics.average_precision_score(first, -np.arange(len(first)))
        assert ours == pytest.approx(expected)


@examples(max_examples=50)
@given(batches(), st.integers(1, 9))
def test_the_norms_are_in_order(batch, cutoff):
    judged = aligned(batch)
    by_all, by_possible, by_found = (
        average_precision(judged, norm=norm, cutoff=cutoff) for norm in ("rel", "min", "ret")
    )

    assert (by_all <= by_possible).all()
    assert (by_possible <= by_found).all()
