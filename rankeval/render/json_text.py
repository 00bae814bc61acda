"""JSON of whatever values hold: undefined numbers are null, and all text is ASCII."""

import json
import math
from collections.abc import Iterator
from typing import Any


def document(value: Any) -> Iterator[str]:
    """Print one object over many lines."""
    # ASCII, because a name may hold half of a surrogate pair, which UTF-8 cannot write.
    encoder = json.JSONEncoder(indent=2, ensure_ascii=True, allow_nan=False)
    yield from encoder.iterencode(known(value))
    yield "\n"


def line(value: Any) -> str:
    """Print one object in a line."""
    return json.dumps(known(value), ensure_ascii=True, allow_nan=False) + "\n"


def known(value: Any) -> Any:
    """The same with null for what is no number."""
    if isinstance(value, dict):
        return {name: known(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [known(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
