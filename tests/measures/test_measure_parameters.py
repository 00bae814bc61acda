from contextlib import suppress

import pytest

from rankeval.errors import MeasureError
from rankeval.measures import definitions, parse_measure
from tests.support.builders import ranked


@pytest.mark.parametrize(
    ("text", "refused", "allowed"),
    [
        ("P@1.5", "P: cutoff=1.5", "an integer at least 1"),
        ("AP@0", "AP: cutoff=0", "an integer at least 1 or None"),
        ("AP(rel=True)", "AP: rel=True", "a number more than 0"),
        ("AP(rel=nan)", "AP: rel='nan'", "a number more than 0"),
        ("AP(rel=1e400)", "AP: rel=inf", "a number more than 0, up to 1e+15"),
        ("IPrec@1.5", "IPrec: recall=1.5", "a number at least 0 and at most 1"),
        ("AP(norm='foo')", "AP: norm='foo'", "'rel' or 'min' or 'ret'"),
        ("nDCG(gains=3)", "nDCG: gains=3", "a table such as {1:1,2:3} or None"),
        ("nDCG(gains={1:True})", "nDCG: gains={1: True}", "a table such as {1:1,2:3} or None"),
        ("nDCG(judged_only=1)", "nDCG: judged_only=1", "True or False"),
        ("ERR(max_rel='max')", "ERR: max_rel='max'", "'qrels' or a number more than 0"),
    ],
)
def test_an_impossible_parameter_is_named_with_what_is_possible(text, refused, allowed):
    with pytest.raises(MeasureError) as caught:
        parse_measure(text)

    assert str(caught.value) == f"{refused} is not possible\n  expected: {allowed}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nDCG(gains={1:1,1:2})", "cannot read 'gains={1:1,1:2}'"),
        (
            "AP(foo=1)",
            "no parameter 'foo'\n  expected: one of: rel, norm, judged_only, out, cutoff",
        ),
    ],
)
def test_what_is_no_parameter_is_named(text, message):
    with pytest.raises(MeasureError) as caught:
        parse_measure(text)

    assert message in str(caught.value)


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
