"""Describe files, and find what is wrong or strange in them: all of it in one pass."""

from rankeval.checking.files import check
from rankeval.checking.report import FileReport

__all__ = ["FileReport", "check"]
