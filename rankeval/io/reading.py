"""Reading a file into columns: block by block, by the parser that suits its size."""

from collections import deque
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from rankeval.errors import InputError
from rankeval.io import plain
from rankeval.io.columns import Columns, Layout
from rankeval.io.source import BLOCK_SIZE, BlockSource, blocks, display_name

if TYPE_CHECKING:
    from concurrent.futures import Future

SMALL = 2 << 20
"""A file of at most so many bytes goes through the plain parser, which starts at once."""

Result = TypeVar("Result")


def map_blocks(
    path: str,
    layout: Layout,
    function: Callable[[Columns], Result],
    *,
    jobs: int = 1,
    block_size: int = BLOCK_SIZE,
    small: int = SMALL,
    progress: Callable[[int], None] | None = None,
    source: BlockSource = blocks,
) -> Iterator[Result]:
    """Apply a function to the columns of each block of a file, in the order of the file.

    Parsing and the function run in `jobs` threads; what they hold at once stays small.
    Blocks without any data line are left out. `source` gives the bytes, in whole lines.
    """
    name = display_name(path)
    head: list[tuple[bytes, int]] = []
    size = 0

    def whole() -> Columns:
        return plain.parse(b"".join(block for block, _ in head), layout, name, 1)

    parts = _first_errors_first(source(path, block_size, progress=progress), whole)
    for part in parts:
        head.append(part)
        size += len(part[0])
        if size > small:
            break
    else:
        columns = whole()
        if len(columns):
            yield function(columns)
        return
    from rankeval.io import arrow

    def work(block: bytes, first_line: int) -> Result | None:
        columns = arrow.parse(block, layout, first_line)
        if columns is None:
            columns = plain.parse(block, layout, name, first_line)
        return function(columns) if len(columns) else None

    for result in _ordered(work, chain(head, parts), jobs):
        if result is not None:
            yield result


def read_columns(
    path: str, layout: Layout, *, jobs: int = 1, source: BlockSource = blocks
) -> Iterator[Columns]:
    """Yield the columns of a file, block by block."""
    return map_blocks(path, layout, lambda columns: columns, jobs=jobs, source=source)


def _first_errors_first(
    parts: Iterator[tuple[bytes, int]], earlier: Callable[[], object]
) -> Iterator[tuple[bytes, int]]:
    """Pass blocks on; when reading fails, let `earlier` first tell what is wrong further up.

    Blocks are read ahead of being parsed, and which error is told must not depend on how far.
    """
    try:
        yield from parts
    except InputError:
        earlier()
        raise


def _ordered(
    work: Callable[[bytes, int], Result], tasks: Iterator[tuple[bytes, int]], jobs: int
) -> Iterator[Result]:
    """Work on tasks in threads, and yield in their order; few tasks are under way at once."""
    if jobs == 1:
        for block, first_line in tasks:
            yield work(block, first_line)
        return
    from concurrent.futures import ThreadPoolExecutor  # small files are read without

    under_way: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for block, first_line in _first_errors_first(
                tasks, lambda: [future.result() for future in under_way]
            ):
                under_way.append(pool.submit(work, block, first_line))
                if len(under_way) > jobs:
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()
        finally:
            for future in under_way:
                future.cancel()
