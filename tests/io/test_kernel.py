"""The compiled reader reads lines as the plain parser does, or leaves them to it."""

import ctypes.util
import os
import pickle
import struct
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.errors import InputError
from rankeval.io import blocks, formats, lines_parser, text_formats
from rankeval.io.lines_parser import parse_at_once as parse
from rankeval.io.names import Names, hashes
from rankeval.ranking.align import Rules, rank
from rankeval.ranking.items import NO_EXTRA_NEEDS
from rankeval.ranking.qrels import from_columns, from_mapping
from tests.support.compiled import needs_kernel
from tests.support.parsed import columns

pytestmark = needs_kernel

RANKED = replace(formats.RUN, rank=3, kept=(("rank", 3), ("tag", 5)))
CSV = text_formats.layout_below(b"score,docno,qid,tag", b",", "run", {}, "file")
TSV = text_formats.layout_below(b"qid\tdocno\tgrade", b"\t", "qrels", {}, "file")
WORDS = text_formats.layout_below(b"docno topic score", b"", "run", {}, "file")
LAYOUTS = [
    formats.RUN,
    RANKED,
    formats.QRELS,
    *formats.LABELLED.values(),
    formats.RANKED,
    CSV,
    TSV,
    WORDS,
]


def plain(block, layout=formats.RUN):
    return columns(lines_parser.parse(block, layout, "file", 7))


def is_read(block, layout=formats.RUN):
    found = parse(block, layout, 7)
    if found is None:
        return False
    assert columns(found) == plain(block, layout)
    assert found.docnos.hashes.tolist() == hashes(found.docnos.texts).tolist()
    return True


def lines(*, scores=("1.5",), docnos=("d1",), topics=("1",), tag="t", separator=" "):
    rows = max(len(scores), len(docnos), len(topics))
    every = (given * rows for given in (topics, docnos, scores))
    return "".join(
        separator.join((topic, "Q0", docno, str(rank), score, tag)) + "\n"
        for rank, (topic, docno, score) in enumerate(zip(*every, strict=False))
        if rank < rows
    ).encode()


names = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Zs", "Zl", "Zp", "Cs")), min_size=1
).filter(lambda name: not name.startswith("#"))
DECIMAL = r"[+-]?([0-9]{1,30}\.?[0-9]{0,30}|\.[0-9]{1,30})([eE][+-]?[0-9]{1,3})?"
floats = st.floats(allow_nan=False, allow_infinity=False)
numbers = st.one_of(
    floats.map(repr),
    floats.map("{:.17e}".format),
    st.floats(-1e6, 1e6, width=32).map("{:.9g}".format),
    st.integers(-(10**25), 10**25).map(str),
    st.from_regex(DECIMAL, fullmatch=True).filter(lambda text: np.isfinite(float(text))),
)
blanks = st.sampled_from([" ", "\t", "  ", " \t ", "\v", "\f", "\r"])


@given(st.lists(st.tuples(names, names, numbers, blanks), min_size=1), names)
def test_lines_are_read_as_the_plain_parser_reads_them(rows, tag):
    block = "".join(
        blank.join((topic, "Q0", docno, "1", score, tag)) + "\n"
        for topic, docno, score, blank in rows
    ).encode()

    assert is_read(block) == (max(len(docno.encode()) for _, docno, _, _ in rows) <= 256)


@given(
    st.sampled_from(LAYOUTS),
    st.lists(st.tuples(st.sampled_from("aab"), names, numbers), min_size=1, max_size=4),
    st.lists(
        st.tuples(
            st.integers(0, 100),
            st.sampled_from([*b' \t\n\r\v\f\x01\x1f\x7f\x80\xa0#.-+_,0e",']),
            st.booleans(),
        ),
        max_size=3,
    ),
)
def test_what_stray_bytes_make_of_lines_is_read_alike_or_refused(layout, rows, strays):
    separator = (layout.separator or b" ").decode()
    made = []
    for topic, docno, score in rows:
        fields = ["1"] * len(layout.fields)
        fields[layout.topic], fields[layout.docno] = topic, docno.replace(separator, "x")
        fields[layout.value] = score
        made.append(separator.join(fields))
    text = bytearray(("\n".join(made) + "\n").encode())
    for place, byte, replaces in strays:
        at = place % len(text)
        text[at : at + replaces] = bytes([byte])
    block = bytes(text).rstrip(b"\n") + b"\n"
    try:
        plain(block, layout)
    except InputError:
        assert parse(block, layout, 7) is None
    else:
        is_read(block, layout)


