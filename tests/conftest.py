"""Settings for all tests."""

import gc
import os
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

from rankeval.io.blocks import NAME, SWITCH, USUAL, library

TOGETHER = (
    "tests/journeys/",
    "tests/spark/test_engine.py",
    "tests/commands/eval/test_command_on_spark.py",
    "tests/test_site.py",
    "tests/test_examples.py",
)
"""Files and folders whose slow tests share what takes seconds to make, so that one process runs
them; they come first."""

LONG = ("tests/spark/test_session.py", "tests/test_public_api.py")
"""Files of single tests that take as long."""

# A busy machine is slow now and then: that is no failure. One commit has one outcome: the examples
# that hypothesis generates are the same in every run, unless the profile "search" asks for others.
settings.register_profile("search", deadline=None, print_blob=True)
settings.register_profile("repeatable", settings.get_profile("search"), derandomize=True)
settings.load_profile("repeatable")

# Compiling ranx takes a minute, and interpreting it a moment. Numba reads this when it is imported.
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")

# What starts the tests in the background, or by nohup, may have made them ignore these.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_configure(config):
    """Compile the reader in a temporary folder, for a checkout that has none beside its source.

    Processes of the session inherit the variable that names it. Without a compiler, or with
    RANKEVAL_KERNEL=0, the tests read without it.
    """
    if hasattr(config, "workerinput") or SWITCH in os.environ or library():
        return
    try:
        from hatch_build import compiled
    except ImportError:  # hatchling is not installed
        return
    library.cache_clear()
    folder = tempfile.TemporaryDirectory()
    config.add_cleanup(folder.cleanup)
    path = Path(folder.name, NAME)
    if compiled(ROOT / "rankeval" / "io" / "kernel.c", path):
        os.environ[SWITCH] = str(path)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Keep the garbage collector from what is there to the end: it takes a sixth of all time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config, items):
    """Put what takes longest first, so that all processes end at about the same time."""
    if config.getoption("markexpr") == "slow":
        first = (*TOGETHER, *LONG)
        places = {one: place for place, one in enumerate(first)}
        items.sort(key=lambda item: places.get(begins_with(first, item.nodeid), len(places)))


def begins_with(beginnings, nodeid):
    """Return the first of some beginnings that a test has, or the test itself."""
    return next((one for one in beginnings if nodeid.startswith(one)), nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Keep the tests of some files together; the groups of xdist 3.8 do nothing with pytest 9.2."""
    if config.getoption("markexpr") != "slow":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class FilesTogether(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return begins_with(TOGETHER, nodeid)

    config.option.loadscopereorder = False  # by number of tests
    return FilesTogether(config, log)


ROOT = Path(__file__).parent.parent
UNTRACKED = pytest.StashKey()


def untracked():
    """Return the files of the checkout that git neither tracks nor ignores; none without git."""
    command = ["git", "ls-files", "--others", "--exclude-standard", "-z"]
    try:
        found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return set()
    return set(filter(None, found.stdout.split("\0")))


def pytest_sessionstart(session):
    if not hasattr(session.config, "workerinput"):
        session.config.stash[UNTRACKED] = untracked()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    """Fail a session that leaves files in the checkout: tests write to their own folders."""
    before = session.config.stash.get(UNTRACKED, None)
    if before is not None and session.exitstatus == pytest.ExitCode.OK and untracked() - before:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config):
    left = sorted(untracked() - config.stash.get(UNTRACKED, set()))
    if left:
        terminalreporter.write_sep("=", "files that tests left in the checkout", red=True)
        terminalreporter.write_line("\n".join(left))


@pytest.fixture
def usual_sizes(monkeypatch):
    """Change the sizes by which public functions read files, until the test ends."""

    def change(**sizes):
        for name, size in sizes.items():
            monkeypatch.setitem(vars(USUAL), name, size)

    return change
