"""The sizes at which files are read in another way."""

from rankeval.base.frozen import frozen
from rankeval.io.sources.blocks import BLOCK_SIZE


@frozen
class ReadSizes:
    """Sizes in bytes or lines; a test gives small ones, by which small files are read as large.

    ================== =====================================================================
    block_bytes        read at once: enough for a parser, and few enough for the cache
    plain_bytes        of a file, up to which the plain parser reads it, which starts at once
    beside_arrow_bytes the same where Arrow has been imported already
    regular_bytes      of a run of regular lines, up to which it is read as any other file is
    processes_bytes    of a file, from which on several processes save time
    sample_bytes       at the beginning of a file that show whether its lines are regular
    parsed_bytes       parsed at once of a share, so that the words of fields stay in the cache
    topics_bytes       of the largest topics of a share; some ten times as much is in memory
    least_share_bytes  of a share: few are left at the end
    most_share_bytes   of a share: progress is told now and then
    shared_block_bytes read at once of a run where a block is shared out among many runs
    ranked_lines       ranked together where all are in memory
    ranked_run_lines   the same for each of several runs that are read side by side
    batch_lines        of all those runs that are worked on together, or one topic's
    held_lines         that may be in memory at once; each takes about a hundred bytes
    ================== =====================================================================
    """

    block_bytes: int = BLOCK_SIZE
    plain_bytes: int = 2 << 20
    beside_arrow_bytes: int = 1 << 15
    regular_bytes: int = 1 << 19
    processes_bytes: int = 16 << 20
    sample_bytes: int = 1 << 16
    parsed_bytes: int = 1 << 20
    topics_bytes: int = 1 << 22
    least_share_bytes: int = 1 << 21
    most_share_bytes: int = 1 << 26
    shared_block_bytes: int = 2 << 20
    ranked_lines: int = 1 << 17
    ranked_run_lines: int = 1 << 15
    batch_lines: int = 1 << 17
    held_lines: int = 50_000_000


USUAL = ReadSizes()
"""The sizes that every function takes by default."""
