"""Files that are nearly right: a good file with a few things wrong, in any wrapping."""

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from random import Random

import pyarrow as pa
from pyarrow import csv, ipc, parquet

from tests.fuzz.reported import reported

Mutation = Callable[[Random, bytes, bytes], bytes]

NUMBERS = b"""
    0 1 2 -1 +1 1.5 .5 5. 00 1e5 1E-5 1e308 1e309 -1e400 5e-324 1e-400 0.30000000000000004
    9007199254740993 9223372036854775807 9223372036854775808 18446744073709551616 1e0000005
    nan NaN -nan nan(1) inf -Inf +infinity 0x10 0x1p3 1_0 1d5 1,5 --1 + . 1e 1e+ true null None
    \xd9\xa1\xd9\xa2 \xef\xbc\x91 1\xc2\xa0 1\x1c 1\x85 '1' "1"
""".split()
NAMES = [
    *(b"", b"#", b"# x", b"#1", b'"', b'""', b'"a', b'a"b', b'"a"', b"'", b"\\", b"all", b"all:x"),
    *(b"=cmd|' /C calc'!A0", b"::error::x", b"##[error]x", b"<b>", b"[red]x[/]", b"\\input{x}"),
    *(b"\x1b[31mred", b"\x1b]0;t\x07", b"\xe2\x80\xae", b"\xff", b"\xc3\xa9", b"\xed\xb2\x80"),
    *(b"\xef\xbb\xbf", b"\xef\xbb\xbf1", b"\xff\xfe", b"PAR1", b"ARROW1\0\0", b"\xff\xff\xff\xff"),
    *(b"x" * 300, b"common-prefix-" * 20, b"{", b"}", b"[", b"]", b'{"', b"{}", b"[]", b"qid"),
    *(b"docno", b"score", b"query-id\tcorpus-id\tscore", b"topic,docno,rank", b"\0", b"\x1a"),
]
WHITE = [
    *(b" ", b"\t", b"  ", b" \t", b"\r", b"\v", b"\f", b"\n", b"\r\n", b"\n\n"),
    *(b",", b";", b"\xc2\xa0"),
]
LONG = 200


def _at(rng: Random, data: bytes) -> int:
    """A place in the data, its ends more often than others."""
    return rng.choice((0, len(data), *(rng.randint(0, len(data)) for _ in range(6))))


def _range(rng: Random, data: bytes) -> tuple[int, int]:
    start = _at(rng, data)
    return start, min(len(data), start + rng.choice((1, 1, 2, 5, 20, 100)))


def _change_byte(rng: Random, data: bytes, _: bytes) -> bytes:
    i = _at(rng, data)
    return data[:i] + bytes([rng.randrange(256)]) + data[i + 1 :]


def _insert(rng: Random, data: bytes, _: bytes) -> bytes:
    i = _at(rng, data)
    return data[:i] + rng.choice([*NAMES, *NUMBERS, *WHITE]) + data[i:]


def _remove(rng: Random, data: bytes, _: bytes) -> bytes:
    start, stop = _range(rng, data)
    return data[:start] + data[stop:]


def _cut_off(rng: Random, data: bytes, _: bytes) -> bytes:
    return data[: _at(rng, data)]


def _repeat(rng: Random, data: bytes, _: bytes) -> bytes:
    start, stop = _range(rng, data)
    return data[:stop] + data[start:stop] * rng.choice((1, 2, 50)) + data[stop:]


def _splice(rng: Random, data: bytes, other: bytes) -> bytes:
    return data[: _at(rng, data)] + other[_at(rng, other) :]


def _on_lines(change: Callable[[Random, list[bytes]], None]) -> Mutation:
    def mutation(rng: Random, data: bytes, _: bytes) -> bytes:
        lines = data.split(b"\n")
        change(rng, lines)
        return b"\n".join(lines)

    return mutation


def _double_line(rng: Random, lines: list[bytes]) -> None:
    lines.insert(rng.randint(0, len(lines)), rng.choice(lines))


def _blank_line(rng: Random, lines: list[bytes]) -> None:
    blank = rng.choice([b"", b" ", b"\t", b"\r", b"# a comment", b"  # set back", b"#1 0 d 1 1 t"])
    lines.insert(rng.randint(0, len(lines)), blank)


