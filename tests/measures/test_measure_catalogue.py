"""The catalogue: what an entry alone brings with it, and that every entry's texts are functions."""

import pickle
import sys
from types import ModuleType

import numpy as np
import pytest

import rankeval
from rankeval import AP, RBP, RR, P, SetF, nDCG
from rankeval.measures import Rel, definitions, parse_measure, parse_measures
from rankeval.measures import measure_catalogue as registry
from rankeval.measures.definition import OF_TREC_EVAL
from rankeval.measures.measure_catalogue import INF, E
from tests.support.builders import from_dicts
from tests.support.commands import run_command
from tests.support.samples import collection
from tests.test_imports import imported

THREE_TOPICS = {"1": {"a": 2, "b": 1}, "2": {"c": 3}, "3": {"d": 1}}
THREE_RANKINGS = {"1": {"a": 2.0, "b": 1.0}, "2": {"x": 2.0, "c": 1.0}}


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
    entry = E(of="added_measure:first_grade", also="first_grade", high=INF)
    monkeypatch.setitem(registry.CATALOGUE["gain"], "FirstGrade", entry)
    monkeypatch.setitem(registry.SUBJECTS, "FirstGrade", "gain")
    registry.forget_names()


@pytest.mark.usefixtures("forgotten", "added")
def test_a_function_and_a_line_are_a_whole_measure():
    assert [str(parse_measure(n)) for n in ("FIRSTGRADE", "first_grade(rel=2)")] == [
        "FirstGrade",
        "FirstGrade(rel=2)",
    ]
    scores = (
        rankeval.evaluate(THREE_TOPICS, THREE_RANKINGS, "FirstGrade first_grade(rel=3)")
        .runs[0]
        .scores
    )
    assert [score.values.tolist() for score in scores] == [[2.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    assert rankeval.explain(THREE_TOPICS, THREE_RANKINGS, "1", "FirstGrade")[0].value == 2.0
    described = run_command(["measures", "first_grade"])
    assert described.code == 0
    assert "FirstGrade = g_1 · [g_1 ≥ rel]" in described.stdout
    assert run_command(["measures", "grade", "of", "the", "first"]).code == 0


def test_whatever_an_entry_names_is_there():
    for definition in definitions().values():
        assert callable(definition.function)
        named = (definition.reader or None, definition.caution, definition.bounds)
        for name in (*named, definition.shared, *definition.terms.values()):
            assert name is None or definition.part(name) is not None, definition.name
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


@pytest.mark.parametrize(
    "code",
    [
        "rankeval.evaluate({'1': {'a': 1}}, {'1': {'a': 1}}, 'AP nDCG@10 map ndcg_cut_5 P10 RR')",
        "rankeval.nDCG @ 10, rankeval.AP(rel=2)",
        "pickle.loads(pickle.dumps(rankeval.AP))",
    ],
)
def test_a_measure_imports_no_family_but_its_own(code):
    found = imported(f"import pickle, rankeval\n{code}", whole=True)

    assert "rankeval.measures.average_precision" in found
    assert not found & {f"rankeval.measures.{f}" for f in ("diversity", "ntcir", "cwl", "plugins")}


def test_a_pickled_measure_is_loaded_where_no_measure_was_used_before():
    code = (
        "import pickle, rankeval\n"
        "data = pickle.dumps(rankeval.parse_measure('alpha_nDCG@5'))\n"
        "import subprocess, sys\n"
        "code = f'import pickle; assert str(pickle.loads({data!r})) == \"alpha_nDCG@5\"'\n"
        "subprocess.run([sys.executable, '-c', code], check=True)"
    )

    assert "rankeval.measures.diversity" in imported(code, whole=True)


ir_measures = pytest.importorskip("ir_measures")


QRELS = {"1": {"a": 2, "b": 1}, "2": {"c": 1}}
RUN = {"1": {"a": 1.0, "x": 2.0, "b": 0.5}, "2": {"c": 1.0}}


@pytest.mark.parametrize(
    ("measure", "name"),
    [
        (nDCG, "nDCG"),
        (nDCG @ 10, "nDCG@10"),
        (AP(rel=2) @ 100, "AP(rel=2)@100"),
        (nDCG(dcg="exp-log2") @ 10, "nDCG(dcg='exp-log2')@10"),
        (nDCG @ 10 @ 5, "nDCG@5"),
        ((AP @ 100)(rel=2), "AP(rel=2)@100"),
        (P(rel=2) @ 5, "P(rel=2)@5"),
        (RBP(p=0.5), "RBP(p=0.5)"),
        (nDCG(gains={1: 1, 2: 10}), "nDCG(gains={1:1,2:10})"),
    ],
)
def test_an_object_is_the_measure_of_its_name(measure, name):
    read = rankeval.parse_measure(name)

    assert str(measure) == repr(measure) == name
    assert measure == read
    assert hash(measure) == hash(read)
    assert pickle.loads(pickle.dumps(measure)) == measure
    assert rankeval.parse_measure(measure) == read


def test_what_lacks_a_cutoff_is_an_object_that_computes_nothing():
    assert str(P) == "P"
    assert pickle.loads(pickle.dumps(P(rel=2))) == P(rel=2)
    for use in (lambda: rankeval.evaluate(QRELS, RUN, P), lambda: parse_measures([AP, P])):
        with pytest.raises(rankeval.MeasureError, match="P needs a cutoff") as caught:
            use()
        assert caught.value.expected == "for instance P@10"


def test_every_measure_is_a_public_name_and_no_other():
    names = {name for name in definitions() if name.isidentifier() and definitions()[name].is_own}

    for name in names:
        assert str(getattr(rankeval, name)) == str(getattr(rankeval.measures, name)) == name
    assert {*names} - {*dir(rankeval.measures)} == {
        name for name in names if definitions()[name].subject == OF_TREC_EVAL
    }
    with pytest.raises(AttributeError, match="has no attribute 'nDGC'"):
        rankeval.nDGC  # noqa: B018  looked up for its error


def test_objects_of_ir_measures_are_taken():
    foreign = [ir_measures.nDCG @ 10, ir_measures.AP(rel=2), ir_measures.SetF(beta=4.0)]
    results = rankeval.evaluate(QRELS, RUN, [*foreign, RR])

    assert [str(one) for one in results.to_dict()["run"]] == [*map(str, foreign), "RR"]
    assert results["run"][ir_measures.SetF(beta=4.0)].measure == str(SetF(beta=2))
    expected = ir_measures.calc_aggregate(foreign, QRELS, RUN)
    for one in foreign:
        assert results["run"][one].mean == pytest.approx(expected[one], abs=1e-12)
    assert rankeval.Evaluator(QRELS, ir_measures.RR).means(RUN) == {"RR": 0.75}


def test_what_ir_measures_defines_otherwise_is_refused():
    with pytest.raises(rankeval.MeasureError, match=r"Compat\(.*\) of ir_measures is not one of"):
        rankeval.evaluate(QRELS, RUN, ir_measures.Compat(p=0.8))
