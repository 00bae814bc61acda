"""How the time of some work grows with its size, told by processor time of the same moment."""

import gc
from collections.abc import Callable
from time import process_time

TIMES = 8
"""How much larger the larger of two sizes is; work that grows with the square takes 64 times."""

MOST = 3 * TIMES
"""Far from the square, and far from what the noise of a shared machine makes of a line."""


def growth(work: Callable[[int], Callable[[], object]], size: int) -> float:
    """How many times as long TIMES as much work takes; `work` prepares it, and is not timed."""
    small, large = work(size), work(TIMES * size)
    small()  # what is imported and cached on the way is not counted
    few = min(seconds(small) for _ in range(3))
    return min(seconds(large) for _ in range(3)) / few


def seconds(work: Callable[[], object]) -> float:
    """Processor time of this process while it works, without collecting others' garbage."""
    gc.collect()
    gc.disable()
    try:
        start = process_time()
        work()
        return process_time() - start
    finally:
        gc.enable()
