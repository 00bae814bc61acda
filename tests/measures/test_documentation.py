"""Docstrings of measures: their sections, and the page that is made from them."""

import pytest

from rankeval.measures import definitions
from rankeval.measures.documentation import documentation

LONGEST_FORMULA = 78

each_measure = pytest.mark.parametrize("name", definitions())


def sample():
    """Sample measure: a title.

        S@k = a
            + b

        name   meaning
        'x'    one

    with a and b
    defined in prose.

    Edge cases
        - Nothing retrieved: 0, and the
          sentence goes on.
        - R = 0: 0.

    Differences
        - Other tools - all of them - say 1.

    Source
        Somebody, Some title,
        2001.
    """


def test_a_docstring_is_read_into_its_parts():
    read = documentation(sample)

    assert read.title == "Sample measure: a title."
    assert [(block.is_formula, block.text) for block in read.body] == [
        (True, "S@k = a\n    + b"),
        (True, "name   meaning\n'x'    one"),
        (False, "with a and b defined in prose."),
    ]
    assert read.formula == "S@k = a\n    + b"
    assert read.edge_cases == (
        "Nothing retrieved: 0, and the sentence goes on.",
        "R = 0: 0.",
    )
    assert read.differences == ("Other tools - all of them - say 1.",)
    assert read.source == "Somebody, Some title, 2001."


@each_measure
def test_a_measure_has_a_title_a_formula_and_a_source(name):
    read = definitions()[name].documentation

    assert read.title.endswith(".")
    assert read.formula
    assert read.source.endswith(".")
    # A misspelt heading would be a paragraph of a word or two.
    assert all(len(b.text.split()) > 2 for b in read.body if not b.is_formula)
    formulas = [line for b in read.body if b.is_formula for line in b.text.splitlines()]
    assert max(map(len, formulas)) <= LONGEST_FORMULA
