"""What `help` and a question mark show of public names: parameters in a table, on two screens."""

import inspect
import pydoc
import re
from typing import Any, NamedTuple

import pytest

from tests.support.public_names import PUBLIC

LINES = 80
"""Two screens."""

OF_CLASSES = ("Evaluator", "Qrels", "Run", "Results")
"""Classes whose methods users call; those of `Qrels` beside `__init__` are for measures."""


class Shown(NamedTuple):
    """A function by its public name, and its documentation; of `__init__`, that of the class."""

    name: str
    function: Any
    documentation: str


def functions():
    """Yield what takes arguments."""
    for name, public in PUBLIC.items():
        if inspect.isfunction(public):
            yield Shown(name, public, inspect.getdoc(public))
    for name in OF_CLASSES:
        for method, found in vars(PUBLIC[name]).items():
            function = getattr(found, "__func__", found)
            if method == "__init__" and inspect.isfunction(function):
                yield Shown(name, function, inspect.getdoc(PUBLIC[name]))
            elif inspect.isfunction(function) and method[0] != "_" and name != "Qrels":
                yield Shown(f"{name}.{method}", function, inspect.getdoc(function))


FUNCTIONS = [pytest.param(shown, id=shown.name) for shown in functions()]
TABLE = re.compile(r"^=+(?: +=+)+$\n(.*?)\n^=+(?: +=+)+$", re.DOTALL | re.MULTILINE)


def in_tables(text):
    """The names in the first columns of tables; a row may have several, separated by commas."""
    rows = [row for table in TABLE.findall(text) for row in table.splitlines()]
    heads = filter(None, (re.match(r"((?:\w+, )*\w+)(?= )", row) for row in rows))
    return {name for head in heads for name in head[1].split(", ")}


def test_the_functions_are_those_that_users_call():
    names = {found.id for found in FUNCTIONS}

    assert {"evaluate", "plot", "Run.from_topk", "Evaluator.update", "gating.gate_suites"} < names
    assert len(names) > 50


@pytest.mark.parametrize("shown", FUNCTIONS)
def test_parameters_are_in_a_table(shown):
    parameters = [
        parameter.name
        for parameter in inspect.signature(shown.function).parameters.values()
        if parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
    ]
    named = [parameter for parameter in parameters if parameter not in ("self", "cls")]

    if len(named) > 1:  # a single one is in the first sentence
        assert [
            parameter for parameter in named if parameter not in in_tables(shown.documentation)
        ] == []


@pytest.mark.parametrize("shown", FUNCTIONS)
def test_help_fits_two_screens(shown):
    lines = pydoc.plain(pydoc.render_doc(shown.function)).splitlines()
    if shown.name in OF_CLASSES:
        lines += shown.documentation.splitlines()

    assert len(lines) <= LINES


@pytest.mark.parametrize("shown", FUNCTIONS)
def test_no_default_is_shown_as_an_object(shown):
    """No address, and no `<Member: 'value'>`, which cannot be typed."""
    assert "<" not in str(inspect.signature(shown.function))


def unions(annotation):
    """The number of kinds at each level of an annotation, so that brackets count by themselves."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    while "[" in text:
        inner = re.search(r"\[([^\[\]]*)\]", text)
        yield from (len(part.split("|")) for part in inner[1].split(","))
        text = text[: inner.start()] + text[inner.end() :]
    yield len(text.split("|"))


@pytest.mark.parametrize("shown", FUNCTIONS)
def test_no_signature_has_a_union_of_more_than_three(shown):
    signature = inspect.signature(shown.function)
    annotations = [parameter.annotation for parameter in signature.parameters.values()]

    assert max(n for kind in (*annotations, signature.return_annotation) for n in unions(kind)) <= 3