def _change_fields(rng: Random, lines: list[bytes]) -> None:
    """Put another word instead of a field, drop it, double it or change places."""
    i = rng.randrange(len(lines))
    blank = next((s for s in (b"\t", b",", b";") if s in lines[i]), b" ")
    fields = lines[i].split(blank)
    at, other = rng.randrange(len(fields)), rng.randrange(len(fields))
    match rng.randrange(6):
        case 0:
            fields[at] = rng.choice(NUMBERS)
        case 1:
            fields[at] = rng.choice(NAMES)
        case 2:
            del fields[at]
        case 3:
            fields.insert(at, fields[other])
        case 4:
            fields[at], fields[other] = fields[other], fields[at]
        case _:
            fields[at] = b'"' + fields[at].replace(b'"', b'""') + b'"'
    lines[i] = blank.join(fields)


def _change_blanks(rng: Random, data: bytes, _: bytes) -> bytes:
    """Other white space everywhere, or here and there."""
    old, new = rng.choice([b" ", b"\t", b"\n", b",", b" \n"]), rng.choice(WHITE)
    return data.replace(old, new, rng.choice((-1, -1, 1, 3)))


def _double_file(_rng: Random, data: bytes, other: bytes) -> bytes:
    return data + other


def _long(rng: Random, data: bytes, _: bytes) -> bytes:
    """Many lines, of which later ones differ: blocks have to be cut."""
    lines = [line for line in data.split(b"\n") if line]
    if not lines:
        return data
    made = [rng.choice(lines).replace(b"d", b"d%d" % i, 1) for i in range(LONG)]
    return b"\n".join([*lines[:2], *made, b""])


MUTATIONS: list[Mutation] = [
    *(_change_byte, _insert, _remove, _cut_off, _repeat, _splice, _change_blanks),
    *(_double_file, _long),
    *(_on_lines(f) for f in (_double_line, _blank_line)),
    *([_on_lines(_change_fields)] * 4),
]


def mutated(rng: Random, data: bytes, other: bytes) -> bytes:
    """The data after some mutations."""
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 5, 8))):
        data = rng.choice(MUTATIONS)(rng, data, other)
    return data


def _arrow_stream(data: bytes, kind: str) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, kind) as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


