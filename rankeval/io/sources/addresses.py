"""Addresses: keep their secrets out of all that is shown, and wait for answers up to a limit.

What reads an address such as s3://KEY:SECRET@bucket/run gets its secrets back; everything else,
down to histories and names of runs, sees the address without them.
"""

import re
from collections.abc import Callable
from itertools import count
from typing import TypeVar

from rankeval.errors import HIDDEN, masked

Result = TypeVar("Result")

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


SECONDS = 30.0
"""The limit, unless another is set."""

_limit = [SECONDS]
"""One limit for the process, as that of Python's sockets: readers in all threads share it."""


def set_limit(seconds: float) -> None:
    """Set the seconds that each request may take."""
    _limit[0] = seconds


def in_time(ask: Callable[[], Result]) -> Result:
    """Return the answer to a request; TimeoutError if it does not come within the limit.

    The request itself goes on, in a thread that ends with the process: no library can be made
    to give it up at any point.
    """
    from concurrent.futures import Future
    from threading import Thread

    answer: Future[Result] = Future()

    def wait() -> None:
        try:
            answer.set_result(ask())
        except BaseException as error:  # noqa: BLE001  it is raised where it was asked
            answer.set_exception(error)

    Thread(target=wait, daemon=True).start()
    limit = _limit[0]
    try:
        return answer.result(limit)
    except TimeoutError:
        if answer.done():  # the request's own error
            raise
        raise TimeoutError(f"gave no answer within {limit:g} seconds") from None
