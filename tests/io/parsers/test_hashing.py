from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.base.arrays import slot_of
from rankeval.io.parsers import hashing
from rankeval.io.parsers.hashing import Texts, hashes, repeated


@pytest.fixture(params=[1, 3, 22], scope="module")
def _bits(request):
    """Tables in which most hashes share a slot, and one in which few do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashing, "MOST_BITS", request.param)
        yield


@pytest.mark.usefixtures("_bits")
@given(st.lists(st.integers(0, 40).map(lambda i: (i * 0x9E3779B97F4A7C15) % 2**64), max_size=120))
def test_hashes_that_occur_again_are_found_as_often_as_they_do(values):
    found = repeated(np.array(values, dtype=np.uint64))

    assert Counter(found.tolist()) == Counter(values) - Counter(set(values))


@pytest.mark.parametrize("pattern", ["%d", "D%07d", "%020d", "clue-en%04d-00-x", "%d" + 300 * "x"])
def test_similar_names_have_hashes_that_are_far_apart(monkeypatch, pattern):
    names = [pattern % number for number in range(4096)]
    texts = Texts.from_arrow(pa.array([name.encode() for name in names], pa.binary()))
    filled = []

    for seed in range(20):
        random = np.random.default_rng(seed).integers(0, 2**64, 2, dtype=np.uint64)
        monkeypatch.setattr(hashing, "_SEED", random[0])
        monkeypatch.setattr(hashing, "_ODD", random[1] | np.uint64(1))
        hashed = hashes(texts)
        assert len(np.unique(hashed)) == len(names)
        filled.append(len(np.unique(slot_of(hashed, 14))))

    assert np.median(filled) > 3400  # 3,624 if names had random numbers
    assert min(filled) > 1000
