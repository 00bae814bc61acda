"""Reading a file: it is opened, its format is found, and its blocks are parsed into columns."""

import io
import os
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import chain, islice
from typing import Any, TypeVar, cast

import numpy as np

from rankeval.base.frozen import replace
from rankeval.base.threads import first_errors_first, in_order
from rankeval.base.wording import listed
from rankeval.errors import InputError
from rankeval.io import lines_parser
from rankeval.io.blocks import (
    BYTE_ORDER_MARK,
    LONGEST_LINE,
    USUAL,
    Progress,
    ReadSizes,
    blocks,
    decompressed,
    display_name,
    first_bytes,
    is_rereadable,
    pieces,
    reading_errors,
    suffix,
)
from rankeval.io.column_names import ContentGuess
from rankeval.io.columns import Columns, Layout, stretches
from rankeval.io.files import files_of, unchanged
from rankeval.io.formats import (
    FORMATS,
    IN_MEMORY,
    IRDS,
    LONGEST_MAGIC,
    RANKED,
    Beginning,
    Form,
    Read,
    ReadableFile,
)
from rankeval.io.names import compiled

LOOKED_AT = LONGEST_LINE
"""Bytes within which a file's first line of data ends, unless it is JSON."""


def begin(path: str, sizes: ReadSizes = USUAL, progress: Progress = None) -> Beginning:
    """Open a file, and read as far as its first line of data."""
    data = pieces(path, sizes.block_bytes, progress=progress)
    return Beginning(*_first_line(data), data)


def _first_line(data: Iterator[bytes]) -> tuple[list[bytes], bytes, int]:
    """Return the pieces of a file as far as its first line of data, that line, and its offset.

    Comments, which begin with #, and blank lines are no data. A byte order mark does not count.
    The line is empty where a NUL is in it or before it, as in no text, or if it begins too far
    behind.
    """
    head: list[bytes] = []
    text = b""
    found = None
    for piece in data:
        text += piece if head else piece.removeprefix(BYTE_ORDER_MARK)
        head.append(piece)
        found = _DATA_LINE.search(text)
        is_whole = found is not None and found.end() < len(text)
        looked_at = len(text) - (found.start() if found else 0)
        if is_whole or looked_at > LOOKED_AT or (b"\0" in text and len(text) >= LONGEST_MAGIC):
            break
    # Where the first line starts decides, not where a piece ends: pieces differ in size.
    if found is None or found.start() > LOOKED_AT or b"\0" in text[: found.end()]:
        return head, b"", len(text)
    return head, found[0], found.start()


_DATA_LINE = re.compile(rb"^[^\S\n]*+[^\s#][^\n]*", re.MULTILINE)
"""A line that is neither empty nor a comment."""


def detect(begun: Beginning, path: str, form: Form) -> str:
    """Return the format of a file by its first bytes, its first line of data, and its path."""
    if begun.binary:
        return begun.binary
    if _OPENING.match(begun.line):
        from rankeval.io import json_formats

        return "jsonl" if json_formats.is_first_of_lines(begun.line) else "json"
    from rankeval.io import text_formats

    # Files of any format of lines are called .tsv.
    of_suffix = (n for n, one in FORMATS.items() if n != "tsv" and suffix(path) in one.suffixes)
    return text_formats.recognised(begun.line, form) or next(of_suffix, "trec")


_OPENING = re.compile(rb'\s*(?:\{\s*(?:["}]|\Z)|\[\s*(?:[{\]]|\Z))')
"""What JSON of an object or of a list of them begins with, as far as its first line goes."""


def kind_of(begun: Beginning | None, path: str, form: Form) -> ContentGuess:
    """Guess the content of a file from its beginning, as its format does.

    A file that could be either holds judgments if its first number is an integer. `begun` is None
    for a data set of ir_datasets.
    """
    if begun is None:  # ir_datasets
        return ContentGuess("qrels", certain=False)
    one = FORMATS[begun.binary or form.name or detect(begun, path, form)]
    found: ContentGuess = one.functions.guess(begun, path, form.columns)
    return found


def path_of(file: ReadableFile) -> str | None:
    """Return the path of an open file that nothing was read from; None for any other."""
    name: Any = getattr(file, "name", None)
    with suppress(OSError, AttributeError, ValueError):
        if isinstance(name, str | os.PathLike) and is_rereadable(os.fspath(name)):
            return os.fspath(name) if cast("io.IOBase", file).tell() == 0 else None
    return None


