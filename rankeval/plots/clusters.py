"""Orders in which similar rows of a table are neighbours."""

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.base.frozen import frozen

MOST = 500
"""Leaves of a tree; finding the best order of more of them takes seconds."""


def cluster_order(rows: Floats) -> Integers:
    """Return an order of rows in which similar ones are neighbours, those of high mean first.

    Rows are joined by average linkage of Euclidean distances, and the tree is turned so that the
    distances between neighbours have the least sum. Of more than 500 rows, neighbours on the first
    principal axis are joined first, into 500 groups. `rows` has shape (rows, columns); NaN counts
    as the mean of its column.

    Source: Bar-Joseph, Gifford and Jaakkola, "Fast optimal leaf ordering for hierarchical
    clustering", Bioinformatics 17, 2001.
    """
    n_rows = len(rows)
    if n_rows < 2:
        return np.arange(n_rows)
    filled = _filled(rows)
    along = np.arange(n_rows)
    if n_rows > MOST:
        along = np.argsort(filled @ _first_axis(filled), kind="stable")
    groups = np.array_split(along, min(n_rows, MOST))
    means = np.array([filled[group].mean(axis=0) for group in groups])
    leaves = _leaves(means) if len(means) > 2 else [*range(len(means))]
    order = np.concatenate([groups[leaf] for leaf in leaves])
    heights = filled[order].mean(axis=1)
    half = n_rows // 2
    return order[::-1] if heights[:half].mean() < heights[-half:].mean() else order


def _filled(rows: Floats) -> Floats:
    """Return rows with the mean of a column in the place of NaN; 0 in columns without a value."""
    defined = ~np.isnan(rows)
    totals = np.where(defined, rows, 0.0).sum(axis=0)
    means = totals / np.maximum(defined.sum(axis=0), 1)
    return np.where(defined, rows, means)


def _first_axis(rows: Floats) -> Floats:
    """Return the direction in which rows differ most."""
    centred = rows - rows.mean(axis=0)
    _, directions = np.linalg.eigh(centred.T @ centred)
    axis: Floats = directions[:, -1]
    # The sign of an eigenvector is the library's choice.
    return axis if axis[np.abs(axis).argmax()] > 0 else -axis


def _leaves(rows: Floats) -> list[int]:
    """Return the leaves of the tree of average linkage, turned for the least distances.

    The order is computed here: that of SciPy 1.17 is not always the best one.
    """
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import pdist, squareform

    apart = pdist(rows)
    distances = squareform(apart)
    nodes = [Node(np.array([i]), np.zeros((1, 1))) for i in range(len(rows))]
    for left, right in linkage(apart, "average")[:, :2].astype(int).tolist():
        nodes.append(_joined(nodes[left], nodes[right], distances))
    return _turned(nodes[-1], distances)


@frozen(eq=False)
class Node:
    """A part of a tree.

    ====== =========================================================================================
    leaves leaves of its left part, then those of its right part
    across least sum of distances of an order that begins with a leaf of the left part, by row, and
           ends with one of the right part, by column
    parts  its two parts; none for a leaf
    ====== =========================================================================================
    """

    leaves: Integers
    across: Floats
    parts: "tuple[Node, Node] | None" = None

    @property
    def lengths(self) -> Floats:
        """The least sum of distances by first and last leaf; infinite for two of one part."""
        if self.parts is None:
            return self.across
        n_left, n_right = self.across.shape
        found = np.full((n_left + n_right,) * 2, np.inf)
        found[:n_left, n_left:], found[n_left:, :n_left] = self.across, self.across.T
        return found


def _joined(left: Node, right: Node, distances: Floats) -> Node:
    """Return the join of two parts: for each two ends, the least over the leaves that meet."""
    between = distances[np.ix_(left.leaves, right.leaves)]
    of_left, of_right = left.lengths, right.lengths
    to_left = np.array([(of_left + column).min(axis=1) for column in between.T]).T
    across = np.array([(to_left + column).min(axis=1) for column in of_right.T]).T
    return Node(np.concatenate([left.leaves, right.leaves]), across, (left, right))


def _turned(tree: Node, distances: Floats) -> list[int]:
    """Return the leaves of a tree in the order of the least length."""
    order: list[int] = []
    n_left, n_right = tree.across.shape
    first, last = divmod(int(tree.across.argmin()), n_right)
    open_parts = [(tree, first, n_left + last)]
    while open_parts:
        node, first_place, last_place = open_parts.pop()
        if node.parts is None:
            order.append(int(node.leaves[0]))
            continue
        left, right = node.parts
        n_left = len(left.leaves)
        turned = first_place >= n_left
        start, end = sorted((first_place, last_place))
        between = distances[np.ix_(left.leaves, right.leaves)]
        lengths = left.lengths[start][:, np.newaxis] + between + right.lengths[:, end - n_left]
        at, to = divmod(int(lengths.argmin()), lengths.shape[1])
        if turned:
            open_parts += [(left, at, start), (right, end - n_left, to)]
        else:
            open_parts += [(right, to, end - n_left), (left, start, at)]
    return order
