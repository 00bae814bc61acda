"""The plain parser where the two readers do not meet."""

from dataclasses import replace

import pytest

from rankeval.errors import InputError
from rankeval.io.formats import layouts
from rankeval.io.parsers import plain_parser


def test_infinite_numbers_pass_where_the_layout_allows_them():
    """Neither a run nor qrels does; other formats may."""
    layout = replace(layouts.QRELS, finite=False)

    assert plain_parser.parse(b"1 0 a inf\n", layout, "file", 1).values.tolist() == [float("inf")]
    with pytest.raises(InputError, match='file:2: grade "x" is not a'):
        plain_parser.parse(b"1 0 a inf\n1 0 b x\n", layout, "file", 1)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (b"plain text", "plain text"),
        ("é文".encode(), "é文"),
        (b"\xff\xe9", r"\xff\xe9"),
        (b"\x1b[2J\x07\x7f\n\r", r"\x1b[2J\x07\x7f\n\r"),
        ("\u202e\u200b\u2028\x9b".encode(), r"\u202e\u200b\u2028\x9b"),
        (b"x" * 60, "x" * 60),
        (b"x" * 61, "x" * 60 + "…"),
        ("文".encode() * 10_000_000, "文" * 60 + "…"),
        (b"\0" * 100, "\\x00" * 15 + "…"),
    ],
)
def test_text_from_files_is_shown_without_effect_and_not_at_length(text, shown):
    assert plain_parser.quoted(text) == f'"{shown}"'
