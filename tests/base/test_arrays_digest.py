"""Short digests are the first digits of SHA-256, however much is digested in which pieces."""

import hashlib

import pytest

from rankeval.base.arrays import FEW_BYTES, short_digest


@pytest.mark.parametrize("size", [0, 1, FEW_BYTES - 1, FEW_BYTES, FEW_BYTES + 1, 3 * FEW_BYTES])
@pytest.mark.parametrize("piece", [1000, FEW_BYTES, 4 * FEW_BYTES])
def test_a_digest_is_the_beginning_of_the_sha_256(size, piece):
    data = bytes(range(251)) * (size // 251 + 1)
    data = data[:size]
    pieces = [data[start : start + piece] for start in range(0, size, piece)]

    assert short_digest(pieces) == hashlib.sha256(data).hexdigest()[:12]
