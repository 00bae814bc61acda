"""The plain parser: line by line, for small files and for naming the line that is wrong."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, groupby, pairwise, repeat
from typing import NoReturn, Self

import numpy as np

from rankeval.errors import InputError, printable
from rankeval.io.columns import Columns, DocnoIndex, Docnos, Layout
from rankeval.judgments import Floats, Integers

LONGEST_QUOTE = 60
TAB, NEWLINE, CARRIAGE_RETURN, SPACE = b"\t\n\r "


@dataclass(frozen=True)
class PlainDocnos:
    """Docnos as a list of bytes."""

    names: list[bytes]

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, row: int) -> bytes:
        return self.names[row]

    def tolist(self) -> list[bytes]:
        return self.names

    def find(self, index: DocnoIndex) -> Integers:
        numbers = map(index.plain.get, self.names, repeat(-1))
        return np.fromiter(numbers, np.int64, len(self.names))

    def number(self, known: dict[bytes, int]) -> Integers:
        new = [name for name in dict.fromkeys(self.names) if name not in known]
        known.update(zip(new, range(len(known), len(known) + len(new)), strict=True))
        return np.fromiter(map(known.__getitem__, self.names), np.int64, len(self.names))

    def order(self, rows: Integers) -> Integers:
        names = [self.names[row] for row in rows.tolist()]
        place = {name: i for i, name in enumerate(sorted(set(names)))}
        return np.fromiter((place[name] for name in names), np.int64, len(names))

    def duplicates(self, starts: Integers) -> list[tuple[int, int]]:
        pairs: list[tuple[int, int]] = []
        for start, stop in pairwise(starts.tolist()):
            if len(set(self.names[start:stop])) < stop - start:
                first: dict[bytes, int] = {}
                for row in range(start, stop):
                    earlier = first.setdefault(self.names[row], row)
                    if earlier != row:
                        pairs.append((earlier, row))
        return pairs

    def take(self, rows: Integers) -> Self:
        return type(self)([self.names[row] for row in rows.tolist()])

    def slice(self, start: int, stop: int) -> Self:
        return type(self)(self.names[start:stop])

    def followed_by(self, others: Sequence[Docnos]) -> Docnos:
        return PlainDocnos([*self.names, *chain.from_iterable(o.tolist() for o in others)])


def parse(block: bytes, layout: Layout, name: str, first_line: int) -> Columns:
    """Parse whole lines; InputError names the first line that is wrong."""
    regular = _parse_regular(block, layout, name, first_line)
    return regular or _parse_lines(block, layout, name, first_line)


def _parse_regular(block: bytes, layout: Layout, name: str, first_line: int) -> Columns | None:
    """Split all lines at once; None unless each has the fields of the format and no comment."""
    if not block:
        return None
    width = len(layout.fields)
    characters = np.frombuffer(block, dtype=np.uint8)
    white = (characters == SPACE) | ((characters >= TAB) & (characters <= CARRIAGE_RETURN))
    field_ends = np.flatnonzero(white[1:] & ~white[:-1])
    line_ends = np.flatnonzero(characters == NEWLINE)
    n_lines = len(line_ends)
    if not n_lines or len(field_ends) != n_lines * width:
        return None
    if (np.searchsorted(field_ends, line_ends) != width * np.arange(1, n_lines + 1)).any():
        return None
    fields = block.split()
    stretches = [(topic, len(list(same))) for topic, same in groupby(fields[::width])]
    if layout.comments and any(topic.startswith(b"#") for topic, _ in stretches):
        return None
    numbers = range(first_line, first_line + n_lines)
    return Columns(
        topics=tuple(topic for topic, _ in stretches),
        starts=np.cumsum([0, *(size for _, size in stretches)]),
        docnos=PlainDocnos(fields[2::width]),
        values=_numbers(fields[layout.value :: width], layout, name, numbers),
        lines=numbers,
        tags=frozenset() if layout.tag is None else frozenset(fields[layout.tag :: width]),
        last_tag=b"" if layout.tag is None else fields[layout.tag - width],
        labels=None if layout.label is None else PlainDocnos(fields[layout.label :: width]),
    )


def _parse_lines(block: bytes, layout: Layout, name: str, first_line: int) -> Columns:
    """Parse line by line."""
    width, value = len(layout.fields), layout.value
    tag = value if layout.tag is None else layout.tag
    label = layout.label
    current: bytes | None = None
    topics: list[bytes] = []
    starts: list[int] = []
    docnos: list[bytes] = []
    texts: list[bytes] = []
    labels: list[bytes] = []
    skipped: list[int] = []
    tags: set[bytes] = set()
    last_tag = b""
    lines = block.split(b"\n")
    if not lines[-1]:
        lines.pop()
    for i, line in enumerate(lines):
        fields = line.split()
        if len(fields) != width and not (layout.more and len(fields) > width):
            if not fields or (layout.comments and fields[0].startswith(b"#")):
                skipped.append(i)
                continue
            _numbers(texts, layout, name, _line_numbers(i, skipped, first_line))
            _wrong_width(line, fields, layout, name, first_line + i)
        topic = fields[0]
        if topic != current:
            if layout.comments and topic.startswith(b"#"):
                skipped.append(i)
                continue
            topics.append(topic)
            starts.append(len(docnos))
            current = topic
        docnos.append(fields[2])
        texts.append(fields[value])
        if label is not None:
            labels.append(fields[label])
        last_tag = fields[tag]
        tags.add(last_tag)
    starts.append(len(docnos))
    numbers = _line_numbers(len(lines), skipped, first_line)
    return Columns(
        topics=tuple(topics),
        starts=np.array(starts, dtype=np.int64),
        docnos=PlainDocnos(docnos),
        values=_numbers(texts, layout, name, numbers),
        lines=numbers,
        tags=frozenset() if layout.tag is None else frozenset(tags),
        last_tag=b"" if layout.tag is None else last_tag,
        labels=None if label is None else PlainDocnos(labels),
    )


def decimal_number(text: bytes) -> float:
    """Read a decimal number; ValueError for Python's own underscores, too."""
    if b"_" in text:
        raise ValueError
    return float(text)


