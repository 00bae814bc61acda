"""The table of methods: complete, documented, with ranges that are told."""

import pytest

from rankeval.errors import UsageError
from rankeval.fusion.method_record import PARAMETERS
from rankeval.fusion.methods import method_named


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
