"""The session of Spark that all tests here share."""

import pytest

from tests.support.spark import spark_session


@pytest.fixture(scope="session")
def session():
    """A session on two threads of this machine."""
    found = spark_session()
    yield found
    found.stop()
