"""Errors name parameters of Python, and options where the shell prints them."""

import ast
import inspect
import re
from pathlib import Path

import pytest

import rankeval
from rankeval.base.endings import PARAMETERS, as_options, told
from rankeval.errors import InputError
from tests.support.public_names import PUBLIC

PACKAGE = Path(rankeval.__file__).parent
OF_THE_SHELL = ("__main__.py", "command.py", "show.py")
"""Names of files that Python does not call."""

ONLY_OF_THE_SHELL = {
    *("--append", "--comment", "--config", "--data", "--digits", "--format", "--github"),
    *("--group-by", "--max", "--no-summary", "--per-query", "--spark-master", "--tune"),
}
"""Options without a parameter, or beside one that the message names, too."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("drop judged_only=True", "drop --judged-only"),
        ("by topics='judged'", "by --topics judged"),
        ("give depth=, budget= or both", "give --depth, --budget or both"),
        ("name it with columns='docno=NAME'", "name it with --columns docno=NAME"),
        ("add alpha=0.05, or", "add --alpha 0.05, or"),
        ("train=FILE with exclude_seen=True", "--train FILE with --exclude-seen"),
        ("groups=FILE and weights=", "--group FILE and --weights"),
        (
            "AP(norm='min')@10 and AP(rel=2,norm='min')",
            "AP(norm='min')@10 and AP(rel=2,norm='min')",
        ),
        ('found "depth=3" in runs/depth=3/a.run', 'found "depth=3" in runs/depth=3/a.run'),
        ("the topic was x=1 and xdepth=2", "the topic was x=1 and xdepth=2"),
    ],
)
def test_parameters_are_written_as_options(text, expected):
    assert as_options(text) == expected


def test_a_path_is_never_an_option():
    error = InputError("has no score", place="depth=3", remedy="drop depth=")

    assert told(error).splitlines()[1] == "  to fix:   drop --depth"
    assert told(InputError("has no score", place="a depth=3")).startswith("a depth=3: ")


def test_every_parameter_is_one_of_a_public_function_or_class():
    callables = [one for one in PUBLIC.values() if inspect.isfunction(one) or inspect.isclass(one)]
    known = {name for one in callables for name in inspect.signature(one).parameters}

    assert PARAMETERS - known == set()


def test_no_error_of_the_library_names_an_option():
    named = {}
    library = [
        path
        for path in PACKAGE.rglob("*.py")
        if path.name not in OF_THE_SHELL and path.relative_to(PACKAGE).parts[0] != "cli"
    ]
    for path in library:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and ast.unparse(node.func).endswith("Error")):
                continue
            words = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)]
            for word in filter(lambda one: isinstance(one, str), words):
                for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", word):
                    named.setdefault(option, []).append(f"{path.name}:{node.lineno}")

    assert named.keys() - ONLY_OF_THE_SHELL == set(), named
    assert ONLY_OF_THE_SHELL - named.keys() == set()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: rankeval.options.Settings(judged_only=True, unjudged="nonrelevant"),
            "judged_only=True and",
        ),
        (lambda: rankeval.pool([{"1": {"d": 1.0}}] * 2), "give depth=, budget= or both"),
        (
            lambda: rankeval.options.Reading(collapse="a", collapse_sep="b"),
            "collapse= and collapse_sep=",
        ),
        (
            lambda: rankeval.evaluate({"a": {"b": 1}}, {"a": {"b": 1}}, exclude_seen=True),
            "add train=FILE, or drop exclude_seen=True",
        ),
    ],
)
def test_errors_of_python_name_its_parameters(call, words):
    with pytest.raises(rankeval.RankevalError) as raised:
        call()

    assert words in str(raised.value)
    assert "--" not in str(raised.value)
    assert "--" in told(raised.value)
