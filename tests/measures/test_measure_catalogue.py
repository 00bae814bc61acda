"""The catalogue: what an entry alone brings with it, and that every entry's texts are functions."""

import sys
from types import ModuleType

import numpy as np
import pytest

import rankeval
from rankeval.measures import Rel, definitions, parse_measure
from rankeval.measures import measure_catalogue as registry
from rankeval.measures.measure_catalogue import INF, E
from tests.support.builders import from_dicts
from tests.support.commands import run_command
from tests.support.samples import collection

QRELS = {"1": {"a": 2, "b": 1}, "2": {"c": 3}, "3": {"d": 1}}
RUN = {"1": {"a": 2.0, "b": 1.0}, "2": {"x": 2.0, "c": 1.0}}


def first_grade(judged, *, rel: Rel = 1):
    """Grade of the first document.

        FirstGrade = g_1 · [g_1 ≥ rel]

    Source
        Author, Title, Venue, Year.
    """
    return judged.sum_per_topic(
        np.where((judged.rank == 1) & (judged.grade >= rel), judged.grade, 0.0)
    )


@pytest.fixture
def added(monkeypatch):
    """A function in a module of the folder, and its line in the catalogue."""
    module = ModuleType("rankeval.measures.added_measure")
    module.first_grade = first_grade
    monkeypatch.setitem(sys.modules, module.__name__, module)
    registry.BY_NAME["FirstGrade"] = E(
        "FirstGrade", "added_measure:first_grade", "first_grade", high=INF
    )
    registry.forget_names()


@pytest.mark.usefixtures("forgotten", "added")
def test_a_function_and_a_line_are_a_whole_measure():
    assert [str(parse_measure(n)) for n in ("FIRSTGRADE", "first_grade(rel=2)")] == [
        "FirstGrade",
        "FirstGrade(rel=2)",
    ]
    scores = rankeval.evaluate(QRELS, RUN, "FirstGrade first_grade(rel=3)").runs[0].scores
    assert [score.values.tolist() for score in scores] == [[2.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    assert rankeval.explain(QRELS, RUN, "1", "FirstGrade")[0].value == 2.0
    described = run_command(["measures", "first_grade"])
    assert described.code == 0
    assert "FirstGrade = g_1 · [g_1 ≥ rel]" in described.stdout
    assert run_command(["measures", "grade", "of", "the", "first"]).code == 0


def test_whatever_an_entry_names_is_there():
    for definition in definitions().values():
        assert callable(definition.function)
        named = (definition.reader or None, definition.caution, definition.bounds)
        for name in (*named, *definition.terms.values()):
            assert name is None or callable(definition.part(name)), definition.name
        assert all(part in definitions() for part in definition.parts)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("NPV(rate=0.25)", "RBP(p=0.8,max_rel='qrels')"),
        ("Q(beta=0)", "AP"),
        ("Q(beta=0)@5", "AP(norm='min')@5"),
        ("NCU", "AP"),
        ("NCU(beta=2)", "Q(beta=2)"),
        ("SetRelP", "SetP(relative=True)"),
    ],
)
def test_measures_that_are_said_to_be_equal_at_a_setting_are(one, other):
    judged = from_dicts(*collection(4))

    ours, theirs = (parse_measure(name).values(judged) for name in (one, other))
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)
