"""The table of methods: complete, documented, with ranges that are told."""

import pytest

from rankeval.choices import METHOD_NAMES
from rankeval.errors import UsageError
from rankeval.fusion.method_record import PARAMETERS, REGISTERED
from rankeval.fusion.methods import method_named, methods


def test_every_registered_method_is_in_the_table():
    assert tuple(methods()) == METHOD_NAMES
    assert REGISTERED.keys() == set(METHOD_NAMES)


@pytest.mark.parametrize("name", METHOD_NAMES)
def test_every_method_names_its_source(name):
    assert "Source: " in (method_named(name).function.__doc__ or "")


@pytest.mark.parametrize("parameter", PARAMETERS.values(), ids=lambda one: one.name)
def test_defaults_are_allowed(parameter):
    assert parameter.checked(parameter.default) == parameter.default


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("k", -0.5, "a number of at least 0"),
        ("phi", 0, "a number between 0 and 1"),
        ("sigma", 1.5, "a number from 0 to 1"),
        ("gamma", float("nan"), "a number from 0 to 100"),
        ("k", float("inf"), "a number of at least 0"),
    ],
)
def test_a_value_out_of_range_is_refused(name, value, expected):
    with pytest.raises(UsageError) as refused:
        PARAMETERS[name].checked(value)

    assert refused.value.expected == expected


def test_an_unknown_method_gets_near_names():
    with pytest.raises(UsageError, match="combmns") as refused:
        method_named("combmns")

    assert "combmnz" in refused.value.remedy
