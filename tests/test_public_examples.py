"""Every public function has an example in its docstring, and examples run."""

import doctest
import inspect

import pytest

from rankeval.measures import measure_catalogue as measures
from tests.support.public_names import PUBLIC

MADE = (
    *("Evaluator", "Measure", "Qrels", "Run", "Results", "TopicRanking"),
    "options.Method",
    "options.Items",
    "options.Settings",
)
"""Classes that users make objects of, or that most results are of."""

FUNCTIONS = [name for name, one in PUBLIC.items() if inspect.isfunction(one)]


@pytest.fixture
def _unchanged_registries():
    """Forget the measures that an example registers."""
    before = dict(measures.BY_NAME)
    yield
    measures.forget_names()
    measures.BY_NAME.clear()
    measures.BY_NAME.update(before)


def examples_of(name):
    return [one for one in doctest.DocTestFinder().find(PUBLIC[name], name) if one.examples]


@pytest.mark.parametrize("name", [*FUNCTIONS, *MADE])
@pytest.mark.usefixtures("_unchanged_registries")
def test_an_example_is_there_and_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    examples = examples_of(name)

    assert name in {one.name for one in examples}
    for one in examples:
        lines = []
        doctest.DocTestRunner().run(one, out=lines.append)
        assert not lines, "".join(lines)
