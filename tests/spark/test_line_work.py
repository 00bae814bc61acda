"""The work on lines in Spark's workers, without Spark: pieces of files as batches of lines."""

import json

import pyarrow as pa
import pytest

from rankeval import InputError
from rankeval.io.formats.delimited import layout
from rankeval.io.sources.blocks import LONGEST_LINE
from rankeval.spark.line_work import TextFile, columns_of_lines

HEADER = b"score,topic,docno"


def file_of(name="/a.csv"):
    found = layout(HEADER, b",", "run", {}, name)
    return TextFile(name, found, HEADER, empty=False)


def batch(lines, file="file:/a.csv", start=0):
    rows = {"line": pa.array(lines, pa.binary()), "file": [file] * len(lines)}
    return pa.RecordBatch.from_pydict({**rows, "start": pa.array([start] * len(lines), pa.int64())})


def parsed(*batches, skip=False, files=None):
    """The rows of all batches: docno and score, or the counts of lines that were left out."""
    work = {"what": "run", "roles": [], "ranks": False, "skip": skip}
    files = files or {"/a.csv": file_of()}
    found = [
        row for one in columns_of_lines(batches, files=files, **work) for row in one.to_pylist()
    ]
    return [
        json.loads(row["left_out"]) if row["left_out"] else (row["docno"], row["score"])
        for row in found
    ]


def test_a_header_counts_in_the_piece_that_begins_the_file_only():
    first = batch([b"# comment", b"", HEADER, b"1,q,a", b"2,q,b"])

    assert parsed(first, batch([b"3,q,c"], start=99)) == [(b"a", 1), (b"b", 2), (b"c", 3)]
    assert parsed(batch([b"3,q,c"], start=99), first) == [(b"c", 3), (b"a", 1), (b"b", 2)]
    with pytest.raises(InputError, match='score "score" is not a finite number'):
        parsed(batch([HEADER], start=99))


def test_pieces_of_several_files_may_stand_in_one_batch():
    table = pa.Table.from_batches(
        [
            batch([HEADER, b"1,q,a"]),
            batch([HEADER, b"2,q,b"], file="file:///b%20%25.csv"),
            batch([b"3,q,c"], start=7),
        ]
    ).combine_chunks()
    files = {"/a.csv": file_of(), "/b %.csv": file_of("/b %.csv")}

    assert parsed(*table.to_batches(), files=files) == [(b"a", 1), (b"b", 2), (b"c", 3)]


@pytest.mark.parametrize(("start", "place"), [(0, "/a.csv:3"), (5, "/a.csv")])
@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"1,q,d,e", "found 4 columns"),
        (b"1,q,\0", "holds a NUL byte"),
        (b"1,q," + b"x" * LONGEST_LINE, "the line is longer than 16 MB"),
    ],
)
def test_a_wrong_line_is_told_with_its_number_where_that_is_known(start, place, line, told):
    lines = [b"1,q,a", b"2,q,b", line] if start else [HEADER, b"2,q,b", line]

    with pytest.raises(InputError, match=told) as error:
        parsed(batch(lines, start=start))

    assert error.value.place == place


def test_wrong_lines_are_left_out_and_counted_but_not_what_is_no_text():
    lines = [HEADER, b"1,q", b"nan,q,a", b"1,,a", b"2,q,b", b"x,q,c"]

    assert parsed(batch(lines), batch([b"1,q,c", b'1,q,"d'], start=9), skip=True) == [
        (b"b", 2),
        {"wrong number of columns": 1, "score that is no finite number": 2, "empty topic": 1},
        (b"c", 1),
        {"cannot be split": 1},
    ]
    with pytest.raises(InputError, match="holds a NUL byte"):
        parsed(batch([HEADER, b"1,q,\0"]), skip=True)
