"""Words that messages share: counted nouns, and names from files, the first few of many."""

from collections.abc import Iterable, Sequence

from rankeval.errors import printable

NAMED = 3
LONGEST_QUOTE = 60


def listed(names: Sequence[bytes], total: int | None = None) -> str:
    """Return the first few names, and the number of further ones; there are `total` in all."""
    shown = ", ".join(quoted(name)[1:-1] for name in names[:NAMED])
    more = (len(names) if total is None else total) - NAMED
    return f"{shown} and {more} more" if more > 0 else shown or "none"


def count(number: int, noun: str) -> str:
    """Return a counted noun: `1 topic`, `2,000 topics`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def known_word(word: str, known: Iterable[str]) -> str:
    """Return the one of the known words that is meant: CombMNZ is combmnz, and log_isr log-isr.

    The word as it is where none is.
    """
    meant = _folded(word)
    return next((one for one in known if _folded(one) == meant), word)


def _folded(word: str) -> str:
    return word.casefold().replace("-", "").replace("_", "")


def quoted(text: bytes) -> str:
    """Show bytes from a file in a message: printable, in quotes, not too long."""
    shown = printable(text[: LONGEST_QUOTE * 4].decode("utf-8", "backslashreplace"))
    return f'"{shown[:LONGEST_QUOTE]}…"' if len(shown) > LONGEST_QUOTE else f'"{shown}"'


def decoded(name: bytes) -> str:
    """A name from a file as text; bytes that are none show as escapes."""
    return name.decode("utf-8", "backslashreplace")
