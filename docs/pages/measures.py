"""The catalogue of measures on the site: a page for each group, with the formulas typeset.

The text is that of `catalogue`.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

from docs.pages import oracles
from docs.pages.catalogue import catalogue
from docs.pages.formulas import formula
from docs.pages.texts import cell
from rankeval.commands.measures.task import Description, search_measures, worked_example
from rankeval.measures.definition import OF_TREC_EVAL
from rankeval.output.style import Style

ORACLES = Path(__file__).parents[1] / "oracles.md"

DETAILS = ("| parameter |", "Edge cases:", "Range ", "Source: ")
"""How the blocks begin that say more of a measure than what it is."""

SHOWN = ("Differences from other tools:", "Also called: ", "Needs ")
"""How the blocks begin that are shown at once, besides the definition."""


def in_catalogue() -> list[Description]:
    """Return the measures that people read of: all but those of trec_eval alone."""
    return [one for one in search_measures() if one.group != OF_TREC_EVAL]


def pages() -> Iterator[tuple[str, str]]:
    """Yield the index, and a page for every group of measures."""
    every = [(one, worked_example(one)) for one in in_catalogue()]
    written = "".join(catalogue(every, Style()))
    formulas = {
        block.text for one, _ in every for block in one.documentation.body if block.is_formula
    }
    introduction, *groups = re.split(r"^## ", written, flags=re.MULTILINE)
    yield "measures.md", "\n".join(_index(introduction))
    for group in groups:
        heading, _, text = group.partition("\n")
        text = re.sub(r"^###", "##", text, flags=re.MULTILINE)
        yield f"measures/{_slug(heading)}.md", f"# {heading}\n{_typeset(_folded(text), formulas)}"


def _folded(text: str) -> str:
    """Show what each measure is, and fold its parameters and its worked example."""
    introduction, *sections = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    said: set[str] = set()
    return "".join([introduction, *(_section(section, said) for section in sections)])


def _section(text: str, said: set[str]) -> str:
    """Return the section of a measure, with a fold for the details and one for each example.

    Differences that an earlier measure of the page has (`said`) are folded, too.
    """
    shown: list[str] = []
    details: list[str] = []
    examples: list[list[str]] = []
    following: list[str] = []
    place = shown
    for block in _blocks(text):
        if block.startswith(DETAILS) or block in said:
            place = details
        elif block.startswith(SHOWN):
            place = shown
        elif block.startswith("Example: "):
            place = []
            examples.append(place)
        elif examples and not block.startswith(("|", "```")):
            # Behind the example, the introduction of the measures that come next.
            place = following
        elif not block.startswith(("|", "```")):
            place = shown
        if block.startswith("Also called: ") and _explains_formula(shown):
            shown[-1] += f" {block}"
        else:
            place.append(block)
    said |= {block for block in shown if block.startswith("Differences")}
    folds = [_fold("info", "Parameters, edge cases, source", details)] if details else []
    folds += [_fold("example", first.removeprefix("Example: "), rest) for first, *rest in examples]
    beside = '<div class="folds" markdown>\n\n' + "\n\n".join(folds) + "\n\n</div>"
    return "\n\n".join([*shown, beside, *following]) + "\n\n"


def _blocks(text: str) -> list[str]:
    """Return the blocks of a section, a list together with the line that introduces it.

    What the measure looks at comes in one paragraph with the letters of its formula.
    """
    blocks: list[str] = []
    for block in re.split(r"\n{2,}", text.strip()):
        if block.startswith("- ") and blocks:
            blocks[-1] += f"\n\n{block}"
        elif block.startswith("It ") and _explains_formula(blocks):
            blocks[-1] += f" {block}"
        else:
            blocks.append(block)
    return blocks


def _explains_formula(blocks: list[str]) -> bool:
    return bool(blocks) and blocks[-1].startswith(("with ", "over "))


def _fold(kind: str, title: str, blocks: list[str]) -> str:
    return f'??? {kind} "{title}"\n\n' + indent("\n\n".join(blocks), "    ")


def _typeset(text: str, formulas: set[str]) -> str:
    def drawn(block: re.Match[str]) -> str:
        text = block[1].rstrip("\n")
        return f"{formula(text)}\n" if text in formulas else block[0]

    return re.sub(r"^```text\n(.*?)^```\n", drawn, text, flags=re.MULTILINE | re.DOTALL)


def _index(introduction: str) -> Iterator[str]:
    title, _, rest = introduction.strip().partition("\n\n")
    notation = rest.partition("\n\n")[2]
    yield "---\nhide: [toc]\n---\n"
    yield f"{title}\n"
    yield "Every measure, with its formula, parameters, edge cases, source and a worked example,"
    yield "as `rankeval measures NAME` explains it. The fields below filter them by name, words,"
    yield "subject, needs, and other tools that compute the same values.\n"
    yield f"{notation}\n"
    yield '<div class="catalogue"></div>\n'
    yield '<div class="dense" markdown>\n'
    yield "| measure | what it is | subject | also called | tools | needs |"
    yield "| :--- | :--- | :--- | :--- | :--- | :--- |"
    tools = oracles.tools(ORACLES.read_text(encoding="utf-8"))
    for measure in in_catalogue():
        anchor = re.sub(r"[^\w-]", "", measure.usage).lower()
        cells = (
            f"[{cell(measure.usage)}](measures/{_slug(measure.group)}.md#{anchor})",
            cell(measure.documentation.title),
            cell(measure.group),
            cell(", ".join(synonym.name for synonym in measure.synonyms)),
            cell(", ".join(tools.get(measure.name, []))),
            cell(", ".join(re.split(" in the |[:,]", need)[0] for need in measure.needs)),
        )
        yield f"| {' | '.join(cells)} |"
    yield "\n</div>"


def _slug(text: str) -> str:
    return re.sub(r"[^a-z]+", "-", text.lower()).strip("-")
