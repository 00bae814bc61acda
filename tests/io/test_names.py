import numpy as np
import pyarrow as pa
import pytest

from rankeval.io import names as module
from rankeval.io.names import Texts, hashes


@pytest.mark.parametrize("pattern", ["%d", "D%07d", "%020d", "clue-en%04d-00-x", "%d" + 300 * "x"])
def test_similar_names_have_hashes_that_are_far_apart(monkeypatch, pattern):
    names = [pattern % number for number in range(4096)]
    texts = Texts.from_arrow(pa.array([name.encode() for name in names], pa.binary()))
    filled = []

    for seed in range(20):
        random = np.random.default_rng(seed).integers(0, 2**64, 2, dtype=np.uint64)
        monkeypatch.setattr(module, "_SEED", random[0])
        monkeypatch.setattr(module, "_ODD", random[1] | np.uint64(1))
        hashed = hashes(texts)
        assert len(np.unique(hashed)) == len(names)
        filled.append(len(np.unique(hashed >> np.uint64(50))))

    assert np.median(filled) > 3400  # 3,624 if names had random numbers
    assert min(filled) > 1000
