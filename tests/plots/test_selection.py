import doctest

import pytest

import rankeval.plots.selection
from rankeval import plots
from rankeval.errors import UsageError
from rankeval.measures import parse_measures
from tests.plots.conftest import panel


@pytest.mark.parametrize("kind", plots.KINDS)
def test_every_kind_has_measures_and_a_function_that_draws_them(example, kind):
    names = plots.measures(kind)
    assert [str(named.measure) for named in parse_measures(" ".join(names))] == names

    costs = {"bm25": 1, "lsa": 2, "qld": 3, "rrf": 4, "tfidf": 5, "title": 6}
    rows = list(panel(kind, example(kind), costs=costs).records)
    assert rows
    assert all(rows[0].keys() == row.keys() for row in rows)


def test_parameters_go_with_the_measure_through_all_its_places():
    assert plots.measures("pr", "IPrec(rel=2)@0.5")[50] == "IPrec(rel=2)@0.5"
    assert plots.measures("prg", "AUPRG(universe='retrieved')")[:2] == [
        "AUPRG(universe='retrieved')",
        "PRG(universe='retrieved')@0.0",
    ]
    assert plots.measures("cutoff", ["P(rel=2)@5"], cutoffs=(1, 3)) == ["P(rel=2)@1", "P(rel=2)@3"]


@pytest.mark.parametrize(
    ("kind", "asked", "message"),
    [
        ("pr", "AP", "'pr' cannot draw AP"),
        ("prg", "AP", "'prg' cannot draw AP"),
        ("judged", "AP", "'judged' cannot draw AP"),
        ("cutoff", "Rprec", "Rprec has no cutoff"),
        ("pie", None, "there is no plot 'pie'"),
    ],
)
def test_what_a_kind_cannot_draw_is_refused(kind, asked, message):
    with pytest.raises(UsageError, match=message):
        plots.measures(kind, asked)


def test_the_example_of_the_docstring():
    assert doctest.testmod(rankeval.plots.selection) == (0, 1)
