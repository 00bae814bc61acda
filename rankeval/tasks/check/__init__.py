"""Describe files, and find what is wrong or strange in them: all of it in one pass."""

from rankeval.tasks.check.files import check
from rankeval.tasks.check.report import FileReport

__all__ = ["FileReport", "check"]
