"""Reading a file into columns: block by block, by the parser that suits its size."""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from rankeval.errors import InputError
from rankeval.io import plain, trec
from rankeval.io.columns import Columns, Layout
from rankeval.io.formats import Form, FoundLines, find_format
from rankeval.io.problems import Problems
from rankeval.io.source import BLOCK_SIZE, BlockSource, blocks, display_name, is_rereadable

if TYPE_CHECKING:
    from concurrent.futures import Future

SMALL = 2 << 20
"""A file of at most so many bytes goes through the plain parser, which starts at once."""

TINY = 1 << 15
"""The same where Arrow has been imported already."""

Result = TypeVar("Result")
Task = TypeVar("Task")


def map_blocks(
    path: str,
    layout: Layout | Form,
    function: Callable[[Columns], Result],
    *,
    jobs: int = 1,
    block_size: int = BLOCK_SIZE,
    small: int | None = None,
    progress: Callable[[int], None] | None = None,
    source: BlockSource = blocks,
) -> Iterator[Result]:
    """Apply a function to the columns of each block of a file, in the order of the file.

    Parsing and the function run in `jobs` threads; what they hold at once stays small.
    The plain parser reads files of at most `small` bytes, by default those for which importing
    Arrow does not pay. Blocks without any data line are left out. A Form finds the format by the
    content of the file, unless `source` gives its lines, which are TREC's then.
    """
    if isinstance(layout, Form) and source is not blocks:
        layout = trec.RUN if layout.what == "run" else trec.QRELS
    if isinstance(layout, Layout):
        found = FoundLines("", layout, source(path, block_size, progress=progress))
        problems = None
    else:
        problems = layout.problems
        table = find_format(layout, path, block_size, progress)
        if not isinstance(table, FoundLines):
            if problems is not None:
                problems.clear()
            yield from (function(columns) for columns in table if len(columns))
            return
        found = table
    yield from _map_lines(path, found, function, problems, jobs, _limit(small))


def _limit(small: int | None) -> int:
    if small is not None:
        return small
    return TINY if "pyarrow.csv" in sys.modules else SMALL


def expect(paths: Iterable[str]) -> None:
    """Import Arrow when the files together are large enough for that to pay."""
    if sum(Path(path).stat().st_size for path in paths if is_rereadable(path)) > SMALL:
        import rankeval.io.arrow  # noqa: F401  every file is read through it then


def _map_lines(  # noqa: C901  three small functions over the same parts
    path: str,
    found: FoundLines,
    function: Callable[[Columns], Result],
    problems: Problems | None,
    jobs: int,
    small: int,
) -> Iterator[Result]:
    name, layout = display_name(path), found.layout
    head: list[tuple[bytes, int]] = []
    size = 0

    def whole() -> Columns:
        first_line = head[0][1] if head else 1
        if problems is not None:
            problems.clear()
        return plain.parse(b"".join(block for block, _ in head), layout, name, first_line, problems)

    parts = _first_errors_first(found.blocks, whole)
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

    if problems is not None:
        problems.clear()

    def work(block: bytes, first_line: int) -> Result | None:
        if block.isspace():  # a little compressed data can be a thousand million empty lines
            return None
        columns = arrow.parse(block, layout, first_line)
        if columns is None:
            columns = plain.parse(block, layout, name, first_line, problems)
        return function(columns) if len(columns) else None

    for result in in_order(work, chain(head, parts), jobs):
        if result is not None:
            yield result


def read_columns(
    path: str, layout: Layout | Form, *, jobs: int = 1, source: BlockSource = blocks
) -> Iterator[Columns]:
    """Yield the columns of a file, block by block."""
    return map_blocks(path, layout, lambda columns: columns, jobs=jobs, source=source)


def _first_errors_first(
    parts: Iterator[tuple[Task, int]], earlier: Callable[[], object]
) -> Iterator[tuple[Task, int]]:
    """Pass blocks on; when reading fails, let `earlier` first tell what is wrong further up.

    Blocks are read ahead of being parsed, and which error is told must not depend on how far.
    """
    try:
        yield from parts
    except InputError:
        earlier()
        raise


def in_order(
    work: Callable[[Task, int], Result], tasks: Iterator[tuple[Task, int]], jobs: int
) -> Iterator[Result]:
    """Work on tasks in threads, and yield in their order; few tasks are under way at once."""
    if jobs == 1:
        for task in tasks:
            yield work(*task)
        return
    from concurrent.futures import ThreadPoolExecutor  # small files are read without

    under_way: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for task in _first_errors_first(
                tasks, lambda: [future.result() for future in under_way]
            ):
                under_way.append(pool.submit(work, *task))
                if len(under_way) > jobs:
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()
        finally:
            for future in under_way:
                future.cancel()
