"""The fast parser of JSON Lines against the plain one, which calls Python's own for each line."""

import json
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rankeval.errors import InputError
from rankeval.io import arrow_parser, json_formats, lines_parser
from tests.support.parsed import columns

RUN = json_formats.layout(b'{"topic":"1","docno":"a","score":1,"rank":1,"tag":"x"}', "run", {}, "f")
BARE = json_formats.layout(b'{"topic": 1, "docno": "a", "score": 2}', "run", {}, "f")
LAYOUTS = {
    "scores": BARE,
    "tags and ranks": RUN,
    "ranks read, too": replace(RUN, rank=dict(RUN.kept)["rank"]),
    "ranks alone": json_formats.layout(b'{"topic": "1", "docno": "a", "rank": 3}', "run", {}, "f"),
    "judgments": json_formats.layout(
        b'{"topic": 1, "docno": "a", "score": 2, "iteration": "0"}', "qrels", {}, "f"
    ),
}

NUMBERS = b"""
    0 1 -1 -0 -0.0 1.0 0.1 1e5 1E+5 1e22 1e-400 1e400 -1e999 1.7976931348623157e308 5e-324
    9007199254740993 9223372036854775807 9223372036854775808 100000000000000000000000
    0.1000000000000000055511151231257827021181583404541015625 2.4703282292062328e-324
    01 1. .5 +1 - 1e --1 0x10 1_0 NaN nan Infinity -Infinity Inf inf -inf
    true null [] {} [1] {"a":1}
""".split()
STRINGS = [
    *b"""
    "" "a" "1" "2.5" "1_0" "0x10" "nan" "inf" "\xc3\xa9" "\\u00e9" "\\ud83d\\ude00" "\\ud800"
    "\\udc00" "\\u0000" "\\n" "\\/" "\\"" "\\\\" "\\x" "}{" "{" "}" "a,b" "#a" '1'
    """.split(),
    *(b'" 1"', b'"1 "', b'"a\tb"', b'"a}\n{b"', b'"a'),
]
SPECIAL = b'{}[],:"\\\n\r\t \x0b\xff\xc3\xe9019.eE-+naI/#'
KEYS = ["topic", "docno", "score", "rank", "tag", "iteration", "more"]


def assert_agree(text: bytes, layout, *, fast: bool = False) -> None:
    """What the fast parser takes, the plain one takes, and finds the same."""
    quick = arrow_parser.parse(text, layout, 7)
    if quick is not None:
        assert columns(quick) == columns(lines_parser.parse(text, layout, "file", 7))
    assert quick is not None or not fast


@st.composite
def objects(draw, values):
    """An object as text: most keys once, in any order and spacing."""
    keys = draw(st.permutations(KEYS[: draw(st.integers(3, len(KEYS)))]))
    keys += draw(st.lists(st.sampled_from([*KEYS, "other"]), max_size=1)) * draw(
        st.sampled_from([0, 0, 0, 1])
    )
    colon, comma = draw(st.sampled_from([(":", ","), (": ", ", "), ("\t:\t", " ,\t")]))
    return "{" + comma.join(f'"{key}"{colon}{draw(values[key])}' for key in keys) + "}"


@st.composite
def files(draw):
    """Lines whose values are mostly of one kind under each key, and then anything."""
    common = {
        key: draw(
            st.sampled_from([['"a"', '"b"'], ['"1"', '"2.5"'], ["1", "2", "3"], ["0.5", "2"]])
        )
        for key in [*KEYS, "other"]
    }
    odd = st.sampled_from([*NUMBERS, *STRINGS]).map(bytes.decode)
    any_odd = draw(st.booleans())
    values = {
        key: st.one_of(*[st.sampled_from(kind)] * 30, odd) if any_odd else st.sampled_from(kind)
        for key, kind in common.items()
    }
    lines = draw(st.lists(objects(values), min_size=1, max_size=6))
    ends = st.sampled_from(["\n"] * 30 + ["\r\n", "", " ", "\n\n", " \n", "\n ", ","])
    return "".join(line + draw(ends) for line in lines).rstrip("\n").encode() + b"\n"


@settings(max_examples=300, deadline=None)
@given(files(), st.sampled_from(sorted(LAYOUTS)))
@example(b'{"topic":"1","docno":"a","score":-0}\n', "scores")
@example(b'{"topic":"1","docno":"a","score":-0.0}\n', "scores")
@example(b'{"topic":"1","docno":"a","score":1,"x":1,"x":2}\n', "scores")
@example(b'{"topic":"1","docno":"a","score":1,"x":Inf}\n', "scores")
@example(b'{"topic":"1","docno":"a","score":1,"x":[{}\n{}]}\n', "scores")
@example(b'{"topic":"1","docno":"a","score":1,"x":"}\n{"}\n', "scores")
@example(b'{"topic":"1","docno":"a","score":1}{"topic":"1","docno":"b","score":1\n}\n', "scores")
@example(b'{"topic":"1","docno":"a","score":1,"x":"\xff"}\n', "scores")
def test_the_fast_parser_of_objects_finds_what_the_plain_one_finds(text, name):
    assert_agree(text, LAYOUTS[name])


