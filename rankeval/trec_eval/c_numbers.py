"""Read numbers as C does: the longest prefix that is a number, or 0 if there is none."""

import math
import re

LARGEST_INTEGER = 2**63 - 1

_INTEGER = re.compile(rb"[ \t\n\v\f\r]*([+-]?[0-9]+)")
_REAL = re.compile(
    rb"""[ \t\n\v\f\r]*
    (?P<number> [+-]? (?:
        (?P<hexadecimal> 0x (?: [0-9a-f]+ \.? [0-9a-f]* | \.[0-9a-f]+ ) (?: p[+-]?[0-9]+ )? )
      | (?: [0-9]+ \.? [0-9]* | \.[0-9]+ ) (?: e[+-]?[0-9]+ )?
      | inf | nan
    ))""",
    re.VERBOSE | re.IGNORECASE,
)
_WHOLE_NUMBER = re.compile(rb"[+-]?[0-9]+")


def integer(text: bytes) -> int:
    """Read an integer as C's atol does."""
    match = _INTEGER.match(text)
    if match is None:
        return 0
    return max(-LARGEST_INTEGER - 1, min(LARGEST_INTEGER, int(match[1][:40])))


def real(text: bytes) -> float:
    """Read a double as C's atof does."""
    try:
        if b"_" not in text:
            return float(text)
    except ValueError:
        pass
    match = _REAL.match(text)
    if match is None:
        return 0.0
    number = match["number"].decode("ascii")
    if match["hexadecimal"] is None:
        return float(number)
    try:
        return float.fromhex(number)
    except OverflowError:
        return -math.inf if number.startswith("-") else math.inf


def is_integer(text: bytes) -> bool:
    """Return True if the text is digits with an optional sign."""
    return _WHOLE_NUMBER.fullmatch(text) is not None
