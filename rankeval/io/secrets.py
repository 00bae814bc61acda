"""Keep the secrets of addresses, such as s3://KEY:SECRET@bucket/run, out of all that is shown.

What reads an address gets its secrets back; everything else, down to histories and names of runs,
sees the address without them.
"""

import re
from itertools import count

from rankeval.errors import HIDDEN, masked

_ADDRESS = re.compile(r"""[A-Za-z][\w+.-]*://[^\s"'<>]+""")
_PARTS = re.compile(r"([^:]+://[^/?]*)([^?]*)(\?.*)?", re.DOTALL)

_secrets: dict[tuple[str, str], tuple[str, str]] = {}
"""Beginning and query of an address with its secrets, by those without; of this process only."""


def without_secrets(text: str) -> str:
    """Return a text whose addresses have words in the place of secrets, which are remembered."""
    return _ADDRESS.sub(lambda found: _put_away(found[0]), text) if "://" in text else text


def with_secrets(address: str) -> str:
    """Return an address, or that of a file in the folder that it is of, with its secrets."""
    parts = _PARTS.fullmatch(address)
    if parts is None:
        return address
    begin, query = _secrets.get((parts[1], parts[3] or ""), (parts[1], parts[3] or ""))
    return f"{begin}{parts[2]}{query}"


def _put_away(address: str) -> str:
    if masked(address) == address:
        return address
    for number in count(1):
        shown = masked(address, HIDDEN if number == 1 else f"{HIDDEN}{number}")
        parts = _PARTS.fullmatch(shown)
        if parts is None:
            return shown
        rest, mark, query = address.partition("?")
        real = rest.removesuffix(parts[2]), f"{mark}{query}"
        if _secrets.setdefault((parts[1], parts[3] or ""), real) == real:
            return shown
    raise AssertionError  # numbers do not end
