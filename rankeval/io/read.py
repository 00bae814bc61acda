"""Reading a file into columns: block by block, by the parser that suits its size."""

import io
import os
import re
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import Any, TypeVar, cast

import numpy as np

from rankeval.base.threads import first_errors_first, in_order
from rankeval.base.wording import listed
from rankeval.errors import InputError
from rankeval.io.files import files_of, unchanged
from rankeval.io.formats import (
    FORMATS,
    IN_MEMORY,
    IRDS,
    LONGEST_MAGIC,
    Beginning,
    Form,
    LaidOutLines,
    ReadableFile,
    format_named,
)
from rankeval.io.parsers import plain_parser
from rankeval.io.parsers.column_names import ContentGuess
from rankeval.io.parsers.columns import Columns, Layout
from rankeval.io.parsers.line_errors import Problems
from rankeval.io.sources.blocks import (
    BYTE_ORDER_MARK,
    LONGEST_LINE,
    USUAL,
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

LOOKED_AT = LONGEST_LINE
"""Bytes within which a file's first line of data ends, unless it is JSON."""


def begin(
    path: str, sizes: ReadSizes = USUAL, progress: Callable[[int], None] | None = None
) -> Beginning:
    """Open a file, and read as far as its first line of data."""
    data = pieces(path, sizes.block_bytes, progress=progress)
    return Beginning(*_first_line(data), data)


def find_format(
    form: Form, path: str, sizes: ReadSizes = USUAL, progress: Callable[[int], None] | None = None
) -> LaidOutLines | Iterator[Columns]:
    """Open a file, find its format, and return its lines and their layout, or its columns."""
    if path.startswith(IRDS):
        from rankeval.io import irds

        return irds.columns(path.removeprefix(IRDS), form.what, path)
    begun = form.begun or begin(path, sizes, progress)
    if form.passing is not None:
        begun = replace(begun, head=(), data=form.passing(begun.whole, path))
    named = with_name(form, begun, path)
    found: LaidOutLines | Iterator[Columns]
    found = format_named(str(named.name)).functions.read(named.name, path, begun, named)
    return found


def with_name(form: Form, begun: Beginning, path: str) -> Form:
    """Return the form with a name: that which is given, else that of the format found."""
    if form.name is not None:
        return form
    return replace(form, name=detect(begun.first, begun.line, path, form), detected=True)


def detect(head: bytes, line: bytes, path: str, form: Form) -> str:
    """Return the format of a file by its first bytes, its first line of data, and its path."""
    from rankeval.io import text_formats

    of_suffix = (one.name for one in FORMATS.values() if suffix(path) in one.suffixes)
    return (
        _binary(head)
        or _json(line)
        or text_formats.recognised(line, form)
        or next(of_suffix, "trec")
    )


def _binary(head: bytes) -> str:
    return next((one.name for one in FORMATS.values() if one.has_magic(head)), "")


def _json(line: bytes) -> str:
    """Return the format of a line that begins with a bracket and goes on as JSON does."""
    text = line.lstrip()
    opening, rest = text[:1], text[1:].lstrip()
    if opening not in (b"{", b"["):
        return ""
    if rest and rest[:1] not in ((b'"', b"}") if opening == b"{" else (b"{", b"]")):
        return ""
    from rankeval.io import json_formats

    return "jsonl" if json_formats.is_first_of_lines(line) else "json"


def _first_line(data: Iterator[bytes]) -> tuple[list[bytes], bytes, int]:
    """Return the pieces of a file as far as its first line of data, that line, and its offset.

    Comments, which begin with #, and blank lines are no data. A byte order mark does not count.
    The line is empty where it holds a NUL, as text does not, or begins too far behind.
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
    if found is None or found.start() > LOOKED_AT:
        return head, b"", len(text)
    return head, b"" if b"\0" in found[0] else found[0], found.start()


_DATA_LINE = re.compile(rb"^[^\S\n]*+[^\s#][^\n]*", re.MULTILINE)
"""A line that is neither empty nor a comment."""


def kind_of(begun: Beginning | None, path: str, form: Form) -> ContentGuess:
    """Guess the content of a file from its beginning.

    A file that could be either holds judgments if its first number is an integer. `begun` is None
    for a data set of ir_datasets.
    """
    if begun is None:  # ir_datasets
        return ContentGuess("qrels", certain=False)
    if table := _binary(begun.first):
        from rankeval.io import table_files

        return table_files.guess(table, path, form.columns)
    if begun.line.lstrip()[:1] in (b"{", b"["):
        from rankeval.io import json_formats

        return json_formats.guess(begun, form.columns)
    from rankeval.io import text_formats

    return text_formats.guess(begun, form.columns)


def path_of(file: ReadableFile) -> str | None:
    """Return the path of an open file that nothing was read from; None for any other."""
    name: Any = getattr(file, "name", None)
    if not isinstance(name, str | os.PathLike) or not is_rereadable(os.fspath(name)):
        return None
    try:
        return os.fspath(name) if cast("io.IOBase", file).tell() == 0 else None
    except (OSError, AttributeError, ValueError):
        return None


def begun(file: ReadableFile) -> tuple[str, Beginning]:
    """Return the name of an open file in messages, and its beginning; the file is read whole."""
    shown = _shown(file)
    found = file.read()
    if isinstance(found, str):
        found = found.encode("utf-8", "surrogateescape")
    if not isinstance(found, bytes | bytearray | memoryview):
        raise InputError(
            f"its read() gives {type(found).__name__}",
            place=shown,
            expected="a file that is open for reading, in bytes or in text",
        )
    with reading_errors(shown):
        stream = decompressed(io.BufferedReader(io.BytesIO(found)))
        data = iter(partial(stream.read, USUAL.block_bytes), b"")
        return shown, Beginning(*_first_line(data), data)


def _shown(file: ReadableFile) -> str:
    name = getattr(file, "name", None)
    return name if isinstance(name, str) and not is_rereadable(name) and name else IN_MEMORY


def require_ranks(columns: Columns, last: dict[bytes, float], name: str) -> None:
    """Raise InputError for a rank that does not count up from 0 or 1 in its topic.

    The scores are the ranks below zero. `last` has the last rank of each topic so far: a topic may
    come back later in the file.
    """
    values, starts = 0.0 - columns.values, columns.starts
    steps = np.diff(values, prepend=0.0)
    first, end = starts[:-1], (starts[1:] - 1)
    begun = []
    for topic, rank, after in zip(
        columns.topics, values[first].tolist(), values[end].tolist(), strict=True
    ):
        begun.append(rank - last[topic] if topic in last else float(rank in (0, 1)))
        last[topic] = after
    steps[first] = begun
    if (steps != 1).any():
        row = int(np.argmax(steps != 1))
        topic = columns.topics[int(starts.searchsorted(row, "right")) - 1]
        raise InputError(
            f"the third column may hold ranks or scores: {values[row]:g} in topic "
            f"{listed([topic])}",
            place=f"{name}:{columns.lines[row]}",
            expected="ranks that count up from 1 in each topic, as MS MARCO's do",
            remedy="if they are ranks, name --run-format msmarco (convert: --from msmarco); if "
            "they are scores, name the columns in a first line: topic docno score",
        )


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
    progress: Callable[[int], None] | None = None,
) -> Generator[Result, None, None]:
    """Apply a function to the columns of each block of a file, in the order of the file.

    Parsing and the function run in `jobs` threads; what they hold at once stays small.
    The plain parser reads files for which importing Arrow does not pay. Blocks without any data
    line are left out. A Form finds the format by the content of the file.
    ChangedError where a file has changed meanwhile. Whoever reads the file anew before
    all has come closes this first: threads go on for a while.
    """
    problems = layout.problems if isinstance(layout, Form) else None
    if problems is not None:
        problems.clear()
    files = files_of(path) if isinstance(layout, Form) else [path]
    how: dict[str, Any] = {"jobs": jobs, "sizes": sizes}
    if isinstance(layout, Form) and len(files) > 1:
        yield from _map_tables(path, files, layout, function, how)
    else:
        with unchanged(files[0]):
            yield from _map_file(files[0], layout, function, progress, **how)


def _map_tables(
    path: str,
    files: Sequence[str],
    form: Form,
    function: Callable[[Columns], Result],
    how: Mapping[str, Any],
) -> Generator[Result, None, None]:
    """Apply a function to the rows of several tables, as one whose rows are numbered on."""
    if not all(first_bytes(file, 6).startswith(TABLES) for file in files):
        raise InputError(
            f"holds {len(files):,} files, which are not one {form.what}",
            place=path,
            expected="one file, or a folder of Parquet files",
            remedy="join the files, with cat for instance, or name them one by one",
        )
    last = [0]
    for file in files:

        def numbered(columns: Columns, before: int = max(last)) -> Result:
            lines = np.asarray(columns.lines) + before
            last.append(int(lines[-1]))
            return function(replace(columns, lines=lines, alone=False))

        with unchanged(file):
            yield from _map_file(file, replace(form, begun=None), numbered, None, **how)


def _map_file(
    path: str,
    layout: Layout | Form,
    function: Callable[[Columns], Result],
    progress: Callable[[int], None] | None,
    *,
    jobs: int,
    sizes: ReadSizes,
) -> Generator[Result, None, None]:
    """Apply a function to the columns of each block of one file, as `map_blocks` does."""
    if isinstance(layout, Layout):
        blocks_of_file = blocks(path, sizes.block_bytes, progress=progress)
        yield from _map_lines(
            path, LaidOutLines(layout, blocks_of_file), function, None, jobs, sizes
        )
        return
    found = find_format(layout, path, sizes, progress)
    if not isinstance(found, LaidOutLines):
        yield from _map_table(path, found, function, jobs)
        return
    if not found.counted:
        yield from _map_lines(path, found, function, layout.problems, jobs, sizes)
        return
    last: dict[bytes, float] = {}
    with closing(
        _map_lines(path, found, lambda one: (one, function(one)), layout.problems, jobs, sizes)
    ) as parts:
        for columns, result in parts:
            require_ranks(columns, last, display_name(path))
            yield result


def _map_table(
    path: str, table: Iterator[Columns], function: Callable[[Columns], Result], jobs: int
) -> Generator[Result, None, None]:
    """Apply the function in threads while the next columns are read, if there are several."""
    tasks = ((columns, 0) for columns in table if len(columns))
    head = list(islice(tasks, 2))
    if len(head) == 1:
        yield function(replace(head[0][0], alone=True))
        return
    jobs = 1 if path.startswith(IRDS) else jobs
    yield from in_order(lambda columns, _: function(columns), chain(head, tasks), jobs)


def _map_lines(
    path: str,
    found: LaidOutLines,
    function: Callable[[Columns], Result],
    problems: Problems | None,
    jobs: int,
    sizes: ReadSizes,
) -> Generator[Result, None, None]:
    """Apply the function to lines; the plain parser reads a small file, and what is irregular."""
    name, layout = display_name(path), found.layout
    head: list[tuple[bytes, int]] = []
    size = 0

    def plain(block: bytes, first_line: int) -> Columns:
        return plain_parser.parse(block, layout, name, first_line, problems)

    def whole() -> Columns:
        return plain(b"".join(block for block, _ in head), head[0][1] if head else 1)

    parts = first_errors_first(found.blocks, whole)
    for part in parts:
        head.append(part)
        size += len(part[0])
        if size > sizes.plain_bytes >> 6 and (size > sizes.plain_bytes or _is_at_hand(layout)):
            break
    else:
        columns = whole()
        if len(columns):
            yield function(replace(columns, alone=True))
        return
    head += islice(parts, 1)
    parse, alone = fast_parser(layout), len(head) == 1

    def work(block: bytes, first_line: int) -> Result | None:
        # A little compressed data can be a thousand million empty lines, or comments.
        if block.isspace() or (layout.comments and _DATA.search(block) is None):
            return None
        columns = parse(block, layout, first_line) or plain(block, first_line)
        return (
            function(replace(columns, alone=True) if alone else columns) if len(columns) else None
        )

    # One block needs no threads, nor the time to import them.
    results = in_order(work, chain(head, parts), 1 if alone else jobs)
    yield from (result for result in results if result is not None)


_DATA = re.compile(rb"^[ \t\r\v\f]*+[^#\s]", re.MULTILINE)
"""The beginning of a line that is neither empty nor a comment."""


def fast_parser(layout: Layout) -> Callable[[bytes, Layout, int], Columns | None]:
    """Return a fast parser of lines, which gives None where only the plain parser can read."""
    if _is_compiled(layout):
        from rankeval.io.parsers import kernel_parser

        return kernel_parser.parse
    if layout.objects:
        from rankeval.io.parsers import arrow_json

        return arrow_json.parse
    from rankeval.io.parsers import arrow_parser

    return arrow_parser.parse


def _is_at_hand(layout: Layout) -> bool:
    """Return True if a fast parser need not be imported for long."""
    return "pyarrow.csv" in sys.modules or _is_compiled(layout)


def _is_compiled(layout: Layout) -> bool:
    """Return True if lines are for the compiled reader, and there is one."""
    from rankeval.io.parsers.names import compiled  # small files need none of it

    if compiled() is None:
        return False
    from rankeval.io.parsers import kernel_parser

    return kernel_parser.can_part(layout)


def read_columns(
    path: str,
    layout: Layout | Form,
    *,
    jobs: int = 1,
    sizes: ReadSizes = USUAL,
) -> Generator[Columns, None, None]:
    """Yield the columns of a file, block by block."""
    return map_blocks(path, layout, lambda columns: columns, jobs=jobs, sizes=sizes)
