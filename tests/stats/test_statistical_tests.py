"""A test is one record: every name has one."""

from typing import get_args

from rankeval.stats.choices import PosteriorTest, SystemsTest, TestName, TestText
from rankeval.stats.statistical_tests import names_of_tests


def test_the_names_are_those_that_types_and_constants_have():
    assert names_of_tests() == [*get_args(TestText)] == [*TestName, *SystemsTest, *PosteriorTest]