def _line_numbers(n_lines: int, skipped: list[int], first: int) -> Sequence[int] | Integers:
    if not skipped:
        return range(first, first + n_lines)
    return np.delete(np.arange(first, first + n_lines), skipped)


def _numbers(
    texts: list[bytes], layout: Layout, name: str, lines: Sequence[int] | Integers
) -> Floats:
    values = _plain_decimals(texts) if layout.decimal else None
    if values is None:
        try:
            values = np.fromiter(map(layout.number, texts), np.float64, len(texts))
        except ValueError:
            _wrong_number(texts, layout, name, lines)
    if layout.finite and not np.isfinite(values).all():
        row = int(np.flatnonzero(~np.isfinite(values))[0])
        _refuse_number(texts[row], layout, name, int(lines[row]))
    return values


def _plain_decimals(texts: list[bytes]) -> Floats | None:
    """Read numbers that float() takes as they are; None if there is one that it does not."""
    if b"_" in b"".join(texts):
        return None
    try:
        return np.fromiter(map(float, texts), np.float64, len(texts))
    except ValueError:
        return None


def _wrong_number(
    texts: list[bytes], layout: Layout, name: str, lines: Sequence[int] | Integers
) -> NoReturn:
    for text, line in zip(texts, lines, strict=True):
        try:
            wrong = not np.isfinite(layout.number(text)) and layout.finite
        except ValueError:
            wrong = True
        if wrong:
            _refuse_number(text, layout, name, int(line))
    raise AssertionError


def _refuse_number(text: bytes, layout: Layout, name: str, line: int) -> NoReturn:
    point = " with a point, not a comma" if b"," in text else ""
    raise InputError(
        f"{layout.value_name} {quoted(text)} is not a finite number",
        place=f"{name}:{line}",
        expected=" ".join(layout.fields),
        remedy=f"write the {layout.value_name} as a decimal number{point}, or drop the line",
    )


def _wrong_width(
    line: bytes, fields: list[bytes], layout: Layout, name: str, number: int
) -> NoReturn:
    shape = len(fields)
    columns = "1 column" if shape == 1 else f"{shape} columns"
    if layout.what == "qrels" and shape == 6:
        remedy = "this looks like a run: name the qrels first, then the runs"
    elif layout.what == "run" and shape == 4:
        remedy = "this looks like qrels: name the qrels first, then the runs"
    elif shape == 1 and line.count(b",") >= len(layout.fields) - 1:
        remedy = "separate the columns by blanks or tabs, not by commas"
    elif shape < len(layout.fields):
        remedy = "add the missing column"
    else:
        remedy = "remove what is too much; names must not hold blanks"
    raise InputError(
        f"found {columns}: {quoted(line.strip())}",
        place=f"{name}:{number}",
        expected=" ".join(layout.fields),
        remedy=remedy,
    )


def quoted(text: bytes) -> str:
    """Show bytes from a file in a message: printable, in quotes, not too long."""
    shown = printable(text[: LONGEST_QUOTE * 4].decode("utf-8", "backslashreplace"))
    return f'"{shown[:LONGEST_QUOTE]}…"' if len(shown) > LONGEST_QUOTE else f'"{shown}"'
