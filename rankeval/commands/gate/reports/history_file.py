"""The history that `rankeval gate --append` keeps: a line for each gate."""

import os
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from shutil import which
from typing import TYPE_CHECKING

from rankeval.io.sources.locks import append_text, require_appendable
from rankeval.output.json_text import line

if TYPE_CHECKING:
    from rankeval.commands.gate.report import GateFailure, GateReport

COMMITS = (
    *("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT", "BUILDKITE_COMMIT", "CIRCLE_SHA1"),
    *("BUILD_SOURCEVERSION", "BITBUCKET_COMMIT", "TRAVIS_COMMIT"),
)
"""Variables in which GitHub, GitLab, Jenkins and others name the commit that they build."""
PATIENCE = 10
"""Seconds to wait for git."""


def append_history(path: str, reports: "Sequence[GateReport | GateFailure]") -> None:
    """Append a line for each gate to the history."""
    from rankeval.commands.gate.reports.history_document import document
    from rankeval.io.formats.history_lines import BEGINNING

    time, commit = datetime.now(UTC).isoformat(timespec="seconds"), commit_here()
    text = "".join(line(document(one, time, commit)) for one in reports)
    append_text(path, text, beginning=BEGINNING)


def require_history(path: str) -> None:
    """Raise InputError for a file to which no history is appended, before a gate judges."""
    from rankeval.io.formats.history_lines import BEGINNING

    require_appendable(path, beginning=BEGINNING)


def commit_here() -> str:
    """Return the commit that CI names, or else git's in this directory; "" if there is none."""
    for name in COMMITS:
        if named := os.environ.get(name):
            return named
    git = which("git")
    if git is None:
        return ""
    try:
        found = subprocess.run(  # noqa: S603  the words are fixed
            [git, "rev-parse", "--verify", "HEAD"],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return found.stdout.strip() if found.returncode == 0 else ""
