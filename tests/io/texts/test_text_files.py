"""Texts of topics and documents: every format gives the same, with an index or without."""

import bz2
import gzip
import json
import lzma
import sqlite3
import zlib
from unittest.mock import Mock

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.errors import InputError
from rankeval.io.texts import text_files, text_index
from rankeval.io.texts.text_fields import Text
from rankeval.io.texts.text_files import TabbedLines, hashes_of, texts_in_files, whole_blocks

DOCUMENTS = {
    "d1": Text("Eggs", 'spam & "eggs" <b>on</b> toast'),
    "a-longer-name/17": Text("", "a document without a title"),
    "Straße": Text("Ümlaute", "größer, als man denkt, und länger"),
    "7": Text("Seven", ""),
}


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def jsonl(keys):
    def write(path):
        lines = [
            json.dumps(dict(zip(keys, (name, *text), strict=True)), ensure_ascii=False)
            for name, text in DOCUMENTS.items()
        ]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    return write


def tabbed(header, row):
    def write(path):
        lines = [*header, *("\t".join(row(n, t)) for n, t in DOCUMENTS.items())]
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    return write


def sgml(path):
    path.write_text(
        "".join(
            f"<DOC>\n<DOCNO> {name} </DOCNO>\n<TITLE>{escaped(title)}</TITLE>\n"
            f"<TEXT>\n{escaped(body)}\n</TEXT>\n</DOC>\n"
            for name, (title, body) in DOCUMENTS.items()
        ),
        encoding="utf-8",
    )


def table():
    return pa.table(
        {
            "docno": [*DOCUMENTS],
            "title": [text.title for text in DOCUMENTS.values()],
            "text": [text.body for text in DOCUMENTS.values()],
        }
    )


FORMATS = {
    "docs.tsv": tabbed(["docno\ttitle\ttext"], lambda n, t: [n, *t]),
    "text-first.tsv": tabbed(["text\tid\ttitle"], lambda n, t: [t.body, n, t.title]),
    "three.tsv": tabbed([], lambda n, t: [n, *t]),
    "msmarco-docs.tsv": tabbed([], lambda n, t: [n, "https://example.org/", *t]),
    "beir.jsonl": jsonl(["_id", "title", "text"]),
    "pyserini.jsonl": jsonl(["id", "title", "contents"]),
    "text-first.jsonl": lambda path: path.write_text(
        "".join(
            json.dumps({"text": text.body, "title": text.title, "docid": name}) + "\n"
            for name, text in DOCUMENTS.items()
        )
    ),
    "docs.csv": lambda path: pyarrow.csv.write_csv(table(), path),
    "docs.parquet": lambda path: pyarrow.parquet.write_table(table(), path, row_group_size=2),
    "docs.sgml": sgml,
}


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def found_in(path, names, *, index=False):
    wanted = [name.encode() for name in names]
    read = text_index.texts_by_index if index else texts_in_files
    return {name.decode(): text for name, text in read(str(path), wanted)}


@pytest.mark.parametrize("index", [False, True])
@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_texts(tmp_path, name, index):
    FORMATS[name](tmp_path / name)

    for _ in range(2):  # the second call has an index
        found = found_in(tmp_path / name, [*DOCUMENTS, "missing"], index=index)
        assert found == DOCUMENTS
    assert found_in(tmp_path / name, ["7", "nothing"], index=index) == {"7": DOCUMENTS["7"]}


@pytest.mark.parametrize("index", [False, True])
@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize(
    "name", ["docs.tsv", "beir.jsonl", "docs.csv", "docs.parquet", "docs.sgml"]
)
def test_compressed_files_give_the_same_texts(tmp_path, name, pack, index):
    FORMATS[name](tmp_path / name)
    packed = tmp_path / f"{name}.packed" if name != "docs.csv" else tmp_path / "docs.csv.gz"
    packed.write_bytes(pack((tmp_path / name).read_bytes()))

    for _ in range(2):
        assert found_in(packed, [*DOCUMENTS, "missing"], index=index) == DOCUMENTS


