import numpy as np
import pytest

from docs.studies.differences import SHAPES, skewed, sparse


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("mean", [-0.05, -0.02, 0.0, 0.02])
def test_differences_have_the_mean_that_was_asked_for_and_are_bounded(shape, mean):
    drawn = SHAPES[shape](mean=mean, repetitions=4000, n=100, seed=1)

    assert drawn.shape == (4000, 100)
    assert np.abs(drawn).max() <= 1.0
    error = drawn.std() / np.sqrt(drawn.size)
    assert abs(drawn.mean() - mean) < 4 * error


def test_a_cut_lognormal_keeps_its_mean():
    drawn = skewed(-0.3, 4000, 100, 1, sigma=1.5, deviation=0.6)

    assert drawn.min() == pytest.approx(-1.0, abs=0.3)
    assert abs(drawn.mean() + 0.3) < 4 * drawn.std() / np.sqrt(drawn.size)


def test_a_twentieth_of_sparse_differences_lose_and_the_others_are_equal():
    drawn = sparse(-0.02, 2000, 100, 1)

    assert set(np.unique(drawn).round(12)) == {-0.4, 0.0}
    assert (drawn < 0).mean() == pytest.approx(0.05, abs=0.003)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_seed_decides_what_is_drawn(shape):
    draw = SHAPES[shape]

    assert (draw(0.0, 3, 5, 7) == draw(0.0, 3, 5, 7)).all()
    assert (draw(0.0, 3, 5, np.random.default_rng(7)) == draw(0.0, 3, 5, 7)).all()
    assert (draw(0.0, 3, 5, 8) != draw(0.0, 3, 5, 7)).any()


def test_differences_that_cannot_be_bounded_are_refused():
    with pytest.raises(ValueError, match="expected -1 to 1"):
        sparse(-0.1, 10, 10, 1)
