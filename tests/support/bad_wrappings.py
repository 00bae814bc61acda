# ruff: noqa: E501 - messages are as long as they are
"""Files that cannot be used, in any wrapping, and those beside qrels and runs; each with its message.

A case is the file that is bad, what it holds, the command, and what that says on stderr.
"""

import datetime as dt
import gzip
import io

import pyarrow as pa
from pyarrow import ipc, parquet

QRELS = b"301 0 d1 1\n302 0 d2 2\n"
RUN = b"301 Q0 d1 1 2.5 tag\n302 Q0 d2 1 1.5 tag\n"


def packed(data, kind):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, kind) as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


PACK = {
    "gzip": gzip.compress,
    "zstd": lambda data: packed(data, "zstd"),
}


def parquet_of(rows=None, **columns):
    sink = io.BytesIO()
    parquet.write_table(pa.table(columns)[:rows], sink)
    return sink.getvalue()


def arrow_of(**columns):
    sink, table = io.BytesIO(), pa.table(columns)
    with ipc.new_file(sink, table.schema) as file:
        file.write_table(table)
    return sink.getvalue()


BAD = {
    "gzip: a line too short": (
        "run.txt",
        PACK["gzip"](RUN + b"303 Q0 d3\n"),
        ["qrels.txt", "run.txt", "-m", "AP"],
        (
            'rankeval: run.txt:3: found 3 columns: "303 Q0 d3"\n'
            "  expected: topic Q0 docno rank score tag\n"
            "  to fix:   add the missing column"
        ),
    ),
    "a score in hexadecimal": (
        "run.txt",
        b"301 Q0 d1 1 0x10 tag\n",
        ["qrels.txt", "run.txt", "-m", "AP"],
        (
            'rankeval: run.txt:1: score "0x10" is not a finite number\n'
            "  expected: topic Q0 docno rank score tag\n"
            "  to fix:   write the score as a decimal number"
        ),
    ),
    "a web page": (
        "run.txt",
        b"<!DOCTYPE html>\n<html><body>404</body></html>\n",
        ["qrels.txt", "run.txt", "-m", "AP"],
        (
            'rankeval: run.txt:1: found 2 columns: "<!DOCTYPE html>"\n'
            "  expected: topic Q0 docno rank score tag\n"
            "  to fix:   this is a web page or XML: get the file itself, or name the right one"
        ),
    ),
    "parquet: cut off": (
        "run.txt",
        parquet_of(topic=["301"], docno=["d1"], score=[1.0])[:100],
        ["qrels.txt", "run.txt", "-m", "AP"],
        (
            "rankeval: run.txt: is not a readable Parquet file: Parquet magic bytes not found in footer. Either the file is corrupted or this is not a parquet file.\n"
            "  to fix:   check that the file is complete, and write it again"
        ),
    ),
    "parquet: unknown columns": (
        "run.txt",
        parquet_of(a=["301"], b=["d1"], c=[1.0]),
        ["qrels.txt", "run.txt", "-m", "AP"],
        (
            "rankeval: run.txt: these columns do not show which is the topic, the docno and the score: a b c\n"
            "  expected: names such as topic docno score\n"
            "  to fix:   name them with --columns topic=NAME,docno=NAME,score=NAME"
        ),
    ),
    "parquet: a topic missing": (
        "run.txt",
        parquet_of(topic=["301", None], docno=["d1", "d2"], score=[1.0, 2.0]),
        ["qrels.txt", "run.txt", "-m", "AP"],
        ("rankeval: run.txt:2: the topic is empty\n  expected: a topic in every row"),
    ),
    "parquet: a score NaN": (
        "run.txt",
        parquet_of(topic=["301"], docno=["d1"], score=[float("nan")]),
        ["qrels.txt", "run.txt", "-m", "AP"],
        ("rankeval: run.txt:1: the score is nan, or missing\n  expected: finite scores"),
    ),
    "parquet: scores of text": (
        "run.txt",
        parquet_of(topic=["301"], docno=["d1"], score=["high"]),
        ["qrels.txt", "run.txt", "-m", "AP"],
        (
            "rankeval: run.txt: column 'score' is of the type string\n"
            "  expected: numbers as score\n"
            "  to fix:   write the score like this, or name another column with --columns score=NAME"
        ),
    ),
    "parquet: no row": (
        "run.txt",
        parquet_of(topic=["301"], docno=["d1"], score=[1.0], rows=0),
        ["qrels.txt", "run.txt", "-m", "AP"],
        (
            "rankeval: run.txt: has no rankings\n"
            "  expected: lines of topic Q0 docno rank score tag\n"
            "  to fix:   check that the file is complete"
        ),
    ),
    "arrow: a duplicate": (
        "run.txt",
        arrow_of(topic=["301", "301"], docno=["d1", "d1"], score=[1.0, 2.0]),
        ["qrels.txt", "run.txt", "-m", "AP"],
        (
            'rankeval: run.txt:2: document "d1" is listed twice in topic "301", first in line 1\n'
            "  expected: each document once per topic\n"
            "  to fix:   keep one line for each document of a topic"
        ),
    ),
    "arrow: grades that are times": (
        "qrels.txt",
        arrow_of(topic=["301"], docno=["d1"], grade=[dt.time(1)]),
        ["qrels.txt", "run.txt", "-m", "AP"],
        (
            "rankeval: qrels.txt: column 'grade' is of the type time64[us]\n"
            "  expected: numbers as grade\n"
            "  to fix:   write the grade like this, or name another column with --columns grade=NAME"
        ),
    ),
    "weights: a column too few": (
        "beside.txt",
        b"301 1\n302\n",
        ["qrels.txt", "run.txt", "-m", "AP TBG", "--with", "weights=beside.txt"],
        (
            "rankeval: beside.txt:2: found 1 column, the first line has 2\n"
            "  expected: a topic and its weight\n"
            "  to fix:   separate columns by one tab when a value holds blanks"
        ),
    ),
    "weights: negative": (
        "beside.txt",
        b"301 -1\n302 1\n",
        ["qrels.txt", "run.txt", "-m", "AP TBG", "--with", "weights=beside.txt"],
        (
            'rankeval: beside.txt:1: the weight "-1" is not possible\n'
            "  expected: a finite number, 0 or more"
        ),
    ),
    "weights: a topic twice": (
        "beside.txt",
        b"301 1\n301 2\n",
        ["qrels.txt", "run.txt", "-m", "AP TBG", "--with", "weights=beside.txt"],
        (
            'rankeval: beside.txt:2: topic "301" is listed twice, first in line 1\n'
            "  expected: each topic once\n"
            "  to fix:   drop one of the two lines"
        ),
    ),
    "weights: empty": (
        "beside.txt",
        b"",
        ["qrels.txt", "run.txt", "-m", "AP TBG", "--with", "weights=beside.txt"],
        ("rankeval: beside.txt: has no topics\n  expected: lines of topic weight"),
    ),
    "weights: all 0": (
        "beside.txt",
        b"301 0\n302 0\n",
        ["qrels.txt", "run.txt", "-m", "AP TBG", "--with", "weights=beside.txt"],
        (
            "rankeval: beside.txt: the weights of all evaluated topics are 0\n"
            "  to fix:   give one of them a weight above 0"
        ),
    ),
    "groups: several columns": (
        "beside.txt",
        b"topic\tkind\tsize\n301\ta\tb\n302\ta\tb\n",
        ["qrels.txt", "run.txt", "-m", "AP TBG", "--with", "groups=beside.txt"],
        (
            "rankeval: beside.txt:1: found 3 columns: topic kind size\n"
            "  expected: a topic and its group\n"
            "  to fix:   name the column to read, as in groups:COLUMN=FILE"
        ),
    ),
    "costs: a column too few": (
        "beside.txt",
        b"d1 1\nd2\n",
        ["qrels.txt", "run.txt", "-m", "AP TBG", "--with", "costs=beside.txt"],
        (
            'rankeval: beside.txt:2: found 1 column: "d2"\n'
            "  expected: docno cost, a finite number above 0"
        ),
    ),
    "suites: no TOML": (
        "rankeval.toml",
        b"[suite\n",
        ["gate"],
        (
            "rankeval: rankeval.toml: is not TOML: Expected ']' at the end of a table declaration (at line 1, column 7)\n"
            "  expected: TOML in UTF-8, such as [suite.NAME] or [collection.NAME]"
        ),
    ),
    "baseline: cut off": (
        "baseline.json",
        b'{"schema": "rankeval/1", ',
        ["gate", "qrels.txt", "baseline.json", "run.txt", "--max-drop", "AP=0.1"],
        (
            "rankeval: baseline.json: is not JSON: Expecting property name enclosed in double quotes: line 1 column 26 (char 25)\n"
            "  expected: JSON that rankeval eval -q wrote\n"
            "  to fix:   write it anew: rankeval eval QRELS RUN -q -o FILE.json"
        ),
    ),
}
