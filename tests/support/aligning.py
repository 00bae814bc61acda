"""Align a run in blocks of a size that a test chooses, where `align` decides by the file."""

from functools import partial
from typing import Any

from rankeval.io.read import map_blocks
from rankeval.io.sources.blocks import USUAL, ReadSizes
from rankeval.ranking.align import RUN, Alignment, align, align_blocks
from rankeval.ranking.qrels import Qrels
from rankeval.ranking.rank import BY_SCORE, NO_EXTRA_NEEDS, ExtraNeeds, Rules


def align_in_blocks(
    qrels: Qrels,
    path: str,
    rules: Rules = BY_SCORE,
    *,
    layout: Any = RUN,
    needs: ExtraNeeds = NO_EXTRA_NEEDS,
    jobs: int = 1,
    progress: Any = None,
    sizes: ReadSizes = USUAL,
    **how: Any,
) -> Alignment:
    """Align a run; `how` are arguments of `map_blocks`. As `align` does where nothing is chosen."""
    if not how and sizes is USUAL:
        return align(qrels, path, rules, layout, needs=needs, jobs=jobs, progress=progress)
    read = partial(map_blocks, path, layout, jobs=jobs, progress=progress, sizes=sizes, **how)
    return align_blocks(qrels, path, read, rules, needs=needs, jobs=jobs, sizes=sizes)
