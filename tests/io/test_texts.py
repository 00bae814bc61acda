"""Texts of topics and documents: every format gives the same."""

import json

import pytest

from rankeval.errors import InputError
from rankeval.io import texts
from rankeval.io.texts import Text, texts_in_file

DOCUMENTS = {
    "d1": Text("Eggs", 'spam & "eggs" <b>on</b> toast'),
    "a-longer-name/17": Text("", "a document without a title"),
    "Straße": Text("Ümlaute", "größer, als man denkt, und länger"),
    "7": Text("Seven", ""),
}


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
}


def found_in(path, names):
    wanted = [name.encode() for name in names]
    return {name.decode(): text for name, text in texts_in_file(str(path), wanted)}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_texts(tmp_path, name):
    FORMATS[name](tmp_path / name)

    assert found_in(tmp_path / name, [*DOCUMENTS, "missing"]) == DOCUMENTS
    assert found_in(tmp_path / name, ["7", "nothing"]) == {"7": DOCUMENTS["7"]}


def test_a_byte_order_mark_and_carriage_returns_are_no_text(tmp_path):
    (tmp_path / "docs.tsv").write_bytes(b"\xef\xbb\xbf1\tone\r\n2\ttwo\r\n")

    found = found_in(tmp_path / "docs.tsv", ["1", "2"])
    assert found == {"1": Text("", "one"), "2": Text("", "two")}


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
        ("<DOC><DOCNO>1</DOCNO></DOC>", "holds no topics"),
    ],
)
def test_what_is_no_file_of_texts_is_refused(tmp_path, content, told):
    (tmp_path / "docs").write_text(content)

    with pytest.raises(InputError) as refused:
        found_in(tmp_path / "docs", ["2"])

    assert told in str(refused.value)


@pytest.mark.parametrize("name", ["docs.tsv", "beir.jsonl"])
@pytest.mark.parametrize("size", [1, 3, 33])
def test_texts_are_found_wherever_pieces_are_cut(tmp_path, monkeypatch, name, size):
    FORMATS[name](tmp_path / name)
    whole = (tmp_path / name).read_bytes()
    cut = [whole[at : at + size] for at in range(0, len(whole), size)]
    monkeypatch.setattr(texts, "pieces", lambda _: iter(cut))

    assert found_in(tmp_path / name, DOCUMENTS) == DOCUMENTS
