"""Settings for tests of all commands."""

import pytest

from rankeval.commands.report import collect


@pytest.fixture(autouse=True)
def reports_without_pictures(monkeypatch):
    """Draw no pictures in reports, which takes longer than all else; their own tests do."""
    monkeypatch.setattr(collect, "pictures", lambda *_: ())
