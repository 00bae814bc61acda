"""The two pools that are compared do the same work, and tell how far they came."""

import sys

import pytest

from benchmarks import worker_pools

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux")


@pytest.mark.parametrize("pool", worker_pools.POOLS)
def test_each_pool_does_all_tasks(pool):
    found = dict(worker_pools.results(pool, lambda number: number * number, 7))

    assert found == {number: number * number for number in range(7)}


def test_the_results_before_a_worker_was_killed_are_counted(capsys):
    worker_pools.child("forked", "killed", 10)

    assert capsys.readouterr().out == "9 of 10 results\n"
