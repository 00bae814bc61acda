"""Check documents against the schemas that ship with the package."""

import csv
import json
from functools import cache
from importlib import resources

import pytest

from docs.pages.schemas import schemas, write_schemas

Draft202012Validator = pytest.importorskip("jsonschema").Draft202012Validator


@cache
def _schemas():
    return {name: json.loads(text) for name, text in schemas()}


def schema_names():
    """The schemas that ship, named as documents name them: rankeval-compare/1."""
    return [*_schemas()]


def schema(name):
    """The schema of a name."""
    return _schemas()[name]


@cache
def _validator(name, part):
    whole = schema(name)
    chosen = {"$defs": whole["$defs"], "$ref": f"#/$defs/{part}"} if part else whole
    return Draft202012Validator(chosen)


def _refuse_faults(instance, name, part=""):
    faults = [
        f"{error.json_path}: {error.message[:300]}"
        for error in _validator(name, part).iter_errors(instance)
    ]
    if faults:
        raise AssertionError(f"{name}: " + "; ".join(faults))


def assert_valid(document, name=None):
    """Assert that a document keeps to the schema that it names, which may be stated as well.

    Only the documents that others rely upon have one.
    """
    assert name in (None, document["schema"])
    if document["schema"] in _schemas():
        _refuse_faults(document, document["schema"])
    return document


def assert_rows_of_csv(lines, table):
    """Assert that JSON Lines hold the rows of a CSV under its heads, and return them."""
    rows = [json.loads(line) for line in lines.splitlines()]
    expected = list(csv.DictReader(table.splitlines()))
    assert [list(row) for row in rows] == [list(row) for row in expected]
    for row, texts in zip(rows, expected, strict=True):
        assert [_same(row[head], text) for head, text in texts.items()] == [True] * len(row), row
    return rows


def _same(value, text):
    """Return True if a cell of CSV holds a value; names may have a ' in front."""
    if value is None or isinstance(value, str):
        return text.removeprefix("'") == (value or "").removeprefix("'")
    if isinstance(value, bool):
        return text.lower() in ({"true", "1"} if value else {"false", "0"})
    return float(text) == value


def assert_valid_part(instance, name, part):
    """Assert that a value keeps to one of the definitions of a schema."""
    _refuse_faults(instance, name, part)


def built_schemas(folder, monkeypatch):
    """Let the package hold the schemas of its build, for a checkout in which nothing was built."""
    write_schemas(folder / "schemas")
    real = resources.files
    own = {"rankeval": folder}
    monkeypatch.setattr(resources, "files", lambda name: own.get(name) or real(name))
