from contextlib import suppress
from typing import Annotated, Literal

import pytest

from rankeval.errors import MeasureError
from rankeval.measures import definitions, measure, parse_measure
from rankeval.measures.declare.measure_parameters import (
    AtLeast,
    AtMost,
    LessThan,
    Meaning,
    MoreThan,
    Parameter,
)
from tests.support.builders import ranked


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("P@0", "P: cutoff=0 is not possible\n  expected: an integer at least 1"),
        ("P@-1", "P: cutoff=-1 is not possible\n  expected: an integer at least 1"),
        ("P@1.5", "P: cutoff=1.5 is not possible\n  expected: an integer at least 1"),
        ("P@nan", "P: cutoff=nan is not possible\n  expected: an integer at least 1"),
        ("P@inf", "P: cutoff=inf is not possible\n  expected: an integer at least 1, up to 1e+15"),
        (
            "P@99999999999999999999",
            (
                "P: cutoff=99999999999999999999 is not possible\n"
                "  expected: an integer at least 1, up to 1e+15"
            ),
        ),
        ("P(cutoff=None)", "P: cutoff=None is not possible\n  expected: an integer at least 1"),
        ("AP@0", "AP: cutoff=0 is not possible\n  expected: an integer at least 1 or None"),
        ("AP(rel=0)", "AP: rel=0 is not possible\n  expected: a number more than 0"),
        ("AP(rel=-1)", "AP: rel=-1 is not possible\n  expected: a number more than 0"),
        ("AP(rel=None)", "AP: rel=None is not possible\n  expected: a number more than 0"),
        ("AP(rel=True)", "AP: rel=True is not possible\n  expected: a number more than 0"),
        ("AP(rel='2')", "AP: rel='2' is not possible\n  expected: a number more than 0"),
        ("AP(rel=nan)", "AP: rel='nan' is not possible\n  expected: a number more than 0"),
        ("AP(rel=[1])", "AP: rel=[1] is not possible\n  expected: a number more than 0"),
        (
            "AP(rel=1e400)",
            "AP: rel=inf is not possible\n  expected: a number more than 0, up to 1e+15",
        ),
        (
            "NumRet(rel=-1)",
            "NumRet: rel=-1 is not possible\n  expected: a number at least 0 or None",
        ),
        ("SetF(beta=0)", "SetF: beta=0 is not possible\n  expected: a number more than 0"),
        (
            "SetF(beta=1e200)",
            "SetF: beta=1e+200 is not possible\n  expected: a number more than 0, up to 1e+15",
        ),
        (
            "SetUtility(N=1.5)",
            "SetUtility: N=1.5 is not possible\n  expected: an integer at least 0 or None",
        ),
        ("Rprec(mult=0)", "Rprec: mult=0 is not possible\n  expected: a number more than 0"),
        (
            "IPrec@1.5",
            "IPrec: recall=1.5 is not possible\n  expected: a number at least 0 and at most 1",
        ),
        (
            "KAtRecall@0",
            "KAtRecall: recall=0 is not possible\n  expected: a number more than 0 and at most 1",
        ),
        (
            "AP(norm='foo')",
            "AP: norm='foo' is not possible\n  expected: 'rel' or 'min' or 'ret'",
        ),
        (
            "nDCG(dcg='foo')",
            "nDCG: dcg='foo' is not possible\n  expected: 'log2' or 'exp-log2' or 'jk' or 'exp-jk'",
        ),
        ("nDCG(base=1)", "nDCG: base=1 is not possible\n  expected: a number more than 1"),
        (
            "nDCG(gains=3)",
            "nDCG: gains=3 is not possible\n  expected: a table such as {1:1,2:3} or None",
        ),
        (
            "nDCG(gains={1:1,1:2})",
            "'nDCG(gains={1:1,1:2})': '{1:1,1:2}' names a grade twice\n  expected: one gain each",
        ),
        (
            "nDCG(gains={})",
            "nDCG: gains={} is not possible\n  expected: a table such as {1:1,2:3} or None",
        ),
        (
            "nDCG(gains={1:1e400})",
            "nDCG: gains={1: inf} is not possible\n  expected: a table such as {1:1,2:3} or None",
        ),
        (
            "nDCG(gains={1:True})",
            "nDCG: gains={1: True} is not possible\n  expected: a table such as {1:1,2:3} or None",
        ),
        (
            "nDCG(gains={'a':1})",
            "nDCG: gains={'a': 1} is not possible\n  expected: a table such as {1:1,2:3} or None",
        ),
        (
            "nDCG(judged_only=1)",
            "nDCG: judged_only=1 is not possible\n  expected: True or False",
        ),
        (
            "ERR(max_rel='max')",
            "ERR: max_rel='max' is not possible\n  expected: 'qrels' or a number more than 0",
        ),
        (
            "ERR(max_rel=0)",
            "ERR: max_rel=0 is not possible\n  expected: 'qrels' or a number more than 0",
        ),
        (
            "GAUC(weight='x')",
            "GAUC: weight='x' is not possible\n  expected: 'impressions' or 'positives' or None",
        ),
        (
            "AUC(universe='all')",
            (
                "AUC: universe='all' is not possible\n"
                "  expected: 'retrieved' or 'condensed' or 'judged'"
            ),
        ),
        (
            "AP(foo=1)",
            "AP has no parameter 'foo'\n  expected: one of: rel, norm, judged_only, out, cutoff",
        ),
        ("NumQ(rel=1)", "NumQ has no parameter 'rel'\n  expected: one of: none"),
    ],
)
def test_an_impossible_parameter_is_named_with_what_is_possible(text, message):
    with pytest.raises(MeasureError) as caught:
        parse_measure(text)

    assert str(caught.value) == message


