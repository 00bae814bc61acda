"""A run or judgments that change while a command reads them are refused, whichever reader it is."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rankeval.io import read as reading

N_TOPICS = 50
SMALL, LARGE = 4, 500
"""Documents of a topic: files for the plain parser, and files that are read in blocks."""


class _Hook:
    """Acts on the event that a file is opened, as Python tells it, whoever opens it.

    Python keeps such hooks for good, so there is one, and what it does is set.
    """

    def __init__(self) -> None:
        self.path = ""
        self.left = 0
        self.act: Callable[[], object] | None = None
        sys.addaudithook(self)

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if event != "open" or self.act is None or arguments[2] & os.O_ACCMODE:
            return
        if isinstance(arguments[0], str) and Path(arguments[0]).name == self.path:
            self.left -= 1
            if not self.left:
                act, self.act = self.act, None
                act()


HOOK = _Hook()


def truncated(path: Path) -> None:
    """Cut a file at the end of a line in its middle, as a new beginning of writing does."""
    whole = path.read_bytes()
    os.truncate(path, whole.rindex(b"\n", 0, len(whole) // 2) + 1)


def grown(path: Path) -> None:
    with path.open("ab") as file:
        file.write(path.read_bytes().splitlines(keepends=True)[-1].replace(b"d", b"e"))


def replaced(path: Path) -> None:
    """Put another file of as many bytes in its place."""
    other = path.with_name("other")
    shutil.copy(path, other)
    other.replace(path)


def overwritten(path: Path) -> None:
    """Write as many bytes over those of a file."""
    data = path.read_bytes()
    with path.open("r+b") as file:
        file.write(data[::-1])


CHANGES = {change.__name__: change for change in (truncated, grown, overwritten, replaced)}

COMMANDS = {
    "eval": ["eval", "q", "a.run"],
    "trec_eval": ["trec_eval", "q", "a.run"],
    "check": ["check", "q", "a.run"],
    "convert": ["convert", "a.run", "a.csv"],
    "fuse": ["fuse", "a.run", "b.run", "-o", "fused.run"],
}


def lines_of(n_documents: int, score: Callable[[int, int], int]) -> bytes:
    """A run whose lines all fit the fast readers."""
    return b"".join(
        b"%d Q0 d%d %d %d t\n" % (topic, (topic * 7 + rank) % 9999, rank, score(topic, rank))
        for topic in range(1, N_TOPICS + 1)
        for rank in range(1, n_documents + 1)
    )


@pytest.fixture
def files(shell):
    def write(n_documents: int) -> Path:
        shell.path("a.run").write_bytes(lines_of(n_documents, lambda _, rank: 9999 - rank))
        shell.path("b.run").write_bytes(lines_of(n_documents, lambda _, rank: 9000 + rank))
        judged = (
            b"%d 0 d%d %d\n" % (topic, (topic * 7 + rank) % 9999, rank % 2)
            for topic in range(1, N_TOPICS + 1)
            for rank in (1, 2, 3, 4)
        )
        shell.path("q").write_bytes(b"".join(judged))
        return shell.path("a.run").parent

    shell.files = write
    return shell


def opened_times(shell, words: list[str], name: str) -> int:
    """How often a command opens a file, in this process."""
    HOOK.path, HOOK.left, HOOK.act = name, 1 << 30, lambda: None
    assert shell(*words).code == 0
    HOOK.act = None
    return (1 << 30) - HOOK.left


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_change_at_the_last_opening_of_a_run_is_refused(files, command, change):
    words = COMMANDS[command]
    files.files(SMALL)
    times = opened_times(files, words, "a.run")
    folder = files.files(SMALL)
    HOOK.path, HOOK.left = "a.run", times
    HOOK.act = lambda: CHANGES[change](folder / "a.run")
    done = files(*words)

    assert HOOK.act is None
    assert done.code == 2
    assert "a.run: changed while it was read" in done.out + done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("change", CHANGES)
def test_a_large_run_that_changes_between_two_blocks_is_refused(
    files, monkeypatch, usual_sizes, change, jobs
):
    usual_sizes(block_bytes=1 << 16)
    path = files.files(LARGE) / "a.run"
    pieces, began = reading.pieces, []

    def changing(*words, **options):
        for data in pieces(*words, **options):
            began.append(path)
            if len(began) == 3:
                CHANGES[change](path)
            yield data

    monkeypatch.setattr(reading, "pieces", changing)
    done = files("eval", "q", "a.run", "--jobs", jobs)

    assert len(began) >= 3
    assert done.code == 2
    assert "a.run: changed while it was read" in done.err
