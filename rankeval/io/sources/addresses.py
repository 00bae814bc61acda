"""Addresses: refuse those that hold secrets, and wait for answers up to a limit."""

import math
import os
import re
from collections.abc import Callable
from typing import TypeVar

from rankeval.errors import UsageError

Result = TypeVar("Result")

_SECRET = re.compile(
    r"://[^\s/?#@]*:(?!\d+/)[^\s?#@]*@|[?&;][^\s=&#]*(?:key|secret|token|sig|pass|pwd|cred|auth)[^\s=&#]*=",
    re.IGNORECASE,
)


def refuse_secrets(address: str) -> None:
    """Raise UsageError, which does not show it, for an address with a password, key or token."""
    if _SECRET.search(address):
        raise UsageError(
            "an address holds a password, a key or a token, which lists of processes show",
            expected="an address without secrets, such as s3://bucket/run.parquet",
            remedy="give credentials in the environment or in a profile, such as AWS_PROFILE",
        )


SECONDS = 30.0
"""The limit, unless RANKEVAL_TIMEOUT is another."""


def _limit() -> float:
    """Return the seconds that each request may take."""
    text = os.environ.get("RANKEVAL_TIMEOUT", str(SECONDS))
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < math.inf:
        raise UsageError(f"RANKEVAL_TIMEOUT cannot be '{text}'", expected="seconds, more than 0")
    return seconds


def in_time(ask: Callable[[], Result]) -> Result:
    """Return the answer to a request; TimeoutError if it does not come within the limit.

    The request itself goes on, in a thread that ends with the process: no library can be made
    to give it up at any point.
    """
    from concurrent.futures import Future
    from threading import Thread

    limit = _limit()
    answer: Future[Result] = Future()

    def wait() -> None:
        try:
            answer.set_result(ask())
        except BaseException as error:  # noqa: BLE001  it is raised where it was asked
            answer.set_exception(error)

    Thread(target=wait, daemon=True).start()
    try:
        return answer.result(limit)
    except TimeoutError:
        if answer.done():  # the request's own error
            raise
        raise TimeoutError(f"gave no answer within {limit:g} seconds") from None
