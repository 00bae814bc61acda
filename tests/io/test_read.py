"""The two readers, with blocks and threads of any number, against a slow and obvious third."""

import re
from collections.abc import Iterator
from dataclasses import fields
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rankeval.errors import InputError
from rankeval.io import arrow_parser, lines_parser, text_formats
from rankeval.io.blocks import ReadSizes
from rankeval.io.columns import Layout
from rankeval.io.formats import QRELS, RUN
from rankeval.io.read import map_blocks, read_columns
from rankeval.ranking.align import Alignment, align, align_columns
from rankeval.ranking.qrels import Qrels, judgments_from
from tests.support.parsed import columns
from tests.support.read_sizes import fast

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
LONG = b"clueweb/" + b"x" * 290
TOPICS = [
    b"1",
    b"2",
    b"10",
    b"t\xc3\xa9",
    b"\xff",
    BYTE_ORDER_MARK + b"1",
    b"t\x1c\xc2\x85",
    b"q#",
]
DOCNOS = [
    *(b"d%d" % i for i in range(12)),
    *(b"common-prefix-%d" % i for i in range(3)),
    b"common-prefix-",
    b"\xe6\x96\x87\xe6\x9b\xb8",
    b"\x80\xff",
    b'"quoted',
    b'quo"ted"',
    b"back\\slash",
    b"#d",
    b"a,b",
    b"a\xc2\xa0b",
    b"\x1cd\x1d\x1e\x1f\x85",
    LONG,
    LONG + b"y",
    LONG + b"z",
    LONG * 10,
    LONG * 10 + b"1",
]  # fmt: skip
GOOD_NUMBERS = b"""
    3 2 1 0 -0.0 -1 +1.5 1.5 1. .5 -.5 00012 1e5 1E+5 1e-5 1e300 1e-300 1e0000005
    5e-324 1e-400 2.4703282292062327e-324 2.4703282292062328e-324 1.7976931348623157e308
    0.1 0.1000000000000000055511151231257827021181583404541015625 0.30000000000000004
    9007199254740993 100000000000000000000000 123456789012345678901234567890e-10
""".split()
BAD_NUMBERS = b"""
    nan NaN -nan nan(1) inf -Inf +infinity INFINITY 1e400 -1e999 1.7976931348623159e308
    abc 0x10 0x1p3 1_0 1d5 1,5 1.5f --1 +-1 . + 1e e5 1e+ '1' "1" null NA true 1.2.3 1e5.0 1/2 50%
    1\x1c 1\x85 1\xc2\xa0 \xd9\xa1 \xef\xbc\x91 \xff
""".split()
NOT_DATA = [b"", b" ", b"\t", b" \r", b"\v\f", b"#", b"# a comment", b"  # set back"]
NOT_DATA += [
    b"# just six words are here",
    b"#1 0 d0 1 1 tag",
    b"\t#1 0 d0 1 1 tag",
    b"\r# 1 2 3 4 5",
]
BAD_LINES = [b"1", b"1 0 d0", b"1 0 d0 1 5", b" 0 d0 1 5 tag", b"1 0 d0 1 5 ", b"1 0 d0 1  tag"]
BAD_LINES += [b"1  d0 1 5 tag", b"1\t0\td0\t1\t\ttag", b"1 0 d0 1 5\r", b"1 0 d0 1 5\xc2\xa0tag"]
BAD_LINES += [b"1 0 d0 1 tag 5", BYTE_ORDER_MARK]

NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
BLANKS = [b" ", b"\t", b"  ", b" \t ", b"   ", b"\r", b"\v", b"\f"]


def cycles(*choices: list[bytes]) -> st.SearchStrategy[Iterator[bytes]]:
    """A few pieces of one of the choices, over and over: cheaper than to draw each."""
    pieces = st.sampled_from(choices).map(st.sampled_from)
    return pieces.flatmap(lambda piece: st.lists(piece, min_size=1, max_size=7)).map(cycle)