@pytest.mark.parametrize("name", definitions())
def test_no_number_that_a_measure_takes_is_too_large_to_calculate_with(name):
    """Warnings are errors here, so that an overflow would be one."""
    definition = definitions()[name]
    judged = ranked([1, None, 0, 1], [], missed=[[1], [0]])
    for parameter in definition.parameters.values():
        for value in (1e15, 10**15, 1.0000000000000002, 1e-300):
            try:
                parameter.check(name, value)
            except MeasureError:
                continue
            others = {p.name: 1 for p in definition.parameters.values() if p.required}
            others |= {"N": 10} if "N" in definition.parameters else {}
            measure_at_bound = definition.measure({**others, parameter.name: value})
            # A refusal, of a scale below the grades for one, is as good as a value.
            with suppress(MeasureError):
                assert measure_at_bound.values(judged).shape == (2,)


def test_a_default_is_filled_in_only_where_the_name_left_it_open():
    assert str(parse_measure("AP@5").with_default("rel", 2)) == "AP(rel=2)@5"
    assert str(parse_measure("AP(rel=3)@5").with_default("rel", 2)) == "AP(rel=3)@5"
    assert str(parse_measure("nDCG@5").with_default("rel", 2)) == "nDCG@5"


def test_all_parameters_are_listed_with_their_values():
    assert parse_measure("AP(rel=2)@5").parameters == {
        "rel": 2,
        "norm": "rel",
        "judged_only": False,
        "out": "EU",
        "cutoff": 5,
    }


@pytest.mark.parametrize(
    ("annotation", "allowed"),
    [
        (Annotated[int, AtLeast(1), AtMost(9)], "an integer at least 1 and at most 9"),
        (Annotated[float, MoreThan(0), LessThan(1)], "a number more than 0 and less than 1"),
        (
            Annotated[float | Literal["a", "b"] | None, Meaning("x")],
            "'a' or 'b' or a number or None",
        ),
        (bool, "True or False"),
    ],
)
def test_an_annotation_says_in_words_what_is_allowed(annotation, allowed):
    parameter = Parameter.from_annotation("x", annotation, default=None, required=True)

    assert parameter.allowed == allowed


@pytest.mark.parametrize(
    ("bound", "inside", "outside"),
    [(AtLeast(1), 1, 0.9), (AtMost(1), 1, 1.1), (MoreThan(1), 1.1, 1), (LessThan(1), 0.9, 1)],
)
def test_bounds_include_or_exclude_their_end(bound, inside, outside):
    parameter = Parameter.from_annotation("x", Annotated[float, bound], default=None, required=True)

    assert parameter.check("M", inside) == inside
    with pytest.raises(MeasureError, match=str(bound)):
        parameter.check("M", outside)


@pytest.mark.parametrize("table", [((1, 2), (1, 3)), ((1, 2, 3),), (1, 2), ()])
def test_a_gain_table_has_one_gain_for_each_grade(table):
    with pytest.raises(MeasureError, match="gains="):
        definitions()["nDCG"].measure({"gains": table})


def test_gains_are_given_as_a_dictionary_or_as_pairs():
    ndcg = definitions()["nDCG"]

    assert ndcg.measure({"gains": {2: 3, 1: 1}}) == ndcg.measure({"gains": ((1, 1), (2, 3))})


@pytest.mark.parametrize("taken", ["AP", "map"])
def test_a_name_is_registered_once(taken):
    with pytest.raises(MeasureError, match=f"'{taken}' is taken"):
        measure("Unheard", aliases=(taken,))(ranked)
    assert "Unheard" not in definitions()


@pytest.mark.parametrize("definition", definitions().values(), ids=lambda d: d.name)
def test_a_definition_explains_itself(definition):
    assert definition.summary.endswith((".", ";", ":"))
    assert "Source" in (definition.function.__doc__ or "") or definition.tier > 3
    assert definition.low < definition.high
    assert all(parameter.meaning for parameter in definition.parameters.values())
