"""How a level of recall becomes a number of documents."""

import numpy as np
import pytest

from rankeval.errors import MeasureError
from rankeval.measures import parse_measure
from rankeval.measures.average_precision import (
    average_precision,
    documents_needed,
    geometric_mean_average_precision,
    interpolated_precision,
    rank_at_recall,
)
from tests.support.builders import UNJUDGED, ranked
from tests.support.oracles import (
    other_tool,
)


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


def test_the_geometric_mean_floors_each_topic():
    """trec_eval, gm_map: values below 0.00001 count as 0.00001."""
    judged = ranked([1, 0], [0, 1], [0, 0])
    measure = parse_measure("GMAP")
    values = geometric_mean_average_precision(judged)

    assert values.tolist() == [1.0, 1 / 2, 0.0]
    expected = (1 * 1 / 2 * 0.00001) ** (1 / 3)
    assert measure.aggregate(values, judged) == pytest.approx(expected)


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


MANNING = ranked([int(judgment == "R") for judgment in "RNRNNNNNRR"])


@pytest.mark.parametrize(
    ("level", "expected"),
    [(0.0, 1 / 1), (0.25, 1 / 1), (0.26, 2 / 3), (0.5, 2 / 3), (0.51, 4 / 10), (1.0, 4 / 10)],
)
def test_interpolated_precision_is_the_best_at_or_beyond_the_recall(level, expected):
    """The first ranking of Manning, Raghavan and Schütze (2008), exercise 8.8."""
    assert interpolated_precision(MANNING, recall=level) == pytest.approx([expected])


@pytest.mark.parametrize("n_relevant", [3, 10, 30, 70])
def test_a_product_that_is_whole_but_for_rounding_asks_for_no_document_more(n_relevant):
    """0.1·3 and the like come out a little above the whole number."""
    judged = ranked([1] * n_relevant)

    for tenths in range(1, 11):
        needed = -(-tenths * n_relevant // 10)
        assert rank_at_recall(judged, recall=tenths / 10).tolist() == [needed]


def test_the_nearest_number_rounds_halves_away_from_zero():
    assert documents_needed(np.array([1, 3, 5]), 0.5, "nearest").tolist() == [1, 2, 3]
    assert documents_needed(np.array([1, 3]), -0.5, "nearest").tolist() == [-1, -2]
    assert documents_needed(np.array([1]), 0.49999999999999994, "nearest").tolist() == [0]


def test_levels_of_trec_evals_eleven_points_are_read_and_refused_out_of_order():
    """Recall 0.25 and 0.5 of four documents need one and two."""
    found = parse_measure("11pt_avg.0.25,0.5").values(MANNING)

    assert found == pytest.approx([(1 / 1 + 2 / 3) / 2])
    for wrong in ("11pt_avg.0.5,0.1", "IAP(levels='x')"):
        with pytest.raises(MeasureError, match="the lowest first"):
            parse_measure(wrong).values(MANNING)
