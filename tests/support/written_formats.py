"""Every format written and read by other means than the project's own.

Rows are dictionaries of text and numbers; what a format does not hold is not in them.
"""

import csv
import io
import json

import pyarrow as pa
from pyarrow import feather
from pyarrow import parquet as pq

FIELDS = {
    "run": ("topic", "docno", "rank", "score", "tag"),
    "qrels": ("topic", "iteration", "docno", "grade"),
}
VALUES = {"run": "score", "qrels": "grade"}
TREC = {
    "run": ("topic", "Q0", "docno", "rank", "score", "tag"),
    "qrels": ("topic", "iteration", "docno", "grade"),
}
NUMBERS = {"rank": int, "score": float, "grade": float}
DEFAULTS = {"iteration": "0"}
BEIR = {"topic": "query-id", "docno": "corpus-id", "score": "score", "grade": "score"}
FORMATS = ("trec", "msmarco", "beir", "csv", "tsv", "json", "jsonl", "parquet", "arrow")
WORDS_ONLY = ("trec", "msmarco")


def held_by(name, what):
    """The fields that a format holds."""
    if name == "msmarco":
        return ("topic", "docno", "rank") if what == "run" else FIELDS["qrels"]
    if name in ("json", "beir"):
        return ("topic", "docno", VALUES[what])
    return FIELDS[what]


def number(value):
    return repr(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def text(row, field):
    if field == "Q0":
        return "Q0"
    return number(row[field]) if field in NUMBERS else row[field]


def write(name, what, rows):
    """The bytes of a file in a format."""
    fields = held_by(name, what)
    if name in WORDS_ONLY:
        fields = TREC[what] if (name, what) != ("msmarco", "run") else fields
        separator = " " if name == "trec" else "\t"
        return "".join(separator.join(text(r, f) for f in fields) + "\n" for r in rows).encode()
    if name in ("csv", "tsv", "beir"):
        out = io.StringIO()
        delimiter = "," if name == "csv" else "\t"
        writer = csv.writer(out, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writerow([BEIR[f] for f in fields] if name == "beir" else fields)
        writer.writerows([text(r, f) for f in fields] for r in rows)
        return out.getvalue().encode()
    if name == "json":
        found = {}
        for row in rows:
            found.setdefault(row["topic"], {})[row["docno"]] = row[VALUES[what]]
        return json.dumps(found).encode()
    records = [{field: row[field] for field in fields} for row in rows]
    if name == "jsonl":
        return "".join(json.dumps(record) + "\n" for record in records).encode()
    out = io.BytesIO()
    table = pa.Table.from_pylist(records)
    if name == "parquet":
        pq.write_table(table, out)
    else:
        feather.write_feather(table, out)
    return out.getvalue()


def read(name, what, data):
    """The rows of a file in a format."""
    if name in WORDS_ONLY:
        fields = held_by(name, what) if (name, what) == ("msmarco", "run") else TREC[what]
        separator = " " if name == "trec" else "\t"
        lines = data.decode().split("\n")[:-1]
        rows = [dict(zip(fields, line.split(separator), strict=True)) for line in lines]
        return [_typed({f: v for f, v in row.items() if f != "Q0"}) for row in rows]
    if name in ("csv", "tsv", "beir"):
        stream = io.StringIO(data.decode(), newline="")
        header, *lines = csv.reader(stream, delimiter="," if name == "csv" else "\t", strict=True)
        if name == "beir":
            header = ["topic", "docno", VALUES[what]]
        return [_typed(dict(zip(header, line, strict=True))) for line in lines]
    if name == "json":
        return [
            _typed({"topic": topic, "docno": docno, VALUES[what]: value})
            for topic, documents in json.loads(data).items()
            for docno, value in documents.items()
        ]
    if name == "jsonl":
        return [_typed(json.loads(line)) for line in data.decode().splitlines()]
    stream = io.BytesIO(data)
    table = pq.read_table(stream) if name == "parquet" else feather.read_table(stream)
    return [_typed(row) for row in table.to_pylist()]


def _typed(row):
    return {field: NUMBERS.get(field, str)(value) for field, value in row.items()}


def part(rows, fields):
    """The rows with some of their fields."""
    return [{field: row.get(field, DEFAULTS.get(field)) for field in fields} for row in rows]
