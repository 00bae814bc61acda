"""The parser by words reads lines of one shape as the plain parser does, and refuses all others."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.errors import InputError
from rankeval.io.formats import msmarco, trec
from rankeval.io.parsers import plain_parser
from rankeval.io.parsers.word_parser import LONGEST_NAME, MARGIN, IrregularError, is_for, parse
from rankeval.ranking.qrels import from_mapping

ORDINARY = b"1048585 Q0 7187158 1 25.376262 bm25\n"


def by_words(block, before=b"", behind=b""):
    text = before.rjust(MARGIN, b"\0") + block + behind.ljust(MARGIN, b"\0")
    return parse(text, MARGIN, MARGIN + len(block), trec.RUN, 7)


def facts(columns):
    return (
        columns.topics,
        columns.starts.tolist(),
        columns.docnos.tolist(),
        columns.values.tobytes(),
        list(columns.lines),
        columns.tags,
        columns.last_tag,
    )


def plain(block):
    return facts(plain_parser.parse(block, trec.RUN, "file", 7))


def is_read(block):
    try:
        found = by_words(block)
    except IrregularError:
        return False
    assert facts(found.columns) == plain(block)
    starts = [i + 1 for i, byte in enumerate(block) if byte == ord("\n")]
    assert (found.bounds - MARGIN).tolist() == [0, *starts]
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
short = names.filter(lambda name: len(name.encode()) < 16)
digits = st.text("0123456789", max_size=7)
decimals = st.one_of(
    st.integers(-(10**15), 10**15).map(str),
    st.builds("{}{}.{}".format, st.sampled_from(["", "-"]), digits, digits).filter(
        lambda text: text.strip("-.")
    ),
)


@given(st.lists(st.tuples(short, short, decimals), min_size=1), short, st.sampled_from(" \t"))
def test_regular_lines_are_read_as_the_plain_parser_reads_them(rows, tag, separator):
    block = "".join(
        separator.join((topic, "Q0", docno, "1", score, tag)) + "\n" for topic, docno, score in rows
    ).encode()

    assert is_read(block)


@given(
    st.lists(st.tuples(st.sampled_from("aab"), short, decimals), min_size=1, max_size=4),
    st.lists(
        st.tuples(
            st.integers(0, 100),
            st.sampled_from([*b" \t\n\r\v\f\0\x01\x1f\x7f\x80\xa0#.-+_,0e"]),
            st.booleans(),
        ),
        min_size=1,
        max_size=3,
    ),
)
def test_what_stray_bytes_make_of_lines_is_read_alike_or_refused(rows, strays):
    text = bytearray(
        "".join(f"{topic} Q0 {docno} 1 {score} tag\n" for topic, docno, score in rows).encode()
    )
    for place, byte, replaces in strays:
        at = place % len(text)
        text[at : at + replaces] = bytes([byte])
    block = bytes(text).rstrip(b"\n") + b"\n"
    try:
        plain(block)
    except InputError:
        with pytest.raises(IrregularError):
            by_words(block)
    else:
        is_read(block)


@pytest.mark.parametrize(
    "scores",
    [
        ["0"],
        ["-0", "0", "-0.0"],
        ["5.", ".5", "-.5", "-5."],
        ["25.376262", "9.1", "1000", "-3.25", "0.00001"],
        ["9007199254740992", "0.9007199254740992"],
        ["0.1234567890", "12.3456789012"],
        ["999999999999999", "1"],
        ["00000000000001.5"],
    ],
)
def test_decimals_are_the_nearest_doubles(scores):
    assert is_read(lines(scores=scores))
    assert by_words(lines(scores=scores)).columns.values.tolist() == [*map(float, scores)]


@pytest.mark.parametrize(
    "score",
    [
        *("1e3", "1E3", "+1", "nan", "inf", "-inf", "-", ".", "-.", "1-", "--1", "1.2.3", "1,5"),
        *("1_0", "0x1", "9007199254740993", "0.12345678901234567", "123456789012345678", "x"),
        "1" * 30,
    ],
)
@pytest.mark.parametrize("others", [[], ["1.5"], ["2"], ["-7"]])
def test_other_numbers_are_refused(score, others):
    for scores in ([*others, score], [score, *others]):
        with pytest.raises(IrregularError):
            by_words(lines(scores=scores))


@pytest.mark.parametrize(
    "lengths", [[1], [7, 8], [8], [9, 15], [16], [5, 20], [30, 64, 3], [LONGEST_NAME - 1]]
)
def test_names_of_any_number_of_words(lengths):
    made = ["".join(chr(97 + (i * 7 + n) % 26) for i in range(n)) for n in lengths]

    assert is_read(lines(docnos=made, topics=["1"] * len(made)))
    assert is_read(lines(docnos=["d1"] * len(made), topics=made))
    assert is_read(lines(tag=made[0]))


@pytest.mark.parametrize("length", [LONGEST_NAME, 200, 5000])
@pytest.mark.parametrize("field", ["topics", "docnos", "tag"])
def test_longer_names_are_refused(length, field):
    long = "x" * length
    for given_names in ([long], ["a", long], [long, "a"]):
        given_lines = lines(tag=long) if field == "tag" else lines(**{field: given_names})
        with pytest.raises(IrregularError):
            by_words(given_lines)


@pytest.mark.parametrize(
    "block",
    [
        b"\n",
        b"\n\n",
        b"1 Q0 d 1 2 t",
        b"1 Q0 d 1 2 t\n\n",
        b"\n1 Q0 d 1 2 t\n",
        b"# a comment of six words\n",
        b"1 Q0 d 1 2 t\n#1 Q0 d 1 2 t\n",
        b"1 Q0 d 1 2 t more\n",
        b"1 Q0 d 1 2\n",
        b"1 Q0 d 2 t\n1 Q0 d 1 2 t t\n",
        b"1 Q0 d 1 2 t\n1 Q0 d  2 t\n",
        b"1 Q0 d 1 2 t\n1 Q1 d 1 2 t\n",
        b"1 Q0 d 1 2 t\n1 Q0 d 1 2 u\n",
        b"1 Q0 d 1 2 t\n1\tQ0\td\t1\t2\tt\n",
        b"1 Q0 d 1 2 t\r\n1 Q0 d 1 2 t\r\n",
        b"1 Q0 d 1 2 t \n",
        b" 1 Q0 d 1 2 t\n",
        b"1 Q0 d 1 2 t\n1 Q0 d\0 1 2 t\n",
        b"1 Q0 d 1 2 t\n1 Q0 1 2 t\n1 Q0 d d 1 2 t\n",
        b"1 longsecond d 1 2 t\n",
    ],
)
def test_lines_of_another_shape_are_refused(block):
    with pytest.raises(IrregularError):
        by_words(block)


@pytest.mark.parametrize("behind", [b"", b" 2 t\n", b"1 2 t\n", b" t\n", b"\n\n\n", ORDINARY])
@pytest.mark.parametrize("end", [b"\n\n\n", b"\n\n", b"r\n\n\n\n", b"rrrrrr\n\n\n", b"1 2\n\n\n"])
def test_newlines_that_meet_at_the_end_are_refused(end, behind):
    for n_bytes in range(20):
        block = b"1 Q0 d 1 2 t\n1 Q0 d " + b"r" * n_bytes + end
        with pytest.raises(IrregularError):
            by_words(block, behind=behind)


def test_what_stands_around_the_lines_does_not_matter():
    block = ORDINARY * 3
    expected = facts(by_words(block).columns)

    for around in (ORDINARY * 20, b"\n" * 900, b" " * 900, b"9" * 900):
        found = by_words(block, around[-MARGIN:], around[:MARGIN])
        assert facts(found.columns) == expected


def test_docnos_do_what_those_of_the_plain_parser_do():
    docnos = [b"longer-than-eight-bytes", b"a", b"b", b"a", b"c", b"longer-than-eight-bytez"]
    block = b"".join(b"1 Q0 %b 1 1 t\n" % docno for docno in docnos)
    found, expected = by_words(block).columns.docnos, plain_parser.PlainDocnos(docnos)
    rows, starts = np.array([5, 2, 0]), np.array([0, 4, 6])
    judged = from_mapping({"q": {"a": 1, "longer-than-eight-bytes": 0, "z": 2}})

    def of(names):
        known = {b"c": 0}
        every = [names.number(known).tolist(), known, names.order(rows).tolist()]
        every += [names.duplicates(starts), names.duplicates(np.array([0, 6])), names.tolist()]
        every += [names.take(rows).tolist(), names.slice(1, 5).tolist(), names[4], len(names)]
        every += [names.followed_by([expected]).tolist()]
        for some in names, names.take(rows), names.slice(1, 5):
            every += [one.tolist() for one in some.find(judged.docnos)]
            ends = np.array([0, 1, len(some)])
            every += [one.tolist() for one in some.find_judged(judged, np.array([-1, 0]), ends)]
        return every

    assert of(found) == of(expected)


def test_it_is_for_runs_of_trec_of_which_no_further_column_is_read():
    assert is_for(trec.RUN)
    for other in (
        trec.QRELS,
        replace(trec.RUN, rank=3),
        replace(trec.RUN, kept=(("tag", 5),)),
        replace(trec.RUN, fields=("topic", "docno", "score")),
        msmarco.RUN,
    ):
        assert not is_for(other)
