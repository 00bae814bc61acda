"""One collection for all journeys, whichever process of the test run writes it."""

import pytest

from tests.support.journey_files import Collection, by_topic, drawn_qrels, made_once
from tests.support.shells import shell

__all__ = ["shell"]

HERE = "tests/journeys/"


def pytest_collection_modifyitems(items):
    for item in items:
        if item.nodeid.startswith(HERE):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def collection(tmp_path_factory, worker_id):
    base = tmp_path_factory.getbasetemp()
    shared = base if worker_id == "master" else base.parent
    folder = made_once(shared / "collection")
    return Collection(folder, by_topic(drawn_qrels()))
