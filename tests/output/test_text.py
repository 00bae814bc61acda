"""Sentences and lists: wrapped for terminals, a line each elsewhere."""

from rankeval.output.style import Style
from rankeval.output.tables import Column, Table
from rankeval.output.text import text


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
