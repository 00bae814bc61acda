"""Sentences and lists: wrapped for terminals, a line each elsewhere."""

import pytest

from rankeval.output.style import Style
from rankeval.output.tables import Column, Table
from rankeval.output.text import entry, paragraph, text


def test_empty_lines_are_before_titles_and_between_tables():
    one = Table("", [Column("x")], [["1"]])
    titled = Table("a title", [Column("x")], [["1"]])

    printed = "".join(text([one, one, titled, "A sentence.", titled, "", "Another."], Style()))

    assert printed.split("\n\n") == [
        "x\n-\n1",
        "x\n-\n1",
        "a title\nx\n-\n1\nA sentence.",
        "a title\nx\n-\n1",
        "Another.\n",
    ]


def test_words_of_a_list_hang_behind_the_name_or_stand_below_it():
    words = "word " * 20

    lines = entry("name  ", words, Style(width=40)).splitlines()
    assert lines[0].startswith("name  word")
    assert all(line.startswith("      word") for line in lines[1:])
    name, *lines = entry("a name of 20 letters  ", words, Style(width=40)).splitlines()
    assert name == "a name of 20 letters"
    assert all(line.startswith("    word") for line in lines)


@pytest.mark.parametrize("width", [20, 80])
def test_paragraphs_hang_from_their_bullets(width):
    text = paragraph("word " * 30, Style(width=width), indent="  ", bullet="- ")

    first, *others = text.splitlines()
    assert first.startswith("  - word")
    assert all(line.startswith("    word") for line in others)
    assert max(map(len, text.splitlines())) <= width
