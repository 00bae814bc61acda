"""Rows of docs/coming-from.md: each has its two sides, which agree where the tool is installed.

`make oracles` runs them against all tools, in environments of their own.
"""

import sys

import pytest

from docs.studies import coming_from
from docs.studies.other_tools import SECTIONS


def test_every_row_of_the_page_is_run_on_both_sides():
    page = {name: set(rows) for name, rows in coming_from.rows_of_the_page().items()}

    assert page == {name: set(rows) for name, rows in coming_from.OURS.items()}
    assert page == {name: set(rows) for name, (rows, _) in SECTIONS.items()}


@pytest.mark.slow
@pytest.mark.parametrize("section", ["trec_eval", "pytrec_eval", "ir_measures"])
def test_rows_hold_with_the_tools_that_tests_install(section):
    pytest.importorskip("pytrec_eval")
    pytest.importorskip("ir_measures")
    data = coming_from.data_of_all()

    found = list(coming_from.compare_section(section, sys.executable, data))

    assert len(found) == 1 + len(coming_from.OURS[section])
    assert [line for line, holds in found if not holds] == []