@pytest.mark.parametrize("index", [False, True])
def test_parts_of_several_formats_are_read_in_the_order_of_their_names(tmp_path, index):
    folder = tmp_path / "docs"
    folder.mkdir()
    FORMATS["docs.sgml"](folder / "b.sgml")
    (folder / "a.tsv").write_text("d1\tanother text\nonly-here\tfirst part\n")

    found = found_in(folder, [*DOCUMENTS, "only-here"], index=index)

    assert found == {
        **DOCUMENTS,
        "d1": Text("", "another text"),
        "only-here": Text("", "first part"),
    }


def test_a_byte_order_mark_and_carriage_returns_are_no_text(tmp_path):
    (tmp_path / "docs.tsv").write_bytes(b"\xef\xbb\xbf1\tone\r\n2\ttwo\r\n")

    for index in (False, True, True):
        found = found_in(tmp_path / "docs.tsv", ["1", "2"], index=index)
        assert found == {"1": Text("", "one"), "2": Text("", "two")}


def test_of_several_texts_of_a_name_the_first_counts(tmp_path):
    (tmp_path / "docs.tsv").write_text("1\tone\n2\ttwo\n1\tagain\n")

    for index in (False, True):
        assert found_in(tmp_path / "docs.tsv", ["1"], index=index) == {"1": Text("", "one")}


TOPICS = """<top>
<num> Number: 051
<title> Topic: Airbus Subsidies
<desc> Description:
Document will discuss aid.
<narr> Narrative: ...
</top>
<top><num>52</num><title>South &amp; North</title></top>
"""


def test_topics_of_trec_have_their_title_as_the_query(tmp_path):
    (tmp_path / "topics").write_text(TOPICS)

    assert found_in(tmp_path / "topics", ["51", "52"]) == {
        "51": Text("Airbus Subsidies", "Document will discuss aid."),
        "52": Text("South & North", ""),
    }


def test_topics_in_xml_are_read(tmp_path):
    (tmp_path / "topics.xml").write_text(
        '<?xml version="1.0"?>\n<topics>\n<topic number="3">\n<query>masks</query>\n'
        "<question>do masks help</question></topic></topics>\n"
    )

    assert found_in(tmp_path / "topics.xml", ["3"]) == {"3": Text("masks", "do masks help")}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "is empty"),
        ("no columns here\n", "found 1 column"),
        ('{"name": "x", "words": "y"}\n', "no column or key"),
        ('{"id": "1", "text": "y"}\n{"id": \n', "docs:2: this is not JSON"),
        ('{"id": "1", "text": "y"}\n\n{"text": "y"}\n', "docs:3: no name"),
        ("PAR1 and no more", "is not a readable Parquet file"),
    ],
)
def test_what_is_no_file_of_texts_is_refused(tmp_path, content, told):
    (tmp_path / "docs").write_text(content)

    with pytest.raises(InputError) as refused:
        found_in(tmp_path / "docs", ["2"])

    assert told in str(refused.value)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        found_in(tmp_path / "docs", ["2"])


@given(
    st.lists(
        st.tuples(
            st.text("abcdefgh-_0123456789é", min_size=1, max_size=80), st.text("xyz ", max_size=9)
        ),
        min_size=1,
        max_size=20,
    ),
    st.integers(1, 60),
)
def test_names_are_found_wherever_blocks_are_cut(rows, size):
    lines = "".join(f"{name}\t{text}\n" for name, text in rows).encode()
    pieces = [lines[at : at + size] for at in range(0, len(lines), size)]
    form = TabbedLines(text_files.Fields(0, None, (1,)))

    hashed = []
    for block in whole_blocks(pieces, b"\n", "docs"):
        assert lines[block.offset : block.offset + len(block.data)] == block.data
        records = form.records(block.data, str)
        hashed += records.hashed.tolist()

    assert hashed == hashes_of([name.encode() for name, _ in rows]).tolist()


