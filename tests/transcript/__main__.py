"""Run every command of the transcripts again.

    python -m tests.transcript            # show what has changed
    python -m tests.transcript --write    # and keep it
    python -m tests.transcript eval.txt --write

Add a command by adding a line "$ rankeval ..." to a transcript and writing it. Read the difference
before you commit it: a transcript shows what is printed, and not that it is right.
"""

import argparse
import contextlib
import difflib
import sys
import tempfile
from pathlib import Path

from tests.support.week import write_week
from tests.transcript.session import HERE, repeated, transcripts


def main() -> int:
    """Compare or write the transcripts, and return 1 if some have changed."""
    parser = argparse.ArgumentParser(prog="tests.transcript", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="transcripts, such as eval.txt; default: all")
    parser.add_argument("--write", action="store_true", help="write what is printed now")
    given = parser.parse_args()
    changed = 0
    for path in [HERE / name for name in given.names] or transcripts():
        before = path.read_text("utf-8")
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            write_week(Path())
            after = "".join(repeated(before))
        if after != before:
            changed = 1
            lines = difflib.unified_diff(
                before.splitlines(), after.splitlines(), path.name, path.name, lineterm=""
            )
            sys.stdout.writelines(f"{line}\n" for line in lines)
            if given.write:
                path.write_text(after, "utf-8")
    return changed


if __name__ == "__main__":
    sys.exit(main())
