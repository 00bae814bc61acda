"""Make the pictures of README and docs/ from the runs of this folder: make pictures."""

import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI
from rich.text import Text

from rankeval import evaluate
from rankeval.evaluation.show import PRINTER
from rankeval.output.style import Style
from rankeval.plots.kinds import KINDS

HERE = Path(__file__).parent
PICTURES = HERE.parent / "docs" / "pictures"
GALLERY = HERE.parent / "docs" / "gallery.md"
QRELS = "qrels/python-reference.qrels"
RUNS = sorted(path.relative_to(HERE).as_posix() for path in (HERE / "runs").glob("*.run"))
GIVEN = {
    **dict.fromkeys(("pr", "prg", "cutoff", "forest", "topics", "scatter", "box", "heatmap"), RUNS),
    **dict.fromkeys(("ecdf", "ci", "ranks", "pairs", "agreement", "judged"), RUNS),
    "slope": [*RUNS, "-m", "AP RR Rprec"],
    "tradeoff": [*RUNS, "--run-costs", "run_costs.tsv"],
}
COLUMNS = 88
TOPIC = "25"
"""The topic that is open in the picture of a report."""


def main() -> None:
    """Write a picture of each kind of plot, and one of the table in a terminal."""
    (PICTURES / "dark").mkdir(parents=True, exist_ok=True)
    for kind, words in GIVEN.items():
        draw(kind, QRELS, *words)
    GALLERY.write_text(gallery(), encoding="utf-8")
    explorer()
    (PICTURES / "table.svg").write_text(table(), encoding="utf-8")


def draw(kind: str, *words: str) -> None:
    """Draw a kind of plot on a light and on a dark page."""
    plot, dark = ("plot", kind, *words, "--quiet", "-o"), PICTURES / "dark" / f"{kind}.png"
    rankeval(*plot, str(PICTURES / f"{kind}.png"))
    rankeval(*plot, str(dark), "--style", "dark")
    with Image.open(dark) as picture:
        few = picture.convert("RGB").quantize(64)  # a third of the bytes
    few.save(dark, optimize=True)


INTRODUCTION = """\
All kinds of `rankeval plot`, drawn from the runs of the examples. On the site each picture
links to its numbers, which `--data FILE` writes; the right one has `--style dark`.
[Plots](plots.md) explains kinds and options, and `make pictures` draws them all again.
"""


def gallery() -> str:
    """Return the page that shows every kind with its command, on a light and on a dark page."""
    lines = ["# Gallery of plots", "", *INTRODUCTION.splitlines()]
    for kind, offered in KINDS.items():
        words = " ".join(f'"{word}"' if " " in word else word for word in GIVEN[kind])
        given = f"{QRELS} {words.replace(' '.join(RUNS), 'runs/*.run')}"
        light, dark = f"pictures/{kind}.png", f"pictures/dark/{kind}.png"
        lines += [
            *("", f"## {kind}", "", f"{offered.words[0].upper()}{offered.words[1:]}.", ""),
            *("```sh", f"rankeval plot {kind} {given} -o {kind}.png", "```", ""),
            f"[![{kind} on a light page]({light}){{ width=49% }}]({light})",
            f"[![{kind} on a dark page]({dark}){{ width=49% }}]({dark})",
        ]
    return "\n".join(lines) + "\n"


def explorer() -> None:
    """Take a picture of an open topic in a report; it needs playwright and chromium."""
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as folder, sync_playwright() as driver:
        page_file = Path(folder) / "report.html"
        texts = (
            "--queries",
            "topics.tsv",
            "--docs",
            "docs.tsv",
            "--with",
            "groups=topic_types.tsv",
        )
        rankeval("report", QRELS, *RUNS, *texts, "--quiet", "-o", str(page_file))
        options = ["--no-sandbox"] if os.geteuid() == 0 else []  # as in containers
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=options)
        page = browser.new_page(viewport={"width": 1000, "height": 880})
        page.goto(f"{page_file.as_uri()}#topic={TOPIC}")
        page.locator("#topics").evaluate("(head) => head.scrollIntoView()")
        page.screenshot(path=PICTURES / "explorer.png")
        browser.close()


def table() -> str:
    """Return the table that README's first command prints in a terminal, as an SVG."""
    results = evaluate(HERE / QRELS, [HERE / run for run in RUNS])
    style = Style(width=COLUMNS, colour=True, unicode=True)
    printed = "".join(PRINTER.text(results, "table", style)).replace(f"{HERE}/", "")
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text("$ rankeval qrels/python-reference.qrels runs/*.run", style="bold"))
    console.print(Text.from_ansi(printed.rstrip()))
    svg = console.export_svg(title="rankeval", theme=DIMMED_MONOKAI, unique_id="rankeval")
    # Nothing is fetched: viewers have a font of their own.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code", "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono'") + "\n"


def rankeval(*words: str) -> None:
    """Run a command in this folder."""
    command = [sys.executable, "-m", "rankeval", *words]
    subprocess.run(command, cwd=HERE, check=True)


if __name__ == "__main__":
    main()
