import numpy as np
import pytest

from rankeval.stats.planning_search import pool

GAINS = {
    "spread": np.linspace(-0.3, 0.4, 40),
    "all equal": np.full(40, 0.1),
    "of one size": np.tile([-0.2, 0.2], 20),
    "no difference": np.zeros(40),
}


@pytest.mark.parametrize("n_topics", [12, 200])
@pytest.mark.parametrize("gains", GAINS.values(), ids=GAINS)
def test_what_is_met_in_every_sample_has_a_share_of_one(gains, n_topics):
    topics = pool(gains, np.linspace(0.0, 1.0, 40), gains != 0.0, relative=True)
    weights = topics.draw(n_topics, seed=1).sample_weights

    assert weights.sum() == pytest.approx(1.0, abs=1e-9)


def test_the_share_of_a_symmetric_event_is_nearer_to_a_half_than_its_frequency():
    gains = np.linspace(-1.0, 1.0, 41)
    errors = []
    for seed in range(40):
        draws = pool(gains, np.ones(41), gains != 0.0).draw(30, seed)
        met = draws.added(gains[:, np.newaxis])[:, 0] > 0.0
        errors.append((met.mean() - 0.5, draws.sample_weights @ met - 0.5))
    plain, weighted = np.sqrt(np.mean(np.square(errors), axis=0))

    assert weighted < 0.8 * plain
