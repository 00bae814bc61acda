"""Describe files and find errors and oddities in them, in one pass."""

from rankeval.tasks.check.files import check
from rankeval.tasks.check.report import FileReport

__all__ = ["FileReport", "check"]
