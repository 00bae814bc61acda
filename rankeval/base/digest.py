"""Digest data to a few characters that stand for it in signatures."""

from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from itertools import islice
from typing import Any

FEW_BYTES = 1 << 20
"""Bytes up to which loading OpenSSL takes longer than it saves."""

AT_ONCE = 1000
"""Pieces that are put together before they are hashed."""


def short_digest(pieces: Iterable[bytes]) -> str:
    """Return twelve hexadecimal digits of the SHA-256 of the pieces, one after the other."""
    rest = iter(pieces)
    beginning = bytearray()
    while len(beginning) <= FEW_BYTES and (some := list(islice(rest, AT_ONCE))):
        beginning += b"".join(some)
    hashed = _sha256(beginning)
    while some := list(islice(rest, AT_ONCE)):
        hashed.update(b"".join(some))
    return str(hashed.hexdigest()[:12])


def _sha256(beginning: bytearray) -> Any:
    if len(beginning) <= FEW_BYTES:
        # As Python's `random` does: `hashlib` loads OpenSSL, which takes 2% of a small evaluation.
        for name in "_sha2", "_sha256":  # since Python 3.12, and before
            with suppress(ImportError):
                return import_module(name).sha256(beginning)
    import hashlib

    return hashlib.sha256(beginning)