COMPRESSIONS: list[Callable[[bytes], bytes]] = [
    lambda data: gzip.compress(data, 1, mtime=0),
    lambda data: bz2.compress(data, 1),
    lambda data: lzma.compress(data, preset=0),
    lambda data: _arrow_stream(data, "zstd"),
    lambda data: _arrow_stream(data, "lz4"),
    lambda data: (
        gzip.compress(data[: len(data) // 2], 1, mtime=0)
        + gzip.compress(data[len(data) // 2 :], 1, mtime=0)
    ),
]


def compressed(rng: Random, data: bytes) -> bytes:
    """The data in one compression, now and then damaged or compressed twice."""
    data = rng.choice(COMPRESSIONS)(data)
    match rng.randrange(8):
        case 0 | 1:
            return mutated(rng, data, data)
        case 2:
            return rng.choice(COMPRESSIONS)(data)
    return data


COLUMN_NAMES = {
    "topic": ["topic", "qid", "query-id", "Query ID", "topic\x1b[31m"],
    "docno": ["docno", "doc_id", "corpus-id", "topic"],
    "number": ["score", "rank", "grade", "relevance", "label"],
    "more": ["tag", "run", "iteration", "stratum", "rank", "=1+1"],
}


NUMBER_TYPES = [
    *(pa.float64(), pa.float32(), pa.float16(), pa.int64(), pa.uint64(), pa.int8(), pa.bool_()),
    *(pa.decimal128(25, 2), pa.string(), pa.timestamp("s"), pa.list_(pa.int32()), pa.null()),
]


def table(rng: Random, data: bytes) -> bytes:
    """The words of the data as a table of Parquet or Arrow, with columns of any type."""
    rows = [words for line in data.split(b"\n") if len(words := line.split()) >= 3]
    columns = {}
    for role, names in COLUMN_NAMES.items():
        words = [row[("topic", "more", "docno", "number").index(role) % len(row)] for row in rows]
        texts = [word.decode("utf-8", "replace") for word in words]
        if role == "number" or rng.random() < 0.1:
            columns[rng.choice(names)] = _numbers(rng, len(rows))
        elif role != "more" or rng.random() < 0.5:
            columns[rng.choice(names)] = _texts(rng, texts)
    names, arrays = list(columns), list(columns.values())
    if rng.random() < 0.1:
        at = rng.randrange(len(names))
        names.insert(rng.randint(0, len(names)), names[at])
        arrays.insert(rng.randint(0, len(arrays)), arrays[at])
    data = _table_file(rng, pa.Table.from_arrays(arrays, names))
    return mutated(rng, data, data) if rng.random() < 0.5 else data


def _table_file(rng: Random, made: pa.Table) -> bytes:
    """A table as Parquet, or as Arrow's file or stream."""
    kind = rng.randrange(4)
    sink = io.BytesIO()
    if kind == 0:
        try:
            how = {"compression": rng.choice(["none", "snappy", "gzip", "zstd", "brotli"])}
            parquet.write_table(made, sink, row_group_size=rng.choice((3, 1000)), **how)
            return sink.getvalue()
        except (pa.ArrowException, ValueError):  # a type, or a name twice, that Parquet lacks
            sink = io.BytesIO()
    if kind == 3:
        try:
            csv.write_csv(made, sink)
            return sink.getvalue()
        except (pa.ArrowException, ValueError):
            sink = io.BytesIO()
    opened = ipc.new_file if kind == 1 else ipc.new_stream
    options = ipc.IpcWriteOptions(
        compression=rng.choice([None, "lz4", "zstd"]), emit_dictionary_deltas=rng.random() < 0.5
    )
    with opened(sink, made.schema, options=options) as out:
        out.write_table(made, max_chunksize=rng.choice((3, 1000)))
    return sink.getvalue()


TEXT_TYPES = [
    *(pa.string(), pa.large_string(), pa.binary(), pa.large_binary()),
    *(pa.string_view(), pa.binary_view()),
]
LONG_TEXT = 1 << 16


def _texts(rng: Random, texts: list[str]) -> pa.Array:
    """Names of any type, encoded as a dictionary or not, some of them long or missing."""
    match rng.randrange(8):
        case 0:
            return pa.array([text if rng.random() < 0.8 else None for text in texts], pa.string())
        case 1:
            return pa.array([[text] for text in texts], pa.list_(pa.string()))
        case 2:
            which = pa.array([rng.randrange(3) for _ in texts], pa.int8())
            return pa.DictionaryArray.from_arrays(which, pa.array(["x" * LONG_TEXT, "y", ""]))
    column = pa.array(texts, rng.choice(TEXT_TYPES))
    return (
        column.dictionary_encode()
        if rng.random() < 0.4 and "view" not in str(column.type)
        else column
    )


def _numbers(rng: Random, n: int) -> pa.Array:
    kind = rng.choice(NUMBER_TYPES)
    match rng.randrange(8):
        case 0:
            odd = ["x", "1", "nan", str(10**400)]
            return pa.array([rng.choice(odd) for _ in range(n)]).dictionary_encode()
        case 1:
            return pa.array([rng.choice([1.5, float("nan"), float("inf"), None]) for _ in range(n)])
    if pa.types.is_list(kind):
        return pa.array([[1]] * n, kind)
    numbers = pa.array([rng.randrange(5) for _ in range(n)], pa.int64())
    if pa.types.is_boolean(kind) or pa.types.is_float16(kind):
        numbers = numbers.cast(pa.float32())
    return pa.nulls(n) if pa.types.is_null(kind) else numbers.cast(kind)


def wrapped(rng: Random, data: bytes, other: bytes) -> bytes:
    """A file made of a good one: mutated, and in a compression or a table or neither."""
    kind = rng.random()
    if rng.random() < 0.2:
        return reported(rng, data)
    if kind < 0.15:
        return table(rng, mutated(rng, data, other))
    if kind < 0.3:
        return compressed(rng, mutated(rng, data, other))
    return mutated(rng, data, other)
