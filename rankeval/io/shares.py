"""Read a large run of regular lines in shares of whole topics, side by side in processes.

Threads would wait for each other: numpy's calls on a block are short, and between them one thread
at a time may go on (`docs/decisions/regular-runs.md`).
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TypeVar

import numpy as np

from rankeval.base import processes
from rankeval.base.frozen import frozen
from rankeval.errors import InputError
from rankeval.io.formats import trec
from rankeval.io.formats.detect_format import begin_with, detect
from rankeval.io.formats.file_format import Form
from rankeval.io.parsers import word_parser
from rankeval.io.parsers.columns import Columns, Layout
from rankeval.io.parsers.word_parser import MARGIN, NEWLINE, IrregularError, Parsed
from rankeval.io.read import fast_parser, jobs_beside_arrow, keep_memory, total_size
from rankeval.io.read_sizes import USUAL, ReadSizes
from rankeval.io.sources.blocks import MAGIC, first_bytes, is_rereadable, opened, whole_lines
from rankeval.io.sources.parts import is_in_parts, size_of, unchanged

Result = TypeVar("Result")


_TOPIC = re.compile(rb"\S+\s")


@frozen
class RegularFile:
    """A file whose first lines are regular.

    ======= =================================================================================
    path    its path
    layout  the layout of its lines
    size    its bytes, without the newlines at the end
    sample  what was parsed of its first lines
    sizes   those of its shares, and of what is parsed at once
    ======= =================================================================================
    """

    path: str
    layout: Layout
    size: int
    sample: Columns
    sizes: ReadSizes


def regular_file(
    path: str, layout: Layout | Form, jobs: int, sizes: ReadSizes = USUAL
) -> RegularFile | None:
    """Return the file if it is large, begins with regular lines, and can be read in shares."""
    if not is_rereadable(path) or is_in_parts(path) or not hasattr(os, "pread"):
        return None
    size = size_of(path)
    if size <= sizes.regular_bytes or (
        _in_processes(size, jobs, sizes) and not processes.can_share()
    ):
        return None
    with suppress(InputError, OSError, IrregularError):
        head = first_bytes(path, sizes.sample_bytes)
        lines = head[: head.rfind(b"\n") + 1]
        found = _layout_of(path, layout, lines)
        if found is not None and word_parser.is_for(found):
            text = b"".join((bytes(MARGIN), lines, bytes(MARGIN)))
            sample = word_parser.parse(text, MARGIN, MARGIN + len(lines), found, 1).columns
            size -= _newlines_at_end(path, size, sizes.sample_bytes)
            return RegularFile(path, found, size, sample, sizes)
    return None


def _layout_of(path: str, layout: Layout | Form, head: bytes) -> Layout | None:
    """Return the layout of lines, if the file begins with one; InputError where it is no text."""
    if head.startswith(tuple(MAGIC)) or next(whole_lines(iter([head]), path), None) != (head, 1):
        return None
    if isinstance(layout, Layout):
        return layout
    if layout.begun or layout.passing or layout.problems or layout.fixed:
        return None
    begun = begin_with(iter([head]))
    name = layout.name or detect(begun.first, begun.line, path, layout)
    return trec.layout(begun.line, layout) if name == trec.TREC.name else None


def _newlines_at_end(path: str, size: int, n_bytes: int) -> int:
    """Count the newlines behind the last line, among the last bytes of a file."""
    with opened(path) as (file, _):
        end = os.pread(file.fileno(), n_bytes, max(size - n_bytes, 0))
    return len(end) - len(end.rstrip(b"\n"))


def expect(paths: Iterable[str], jobs: int) -> None:
    """Import Arrow when the files that it will read are together large enough for that to pay."""
    others = (path for path in paths if regular_file(path, Form("run"), jobs) is None)
    if total_size(others) > USUAL.plain_bytes and jobs_beside_arrow(1):
        import rankeval.io.parsers.arrow_parser  # noqa: F401  every file is read through it then


def map_topics(
    file: RegularFile,
    function: Callable[[Columns], Result],
    *,
    jobs: int,
    progress: Callable[[int], None] | None = None,
) -> list[list[Result]]:
    """Apply a function to the topics of a file, some whole ones at a time.

    Return the results of each share of the file, in its order; each share numbers its lines from
    1. With several jobs the shares are read in as many processes. IrregularError where a share
    cannot be read so, or a topic comes back within it.
    """
    keep_memory()
    function(file.sample)  # what it prepares, processes inherit
    borders = _shares(file.size, jobs, file.sizes)
    done = 0

    def work(number: int) -> list[Result]:
        return list(map(function, _read(file, borders[number], borders[number + 1])))

    found: dict[int, list[Result]] = {}
    n_shares = len(borders) - 1
    by_number = (
        processes.in_processes(work, n_shares, jobs)
        if _in_processes(file.size, jobs, file.sizes)
        else ((number, work(number)) for number in range(n_shares))
    )
    with unchanged(file.path):
        for number, results in by_number:
            found[number] = results
            done += borders[number + 1] - borders[number]
            if progress is not None:
                progress(done)
    if len(found) < n_shares:
        raise IrregularError
    return [found[number] for number in range(n_shares)]


def _in_processes(size: int, jobs: int, sizes: ReadSizes) -> bool:
    """Return True if a file is read in several processes."""
    return jobs > 1 and size >= sizes.processes_bytes


def _shares(size: int, jobs: int, sizes: ReadSizes) -> list[int]:
    """Return where shares begin, about, and the end: large ones first, so that all end at once."""
    borders = [0]
    while (left := size - borders[-1]) > 0:
        share = max(left // (2 * jobs), sizes.least_share_bytes)
        borders.append(borders[-1] + min(share, sizes.most_share_bytes, left))
    return borders


def _read(file: RegularFile, start: int, stop: int) -> Iterator[Columns]:
    """Yield the topics that begin between two places, those of a block at a time."""
    with opened(file.path) as (raw, _):
        descriptor = raw.fileno()
        offset, end = (_border(descriptor, place, file) for place in (start, stop))
        seen: set[bytes] = set()
        line, size = 1, file.sizes.parsed_bytes
        while offset < end:
            text = _text(descriptor, offset, min(size, end - offset), file.size)
            is_last = size >= end - offset
            cut = len(text) - MARGIN if is_last else text.rfind(b"\n", 0, -MARGIN) + 1
            columns, bounds = _parsed(text, cut, file.layout, line)
            n_topics = len(columns.topics) - (not is_last)  # the last one may go on
            if not n_topics:
                if size >= file.sizes.topics_bytes:
                    raise IrregularError
                size *= 2
                continue
            new = set(columns.topics[:n_topics])
            if len(new) < n_topics or not seen.isdisjoint(new):
                raise IrregularError
            seen |= new
            yield columns.part(0, n_topics)  # with all tags: the last topic is read again
            n_lines = int(columns.starts[n_topics])
            offset += int(bounds[n_lines]) - MARGIN
            line, size = line + n_lines, file.sizes.parsed_bytes


def _text(descriptor: int, offset: int, n_bytes: int, size: int) -> bytes:
    """Return some bytes of a file of a size, and MARGIN bytes on each side of them.

    Its last line ends with a newline.
    """
    first, last = max(offset - MARGIN, 0), min(offset + n_bytes + MARGIN, size)
    text = os.pread(descriptor, last - first, first)
    if len(text) < last - first:  # the file has become shorter
        raise IrregularError
    if offset + n_bytes == size:
        text += b"\n"
    before, after = MARGIN - (offset - first), MARGIN - (last - offset - n_bytes)
    return b"".join((bytes(before), text, bytes(after))) if before or after else text


def _parsed(text: bytes, end: int, layout: Layout, first_line: int) -> Parsed:
    """Parse the lines from MARGIN to the end; IrregularError if neither fast parser can."""
    if end <= MARGIN:
        raise IrregularError
    with suppress(IrregularError):
        return word_parser.parse(text, MARGIN, end, layout, first_line)
    block = text[MARGIN:end]
    if b"\0" in block or not jobs_beside_arrow(1):
        raise IrregularError
    columns = fast_parser(layout)(block, layout, first_line)
    ends = np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == NEWLINE)
    if columns is None or len(columns) != len(ends):
        raise IrregularError
    return Parsed(columns, np.append(0, ends + 1) + MARGIN)


def _border(descriptor: int, place: int, file: RegularFile) -> int:
    """Return where the share from a place on begins.

    It begins with the first line whose topic is not that of the first whole line behind the place.
    Who reads the share before it finds the same end. IrregularError where none comes for long.
    """
    size, sizes = file.size, file.sizes
    if place in (0, size):
        return place
    topic: bytes | None = None
    at, rest = place, b""
    while (read := at + len(rest)) - place <= sizes.topics_bytes:
        data = os.pread(descriptor, min(sizes.sample_bytes, size - read), read)
        if not data:
            return size
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            if topic is not None and not line.startswith(topic):
                return at
            if topic is None and at > place:  # the line at the place may have begun before it
                found = _TOPIC.match(line)
                topic = found[0] if found else b""
            at += len(line) + 1
    raise IrregularError
