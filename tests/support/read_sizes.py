"""Sizes by which small files are read as large ones are."""

from rankeval.io.blocks import ReadSizes


def fast(*, plain_bytes: int = 0, **sizes: int) -> ReadSizes:
    """Sizes by which the fast parsers read all files, or those above some bytes."""
    return ReadSizes(plain_bytes=plain_bytes, **sizes)
