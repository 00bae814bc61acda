r"""Text from files as one line of plain text: whatever does not print is shown as an escape.

Run names, topics, paths and the words of the user may hold anything. Escapes are \x1b, \u202e or
\U000e0041. Different texts stay different.
"""

import re

_LOOKS_ESCAPED = re.compile(r"x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}")
_LOST_SPACE = re.compile(r"^ | \Z| (?= )")
"""Spaces that a reader or a typesetter does not see: at the ends, and doubled."""


def visible(text: str) -> str:
    """Return the text with everything that a reader would not see as escapes."""
    return escaped(text, _LOST_SPACE)


def escaped(text: str, also: re.Pattern[str]) -> str:
    r"""Write characters that do not print, and those that `also` matches, as escapes.

    A backslash is doubled only where one could read it as the start of an escape, so that
    C:\runs stays as it is.
    """
    hidden = {match.start() for match in also.finditer(text)}
    if not hidden and "\\" not in text and text.isprintable():
        return text
    hidden.update(i for i, character in enumerate(text) if not character.isprintable())
    shown = []
    for i, character in enumerate(text):
        if i in hidden:
            shown.append(_code(character))
        elif character == "\\" and (
            i + 1 in hidden or text.startswith("\\", i + 1) or _LOOKS_ESCAPED.match(text, i + 1)
        ):
            shown.append("\\\\")
        else:
            shown.append(character)
    return "".join(shown)


def _code(character: str) -> str:
    number = ord(character)
    if number <= 0xFF:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