@settings(max_examples=200, deadline=None)
@given(files(), st.data(), st.sampled_from(sorted(LAYOUTS)))
def test_the_fast_parser_of_objects_is_not_fooled_by_a_byte_that_changes(text, data, name):
    at = data.draw(st.integers(0, len(text) - 2))
    byte = bytes([data.draw(st.sampled_from(SPECIAL))])
    changed = text[:at] + byte + text[at + data.draw(st.integers(0, 1)) :]

    assert_agree(changed, LAYOUTS[name])


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(
        st.floats(allow_nan=False),
        st.integers(),
        st.text("0123456789+-.eE", min_size=1),
        st.text("0123456789+-.eEx_ianf ", min_size=1).map(lambda text: f'"{text}"'),
    )
)
def test_the_parsers_of_objects_agree_on_any_number(number):
    for layout in LAYOUTS["scores"], LAYOUTS["ranks alone"]:
        for first in '"0"', "0":
            lines = [
                f'{{"topic": 1, "docno": "a", "{layout.value_name}": {n}}}\n'
                for n in (first, number)
            ]
            assert_agree("".join(lines).encode(), layout)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.text(min_size=1),
            st.text(min_size=1),
            st.floats(allow_nan=False, allow_infinity=False),
        ),
        min_size=1,
    ),
    st.booleans(),
)
def test_names_are_read_as_they_were_written(rows, ascii_only):
    text = "".join(
        json.dumps({"topic": t, "docno": d, "score": s}, ensure_ascii=ascii_only) + "\n"
        for t, d, s in rows
    )

    assert_agree(text.encode("utf-8", "surrogatepass"), LAYOUTS["scores"])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (b'{"topic":"1","docno":"a","score":2}\n{"docno":"b","score":2.5,"topic":"2"}\n', "scores"),
        (b'{"topic":1,"docno":2,"score":3}\r\n{"topic":2,"docno":-7,"score":0}\r\n', "scores"),
        (b'{"topic":1,"docno":"\\u00e9\\n","score":"2.5"}\n', "scores"),
        (b'{"topic":1,"docno":"\xc3\xa9","score":"3"}\n', "scores"),
        (b'{"topic":1,"docno":"a","score":2,"text":"}{","n":0.5,"b":true,"z":null}\n', "scores"),
        (b'{"topic":1,"docno":"a","score":2,"n":1}\n{"topic":1,"docno":"b","score":2}\n', "scores"),
        (b'{"topic":1,"docno":"a","score":2.5,"rank":1,"tag":"x"}\n', "tags and ranks"),
        (b'{"topic":1,"docno":"a","score":2.5,"rank":1,"tag":7}\n', "ranks read, too"),
        (b'{"topic":1,"docno":"a","rank":1}\n{"topic":1,"docno":"b","rank":12}\n', "ranks alone"),
        (b'{"topic":1,"docno":"a","score":2,"iteration":"s1"}\n', "judgments"),
    ],
)  # fmt: skip
def test_the_fast_parser_reads_what_tools_write(text, name):
    """Else every test of agreement could hold because the plain parser did all the work."""
    assert_agree(text, LAYOUTS[name], fast=True)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b'{"topic": "1", "docno": "b"}', 'the object has no "score"'),
        (b'{"topic": "1", "docno": "b", "score": NaN}', 'score "NaN" is not a finite number'),
        (b'{"topic": "1", "docno": "b", "score": 1, "score": 2}', 'the name "score" occurs twice'),
        (b'{"topic": "1", "docno": "b", "score": true}', 'score "true" is not a finite number'),
        (b'{"topic": "1", "docno": "b", "score": [1]}', 'score "\\[1\\]" is not a finite number'),
        (b'{"topic": "1", "docno": "b", "score": 1' + b"0" * 400 + b"}", "is not a finite number"),
        (b'{"topic": "1", "docno": "", "score": 1}', "the docno is empty"),
        (b'["1", "b", 2]', "this is not a JSON object"),
        (b'{"topic": "1", "docno": "b", "score": 1', "this is not JSON"),
    ],
)
def test_a_wrong_object_is_named_by_its_line(line, told):
    """As before: the fast parser leaves the block alone, and the plain one tells."""
    text = b'{"topic": "1", "docno": "a", "score": 2}\n' * 3 + line + b"\n"

    assert arrow_parser.parse(text, LAYOUTS["scores"], 1) is None
    with pytest.raises(InputError, match=told) as error:
        lines_parser.parse(text, LAYOUTS["scores"], "file", 1)
    assert str(error.value).startswith("file:4: ")
