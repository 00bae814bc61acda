"""Time beside that of twice as much, or of a peer: what a file or a command may not make slow."""

from functools import cache
from random import Random

import numpy as np
import pytest

from rankeval.io.names import Names
from rankeval.measures import parse_measures
from rankeval.ranking.judged_lines import DistinctDocnos
from tests.support.growth import MOST, TIMES, growth

pytestmark = pytest.mark.slow


def test_a_list_of_cutoffs_is_read_in_time_that_grows_with_its_length():
    def cutoffs(n):
        text = "P@" + ",".join(map(str, range(1, n + 1)))
        return lambda: parse_measures(text)

    assert growth(cutoffs, 2000) < MOST


@cache
def colliding(n=40_000):
    """Distinct names of 16 bytes that have one and the same hash in Arrow, without white space.

    Arrow multiplies both halves by constants; for any first half there is a last one that
    brings the sum to the same number.
    """
    first, last, whole = 14029467366897019727, 11400714785074694791, 1 << 64
    inverse, random, names = pow(last, -1, whole), Random(1), set()
    allowed = sorted(set(range(256)) - set(range(33)) - {ord("#"), 127})
    while len(names) < n:
        half = int.from_bytes(random.choices(allowed, k=8), "little")
        other = inverse * (0x1234567890ABCDEF ^ (first * half % whole)) % whole
        name = half.to_bytes(8, "little") + other.to_bytes(8, "little")
        if set(name) <= set(allowed):
            names.add(name)
    return sorted(names)


PREFIXED = [b"x" * 300 + b"%06d" % i for i in range(20_000)]


@pytest.mark.parametrize("made", [colliding, lambda: PREFIXED], ids=["colliding", "one prefix"])
def test_names_made_to_collide_are_looked_up_in_time_that_grows_with_their_number(made):
    names = made()

    def looked_up(n):
        def work():
            docnos = Names.from_names(names[:n])
            rows, _ = docnos.find(DistinctDocnos(docnos))
            assert len(rows) == n
            assert not docnos.duplicates(np.array([0, n]))
            assert len(docnos.numbered()[0]) == n

        return work

    assert growth(looked_up, len(names) // TIMES) < MOST