def begun(file: ReadableFile) -> tuple[str, Beginning]:
    """Return the name of an open file in messages, and its beginning; the file is read whole."""
    if getattr(file, "closed", False) is True:
        raise InputError("is closed", place=IN_MEMORY, expected="a file that is open for reading")
    found = file.read()
    if isinstance(found, str):
        found = found.encode("utf-8", "surrogateescape")
    with reading_errors(IN_MEMORY):
        stream = decompressed(io.BufferedReader(io.BytesIO(found)))
        data = iter(partial(stream.read, USUAL.block_bytes), b"")
        return IN_MEMORY, Beginning(*_first_line(data), data)


def find_format(form: Form, path: str, sizes: ReadSizes = USUAL, progress: Progress = None) -> Read:
    """Open a file, find its format, and return the layout and blocks of its lines, or its columns.

    A block comes with the number of its first line.
    """
    if path.startswith(IRDS):
        from rankeval.io import irds

        return irds.columns(path.removeprefix(IRDS), form.what, path)
    begun = form.begun or begin(path, sizes, progress)
    if form.passing is not None:
        data = form.passing(begun.whole, path)
        begun = replace(begun, head=[*islice(data, len(begun.head))], data=data)
    name = form.name or detect(begun, path, form)
    found: Read
    found = FORMATS[name].functions.read(name, path, begun, form)
    return found


TABLES = (b"PAR1", b"ARROW1", b"ORC")
"""First bytes of the files that a folder may hold several of."""

Result = TypeVar("Result")


def map_blocks(
    path: str,
    layout: Layout | Form,
    function: Callable[[Columns], Result],
    *,
    jobs: int = 1,
    sizes: ReadSizes = USUAL,
    progress: Progress = None,
) -> Generator[Result, None, None]:
    """Apply a function to the columns of each block of a file, in the order of the file.

    Parsing and the function run in `jobs` threads; what they hold at once stays small.
    The plain parser reads files for which importing Arrow does not pay. Blocks without any data
    line are left out. A Form finds the format by the content of the file.
    ChangedError where a file has changed meanwhile. Whoever reads the file anew before
    all has come closes this first: threads go on for a while.
    """
    if isinstance(layout, Layout):
        with unchanged(path):
            data = blocks(path, sizes.block_bytes, progress=progress)
            tasks, parse = _of_lines(layout, data, Form(layout.what), display_name(path), sizes)
            yield from _worked_on(tasks, parse, function, jobs)
        return
    if layout.problems is not None:
        layout.problems.clear()
    files = files_of(path)
    if len(files) > 1:
        yield from _map_tables(path, files, layout, function, jobs, sizes)
        return
    with unchanged(files[0]):
        yield from _map_file(files[0], layout, function, jobs, sizes, progress)


def _map_tables(
    path: str,
    files: Sequence[str],
    form: Form,
    function: Callable[[Columns], Result],
    jobs: int,
    sizes: ReadSizes,
) -> Generator[Result, None, None]:
    """Apply a function to the rows of several tables."""
    if not all(is_rereadable(file) and first_bytes(file, 6).startswith(TABLES) for file in files):
        raise InputError(
            f"holds {len(files):,} files, which are not one {form.what}",
            place=path,
            expected="one file, or a folder of Parquet files",
            remedy="join the files, with cat for instance, or name them one by one",
        )
    form = replace(form, begun=None)
    for file in files:
        with unchanged(file):
            results = _map_file(
                file, form, lambda one: function(replace(one, alone=False)), jobs, sizes
            )
            yield from results


Parser = Callable[[bytes, Layout, int], Columns | None]
Tasks = Iterator[tuple[Any, int]]
"""Blocks of lines, each with the number of its first line; or columns, each with 0."""


def _map_file(
    path: str,
    form: Form,
    function: Callable[[Columns], Result],
    jobs: int,
    sizes: ReadSizes,
    progress: Progress = None,
) -> Generator[Result, None, None]:
    """Apply a function to the columns of each block of one file, as `map_blocks` does."""
    found = find_format(form, path, sizes, progress)
    if not isinstance(found, tuple):
        columns = ((one, 0) for one in found if len(one))
        yield from _worked_on(columns, lambda one, _: one, function, jobs)
        return
    layout, data = found
    is_counted = layout is RANKED and form.name is None
    if form.ranks:
        named = layout.fields.index("rank") if "rank" in layout.fields else None
        layout = layout.with_ranks(dict(layout.kept).get("rank", named), alone=form.by_rank)
    tasks, parse = _of_lines(layout, data, form, display_name(path), sizes)
    if not is_counted:
        yield from _worked_on(tasks, parse, function, jobs)
        return
    last: dict[bytes, float] = {}
    with closing(_worked_on(tasks, parse, lambda one: (one, function(one)), jobs)) as results:
        for one, result in results:
            _require_ranks(one, last, display_name(path))
            yield result


