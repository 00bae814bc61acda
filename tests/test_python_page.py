"""The page of the Python library shows values that are so, and examples in docstrings run."""

import ast
import doctest
import importlib
import re
from pathlib import Path

import pytest

from tests.support.public_names import MEASURES, PUBLIC

PAGE = Path(__file__).parents[1] / "docs" / "python.md"


def test_the_code_of_the_page_gives_the_values_beside_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown: dict[str, object] = {}
    checked = 0
    for block in re.findall(
        r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    ):
        for line in block.splitlines():
            code, _, value = line.partition("  # ")
            if re.match(r"[-\d{.]", value):
                checked += 1
                assert eval(code, shown) == ast.literal_eval(value), line
            else:
                exec(code, shown)

    assert checked == 8


def test_the_page_names_everything_public_but_single_measures():
    page = PAGE.read_text("utf-8")
    public = PUBLIC.keys() - MEASURES - {"__version__"}

    assert {name for name in public if f"| `{name}` |" not in page} == set()


@pytest.mark.parametrize(
    "module",
    [
        "rankeval.ranking.run_source",
        "rankeval.compat.ir_measures",
        "rankeval.compat.pytrec_eval",
        "rankeval.evaluation.evaluator",
        "rankeval.evaluation.results",
        "rankeval.evaluation.saved_results",
    ],
)
def test_examples_in_docstrings_run(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = importlib.import_module(module)
    pipeline = importlib.import_module("ir_measures").DefaultPipeline.providers
    kept = [*pipeline]

    result = doctest.testmod(found)

    pipeline[:] = [one for one in kept if one.NAME != "rankeval"]
    assert result.attempted
    assert not result.failed
