"""Errors name the command that installs an extra from where rankeval was installed."""

import json
from importlib import metadata
from types import SimpleNamespace

import pytest

from rankeval.base.endings import installing


@pytest.mark.parametrize("place", ["clone", "within", "elsewhere", "index"])
def test_the_command_names_the_clone_or_the_distribution(tmp_path, monkeypatch, place):
    known = place in ("clone", "within")
    url = json.dumps({"url": tmp_path.as_uri() if known else "https://example.org/a.whl"})
    found = SimpleNamespace(read_text=lambda _: None if place == "index" else url)
    monkeypatch.setattr(metadata, "distribution", lambda _: found)
    if place == "within":
        monkeypatch.chdir(tmp_path)

    source = {"clone": str(tmp_path), "within": "."}.get(place, "rankeval-ir")
    assert installing("plot") == f"pip install '{source}[plot]'"
