"""Record what rankeval prints, and compare the record with that of another commit.

    python -m tests.record REV           # what differs between REV and the working tree
    python -m tests.record --packs REV   # with the cases of the conformance packs, too

A record is a folder in build/record: a file for each command of commands.txt and of the
transcripts, with its output, its errors and its exit code; the same for readers without the
compiled one; every measure's facts, values and signatures. Both records are made by the script of
the working tree, so that they answer the same questions.
"""

import argparse
import filecmp
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BUILD = ROOT / "build" / "record"


def main() -> int:
    """Make both records, print the names of the files that differ, and return 1 if any do."""
    parser = argparse.ArgumentParser(prog="tests.record", description=__doc__.splitlines()[0])
    parser.add_argument("revision", help="the commit to compare the working tree with")
    parser.add_argument("--packs", action="store_true", help="the packs' cases, too")
    given = parser.parse_args()
    git = ["git", "-C", str(ROOT)]
    commit = subprocess.run(
        [*git, "rev-parse", "--short", given.revision], capture_output=True, check=True, text=True
    ).stdout.strip()
    before = BUILD / (commit + "-packs" * given.packs)
    if not before.exists():
        source = BUILD / f"source-{commit}"
        source.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(
            [*git, "archive", commit, "rankeval"], capture_output=True, check=True
        ).stdout
        subprocess.run(["tar", "-x", "-C", str(source)], input=archive, check=True)
        for library in (ROOT / "rankeval/io").glob("libkernel.*"):
            shutil.copy(library, source / "rankeval/io")
        _record(source, before, packs=given.packs)
    now = BUILD / "now"
    shutil.rmtree(now, ignore_errors=True)
    _record(ROOT, now, packs=given.packs)
    return _print_differences(before, now)


def _record(source: Path, target: Path, *, packs: bool) -> None:
    partial = target.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    subprocess.run(
        [
            sys.executable,
            "-P",
            str(HERE / "make.py"),
            str(source),
            str(partial),
            *["packs"] * packs,
        ],
        check=True,
        env={**os.environ, "PYTHONPATH": f"{source}:{ROOT}"},
    )
    partial.rename(target)


def _print_differences(before: Path, now: Path) -> int:
    names = {path.relative_to(side) for side in (before, now) for path in side.rglob("*.txt")}
    differing = 0
    for name in sorted(names):
        sides = [before / name, now / name]
        if all(side.exists() for side in sides) and filecmp.cmp(*sides, shallow=False):
            continue
        differing += 1
        print(name)
    print(f"{len(names)} files, {differing} differ: diff -r {before} {now}")
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main())
