"""The shell of these tests."""

from tests.support.shells import shell

__all__ = ["shell"]
