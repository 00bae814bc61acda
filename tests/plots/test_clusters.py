"""Orders of similar rows: the least sum of distances, by trying all turns of a tree."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import linkage, to_tree

from rankeval.plots.clusters import MOST, cluster_order


def turned(node, turns):
    """Return the leaves of a tree, each of whose joints is turned or not."""
    if node.is_leaf():
        return [node.id]
    left, right = turned(node.left, turns), turned(node.right, turns)
    return right + left if turns[node.id] else left + right


def length(rows, order):
    return sum(np.linalg.norm(rows[i] - rows[j]) for i, j in pairwise(order))


@given(seed=st.integers(0, 10_000), n_rows=st.integers(3, 7))
@settings(deadline=None, max_examples=30)
def test_neighbours_have_the_least_distances_that_the_tree_allows(seed, n_rows):
    rows = np.random.default_rng(seed).uniform(size=(n_rows, 3))
    tree = to_tree(linkage(rows, "average"))
    every = product([False, True], repeat=n_rows - 1)
    least = min(length(rows, turned(tree, (False,) * n_rows + turns)) for turns in every)

    order = cluster_order(rows).tolist()

    assert sorted(order) == list(range(n_rows))
    assert length(rows, order) == pytest.approx(least)


@pytest.mark.parametrize("n_rows", [40, MOST + 300])
def test_far_groups_come_together_those_of_high_mean_first(n_rows):
    rng = np.random.default_rng(3)
    group = rng.integers(0, 2, n_rows)
    rows = rng.uniform(0, 0.1, (n_rows, 4)) + group[:, np.newaxis]

    order = cluster_order(rows)

    assert sorted(order.tolist()) == list(range(n_rows))
    assert group[order].tolist() == sorted(group.tolist(), reverse=True)


def test_a_value_that_is_undefined_counts_as_the_mean_of_its_column():
    rows = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, np.nan], [1.0, np.nan]])

    order = cluster_order(rows).tolist()

    assert order in ([1, 3, 2, 0], [3, 1, 2, 0], [1, 3, 0, 2], [3, 1, 0, 2])
    assert cluster_order(np.full((3, 2), np.nan)).tolist()


@pytest.mark.parametrize("n_rows", [0, 1])
def test_a_row_is_its_own_order(n_rows):
    assert cluster_order(np.ones((n_rows, 2))).tolist() == list(range(n_rows))
