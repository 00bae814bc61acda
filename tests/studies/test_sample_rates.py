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
    for (_, _, way), (_, *numbers) in found.items():
        biases = numbers[: len(sample_rates.DRAWS)]
        worst[way] = max(worst[way], *map(abs, biases))
        assert abs(biases[-1]) < 5.0
    assert len(found) == 4 * len(sample_rates.WAYS)
    assert min(worst, key=worst.get) == "by-rank"
    assert worst["by-rank"] < 5.0
    assert worst["--next for DCG@10"] > 10.0
    assert worst["uniform"] > 20.0


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
