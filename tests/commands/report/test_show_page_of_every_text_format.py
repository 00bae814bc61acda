"""The page of a report is the same in whatever format its queries and documents are."""

import csv
import gzip
import html
import io
import json

import pyarrow as pa
import pyarrow.parquet
import pytest

from tests.support.files import BM25, DENSE, QRELS
from tests.support.pages import data_of

pytestmark = pytest.mark.usefixtures("undrawn")

DOCUMENTS = [
    ("a", "Eggs & spam", "green <b>eggs</b> on toast, and a café"),
    ("b", "", "größer, als man denkt"),
    ("other", "Not retrieved", "and not shown"),
    ("c", "The third", 'eggs, "again"'),
]
"""Documents of the runs, but for d, which is missing: name, title and text."""

QUERIES = [("301", "", "green eggs & spam"), ("302", "", 'a "café", <toast>')]


def records(rows, *, titled=True):
    """Return rows of name, title and text as records of named fields."""
    return [
        {
            "docno": name,
            "address": "https://example.org/",
            "title": title if titled else "",
            "text": text,
        }
        for name, title, text in rows
    ]


def tabbed(columns, header=""):
    """Return what writes columns between tabs, below the header, if there is one."""

    def write(rows):
        lines = [header.split(), *([row[column] for column in columns.split()] for row in rows)]
        return "".join("\t".join(line) + "\n" for line in lines if line).encode()

    return write


def commas(columns, header=""):
    """Return what writes columns as CSV, below the header, if there is one."""

    def write(rows):
        file = io.StringIO()
        written = csv.writer(file)
        lines = [header.split(), *([row[column] for column in columns.split()] for row in rows)]
        written.writerows(line for line in lines if line)
        return file.getvalue().encode()

    return write


def objects(**columns):
    """Return what writes JSON Lines of these keys."""

    def write(rows):
        lines = ({key: record[name] for key, name in columns.items()} for record in rows)
        return "".join(json.dumps(line) + "\n" for line in lines).encode()

    return write


def marked(pattern):
    """Return what writes SGML: the pattern with the escaped fields of each record."""

    def write(rows):
        escaped = [{key: html.escape(row[key], quote=False) for key in row} for row in rows]
        return "".join(pattern.format(**row) for row in escaped).encode()

    return write


def parquet(rows):
    file = io.BytesIO()
    pyarrow.parquet.write_table(pa.Table.from_pylist(rows), file, row_group_size=2)
    return file.getvalue()


TITLED = {
    "header.tsv": tabbed("docno title text", "docno title text"),
    "three.tsv": tabbed("docno title text"),
    "msmarco-docs.tsv": tabbed("docno address title text"),
    "header.csv": commas("text docno title", "text docno title"),
    "three.csv": commas("docno title text"),
    "beir.jsonl": objects(_id="docno", title="title", text="text"),
    "docs.parquet": parquet,
    "docs.sgml": marked(
        "<DOC>\n<DOCNO> {docno} </DOCNO>\n<TITLE>{title}</TITLE>\n<TEXT>\n{text}\n</TEXT>\n</DOC>\n"
    ),
}
UNTITLED = {
    "header.tsv": tabbed("docno text", "docno text"),
    "msmarco-passages.tsv": tabbed("docno text"),
    "header.csv": commas("docno text", "id text"),
    "two.csv": commas("docno text"),
    "pyserini.jsonl": objects(id="docno", contents="text"),
    "beir.jsonl": objects(_id="docno", title="title", text="text"),
    "docs.parquet": parquet,
    "docs.sgml": marked("<DOC>\n<DOCNO>{docno}</DOCNO>\n<TEXT>{text}</TEXT>\n</DOC>\n"),
}
TOPICS = {
    **UNTITLED,
    "docs.sgml": marked(
        "<top>\n<num> Number: {docno}\n<title> Topic: {text}\n\n<desc>\nMore.\n</top>\n"
    ),
}


@pytest.fixture
def page(shell, monkeypatch):
    """What returns the page of a report with these options."""
    shell.write(qrels=QRELS, bm25=BM25, dense=DENSE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(shell.path("cache")))

    def write(*options):
        runs = ("qrels.txt", "bm25.txt", "dense.txt", "-m", "RR")
        outcome = shell("report", *runs, *options, "-o", "-")
        assert outcome.code == 0, outcome.err
        return outcome.out

    return write


@pytest.fixture
def with_texts(page, tmp_path):
    """What returns the page with texts of an option from a file of this name and content."""

    def write(option, name, content, *more):
        (tmp_path / name).write_bytes(content)
        return page(option, tmp_path / name, *more)

    return write


@pytest.fixture(scope="module")
def seen():
    """Pages that tests share: what they have in common is made once."""
    return {}


@pytest.mark.parametrize("name", TOPICS)
def test_every_format_of_queries_gives_the_same_page(with_texts, name, seen):
    if "queries" not in seen:
        lines = "".join(f"{topic}\t{query}\n" for topic, _, query in QUERIES)
        seen["queries"] = with_texts("--queries", "expected.tsv", lines.encode())
    assert data_of(seen["queries"])["queries"] == [query for *_, query in QUERIES]

    assert with_texts("--queries", name, TOPICS[name](records(QUERIES))) == seen["queries"]


@pytest.mark.parametrize(
    ("name", "titled"), [*((name, True) for name in TITLED), *((name, False) for name in UNTITLED)]
)
def test_every_format_of_documents_gives_the_same_page(
    page, with_texts, tmp_path, seen, name, titled
):
    """Whole, and in compressed parts with an index, which is made and then used."""
    write = (TITLED if titled else UNTITLED)[name]
    rows = records(DOCUMENTS, titled=titled)
    if titled not in seen:
        seen[titled] = with_texts("--docs", "expected.jsonl", TITLED["beir.jsonl"](rows))
    first, second = (found["texts"] for found in data_of(seen[titled])["rankings"])
    assert [title for title, *_ in first] == [row["title"] for row in [*rows[:2], rows[3]]]
    assert None in second

    assert with_texts("--docs", name, write(rows)) == seen[titled]
    # Parquet is compressed inside.
    packing, pack = ("", bytes) if name.endswith(".parquet") else (".gz", gzip.compress)
    (tmp_path / "parts").mkdir()
    for number, part in enumerate((rows[:2], rows[2:])):
        (tmp_path / "parts" / f"{number}-{name}{packing}").write_bytes(pack(write(part)))
    for _ in range(2):
        assert page("--docs", tmp_path / "parts", "--docs-index") == seen[titled]
