"""The schemas that ship with the package: valid, described, and named as docs/json.md says."""

import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.commands import run_command
from tests.support.files import EXAMPLE_QRELS, EXAMPLE_RUNS
from tests.support.schemas import built_schemas, schema, schema_names

Draft202012Validator = pytest.importorskip("jsonschema").Draft202012Validator
ValidationError = pytest.importorskip("jsonschema").ValidationError


ROOT = Path(__file__).parents[1]
NAMES = schema_names()


def parts(whole: object, path: str = "$") -> Iterator[tuple[str, dict]]:
    """Every object within a schema, with its path."""
    if isinstance(whole, dict):
        yield path, whole
        for name, one in whole.items():
            yield from parts(one, f"{path}.{name}")
    elif isinstance(whole, list):
        for i, one in enumerate(whole):
            yield from parts(one, f"{path}[{i}]")


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_one_of_the_draft_that_it_names(name):
    Draft202012Validator.check_schema(schema(name))
    assert schema(name)["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize("name", NAMES)
def test_objects_are_closed_or_maps_of_one_kind_of_value(name):
    for path, one in parts(schema(name)):
        if one.get("type") == "object":
            assert "additionalProperties" in one, path
            assert one["additionalProperties"] is not True, path


def test_the_page_tells_every_key():
    """Keys that the schemas have stand in the page, in the section of their schema."""
    page = (ROOT / "docs" / "json.md").read_text("utf-8")
    _, *sections = re.split(r"^## ", page, flags=re.MULTILINE)
    by_schema = {
        found[1]: section
        for section in sections
        if (found := re.search(r"schema `([^`]+)`", section.partition("\n")[0]))
    }

    assert set(by_schema) == set(NAMES)
    for name, section in by_schema.items():
        missing = [key for key in schema(name).get("properties", {}) if f"`{key}`" not in section]
        assert missing == [], name


def test_python_of_the_page_validates_saved_results(tmp_path, monkeypatch):
    built_schemas(tmp_path / "package", monkeypatch)
    page = (ROOT / "docs" / "json.md").read_text("utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    words = ["eval", str(EXAMPLE_QRELS), str(EXAMPLE_RUNS[0]), "-q", "-o", "results.json"]
    assert run_command(words).code == 0

    exec(code, {})

    saved = json.loads(Path("results.json").read_text())
    Path("results.json").write_text(json.dumps({**saved, "runs": 1}))
    with pytest.raises(ValidationError, match="1 is not of type 'array'"):
        exec(code, {})


def test_a_wheel_holds_the_schemas(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")

    with zipfile.ZipFile(wheel) as files:
        held = set(files.namelist())

    assert {f"rankeval/schemas/{name.replace('/', '-')}.schema.json" for name in NAMES} <= held
