"""Time beside that of twice as much, or of a peer: what a file or a command may not make slow."""

from functools import cache, partial
from random import Random

import numpy as np
import pytest

from rankeval.io.parsers.names import HashTable, Names
from rankeval.measures import parse_measures
from rankeval.ranking.qrels import from_mapping
from tests.support.aligning import align_in_blocks
from tests.support.growth import MOST, TIMES, growth, seconds
from tests.support.read_sizes import fast

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


PLAIN = [b"%016d" % i for i in range(40_000)]
PREFIXED = [b"x" * 300 + b"%06d" % i for i in range(20_000)]


def lines_of(docnos, *, tags=(b"t",), topics=(b"1",), score=b"1"):
    return b"".join(
        b"%b Q0 %b 1 %b %b\n" % (topics[i % len(topics)], docno, score, tags[i % len(tags)])
        for i, docno in enumerate(docnos)
    )


@pytest.mark.parametrize(
    "lines",
    [
        lines_of,  # tied
        lambda names: lines_of(PLAIN, tags=names),
        lambda names: lines_of(PLAIN, topics=names),
    ],
)
def test_names_made_to_collide_are_read_as_fast_as_others(tmp_path, lines):
    judged = {"1": {"d": 1}, PLAIN[5].decode(): {PLAIN[5].decode(): 1}}
    judged["1"] |= {PLAIN[7].decode(): 1, PLAIN[9].decode(): 0}
    judgments = from_mapping(judged)
    took = {}
    for kind, names in (("plain", PLAIN), ("colliding", colliding())):
        path = tmp_path / kind
        path.write_bytes(lines([*names[:-1], PLAIN[7]]))
        work = partial(align_in_blocks, judgments, str(path), sizes=fast())
        took[kind] = min(seconds(work) for _ in range(2))

    assert took["colliding"] < 3 * took["plain"]


@pytest.mark.parametrize("made", [colliding, lambda: PREFIXED], ids=["colliding", "one prefix"])
def test_names_made_to_collide_are_looked_up_in_time_that_grows_with_their_number(made):
    names = made()

    def looked_up(n):
        def work():
            docnos = Names.from_names(names[:n])
            rows, _ = HashTable(docnos.hashes).find(docnos.hashes)
            assert len(rows) == n
            assert not docnos.duplicates(np.array([0, n]))
            assert len(docnos.numbered()[0]) == n

        return work

    assert growth(looked_up, len(names) // TIMES) < MOST