def test_doubles_are_read_as_they_were_written():
    bits = np.random.default_rng(1).integers(0, 1 << 63, 20_000)
    doubles = [struct.unpack("d", struct.pack("q", b))[0] for b in bits.tolist()]
    finite = [x for x in doubles if np.isfinite(x)]
    halfway = ["9007199254740993", "9007199254740992.5", "1e23", "8.5e22", "4.9e-324", "2.4e-324"]

    assert parse(lines(scores=[*map(repr, finite)]), formats.RUN, 1).values.tolist() == finite
    assert is_read(lines(scores=[*halfway, "1.7976931348623157e308", "-0", "-0.0e5", "0e400"]))


@pytest.mark.parametrize(
    "score",
    [
        *("nan", "inf", "-inf", "infinity", "-", "+", ".", "-.", "1-", "--1", "1.2.3", "1,5"),
        *("1_0", "0x1", "1e", "1e+", "e5", ".e5", "1e5.", "1e 5", "1f", "1e999", "-1e400", "x"),
        "1" * 400,
    ],
)
@pytest.mark.parametrize("others", [[], ["1.5"]])
def test_what_is_no_finite_number_is_left_to_the_plain_parser(score, others):
    assert parse(lines(scores=[*others, score]), formats.RUN, 1) is None
    assert parse(lines(scores=[score, *others]), formats.RUN, 1) is None


@pytest.mark.parametrize(
    ("block", "layout"),
    [
        (b"1 Q0 d 1 2 t\n1 Q0 d 1 2 u\n", formats.RUN),
        (b" 1\tQ0  d 1 2 t \r\n1 Q0 d 1 2 t\r\n", formats.RUN),
        (b"1 0 d 1\n1 0 #e 2\n2 0 d 0\n", formats.QRELS),
        (b"1 0 d0 1 2 tag\n1 0 d1 02 1 tag\n", RANKED),
        (b"1\td0\t1\n1\td1\t02\n", formats.RANKED),
        (b"2.5,d 0,1,t\r\n1.5,d1,1,\r\n", CSV),
        (b"1\td 0\t1\n", TSV),
        (lines(topics=[*map(str, range(300)), *map(str, range(300))]), formats.RUN),
    ],
)
def test_other_lines_are_read(block, layout):
    assert is_read(block, layout)


def test_docnos_do_what_those_of_the_plain_parser_do():
    docnos = [b"longer-than-eight-bytes", b"a", b"b", b"a", b"c", b"longer-than-eight-bytez"]
    block = b"".join(b"1 Q0 %b 1 1 t\n" % docno for docno in docnos)
    rows, starts = np.array([5, 2, 0]), np.array([0, 4, 6])
    judged = from_mapping({"q": {"a": 1, "longer-than-eight-bytes": 0, "z": 2}})

    def of(names):
        known = {b"c": 0}
        every = [names.number(known).tolist(), known, names.order(rows).tolist()]
        every += [names.duplicates(starts), names.duplicates(np.array([0, 6])), names.tolist()]
        every += [names.take(rows).tolist(), names.view(slice(1, 5)).tolist(), names[4], len(names)]
        every += [names.followed_by([Names.from_names(docnos)]).tolist()]
        every += [names.followed_by([names.view(slice(1, 3)), names]).tolist()]
        every += [pickle.loads(pickle.dumps(names)).tolist()]
        for some in names, names.take(rows), names.view(slice(1, 5)), names.followed_by([names]):
            every += [found.tolist() for found in some.find(judged.docnos)]
            ends = np.array([0, 1, len(some)])
            every += [found.tolist() for found in some.find_judged(judged, np.array([-1, 0]), ends)]
        return every

    found = parse(block, formats.RUN, 1).docnos
    assert of(found) == of(Names.from_names(docnos))


@pytest.mark.parametrize("odd", [0, 1, 1 << 40])
def test_equal_hashes_are_neither_duplicates_nor_one_name(monkeypatch, odd):
    """Hashes of which all, or most upper bits, are equal."""
    monkeypatch.setattr("rankeval.io.lines_parser.SEEDS", (5, odd, 3, 7))
    docnos = [b"d%d" % (i % 7) for i in range(20)]
    text = b"".join(b"%b Q0 %b 1 1 t\n" % (name, name) for name in docnos)
    read = parse(text, formats.RUN, 1)
    found, expected = read.docnos, Names.from_names(docnos)

    assert [*read.topics] == docnos
    assert found.number({}).tolist() == expected.number({}).tolist()
    for starts in [0, 20], [0, 3, 3, 11, 20]:
        assert found.duplicates(np.array(starts)) == expected.duplicates(np.array(starts))


