"""A test is one record: every name has one, and a new one is seen wherever tests are named."""

import json
import subprocess
import sys
from typing import get_args

from rankeval.choices import PosteriorTest, SystemsTest, TestName, TestText
from rankeval.stats.statistical_tests import (
    names_of_tests,
)
from tests.support.files import EXAMPLE_QRELS, EXAMPLE_RUNS


def with_yuen(*arguments: str) -> str:
    """Run a command in a process of its own, to which Yuen's test has been added."""
    code = "import tests.support.trimmed_means\nfrom rankeval.__main__ import run\n"
    command = [sys.executable, "-c", f"{code}raise SystemExit(run({list(arguments)}))"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.split())


COMPARED = ("compare", *map(str, (EXAMPLE_QRELS, *EXAMPLE_RUNS[:2])), "-m", "AP", "--test", "yuen")


def test_the_names_are_those_that_types_and_constants_have():
    assert names_of_tests() == [*get_args(TestText)] == [*TestName, *SystemsTest, *PosteriorTest]


def test_json_has_the_name_and_the_outcome_of_a_new_test():
    found = json.loads(with_yuen(*COMPARED, "-f", "json"))

    (pair,) = found["comparisons"]
    assert found["method"]["test"] == pair["test"]["test"] == "yuen"
    assert 0.0 <= pair["p"] <= 1.0
