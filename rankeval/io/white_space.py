"""Detect irregular white space between the fields of lines, and make it regular."""

from typing import Self

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.io.blocks import PIECE

WHITE_TO_SPACE = bytes.maketrans(b"\t\r\v\f", b"    ")
NEWLINE, SPACE = b"\n "


@frozen
class Blanks:
    """The number of spaces, newlines and control characters, and True if two of them meet."""

    count: int
    meet: bool

    @classmethod
    def from_text(cls, text: bytes) -> Self:
        """Scan the text once, in pieces that stay in the processor's cache."""
        characters = np.frombuffer(text, dtype=np.uint8)
        count, meet = 0, False
        for start in range(0, len(characters), PIECE):
            blank = characters[start : start + PIECE + 1] <= SPACE
            count += int(np.count_nonzero(blank[:PIECE]))
            meet = meet or bool((blank[1:] & blank[:-1]).any())
        return cls(count, meet)


def regular(block: bytes) -> bytes:
    """Put one space between two fields, and none at the ends of lines."""
    text = block.translate(WHITE_TO_SPACE)
    if not Blanks.from_text(text).meet:
        return text.removeprefix(b" ")
    characters = np.frombuffer(text, dtype=np.uint8)
    space = characters == SPACE
    space[:-1] &= space[1:] | (characters[1:] == NEWLINE)
    if space.any():
        characters = characters[~space]
    leading = (characters[1:] == SPACE) & (characters[:-1] == NEWLINE)
    if leading.any():
        characters = characters[np.append(True, ~leading)]
    return characters.tobytes().removeprefix(b" ")