@st.composite
def run_files(draw: st.DrawFn) -> bytes:
    """Lines of a run, laid out as some tool or other might."""
    gap = draw(cycles([b" "], [b"\t"], [b" ", b"  "], BLANKS))
    edge = draw(cycles([b""], [b"", b" "], [b"", *BLANKS]))
    tag = draw(cycles([b"tag"], [b"a", b"b"], [b"tag", b"other"]))
    end = draw(cycles([b"\n"], [b"\r\n"], [b"\n", b"\r\n", b" \r\n"]))
    topics = draw(st.lists(st.sampled_from(TOPICS), min_size=1, max_size=4))
    numbers = st.one_of(
        st.sampled_from(GOOD_NUMBERS[:4]),
        st.sampled_from(GOOD_NUMBERS),
        st.floats(allow_nan=False, allow_infinity=False).map(lambda x: repr(x).encode()),
    )
    row = st.tuples(st.sampled_from(topics), st.sampled_from(DOCNOS), numbers)
    rows = draw(st.lists(row, max_size=25))
    if draw(st.booleans()):  # most runs are sorted by topic
        rows.sort(key=lambda row: topics.index(row[0]))
    lines = []
    for i, (topic, docno, number) in enumerate(rows):
        words = [topic, b"Q0", docno, b"%d" % i, number, next(tag)]
        text = b"".join(word + next(gap) for word in words[:-1]) + words[-1]
        lines.append(next(edge) + text + next(edge))
    wrong = st.sampled_from([*BAD_LINES, *(b"1 0 d0 1 %b tag" % bad for bad in BAD_NUMBERS)])
    odd = st.one_of(st.just([]), st.lists(st.sampled_from(NOT_DATA)), st.lists(wrong, max_size=2))
    for line in draw(odd):
        lines.insert(draw(st.integers(0, len(lines))), line)
    text = b"".join(line + next(end) for line in lines)
    if draw(st.booleans()):
        text = text.rstrip(b"\r\n")
    return draw(st.sampled_from([b"", BYTE_ORDER_MARK])) + text


@st.composite
def judgments(draw: st.DrawFn) -> dict[bytes, dict[bytes, int]]:
    grades = st.sampled_from([-2, -1, 0, 1, 1, 2, 3])
    return draw(
        st.dictionaries(
            st.sampled_from([*TOPICS[:5], b"only-judged"]),
            st.dictionaries(st.sampled_from([*DOCNOS, b"missed"]), grades, min_size=1, max_size=12),
            min_size=1,
            max_size=4,
        )
    )


def lines_of(text: bytes) -> list[tuple[int, bytes, bytes, float, bytes]] | int:
    """Line number, topic, docno, score, tag; or the number of the first line that is wrong."""
    found = []
    for number, line in enumerate(text.removeprefix(BYTE_ORDER_MARK).split(b"\n"), 1):
        words = re.findall(rb"[^ \t\r\v\f]+", line)
        if not words or words[0][:1] == b"#":
            continue
        if len(words) < 6 or not NUMBER.fullmatch(words[4]) or abs(float(words[4])) == np.inf:
            return number
        found.append((number, words[0], words[2], float(words[4]), words[5]))
    return found


def expected_alignment(qrels: dict[bytes, dict[bytes, int]], text: bytes) -> dict[str, object]:
    """What align must find, by dictionaries and sorting; {"wrong": line} for a bad file."""
    lines = lines_of(text)
    if isinstance(lines, int):
        return {"wrong": lines}
    rankings: dict[bytes, list[tuple[float, bytes]]] = {}
    first: dict[tuple[bytes, bytes], int] = {}
    duplicates = []
    for number, topic, docno, score, _ in lines:
        rankings.setdefault(topic, []).append((score, docno))
        if (topic, docno) in first:
            duplicates.append((topic, docno, first[topic, docno], number))
        first.setdefault((topic, docno), number)
    topics = {}
    for topic, judged in qrels.items():
        ranking = sorted(rankings.get(topic, []), reverse=True)
        scores = [score for score, _ in ranking]
        rows = []
        for i, (score, docno) in enumerate(ranking):
            if docno in judged:
                same = scores.index(score) + 1
                rows.append((i + 1, judged[docno], score, same, same + scores.count(score) - 1))
        topics[topic] = (len(ranking), rows, sorted(judged.values(), reverse=True))
    return {
        "topics": topics,
        "last tag": lines[-1][-1] if lines else None,
        "without": sorted(topic for topic in rankings if topic not in qrels),
        "duplicates": sorted(duplicates, key=lambda duplicate: duplicate[3]),
        "lines": len(lines),
    }


