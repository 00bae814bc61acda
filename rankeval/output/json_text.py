"""Documents and records as JSON."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from rankeval.output.declared_columns import Rows, records
from rankeval.output.style import Style

_HALF = re.compile(
    r"\\\\|\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|(?P<escaped>\\ud[89a-f])|(?P<bare>[\ud800-\udfff])"
)
"""Half of a surrogate pair, after a backslash or a whole pair, which only look like one."""


def document(value: Mapping[str, Any], *, ascii_only: bool = True) -> Iterator[str]:
    """Yield one object over many lines, in ASCII or with formulas and names as they are read."""
    encoder = json.JSONEncoder(indent=2, ensure_ascii=ascii_only, allow_nan=False)
    yield from map(_strict, encoder.iterencode(value))
    yield "\n"


def lines(rows: Rows, _: Style) -> Iterator[str]:
    """Yield a line for each row."""
    return map(line, records(rows))


def line(value: Mapping[str, Any]) -> str:
    """Return one object in a line, in ASCII."""
    return _strict(json.dumps(value, ensure_ascii=True, allow_nan=False)) + "\n"


def _strict(text: str) -> str:
    r"""Write each half of a surrogate pair in JSON as the text of its escape, such as \udcff.

    Python has such halves for bytes of a path that are not UTF-8. They are no characters, and many
    parsers refuse JSON with an escape of one.
    """
    return text if text.isascii() and "\\ud" not in text else _HALF.sub(_as_text, text)


def _as_text(found: re.Match[str]) -> str:
    half = found["bare"]
    if half is not None:
        return f"\\\\u{ord(half):x}"
    return found[0] if found["escaped"] is None else f"\\{found[0]}"
