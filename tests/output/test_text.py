"""Tables and sentences as text: in a pipe plain aligned columns."""

from hypothesis import given
from hypothesis import strategies as st

from rankeval.output.style import Style
from rankeval.output.tables import Cell, Column, Emphasis, Table, numbers
from rankeval.output.text import drawn as lines_of
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


def drawn(columns, rows, **more):
    return "".join(lines_of(Table("", columns, rows, **more), Style(colour=False)))


def test_marks_stand_behind_numbers_so_that_digits_line_up():
    rows = [
        ["a", Cell("0.5", Emphasis.BEST, better=("b", "c"))],
        ["b", Cell("0.25", worse=("a",))],
        ["c", Cell("12", mark="=")],
        ["d", "-"],
    ]

    assert drawn([Column("run"), *numbers(["AP"])], rows).splitlines()[2:] == [
        "a     0.5* bc",
        "b    0.25 -a",
        "c      12=",
        "d       -",
    ]


@given(st.lists(st.text(max_size=200), min_size=1))
def test_a_row_is_a_line_whatever_its_width(names):
    printed = drawn([Column("name", 8), *numbers(["x"])], [[name, "1"] for name in names])

    assert len(printed.splitlines()) == 2 + len(names)
    assert all(line.isprintable() for line in printed.split("\n"))


def test_a_head_stands_above_the_numbers_not_above_the_marks_behind_them():
    rows = [["a", Cell("0.5", better=tuple("bcdefgh"))], ["b", "0.25"]]

    assert drawn(
        [Column("run"), *numbers(["AP", "nDCG@10"])], [[*row, row[1]] for row in rows]
    ) == (
        "run    AP          nDCG@10\n"
        "-------------------------------\n"
        "a     0.5 bcdefgh   0.5 bcdefgh\n"
        "b    0.25          0.25\n"
    )
