"""The table on policies that docs/ci.md shows, against formulas."""

import math
from pathlib import Path

import pytest
from scipy import stats

from docs.studies import policy_rates

PAGE = Path(__file__).parents[2] / "docs" / "ci.md"


@pytest.fixture(scope="module")
def shown():
    """The rates in percent that the page shows, by spread and topics."""
    (table,) = policy_rates.tables(repetitions=20, seed=1)
    lines = PAGE.read_text(encoding="utf-8").partition(f"{table.title}:\n\n")[2].splitlines()
    assert lines[:2] == table.markdown().splitlines()[2:4]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:14]]
    return {
        (float(row[0]), int(row[1])): dict(zip(table.heads[2:], map(float, row[2:]), strict=True))
        for row in rows
    }


def test_the_page_has_usual_spreads_and_numbers_of_topics(shown):
    assert {*shown} == {(s, n) for s in (0.05, 0.1, 0.2) for n in (10, 30, 50, 100)}


def test_observed_means_are_beyond_the_limit_as_the_normal_distribution_says(shown):
    for (spread, n), rates in shown.items():
        error = spread / math.sqrt(n)
        assert rates["observed"] == pytest.approx(100 * stats.norm.sf(0.01 / error), abs=1.5)
        missed = 100 * stats.norm.cdf((0.01 - 0.03) / error)
        assert rates["misses: observed"] == pytest.approx(missed, abs=1.5)


def test_tests_by_t_have_the_power_of_the_noncentral_distribution(shown):
    for (spread, n), rates in shown.items():
        critical, root = stats.t.ppf(0.95, n - 1), math.sqrt(n) / spread
        beyond = 100 * stats.nct.sf(critical, n - 1, -0.01 * root)
        within = 100 * stats.nct.sf(critical, n - 1, 0.01 * root)
        assert rates["not-shown-beyond-limit"] == pytest.approx(beyond, abs=1.5)
        assert rates["shown-not-worse"] == pytest.approx(100 - within, abs=1.5)
        missed = 100 * stats.nct.cdf(critical, n - 1, 0.02 * root)
        assert rates["misses: not-shown-beyond-limit"] == pytest.approx(missed, abs=1.5)
