"""Tables and sentences as text: for a terminal within its width, for a pipe or a file plain."""

import textwrap
from collections.abc import Iterable, Iterator

from rankeval.base.wording import visible
from rankeval.output.style import Style
from rankeval.output.tables import Block, Heading, Note, Table, Verbatim

WIDTH = 80
LEAST_WORDS = 24
MORE, GLUE = "-v says more", "\N{NO-BREAK SPACE}"
"""The end of notes that are in brief, which is not folded."""
BOLD, DIM, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


def text(blocks: Iterable[Block], style: Style) -> Iterator[str]:
    """Print sentences wrapped, and empty lines before titles and between tables."""
    before: Block | None = None
    for block in blocks:
        if isinstance(block, str):
            yield _sentence(block, style) + "\n"
            before = block
            continue
        apart = isinstance(before, Table) or (before is not None and block.title)
        yield "\n" if apart else ""
        before = block
        if block.title:
            yield bold(paragraph(visible(block.title), style), style) + "\n"
        yield from drawn(block, style)


def _sentence(block: str, style: Style) -> str:
    if isinstance(block, Verbatim):
        return "\n".join(f"  {line}" for line in block.splitlines())
    if isinstance(block, Heading):
        return bold(visible(block), style)
    return (note if isinstance(block, Note) else paragraph)(visible(block), style)


def drawn(table: Table, style: Style) -> Iterator[str]:
    """Draw a table, by rich for a terminal."""
    if style.width is None and not style.colour:
        from rankeval.output.plain import plain

        return plain(table)
    from rankeval.output.terminal import terminal  # rich takes 50 ms

    return terminal(table, style)


def paragraph(text: str, style: Style, *, indent: str = "", bullet: str = "") -> str:
    """Wrap words; lines after the first are indented to the text behind the bullet."""
    return "\n".join(
        textwrap.wrap(
            text,
            style.width or WIDTH,
            initial_indent=indent + bullet,
            subsequent_indent=indent + " " * len(bullet),
            break_on_hyphens=False,
        )
    )


def entry(name: str, words: str, style: Style) -> str:
    """Return an entry of a list: a padded name, and words behind it or, if narrow, below it."""
    if (style.width or WIDTH) - len(name) < LEAST_WORDS:
        return f"{name.rstrip()}\n" + paragraph(words, style, indent="    ")
    return paragraph(words, style, bullet=name)


def note(line: str, style: Style) -> str:
    """Return a note below a table: folded at words within the width, and dim in colour."""
    if style.width is not None:
        line = textwrap.fill(
            line.replace(MORE, MORE.replace(" ", GLUE)),
            style.width,
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        ).replace(GLUE, " ")
    return f"{DIM}{line}{PLAIN}" if style.colour else line


def bold(text: str, style: Style) -> str:
    """Return the text in bold if escape codes are wanted."""
    return f"{BOLD}{text}{PLAIN}" if style.colour else text
