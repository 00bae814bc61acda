"""The tables of samples that docs/estimate.md shows, against what is promised of them."""

from pathlib import Path

import numpy as np
import pytest

from docs.studies import sample_rates
from rankeval.commands.pool.sampling import Listing
from rankeval.evaluation.sampled_measures import sampled_measures
from rankeval.evaluation.settings import Settings

PAGE = Path(__file__).parents[2] / "docs" / "estimate.md"


def shown(title, labels=2):
    """The numbers below a title of the page, by labels."""
    below = PAGE.read_text(encoding="utf-8").split(f"{title}:\n", 1)[1]
    lines = below.lstrip().split("\n\n", 1)[0].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    return {tuple(row[:labels]): list(map(float, row[labels:])) for row in cells}


def test_next_needs_at_most_three_fifths_of_the_judgments():
    found = shown("Mean width of the intervals of the differences between six runs")

    assert len(found) == 6
    for width, judgments in found.values():
        assert width <= 100.0
        assert judgments <= 60.0


def test_differences_after_next_are_unbiased_within_two_standard_errors():
    found = shown("Differences between six runs after --next at 60%, mean over the 15 pairs")

    assert len(found) == 6
    for in_errors, _, outside in found.values():
        assert abs(in_errors) < 2.0
        assert outside <= 10.0


def test_draws_by_rank_bias_ratios_less_than_others():
    title = (
        "Ratios, times 100: the true mean, and what estimates from the draws of a topic add to it"
    )
    found = shown(title, labels=3)

    worst = dict.fromkeys(sample_rates.WAYS, 0.0)
    for (_, _, way), (_, *biases) in found.items():
        worst[way] = max(worst[way], *map(abs, biases))
        assert abs(biases[-1]) < 5.0
    assert len(found) == 4 * len(sample_rates.WAYS)
    assert min(worst, key=worst.get) == "by-rank"
    assert worst["by-rank"] < 5.0
    assert worst["--next for DCG@10"] > 10.0
    assert worst["uniform"] > 20.0


def test_ratios_have_no_interval_where_intervals_would_miss_far_too_often():
    title = (
        "Ratios: intervals that miss the true mean, %, over these topics alone and over a "
        "population of topics"
    )
    found = shown(title, labels=3)

    assert len(found) == 4 * len(sample_rates.WAYS)
    by_rank = [row for (_, _, way), row in found.items() if way == "by-rank"]
    n = len(sample_rates.DRAWS)
    assert min(min(row[:n]) for row in by_rank) >= 20.0
    assert max(max(row[n:]) for row in by_rank) <= 22.0


def test_a_resampled_collection_has_whole_topics_of_the_other():
    ranks = {(b"%d" % t, b"d%d" % i): np.array([i + 1]) for t in range(3) for i in range(t + 2)}
    grades = np.repeat([1.0, 2.0, 3.0], [2, 3, 4])
    collection = sample_rates.Collection.of(Listing.of(ranks, 1), grades)

    again = collection.resampled(7)

    sizes = np.diff(again.pool.offsets)
    assert len(set(sizes)) > 1
    assert again.grades.tolist() == [float(size - 1) for size in sizes for _ in range(size)]
    assert again.pool.ranks[0].tolist() == [i + 1 for size in sizes for i in range(size)]
    (measure,) = sampled_measures("P@4", Settings())
    estimated = again.estimates(again.uniform(1, 9), measure)
    assert estimated.runs[0][2].value == pytest.approx(np.minimum(sizes, 4).mean() / 4)


def test_intervals_over_a_population_miss_at_most_as_often_as_they_may_where_all_is_judged():
    """50 topics of 6 documents, all of them drawn: only the topics are a sample."""
    rng = np.random.default_rng(2)
    ranks = {(b"%02d" % t, b"d%d" % i): np.array([i + 1]) for t in range(50) for i in range(6)}
    collection = sample_rates.Collection.of(Listing.of(ranks, 1), rng.integers(0, 2, 300) * 1.0)
    (measure,) = sampled_measures("AP", Settings())

    missed = sample_rates.missed_in_population(collection, measure, "uniform", 100, 1)

    assert missed == pytest.approx([5.0] * 3, abs=5.0)
    assert len(set(missed)) == 1


@pytest.mark.parametrize("way", sample_rates.WAYS)
def test_each_way_draws_as_many_documents(way):
    rng = np.random.default_rng(5)
    ranks = {(b"q", b"%d" % i): np.array([i + 1, 40 - i]) for i in range(40)}
    collection = sample_rates.Collection.of(Listing.of(ranks, 2), rng.integers(0, 2, 40) * 1.0)
    (measure,) = sampled_measures("R@20", Settings())

    sample = collection.drawn(way, 12, 3, measure)

    assert int(sample.drawn.sum()) == 12


def test_the_study_measures_the_values_of_the_definitions():
    """Two runs of two documents in one topic: P@10 of .1 and .2, whatever is drawn of all."""
    ranks = {(b"q", b"a"): np.array([1, 1]), (b"q", b"b"): np.array([0, 2])}
    collection = sample_rates.Collection.of(Listing.of(ranks, 2), np.array([1.0, 1.0]))
    (measure,) = sampled_measures("P@10", Settings())

    estimates = collection.estimates(collection.uniform(1), measure)

    assert [one.value for _, _, one in estimates.runs] == pytest.approx([0.1, 0.2])
    assert sample_rates.widths(estimates) == pytest.approx(0.0)