LISTED = st.lists(
    st.tuples(st.integers(0, 40), st.sampled_from(("0", "-0.0", "0.5", "1", "2.5", "1e1"))),
    min_size=1,
    max_size=50,
    unique_by=lambda line: line[0],
)
"""The ranking of a topic: numbers of documents and their scores."""


@pytest.mark.parametrize("ties", ["docno", "docno-ascending", "input"])
@given(rankings=st.lists(LISTED, min_size=1, max_size=5), unjudged=st.sets(st.integers(0, 40)))
def test_judged_documents_have_the_ranks_that_sorting_gives(ties, rankings, unjudged):
    names = [b"doc-%s%d" % (b"x" * (i % 12), i) for i in range(41)]
    judged = [i for i in range(41) if i not in unjudged] or [0]
    topics = {f"t{t}": {names[i].decode(): t % 3 for i in judged} for t in range(1, 5)}
    text = b"".join(
        b"t%d Q0 %s 0 %s x\n" % (t, names[i], score.encode())
        for t, lines_of_topic in enumerate(rankings)
        for i, score in lines_of_topic
    )

    found = rank(
        from_mapping(topics), Rules(ties=ties), NO_EXTRA_NEEDS, parse(text, formats.RUN, 1)
    )

    expected = []
    for t, lines_of_topic in list(enumerate(rankings))[1:]:  # t0 has no judgments
        order = list(lines_of_topic)
        if ties != "input":
            order.sort(key=lambda line: names[line[0]], reverse=ties == "docno")
        order.sort(key=lambda line: -float(line[1]))
        scores = [float(score) for _, score in order]
        for place, (i, _) in enumerate(order):
            if i in judged:
                first = scores.index(scores[place])
                last = first + scores.count(scores[place])
                expected.append((t - 1, place + 1, scores[place], first + 1, last))
    code, _, *facts = found.rows
    assert list(zip(code, *facts, strict=True)) == expected


TEXTS = (
    st.tuples(st.sampled_from(["", "begin", "begins alike "]), st.text("ab 01", max_size=12))
    .map(lambda parts: "".join(parts).strip())
    .filter(bool)
)


@given(
    st.dictionaries(
        st.tuples(st.sampled_from("12"), TEXTS),
        st.sampled_from([0, 1, 12, -1, 0.5, 1e20]),
        min_size=1,
    )
)
def test_judgments_are_sorted_by_the_bytes_of_their_lines(judged):
    """Names of which one begins as another, with grades behind them, are the difficult ones."""
    block = "".join(f"{t}\t{d}\t{grade}\n" for (t, d), grade in judged.items()).encode()
    parsed = parse(block, TSV, 1), lines_parser.parse(block, TSV, "file", 1)
    read = [from_columns([columns], "q", TSV) for columns in parsed]
    expected = sorted(f"{t} {d} {float(g):.17g}\n".encode() for (t, d), g in judged.items())

    for qrels in read:
        assert [line + b"\n" for line in b"".join(qrels.sorted_text()).splitlines()] == expected
    assert isinstance(read[0].docnos.given, Names)
    assert read[0].digest == read[1].digest
    assert read[0].topic_digests.tolist() == read[1].topic_digests.tolist()


USUAL_LIBRARY = os.environ.get(blocks.SWITCH, "")


@pytest.fixture
def choose(monkeypatch):
    """Choose a library by the variable, until the test ends."""

    def chosen(value):
        monkeypatch.setenv(blocks.SWITCH, value)
        blocks.library.cache_clear()
        return blocks.library()

    yield chosen
    blocks.library.cache_clear()


def test_a_variable_chooses_the_reader(choose, tmp_path):
    (tmp_path / "no-library").write_text("text")

    assert choose(USUAL_LIBRARY) is not None
    assert blocks.reader() == "compiled reader"
    for other in (
        "0",
        str(tmp_path / "no-library"),
        str(tmp_path / "none"),
        ctypes.util.find_library("m"),
    ):
        assert choose(other) is None
        assert blocks.reader() == "Python reader"
