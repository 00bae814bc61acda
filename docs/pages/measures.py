"""The catalogue of measures on the site: a page for each group, with the formulas typeset.

`docs/measures.md`, which `make docs` writes from the docstrings, has the text of all of them.
"""

import re
from collections.abc import Iterator
from textwrap import indent

from docs.pages.formulas import formula
from docs.pages.texts import cell
from rankeval.commands.measures.task import search_measures


def pages(catalogue: str) -> Iterator[tuple[str, str]]:
    """Yield the index, and a page for every group of measures in the text of the catalogue."""
    formulas = {
        block.text
        for one in search_measures()
        for block in one.documentation.body
        if block.is_formula
    }
    introduction, *groups = re.split(r"^## ", catalogue, flags=re.MULTILINE)
    yield "measures.md", "\n".join(_index(introduction))
    for group in groups:
        heading, _, text = group.partition("\n")
        text = re.sub(r"^###", "##", text, flags=re.MULTILINE)
        yield f"measures/{_slug(heading)}.md", f"# {heading}\n{_typeset(_folded(text), formulas)}"


def _folded(text: str) -> str:
    """Fold the example of each measure, of which its value is shown."""

    def folded(block: re.Match[str]) -> str:
        return f'??? example "{block[1]}"\n{indent(block[2], "    ")}\n'

    return re.sub(r"^Example: (.*)\n((?:(?!## ).*\n?)+)", folded, text, flags=re.MULTILINE)


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
    yield "as `rankeval measures NAME` explains it. The search field above the page finds them by"
    yield "name, by the names of other tools and by words, and so does `rankeval measures WORDS`.\n"
    yield f"{notation}\n"
    yield '<div class="catalogue"></div>\n'
    yield "| measure | what it is | family | also called | needs |"
    yield "| :--- | :--- | :--- | :--- | :--- |"
    for measure in search_measures():
        anchor = re.sub(r"[^\w-]", "", measure.usage).lower()
        cells = (
            f"[{cell(measure.usage)}](measures/{_slug(measure.group)}.md#{anchor})",
            cell(measure.documentation.title),
            cell(measure.group),
            cell(", ".join(synonym.name for synonym in measure.synonyms)),
            cell(", ".join(re.split(" in the |[:,]", need)[0] for need in measure.needs)),
        )
        yield f"| {' | '.join(cells)} |"


def _slug(text: str) -> str:
    return re.sub(r"[^a-z]+", "-", text.lower()).strip("-")
