"""Docstrings and help texts as Markdown."""

import re
from collections.abc import Iterator

RULE = re.compile(r"=+( +=+)+$")


def escaped(text: str) -> str:
    """Return plain text as Markdown that shows it, except for what stands between backticks."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"([\\*_<>\[\]])", r"\\\1", part) for part in parts[::2]]
    return "`".join(parts)


def cell(text: str) -> str:
    """Return plain text as the cell of a table."""
    return escaped(" ".join(text.split())).replace("|", "\\|")


def markdown(docstring: str) -> str:
    """Return a docstring as Markdown.

    A docstring is made of paragraphs, items of lists, tables between rules of =, doctests, and
    indented formulas or examples.
    """
    blocks = re.split(r"\n[ \t]*\n", docstring.strip("\n"))
    return "\n\n".join(part for block in _joined(blocks) for part in _block(block))


def _joined(blocks: list[str]) -> Iterator[str]:
    """Yield the blocks, with those of a table together."""
    open_rules = 0
    kept: list[str] = []
    for block in blocks:
        open_rules += sum(bool(RULE.match(line)) for line in block.splitlines())
        kept.append(block)
        if open_rules % 2 == 0:
            yield "\n".join(kept)
            kept = []
    yield from kept


def _block(block: str) -> Iterator[str]:
    lines = block.splitlines()
    first = lines[0]
    if first.startswith(">>> "):
        yield f"```pycon\n{block}\n```"
    elif any(RULE.match(line) for line in lines):
        at = next(number for number, line in enumerate(lines) if RULE.match(line))
        if at:
            yield from _block("\n".join(lines[:at]))
        yield _table(lines[at:])
    elif first.startswith("    "):
        yield f"```text\n{block}\n```"
    elif first.startswith("- "):
        yield "\n".join(
            line if not line.startswith("- ") else f"- {escaped(line[2:])}"
            for line in _unwrapped_items(lines)
        )
    else:
        yield escaped(" ".join(line.strip() for line in lines))


def _unwrapped_items(lines: list[str]) -> list[str]:
    items: list[str] = []
    for line in lines:
        if line.startswith("- ") or not items:
            items.append(line)
        else:
            items[-1] += f" {line.strip()}"
    return items


def _table(lines: list[str]) -> str:
    """Return a table of names and meanings, whose later lines go on with the meaning."""
    start = [match.start() for match in re.finditer("=+", lines[0])]
    inside = [line for line in lines if not RULE.match(line)]
    headed = sum(bool(RULE.match(line)) for line in lines) > 2
    rows: list[list[str]] = []
    for line in inside:
        # A name that is longer than its column shifts the meaning to the right.
        name, _, meaning = line.partition("  ") if line[:1].strip() else ("", "", line)
        cells = (
            [name, meaning.strip()]
            if len(start) == 2 and line[start[1] - 1 : start[1]].strip()
            else [
                line[a:b].strip() for a, b in zip(start, [*start[1:], len(line) + 1], strict=True)
            ]
        )
        if cells[0] or not rows:
            rows.append(cells)
        else:
            rows[-1] = [f"{a} {b}".strip() for a, b in zip(rows[-1], cells, strict=True)]
    head = rows.pop(0) if headed else ["name", *[""] * (len(start) - 2), "meaning"]
    drawn = [head, [":---"] * len(head), *([_name(row[0]), *map(cell, row[1:])] for row in rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in drawn)


def _name(text: str) -> str:
    return ", ".join(f"`{one}`" for one in text.split(", ")) if text else ""
