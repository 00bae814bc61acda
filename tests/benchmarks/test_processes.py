"""The memory of a command is that of all its processes together."""

import sys

import pytest

from benchmarks.processes import peak_together

HOLD = "import os, time\n{}held = b'x' * 60_000_000\ntime.sleep(0.3)\n"


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells what processes share")
def test_memory_of_two_processes_is_added_and_what_they_share_counts_once():
    alone, after, before = (
        peak_together([sys.executable, "-c", code])
        for code in (
            HOLD.format(""),
            HOLD.format("os.fork()\n"),
            HOLD.format("") + "os.fork()\ntime.sleep(0.3)\n",
        )
    )

    assert 57 < alone < 100
    assert alone + 50 < after < 2 * alone
    # Two starts of one program differ by some pages.
    assert alone - 1 < before < alone + 20
