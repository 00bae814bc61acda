"""The numbers of the pictures of the gallery, which its pictures link to on the site."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
COLLECTIONS = "types.toml"
COMMAND = re.compile(r"^rankeval plot (\w+) (.+) -o \S+$", re.MULTILINE)
PICTURE = re.compile(r"\]\(pictures/(?:dark/)?(\w+)\.png\)$", re.MULTILINE)


def numbers() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of the numbers of each picture, by the gallery's commands."""
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    with TemporaryDirectory() as folder:
        types = _of_types(Path(folder))
        for kind, words in COMMAND.findall(page):
            given = words.replace(COLLECTIONS, str(types))
            line = f"{sys.executable} -m rankeval plot {kind} {given} --quiet --data -"
            done = subprocess.run(  # noqa: S603  the commands of a page of ours
                ["/bin/sh", "-c", line],
                cwd=EXAMPLES,
                env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},
                capture_output=True,
                text=True,
                check=True,
            )
            yield f"pictures/data/{kind}.tsv", done.stdout


def _of_types(folder: Path) -> Path:
    """Write a file of collections, one for each type of topic in the examples."""
    lines = (EXAMPLES / "topic_types.tsv").read_text(encoding="utf-8").splitlines()[1:]
    of_topic = dict(line.split("\t") for line in lines)
    qrels = (EXAMPLES / "qrels" / "python-reference.qrels").read_text(encoding="utf-8")
    judgments = qrels.splitlines(keepends=True)
    runs = sorted((EXAMPLES / "runs").glob("*.run"))
    text = ["[runs]", *(f'{run.stem} = "{run}"' for run in runs)]
    for name in dict.fromkeys(of_topic.values()):
        some = [line for line in judgments if of_topic.get(line.split()[0]) == name]
        (folder / f"{name}.qrels").write_text("".join(some), encoding="utf-8")
        text += [f"[collection.{name}]", f'qrels = "{name}.qrels"']
    (folder / COLLECTIONS).write_text("\n".join(text), encoding="utf-8")
    return folder / COLLECTIONS


def linked(markdown: str) -> str:
    """Let each picture lead to its numbers."""
    return PICTURE.sub(r"](pictures/data/\1.tsv)", markdown)
