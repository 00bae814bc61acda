"""Words and numbers in messages: counted nouns, names from files, numbers."""

import math
import re
from collections.abc import Callable, Sequence
from functools import partial

from rankeval.errors import printable

NAMED, LONGEST_QUOTE = 3, 60


def listed(names: Sequence[str] | Sequence[bytes], total: int | None = None) -> str:
    """Return the first few names, and the number of further ones; there are `total` in all."""
    shown = ", ".join(quoted(name)[1:-1] for name in names[:NAMED])
    more = (len(names) if total is None else total) - NAMED
    return f"{shown} and {more} more" if more > 0 else shown or "none"


def natural(name: str | bytes) -> list[tuple[int, int, str]]:
    """Return a key that orders numbers in a name by their value: 1, 2, 10; seed2 before seed10."""
    parts = re.split(r"([0-9]+)", name if isinstance(name, str) else decoded(name))
    # Python reads no integer of thousands of digits; a longer one is larger.
    digits = [part.lstrip("0") if i % 2 else part for i, part in enumerate(parts)]
    return [(i % 2, len(part) * (i % 2), part) for i, part in enumerate(digits)]


def count(number: int, noun: str) -> str:
    """Return a counted noun: `1 topic`, `2,000 topics`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def nearest_of(word: str, known: Sequence[str], *, cutoff: float = 0.6) -> list[str]:
    """Return the known word that is most like a word, or none."""
    from difflib import get_close_matches  # an error may take its time

    return get_close_matches(word, known, n=1, cutoff=cutoff)


def nearest(word: str, known: Sequence[str], otherwise: str = "", *, cutoff: float = 0.6) -> str:
    """Return what is expected in a word's place: the known one that is like it, or any of them."""
    close = nearest_of(word, known, cutoff=cutoff)
    return f"perhaps {close[0]}" if close else otherwise or f"one of {', '.join(known)}"


def quoted(text: str | bytes) -> str:
    """Show text or bytes from a file in a message: printable, in quotes, not too long."""
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    shown = printable(data[: LONGEST_QUOTE * 4].decode("utf-8", "backslashreplace"))
    return f'"{shown[:LONGEST_QUOTE]}…"' if len(shown) > LONGEST_QUOTE else f'"{shown}"'


def described(value: object) -> str:
    """Return a value and its type in a message, however long it is."""
    # A float holds no larger integer.
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 1024:
        return f"an integer of {value.bit_length()} bits"
    shown = quoted(repr(value).encode("utf-8", "surrogatepass"))[1:-1]
    return shown if isinstance(value, float) else f"{shown} ({type(value).__name__})"


decoded: Callable[[bytes], str] = partial(str, encoding="utf-8", errors="backslashreplace")
"""A name from a file as text; bytes that are none show as escapes."""


UNDEFINED = "-"


def finite(value: float) -> float | None:
    """Return the value as Python's own, or None if it is undefined or infinite."""
    return float(value) if math.isfinite(value) else None


def number(value: float | None, digits: int) -> str:
    """Write a number; a dash if it is undefined."""
    return UNDEFINED if value is None else f"{value:z.{digits}f}"


def signed(value: float | None, digits: int) -> str:
    """Write a difference with its sign."""
    return UNDEFINED if value is None else f"{value:+z.{digits}f}"


def percent(value: float | None) -> str:
    """Write a relative difference."""
    return UNDEFINED if value is None else f"{100 * value:+z.1f}%"
