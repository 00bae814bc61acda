"""docs/plots.md explains every kind and its columns; docs/gallery.md has its picture."""

import re

import pytest

from rankeval import plots
from rankeval.plots.kinds import Choices
from rankeval.plots.selection import plot_data, rows_of
from tests.support.files import EXAMPLES

DOCS = EXAMPLES.parent / "docs"
PAGE = (DOCS / "plots.md").read_text(encoding="utf-8")


def columns(kind):
    """The columns that the table of the page has for a kind; names in words are not in quotes."""
    (row,) = re.findall(rf"^\| `{kind}` \| .*? \| (.*) \|$", PAGE, re.MULTILINE)
    return re.findall(r"`(\w+)`", row)


@pytest.mark.parametrize("kind", plots.KINDS)
def test_the_page_names_the_columns_of_every_kind(example, kind):
    found = example(kind)
    costs = {run.name: 1.0 for run in found.runs}
    panels = plot_data(kind, found, Choices(costs=costs, cost="milliseconds"))

    names = list(next(rows_of(panels)))

    told = columns(kind)
    if kind == "cutoff":
        told = [*told[:2], "nDCG"]
    if kind == "tradeoff":
        told.insert(3, "milliseconds")
    assert names == told
