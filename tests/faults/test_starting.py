"""Ctrl-C while rankeval starts: the command ends with 130 and says nothing."""

import os
import subprocess
import sys

import pytest

from tests.support.processes import PATIENCE, environment, write_inputs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs to fork, and SIGINT"),
]

INTERRUPTED_AT_AN_IMPORT = """
import os, signal, sys
import rankeval.__main__

class Interrupting:
    "Sends the signal when the import of that number begins."
    def __init__(self, number):
        self.left = number
    def find_spec(self, *_):
        self.left -= 1
        if not self.left:
            os.kill(os.getpid(), signal.SIGINT)

def ended(number):
    "The exit code and stderr of a command that is interrupted, and whether it was."
    (reader, writer), (told, telling) = os.pipe(), os.pipe()
    process = os.fork()
    if not process:
        os.dup2(writer, 2)
        os.dup2(writer, 1)
        sys.meta_path.insert(0, Interrupting(number))
        rankeval.__main__.main()
    os.close(writer)
    with open(reader, "rb") as stream:
        said = stream.read()
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), said

first, step = int(sys.argv[1]), int(sys.argv[2])
del sys.argv[1:3]
number = first
while (end := ended(number))[0] == 130:
    assert b"Traceback" not in end[1] and b" bug " not in end[1], (number, end)
    number += step
print(number, *end)
"""


@pytest.mark.parametrize(
    ("words", "step", "imports"),
    [
        (["--version"], 7, 20),
        (["eval", "qrels.txt", "a.run"], 61, 150),
        (["trec_eval", "qrels.txt", "a.run"], 21, 100),
    ],
    ids=["version", "eval", "trec_eval"],
)
def test_an_interrupt_at_any_import_ends_quietly(tmp_path, words, step, imports):
    write_inputs(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_AT_AN_IMPORT, "1", str(step), *words],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        check=False,
        text=True,
        timeout=PATIENCE,
    )

    # The first that was not interrupted has no import of that number: it came to its end.
    assert done.returncode == 0, done.stderr
    number, code, said = done.stdout.split(" ", 2)
    assert code == "0", said
    assert int(number) > imports
