"""The sizes at which files are read in another way."""

from rankeval.base.frozen import frozen
from rankeval.io.sources.blocks import BLOCK_SIZE


@frozen
class ReadSizes:
    """Sizes in bytes or lines; a test gives small ones, by which small files are read as large.

    ================== =====================================================================
    block_bytes        read at once: enough for a parser, and few enough for the cache
    plain_bytes        of a file, up to which the plain parser reads it, which starts at once
    beside_fast_bytes  the same where a fast parser is at hand: the compiled one, or Arrow's
    shared_block_bytes read at once of a run where a block is shared out among many runs
    ranked_lines       ranked together where all are in memory
    ranked_run_lines   the same for each of several runs that are read side by side
    batch_lines        of all those runs that are worked on together, or one topic's
    held_lines         that may be in memory at once; each takes about a hundred bytes
    ================== =====================================================================
    """

    block_bytes: int = BLOCK_SIZE
    plain_bytes: int = 2 << 20
    beside_fast_bytes: int = 1 << 15
    shared_block_bytes: int = 2 << 20
    ranked_lines: int = 1 << 17
    ranked_run_lines: int = 1 << 15
    batch_lines: int = 1 << 17
    held_lines: int = 50_000_000


USUAL = ReadSizes()
"""The sizes that every function takes by default."""
