"""Digest data to a few characters that stand for it in signatures."""

from collections.abc import Iterable


def short_digest(pieces: Iterable[bytes]) -> str:
    """Return twelve hexadecimal digits of the SHA-256 of the pieces, one after the other."""
    import hashlib  # not every command needs a digest

    hashed = hashlib.sha256()
    for piece in pieces:
        hashed.update(piece)
    return hashed.hexdigest()[:12]
