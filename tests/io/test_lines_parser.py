"""The plain parser: which error it tells, and what only it reads."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.errors import InputError
from rankeval.io import lines_parser
from rankeval.io.formats import RUN


def test_the_first_line_that_is_wrong_is_told_whatever_is_wrong_further_down():
    lines = [b"1 Q0 a 1 x tag", b"1 Q0 b", b"1 Q0 c nan 1 tag", b"# a comment", b"1 Q0 d 1 1 tag"]
    ranked = replace(RUN, rank=3)

    for i in range(3):
        with pytest.raises(InputError) as refused:
            lines_parser.parse(b"\n".join([*lines[i:], b""]), ranked, "file", 1)
        assert refused.value.place == "file:1"


@given(st.lists(st.lists(st.sampled_from(b"abcdefghij")), max_size=6))
def test_names_are_numbered_as_they_come_however_they_are_parted(parts):
    known = {}
    found = [
        lines_parser.Names.from_names([b"%d" % n for n in part]).number(known) for part in parts
    ]

    order = list(dict.fromkeys(name for part in parts for name in part))
    assert list(known.items()) == [(b"%d" % name, i) for i, name in enumerate(order)]
    assert [numbers.tolist() for numbers in found] == [
        [order.index(name) for name in part] for part in parts
    ]
