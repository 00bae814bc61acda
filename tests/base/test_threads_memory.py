import platform
import subprocess
import sys

import pytest

PROGRAM = """
import sys
from pathlib import Path
from rankeval.base.threads import give_back

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4 >> 10

pieces = [b"x" * (100_000 + i) for i in range(2_000)]
last = pieces.pop()  # what lies above them keeps the C library from giving them back
held = resident()
pieces.clear()
give_back(int(sys.argv[1]))
print(held - resident())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries give it back")
@pytest.mark.parametrize(("n_rows", "is_given_back"), [(1 << 18, True), (100, False)])
def test_memory_is_given_back_after_many_rows(n_rows, is_given_back):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(n_rows)], capture_output=True, text=True, check=True
    )

    assert (int(done.stdout) > 150) == is_given_back  # of 200 MB
