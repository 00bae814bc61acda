"""Lines written by Arrow are those of the plain writer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.io.formats.text_formats import arrow_lines, number_texts, write
from rankeval.io.parsers.columns import Columns
from rankeval.io.parsers.names import Names


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=30))
def test_numbers_are_written_as_python_writes_them(values):
    assert number_texts(np.array(values)).to_pylist() == [b"%a" % value for value in values]


@pytest.mark.parametrize("exponent", range(-12, 18))
def test_numbers_of_any_size_are_written_as_python_writes_them(exponent):
    drawn = np.random.default_rng(exponent + 50).uniform(-10, 10, 2000) * 10.0**exponent
    values = np.concatenate([drawn, np.round(drawn, 3), np.round(drawn), [0.0, -0.0]])

    assert number_texts(values).to_pylist() == [b"%a" % value for value in values.tolist()]


def test_lines_are_those_of_the_plain_writer():
    def column(names):
        return Names.from_names(names)

    columns = Columns(
        (b"7", b"\xc3\xa9"),
        np.array([0, 2, 3]),
        column([b"a", b"b\xff", b"c"]),
        np.array([1.5, -2.0, 1e-9]),
        range(1, 4),
        kept={"rank": column([b"1", b"2", b"1"]), "tag": column([b"t", b"t", b"u"])},
    )
    expected = b"7 Q0 a 1 1.5 t\n7 Q0 b\xff 2 -2.0 t\n\xc3\xa9 Q0 c 1 1e-09 u\n"

    assert arrow_lines(columns, b"Q0") == expected
    assert b"".join(write("trec", "run", iter([columns]))) == expected
    part = columns.part(1, 2)
    assert arrow_lines(part, b"Q0") == expected[-len(b"\xc3\xa9 Q0 c 1 1e-09 u\n") :]
