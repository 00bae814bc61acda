"""Draw documents from strata without replacement: sizes of strata and of samples, and draws.

Every design here draws at random n of the N documents of each stratum, so that each was drawn with
probability n/N. A stratum may be cut by anything but the grades, and more documents drawn from its
parts: within a part, those drawn before are as random as any.
"""

import numpy as np

from rankeval.base.arrays import Booleans, Floats, Integers

EACH = 3.0
"""Draws that a stratum is cut for: two tell its variance, and rounding may take one."""

HALVINGS = 80
"""Of the range of a rate, until it is known to a float's last bits."""

FIRST_BAND = 5
"""Ranks of the first band; each further one goes twice as deep."""


def by_bands(best_rank: Integers, most: int) -> Integers:
    """Return the band of each document's best rank: 1-5, 6-10, 11-20, 21-40, ...; at most `most`.

    >>> by_bands(np.array([1, 5, 6, 10, 11, 20, 21]), 9).tolist()
    [0, 0, 1, 1, 2, 2, 3]
    """
    depth = np.maximum(np.ceil(best_rank / FIRST_BAND), 1.0)
    return np.minimum(np.ceil(np.log2(depth)).astype(np.int64), max(most, 1) - 1)


def average_precision_prior(rank: Integers, length: Integers | int) -> Floats:
    r"""Return the weight that average precision gives to ranks, which statAP draws by.

    .. math:: w(r) = \frac{1}{2 Z} \Big(1 + \sum_{j=r}^{Z} \frac 1 j \Big)

    with Z the length of the ranking; 0 for rank 0, of a document that was not retrieved. The
    weights of a ranking sum to 1.

    Source: Aslam, Pavlu and Yilmaz, "A statistical method for system evaluation using incomplete
    judgments", SIGIR 2006.

    >>> average_precision_prior(np.array([1, 2, 0]), 2).tolist()
    [0.625, 0.375, 0.0]
    """
    length = np.broadcast_to(np.asarray(length), rank.shape)
    deepest = int(length.max(initial=0))
    harmonic = np.append(0.0, np.cumsum(1.0 / np.arange(1, deepest + 1)))
    rest = harmonic[length] - harmonic[np.maximum(rank, 1) - 1]
    return np.where(rank > 0, (1.0 + rest) / np.maximum(2 * length, 1), 0.0)


def rate_for(importance: Floats, group: Integers, drawn: Integers, total: float) -> float:
    """Return the rate r for which the groups are due `total` documents.

    A document is due min(1, r importance) draws, a group the sum of these or what was `drawn`
    from it before, if that is more.
    """

    def due(rate: float) -> float:
        mass = np.bincount(group, np.minimum(rate * importance, 1.0), len(drawn))
        return float(np.maximum(mass, drawn).sum())

    smallest = importance[importance > 0.0].min(initial=np.inf)
    low, high = 0.0, 1.0 / smallest if np.isfinite(smallest) else 0.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        low, high = (middle, high) if due(middle) < total else (low, middle)
    return high


def cut(importance: Floats, group: Integers, rate: float) -> Integers:
    """Cut each group into strata of documents of similar importance; return their numbers from 0.

    A stratum is due about `EACH` draws at this rate. Documents that are due a whole draw are a
    stratum of their own, in which all are drawn. Strata are numbered group by group, the most
    important first.
    """
    due = np.minimum(rate * importance, 1.0)
    order = np.lexsort((-importance, group))
    ordered, certain = group[order], due[order] >= 1.0
    left = np.where(certain, 0.0, due[order])
    n_groups = int(group.max(initial=-1)) + 1
    mass = np.bincount(ordered, left, n_groups)
    pieces = np.maximum(np.floor(mass / EACH), 1.0)
    before = np.cumsum(left) - left
    start = np.append(0.0, np.cumsum(mass))[:-1][ordered]
    share = (before - start) / np.where(mass > 0.0, mass, 1.0)[ordered]
    piece = np.clip(np.floor(share * pieces[ordered]), 0, pieces[ordered] - 1)
    piece = np.where(certain, 0, 1 + piece).astype(np.int64)
    width = int(piece.max(initial=0)) + 1
    _, number = np.unique(ordered * width + piece, return_inverse=True)
    strata = np.empty(len(group), dtype=np.int64)
    strata[order] = number
    return strata


def allocate(mass: Floats, least: Integers, most: Integers, total: int) -> Integers:
    """Return whole numbers about in proportion to `mass` that sum to `total`.

    Each is at least `least` and at most `most`: all are `least` where that sums to more, and `most`
    where that sums to less.

    >>> ones = np.ones(3, dtype=np.int64)
    >>> allocate(np.array([6.0, 3.0, 1.0]), ones, 4 * ones, 8).tolist()
    [4, 3, 1]
    """
    if total <= least.sum():
        return least.copy()
    if total >= most.sum():
        return most.copy()
    positive = mass[mass > 0.0]
    low, high = 0.0, float(most.max() / positive.min()) if len(positive) else 0.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        size = np.clip(middle * mass, least, most).sum()
        low, high = (middle, high) if size < total else (low, middle)
    share = np.clip(low * mass, least, most)
    found = np.floor(share).astype(np.int64)
    while (lacking := total - int(found.sum())) > 0:
        room = np.flatnonzero(found < most)
        best = room[np.lexsort((-mass[room], found[room] - share[room]))]
        found[best[:lacking]] += 1
    return found


def draw(stratum: Integers, size: Integers, drawn: Booleans, lot: Floats) -> Booleans:
    """Mark documents drawn at random besides those drawn before, until a stratum has its `size`.

    `lot` is a random number for each document, independent of all else.
    """
    missing = size - np.bincount(stratum[drawn], minlength=len(size))
    open_ = np.flatnonzero(~drawn)
    order = open_[np.lexsort((lot[open_], stratum[open_]))]
    starts = np.searchsorted(stratum[order], np.arange(len(size)))
    place = np.arange(len(order)) - starts[stratum[order]]
    found = np.zeros(len(stratum), dtype=bool)
    found[order[place < missing[stratum[order]]]] = True
    return found
