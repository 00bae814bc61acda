"""Docstrings of measures: their sections, and the page that is made from them."""

import pytest

from rankeval.commands.explain.documentation import documentation
from rankeval.measures import definitions

LONGEST_FORMULA = 80

each_measure = pytest.mark.parametrize("name", definitions())


@each_measure
def test_a_measure_has_a_title_a_formula_and_a_source(name):
    read = documentation(definitions()[name].function)

    assert read.title.endswith(".")
    assert read.formula
    assert read.source.endswith(".")
    # A misspelt heading would be a paragraph of a word or two.
    assert all(len(b.text.split()) > 2 for b in read.body if not b.is_formula)
    formulas = [line for b in read.body if b.is_formula for line in b.text.splitlines()]
    assert max(map(len, formulas)) <= LONGEST_FORMULA