def found_alignment(alignment: Alignment, qrels: Qrels) -> dict[str, object]:
    """The same facts of an alignment."""
    judged = alignment.judged
    topics = {}
    for i, topic in enumerate(judged.topics):
        rows = slice(*judged.offsets[i : i + 2].tolist())
        parts = [judged.rank, judged.grade, judged.score, judged.tie_first, judged.tie_last]
        topics[topic] = (
            int(judged.retrieved[i]),
            list(zip(*(part[rows].tolist() for part in parts), strict=True)),
            judged.judged_grade[slice(*judged.judged_offsets[i : i + 2].tolist())].tolist(),
        )
    np.testing.assert_array_equal(qrels.grade[judged.judgment], judged.grade)
    np.testing.assert_array_equal(
        np.searchsorted(qrels.offsets, judged.judgment, "right") - 1, judged.topic
    )
    duplicates = [(d.topic, d.docno, d.first_line, d.line) for d in alignment.duplicates]
    return {
        "topics": topics,
        "last tag": alignment.last_tag,
        "without": list(alignment.without),
        "duplicates": sorted(duplicates, key=lambda duplicate: duplicate[3]),
        "lines": alignment.lines,
    }


def every_bit(alignment: Alignment) -> list[object]:
    """All of an alignment but how it was read, in a form that compares."""
    judged = [getattr(alignment.judged, field.name) for field in fields(alignment.judged)]
    others = [getattr(alignment, field.name) for field in fields(alignment)[1:]]
    return [
        (part.dtype, part.tobytes()) if isinstance(part, np.ndarray) else part
        for part in (*judged, *others)
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("readers")


def alignments(qrels: Qrels, path: Path, sizes: list[int]) -> list[Alignment | str]:
    """The file aligned in every way, or the message that says why it cannot be."""
    ways = [
        {},
        {"sizes": fast()},
        *({"sizes": fast(block_bytes=n), "jobs": j} for n in sizes for j in (1, 2)),
    ]
    ways.append({"sizes": fast(plain_bytes=1 << 20, block_bytes=sizes[0])})
    results: list[Alignment | str] = []
    for way in ways:
        try:
            results.append(align(qrels, str(path), **way))
        except InputError as error:
            results.append(str(error))
    # As standard input is read, which cannot be read a second time.
    try:
        parts = map_blocks(str(path), RUN, lambda c: c, sizes=fast(block_bytes=sizes[0]), jobs=2)
        results.append(align_columns(qrels, list(parts), path=str(path)))
    except InputError as error:
        results.append(str(error))
    return results


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(
    run_files(),
    judgments(),
    st.lists(
        st.sampled_from([3, 5, 8, 13, 21, 50, 200, 1000]), min_size=2, max_size=2, unique=True
    ),
)
@example(b"1 0 d0 1 x tag\n1 0 d0\n", {b"1": {b"d0": 1}}, [15, 1000])
@example(BYTE_ORDER_MARK * 2 + b"1 0 d0 1 1 tag\n", {BYTE_ORDER_MARK + b"1": {b"d0": 1}}, [1, 5])
def test_both_readers_align_alike_whatever_the_blocks(folder, text, judged, sizes):
    path, judged_path = folder / "run", folder / "qrels"
    path.write_bytes(text)
    judged_path.write_bytes(
        BYTE_ORDER_MARK
        + b"".join(
            b"%b 0 %b %d\n" % (t, d, g) for t, of_t in judged.items() for d, g in of_t.items()
        )
    )
    qrels = judgments_from(str(judged_path))

    first, *others = alignments(qrels, path, sizes)

    expected = expected_alignment(judged, text)
    if isinstance(first, str):
        assert others == [first] * len(others)
        if "wrong" in expected:
            assert first.startswith(f"{path}:{expected['wrong']}: ")
        else:
            assert expected["lines"] == 0
    else:
        assert found_alignment(first, qrels) == expected
        for other in others:
            assert every_bit(other) == every_bit(first)


def assert_parsers_agree(text: bytes, layout: Layout = RUN, *, fast: bool = False) -> None:
    """Where the fast parser takes a block it finds what the plain one finds."""
    quick = arrow_parser.parse(text, layout, 7)
    if quick is not None:
        assert columns(quick) == columns(lines_parser.parse(text, layout, "file", 7))
    assert quick is not None or not fast


@settings(max_examples=200, deadline=None)
@given(run_files())
def test_the_fast_parser_finds_what_the_plain_one_finds(text):
    assert_parsers_agree(text.rstrip(b"\n") + b"\n")


HEADED = [
    text_formats.layout_below(b"docno topic score", b"", "run", {}, "file"),
    text_formats.layout_below(b"iteration topic docno grade", b"", "qrels", {}, "file"),
]
"""Layouts of words whose first one is not the topic."""


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from([*BLANKS, b"\n", b"\n", b"#", b"1", b"a", b"\xff", b'"', BYTE_ORDER_MARK]),
        max_size=60,
    )
)
def test_the_fast_parser_is_not_fooled_by_any_text(pieces):
    for layout in RUN, QRELS, *HEADED:
        assert_parsers_agree(b"".join(pieces) + b"\n", layout)


