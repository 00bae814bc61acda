"""Errors name the command that installs an extra from where rankeval was installed."""

import json
from importlib.metadata import PackageNotFoundError

import pytest

from rankeval.base import installing


class Distribution:
    """A distribution that was installed from an address, or from an index."""

    def __init__(self, url):
        self.url = url

    def read_text(self, _name):
        return None if self.url is None else json.dumps({"url": self.url})


def test_a_clone_is_named_by_its_path_and_within_it_by_a_dot(tmp_path, monkeypatch):
    clone = tmp_path / "my clone"
    clone.mkdir()
    found = Distribution(clone.as_uri())
    monkeypatch.setattr(installing, "distribution", lambda _name: found)

    assert installing.command("plot") == f"pip install '{clone}[plot]'"
    monkeypatch.chdir(clone)
    assert installing.command("plot") == "pip install '.[plot]'"


@pytest.mark.parametrize("url", [None, "file:///no/such/folder", "https://example.org/a.whl"])
def test_else_the_distribution_is_named(url, monkeypatch):
    monkeypatch.setattr(installing, "distribution", lambda _name: Distribution(url))

    assert installing.command("report") == "pip install 'rankeval-ir[report]'"


def test_a_folder_on_the_path_that_was_never_installed(monkeypatch):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(installing, "distribution", missing)

    assert installing.command("spark") == "pip install 'rankeval-ir[spark]'"
