"""Break names into lines that fit a width."""

import re

from rich.cells import cell_len

_BREAK = re.compile(r"(?<=[-_/:,+ (])|(?<=\.)(?!\d)|(?=@)")
"""Places where a name may be broken: not within a number such as 0.75."""


def folded(text: str, width: int) -> list[str]:
    """Break a name into lines, after punctuation if possible; no character is lost."""
    if cell_len(text) <= width:
        return [text]
    lines = [""]
    room = width
    for piece in _BREAK.split(text):
        if cell_len(piece) > room and lines[-1]:
            lines.append("")
            room = width
        for character in piece if cell_len(piece) > room else [piece]:
            if cell_len(character) > room and lines[-1]:
                lines.append("")
                room = width
            lines[-1] += character
            room -= cell_len(character)
    return lines
