"""Files like those that users reported: other widths, first lines, ranks, streams and damage."""

import bz2
import io
import lzma
from collections.abc import Callable
from random import Random

import pyarrow as pa
from pyarrow import parquet

SEPARATORS = (b" ", b"\t", b",", b";")
NAMES = [
    *(b"topic docno score", b"query-id corpus-id score", b"qid docno grade", b"user_id item_id"),
    b"query-id corpus-id",
    *(b"who what points", b"a b", b"topic docno rank", b"1 10 0.9", b"0 1 2"),
]


def reported(rng: Random, data: bytes) -> bytes:
    """A file of one of the kinds that were reported, made of the words of another file."""
    lines = [line.split() for line in data.split(b"\n") if line.split()]
    return rng.choice(KINDS)(rng, lines or [[b"1", b"Q0", b"a", b"1", b"1", b"t"]])


def wide(rng: Random, lines: list[list[bytes]]) -> bytes:
    """Lines of which some hold two, or a name with blanks, or lack a field."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(lines))
        words = lines[at]
        match rng.randrange(3):
            case 0:
                lines[at] = words + rng.choice(lines)
            case 1:
                lines[at] = [*words[: rng.randrange(len(words) + 1)], b"of", *words[-2:]]
            case _:
                lines[at] = words[:-1] or words
    return joined(b" ", lines)


def headed(rng: Random, lines: list[list[bytes]]) -> bytes:
    """Lines of two or three columns below a first line of names, known or not, or of data."""
    names = rng.choice(NAMES).split()
    rows = [[line[0], line[len(line) // 2], line[-1]][: len(names)] for line in lines]
    if rng.random() < 0.3:
        rows = [[*row[:-1], b"%d" % rng.randrange(3)] for row in rows]
    if rng.random() < 0.2:
        names.append(b"x" * rng.choice((10, 300, 5000)))
        rows = [[*row, b"y"] for row in rows]
    return joined(rng.choice(SEPARATORS), [names, *rows])


def counted(rng: Random, lines: list[list[bytes]]) -> bytes:
    """Lines of topic, docno and an integer, which counts up in each topic, but for a few."""
    last: dict[bytes, int] = {}
    rows = []
    for i, line in enumerate(lines):
        topic = rng.choice((line[0], line[0], line[0], rng.choice(lines)[0]))
        last[topic] = last.get(topic, rng.choice((0, 0, -1))) + 1
        rows.append([topic, b"d%d" % i, b"%d" % last[topic]])
    if rng.random() < 0.6:
        rng.choice(rows)[2] = rng.choice((b"0", b"1", b"36", b"01", b"1.5", b"x"))
    return joined(rng.choice((b"\t", b" ")), rows)


def streams(rng: Random, lines: list[list[bytes]]) -> bytes:
    """Compressed data in several streams, with zeros between them, or with one that is damaged."""
    half = len(lines) // 2
    compress: Callable[[bytes], bytes] = rng.choice((lzma.compress, bz2.compress))
    first, second = (compress(joined(b" ", part)) for part in (lines[:half], lines[half:]))
    between = rng.choice((b"", b"\0" * 4, b"\0" * 64, b"\0" * 3, b"x"))
    if rng.random() < 0.5:
        second = damaged(rng, second)
    return first + between + second + rng.choice((b"", b"\0" * 8, b"more"))


def table(rng: Random, lines: list[list[bytes]]) -> bytes:
    """Parquet with one damaged byte, its description of columns more often than its data."""
    texts = [[word.decode("utf-8", "replace") for word in line] for line in lines]
    columns = {
        "topic": [line[0] for line in texts],
        "docno": [line[len(line) // 2] for line in texts],
        "score": [float(len(line)) for line in texts],
    }
    sink = io.BytesIO()
    how = rng.choice(({}, {"use_dictionary": False}, {"compression": "zstd"}))
    parquet.write_table(pa.table(columns), sink, row_group_size=rng.choice((3, 1000)), **how)
    data = sink.getvalue()
    if rng.random() < 0.7:
        return data[: len(data) // 2] + damaged(rng, data[len(data) // 2 :])
    return damaged(rng, data)


def damaged(rng: Random, data: bytes) -> bytes:
    """The data with another byte in one place."""
    at = rng.randrange(len(data))
    return data[:at] + bytes([(data[at] + rng.randrange(1, 256)) % 256]) + data[at + 1 :]


def joined(separator: bytes, lines: list[list[bytes]]) -> bytes:
    """Lines of words."""
    return b"".join(separator.join(line) + b"\n" for line in lines)


KINDS: list[Callable[[Random, list[list[bytes]]], bytes]] = [wide, headed, counted, streams, table]
