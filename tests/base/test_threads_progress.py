"""Progress that is told by loops."""

from contextlib import contextmanager

import numpy as np
import pytest

from rankeval.base.threads import counted, listener
from rankeval.stats import paired_test


@contextmanager
def listening(heard):
    token = listener.set(lambda *news: heard.append(news))
    yield
    listener.reset(token)


def test_each_item_is_told_when_its_work_is_done():
    heard = []
    with listening(heard):
        for number, _ in enumerate(counted("ab", "letters", 2)):
            assert heard == [("letters", 1, 2)] * number

    assert heard == [("letters", 1, 2), ("letters", 2, 2)]


@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
def test_draws_are_told_to_the_last_and_change_no_number(test):
    differences = np.random.default_rng(1).normal(size=300)
    alone = paired_test(differences, test=test, resamples=20_000, seed=3)
    heard = []

    with listening(heard):
        found = paired_test(differences, test=test, resamples=20_000, seed=3)

    assert found == alone
    done = [done for _, done, _ in heard]
    assert done == sorted(done)
    assert heard[-1][1:] == (20_000, 20_000)
