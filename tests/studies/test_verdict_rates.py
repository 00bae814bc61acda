import numpy as np
import pytest

from docs.studies import verdict_rates
from rankeval.stats import Bound, Verdict, gate_verdict

pytestmark = pytest.mark.slow

REPETITIONS = 2_000
ERROR = 100 * np.sqrt(0.05 * 0.95 / REPETITIONS)  # standard error of 5%, in percent


def by_label(table):
    """Rates by the labels of their row, and by the heads of their columns."""
    n_labels = len(table.rows[0][0])
    return {
        labels: dict(zip(table.heads[n_labels:], rates, strict=True))
        for labels, rates in table.rows
    }


@pytest.fixture(scope="module")
def tables():
    made = verdict_rates.tables(REPETITIONS, seed=2)
    return {table.title: table for table in made}


def test_bets_keep_the_promise_of_not_worse_in_every_cell(tables):
    rates = by_label(tables["Candidates that lose the limit and are called not worse"])

    assert len(rates) == 4 * 4 * 3
    for cell in rates.values():
        assert cell["betting"] <= 5 + 3 * ERROR
    assert rates["normal", "50", "0.03"]["t"] == pytest.approx(5, abs=4 * ERROR)
    assert rates["sparse, noisy", "10", "0.03"]["t"] == pytest.approx(59.9, abs=5)


def test_beyond_has_its_size_at_the_limit_where_significant_has_not(tables):
    (title,) = (title for title in tables if title.startswith("Gates that close"))
    rates = by_label(tables[title])

    for column in ("not-shown-beyond-limit, betting", "not-shown-beyond-limit, betting, mirrored"):
        assert all(cell[column] <= 5 + 3 * ERROR for cell in rates.values())
    assert rates["normal", "100"]["not-shown-worse, t"] == pytest.approx(50, abs=5)
    # 0.95^10 of the samples hold none of the topics that gain much.
    assert rates["sparse", "10"]["observed, mirrored"] == pytest.approx(100 * 0.95**10, abs=5)


def test_bets_keep_alpha_on_equal_candidates_from_10_to_10_000_topics(tables):
    rates = by_label(tables["Equal candidates that are called worse, limit 0"])

    assert {n for _, n in rates} == {"10", "25", "50", "100", "1000", "10000"}
    for cell in rates.values():
        assert max(cell["betting"], cell["betting, mirrored"]) <= 5 + 3 * ERROR
    assert rates["sparse, noisy", "10"]["t, mirrored"] > 50


def test_verdicts_come_out_about_as_planned(tables):
    gaps = by_label(tables["Power of verdicts minus what was planned, in points"])
    error = 100 * np.sqrt(0.8 * 0.2 / REPETITIONS)

    assert len(gaps) == 4 * 4
    for (shape, _), cell in gaps.items():
        if shape == "normal":
            assert list(cell.values()) == pytest.approx([0] * 3, abs=5 + 2 * error)
        # Bets may need fewer topics than the formula says, and t more where few topics differ.
        assert -2 * error <= cell["not worse, betting"] <= 15
        assert -2 * error <= cell["equivalent, betting"] <= 20
        assert abs(cell["not worse, t"]) <= 15


@pytest.mark.parametrize("bound", Bound)
def test_the_simulated_verdicts_are_those_of_the_gate(bound):
    gains = np.random.default_rng(3).normal(-0.01, 0.1, (60, 150))

    found = [gate_verdict(0.5 - g / 2, 0.5 + g / 2, limit=0.05, bound=bound) for g in gains]

    cleared = verdict_rates.not_worse(gains, 0.05, bound)
    assert 5 < cleared.sum() < 60 or bound is Bound.STUDENT_T
    assert [one.verdict is Verdict.NOT_WORSE for one in found] == cleared.tolist()
    assert [one.beyond for one in found] == verdict_rates.beyond(gains, 0.05, bound).tolist()
    lost = [gate_verdict(0.5 - g / 2, 0.5 + g / 2, limit=0.0, bound=bound) for g in gains - 0.03]
    called = [one.verdict is Verdict.WORSE for one in lost]
    assert called == verdict_rates.worse(gains - 0.03, 0.0, bound).tolist()
    assert sum(called) > 5