@pytest.mark.parametrize("number", [*GOOD_NUMBERS, *BAD_NUMBERS])
def test_the_parsers_agree_on_numbers(number):
    """Arrow's decimal parser is not Python's: spellings of nan, signs, overflow, denormals."""
    good = number in GOOD_NUMBERS
    for text, layout in [
        (b"1 0 d0 1 %b tag\n1 0 d1 2 0 tag\n" % number, RUN),
        (b"1 0 d0 1\n1 0 d1 %b\n" % number, QRELS),
    ]:
        assert_parsers_agree(text, layout)
        if good:
            assert len(lines_parser.parse(text, layout, "file", 1)) == 2
        else:
            assert arrow_parser.parse(text, layout, 1) is None
            with pytest.raises(InputError, match="is not a finite number"):
                lines_parser.parse(text, layout, "file", 1)


@pytest.mark.parametrize(
    "text",
    [
        b"1 0 d0 1 2 tag\n1 0 d1 2 1 tag\n2 0 d0 1 1 tag\n",
        b"1\t0\td0\t1\t2\ttag\n1\t0\td1\t2\t1\ttag\n",
        b"1   0 d0  1 2    tag\n1 0 d1 2 1 tag\n",
        b" 1 0 d0 1 2 tag\n1 0 d1 2 1 tag\n",
        b"1 0 d0 1 2 tag \n1 0 d1 2 1 tag\t\n",
        b"1 0 d0 1 2 tag\r\n1 0 d1 2 1 tag\r\n",
        b"1 0 d0 1 2 tag\n" + b"1 0 d0 1 2 tag\n" * 5000 + b"1 0 d1 2 1 tag \n 1 0 d2 2 1 tag\n",
        b'1 0 "d0 1 2 tag\n1 0 "d1" 2 1 tag\n',
        b"\xff\xfe 0 \x80 1 -1e-5 t\xe9\n",
        b"1 0 %b 1 2 tag\n" % (b"d" * 5000),
        b"1 #0 #d 1 2 #tag\n",
    ],
)  # fmt: skip
def test_the_fast_parser_reads_what_tools_write(text):
    """Else every test of agreement could hold because the plain parser did all the work."""
    assert_parsers_agree(text, fast=True)


@pytest.mark.parametrize("line", [b"\n", b" \t\n", b"#\n", b" # a b c d e f\n"])
def test_blocks_without_data_are_not_parsed(tmp_path, monkeypatch, line):
    """A little compressed data can be a thousand million such lines."""
    path = tmp_path / "run"
    data = b"1 Q0 a 1 2 t\n"
    path.write_bytes(data + line * 20_000 + data.replace(b"a", b"b"))
    parsed = []

    def recording(*_, **__):
        def parse(block, *_):
            parsed.append(block)

        return parse

    monkeypatch.setattr("rankeval.io.read.fast_parser", recording)
    sizes = ReadSizes(block_bytes=1000, plain_bytes=10)

    columns = list(read_columns(str(path), RUN, sizes=sizes))

    assert [docno for part in columns for docno in part.docnos.tolist()] == [b"a", b"b"]
    assert len(parsed) == 2
