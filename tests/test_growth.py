"""Time that grows no faster than what is asked for: many measures, many columns."""

from rankeval.measures import parse_measures
from rankeval.render import Format, Style, render
from tests.growth import MOST, growth
from tests.render.builders import results, score


def test_a_list_of_cutoffs_is_read_in_time_that_grows_with_its_length():
    def cutoffs(n):
        text = "P@" + ",".join(map(str, range(1, n + 1)))
        return lambda: parse_measures(text)

    assert growth(cutoffs, 2000) < MOST


def test_a_table_is_drawn_in_time_that_grows_with_its_columns():
    def columns(n):
        found = results({"bm25": [score(f"P@{i}", [0.25, 0.5], 0.375) for i in range(1, n + 1)]})
        return lambda: list(render(found, Format.TABLE, Style(per_topic=True, width=80)))

    assert growth(columns, 60) < MOST