def test_an_index_spares_the_next_reading(tmp_path, monkeypatch):
    path = tmp_path / "docs.tsv"
    FORMATS["docs.tsv"](path)
    assert found_in(path, ["d1"], index=True)
    monkeypatch.setattr(text_index, "_make", lambda *_: pytest.fail("made again"))
    monkeypatch.setattr(text_files, "in_order", lambda *_: pytest.fail("read again"))

    assert found_in(path, ["7"], index=True) == {"7": DOCUMENTS["7"]}


def test_an_index_of_another_state_is_made_again(tmp_path):
    path = tmp_path / "docs.tsv"
    path.write_text("1\tone\n")
    assert found_in(path, ["1"], index=True)
    path.write_text("22\ttwo\n1\tuno\n")

    assert found_in(path, ["1", "22"], index=True) == {"1": Text("", "uno"), "22": Text("", "two")}


@pytest.mark.parametrize("damage", ["no database", "other places", "no state"])
def test_an_index_that_cannot_be_used_is_ignored(tmp_path, damage):
    from rankeval.evaluation.shown_texts import TextSources

    path = tmp_path / "docs.tsv"
    FORMATS["docs.tsv"](path)
    sources = TextSources(docs=path, index=True)
    before = sources.of({"t": ["d1", "none"]})
    place = text_index.index_path(str(path))
    if damage == "no database":
        place.write_bytes(b"no database" * 100)
    else:
        with sqlite3.connect(place) as connection:
            for number, data in connection.execute("SELECT rowid, entries FROM entries").fetchall():
                entries = np.frombuffer(data, dtype=text_index.ENTRY).copy()
                entries["place"] += np.uint64(3 if damage == "other places" else 0)
                rows = [entries.tobytes(), number]
                connection.execute("UPDATE entries SET entries = ? WHERE rowid = ?", rows)
            connection.execute("DELETE FROM state WHERE ?", [damage == "no state"])

    assert sources.of({"t": ["d1", "none"]}) == before
    assert before.missing == ("none",)


@pytest.fixture
def packed(tmp_path):
    """A compressed file of 5,000 documents."""
    lines = [f"{n}\t{'spam and eggs ' * 10}{n}\n" for n in range(5000)]
    (tmp_path / "docs.tsv.gz").write_bytes(gzip.compress("".join(lines).encode()))
    return tmp_path / "docs.tsv.gz"


def test_a_text_that_is_looked_up_costs_a_small_part_of_a_compressed_file(packed, monkeypatch):
    assert found_in(packed, ["1"], index=True)
    unpacked = []

    def decompress(data):
        unpacked.append(len(zlib.decompress(data)))
        return zlib.decompress(data)

    monkeypatch.setattr(text_index, "zlib", Mock(decompress=decompress, error=zlib.error))
    found = found_in(packed, ["7", "1234", "missing"], index=True)

    assert {name: text.body.split()[-1] for name, text in found.items()} == {
        "7": "7",
        "1234": "1234",
    }
    assert len(unpacked) == 2
    assert 10 * sum(unpacked) < len(gzip.decompress(packed.read_bytes()))


def test_pieces_that_cannot_be_unpacked_are_ignored(packed):
    from rankeval.evaluation.shown_texts import TextSources

    sources = TextSources(docs=packed, index=True)
    before = sources.of({"t": ["7", "1234"]})
    with sqlite3.connect(text_index.index_path(str(packed))) as connection:
        assert connection.execute("UPDATE pieces SET data = x'00'").rowcount > 10

    assert sources.of({"t": ["7", "1234"]}) == before
    assert before.missing == ()


def test_texts_are_found_where_no_index_can_be_kept(tmp_path, monkeypatch):
    from rankeval.evaluation.shown_texts import TextSources

    path = tmp_path / "docs.tsv"
    FORMATS["docs.tsv"](path)
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))

    assert TextSources(docs=path, index=True).of({"t": ["d1"]}).missing == ()
