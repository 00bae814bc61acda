"""The numbers of the pictures of the gallery, which its pictures link to on the site."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
COMMAND = re.compile(r"^rankeval plot (\w+) (.+) -o \S+$", re.MULTILINE)
PICTURE = re.compile(r"\]\(pictures/(?:dark/)?(\w+)\.png\)$", re.MULTILINE)


def numbers() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of the numbers of each picture, by the gallery's commands."""
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    for kind, words in COMMAND.findall(page):
        line = f"{sys.executable} -m rankeval plot {kind} {words} --quiet --data -"
        done = subprocess.run(  # noqa: S603  the commands of a page of ours
            ["/bin/sh", "-c", line],
            cwd=ROOT / "examples",
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        yield f"pictures/data/{kind}.tsv", done.stdout


def linked(markdown: str) -> str:
    """Let each picture lead to its numbers."""
    return PICTURE.sub(r"](pictures/data/\1.tsv)", markdown)
