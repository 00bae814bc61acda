"""Text in columns: folded without loss, and no wider than it must be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankeval.render import Style
from rankeval.render.tables import Column
from rankeval.render.text import columns, paragraph

NAME = Column("name", 8)
VALUE = Column("a value", right=True)


def drawn(layout, rows, width=80):
    return "".join(columns(layout, rows, Style(width=width))).splitlines()


def test_columns_are_as_wide_as_what_stands_in_them():
    assert drawn([NAME, VALUE], [["one", "1"], ["another", "10000"]]) == [
        "name     a value",
        "----------------",
        "one            1",
        "another    10000",
    ]


def test_heads_are_folded_before_names_are():
    assert drawn([NAME, VALUE], [["document-1", "1"]], width=17) == [
        "                a",
        "name        value",
        "-----------------",
        "document-1      1",
    ]
    assert drawn([NAME, VALUE], [["document-1", "1"]], width=16)[3:] == [
        "document-      1",
        "1",
    ]


def test_words_are_wrapped_and_columns_without_heads_have_no_rule():
    layout = [Column(""), Column("", 4, words=True)]

    assert drawn(layout, [["x", "some words @k"]], width=13) == ["x  some words", "   @k"]


def test_a_table_without_rows_has_its_heads():
    assert drawn([NAME, VALUE], []) == ["name  a value", "-------------"]


@given(st.text(st.characters(categories=["L", "N", "P"]), min_size=1), st.integers(20, 60))
def test_no_character_of_a_name_is_lost(name, width):
    lines = drawn([Column(""), Column("", 8)], [["", name]], width=width)

    assert "".join(line.strip() for line in lines) == name


@pytest.mark.parametrize("width", [20, 80])
def test_paragraphs_hang_from_their_bullets(width):
    text = paragraph("word " * 30, Style(width=width), indent="  ", bullet="- ")

    first, *others = text.splitlines()
    assert first.startswith("  - word")
    assert all(line.startswith("    word") for line in others)
    assert max(map(len, text.splitlines())) <= width
