"""The sizes at which files are read in another way."""

from rankeval.base.frozen import frozen
from rankeval.io.sources.blocks import BLOCK_SIZE


@frozen
class ReadSizes:
    """Sizes in bytes or lines; a test gives small ones, by which small files are read as large.

    ============ ===========================================================================
    block_bytes  read at once: enough for a parser, and few enough for the cache
    plain_bytes  of a file, up to which the plain parser reads it, which starts at once; a 64th of
                 them where a fast parser is at hand: the compiled one, or Arrow's
    ranked_lines worked on together where all are in memory, or those of several runs
    held_lines   that may be in memory at once; each takes about a hundred bytes
    ============ ===========================================================================
    """

    block_bytes: int = BLOCK_SIZE
    plain_bytes: int = 2 << 20
    ranked_lines: int = 1 << 17
    held_lines: int = 50_000_000


USUAL = ReadSizes()
"""The sizes that every function takes by default."""