def _of_lines(
    layout: Layout, data: Iterable[tuple[bytes, int]], form: Form, name: str, sizes: ReadSizes
) -> tuple[Tasks, Callable[[bytes, int], Columns]]:
    """Return blocks of lines, the whole of a small file as one, and the function that parses them.

    The plain parser reads a small file, and what is irregular.
    """

    def plain(block: bytes, first_line: int) -> Columns:
        return lines_parser.parse(block, layout, name, first_line, form.problems)

    head: list[tuple[bytes, int]] = []
    size, fast = 0, None

    def whole() -> tuple[bytes, int]:
        return b"".join(block for block, _ in head), head[0][1] if head else 1

    parts = first_errors_first(iter(data), lambda: plain(*whole()))
    for part in parts:
        head.append(part)
        size += len(part[0])
        if size > sizes.plain_bytes >> 6:
            fast = fast_parser(layout, is_large=size > sizes.plain_bytes)
        if fast is not None:
            break
    else:
        return iter([whole()]), plain

    def parse(block: bytes, first_line: int) -> Columns:
        # A little compressed data can be a thousand million empty lines, or comments.
        if block.isspace() or (layout.comments and _DATA.search(block) is None):
            return plain(b"", first_line)
        return fast(block, layout, first_line) or plain(block, first_line)

    return chain(head, parts), parse


_DATA = re.compile(rb"^[ \t\r\v\f]*+[^#\s]", re.MULTILINE)
"""The beginning of a line that is neither empty nor a comment."""


def _worked_on(
    tasks: Tasks,
    parse: Callable[[Any, int], Columns],
    function: Callable[[Columns], Result],
    jobs: int,
) -> Generator[Result, None, None]:
    """Parse pieces of a file and apply a function to them, in threads if there are several."""
    head = [*islice(tasks, 2)]
    alone = len(head) == 1

    def work(piece: Any, first_line: int) -> Result | None:
        columns = parse(piece, first_line)
        if not len(columns):
            return None
        return function(replace(columns, alone=True) if alone else columns)

    # One piece needs no threads, nor the time to import them.
    results = in_order(work, chain(head, tasks), 1 if alone else jobs)
    yield from (result for result in results if result is not None)


def _require_ranks(columns: Columns, last: dict[bytes, float], name: str) -> None:
    """Raise InputError for a rank that does not count up from 0 or 1 in its topic.

    The scores are the ranks below zero. `last` has the last rank of each topic so far: a topic may
    come back later in the file.
    """
    values, starts = 0.0 - columns.values, columns.starts
    steps, ends = np.diff(values, prepend=0.0), values[starts[1:] - 1].tolist()
    for topic, start, end in zip(columns.topics, starts.tolist(), ends, strict=False):
        rank = values[start]
        steps[start] = rank - last[topic] if topic in last else rank in (0, 1)
        last[topic] = end
    if (steps != 1).any():
        row = int(np.argmax(steps != 1))
        raise InputError(
            f"the third column may hold ranks or scores: {values[row]:g} in topic "
            f"{listed([columns.topics[stretches(columns)[row]]])}",
            place=f"{name}:{columns.lines[row]}",
            expected="ranks that count up from 1 in each topic, as MS MARCO's do",
            remedy="if they are ranks, name --run-format msmarco (convert: --from msmarco); if "
            "they are scores, name the columns in a first line: topic docno score",
        )


def fast_parser(layout: Layout, *, is_large: bool) -> Parser | None:
    """Return a fast parser of lines, which gives None where only the plain parser can read.

    None without the compiled reader, if Arrow does not pay.
    """
    if compiled() is not None and lines_parser.can_part(layout):
        return lines_parser.parse_at_once
    if not is_large:
        return None
    from rankeval.io import arrow_parser

    return arrow_parser.parse


read_columns = partial(map_blocks, function=lambda columns: columns)
"""Yields the columns of a file, block by block; `jobs` and `sizes` as in `map_blocks`."""
