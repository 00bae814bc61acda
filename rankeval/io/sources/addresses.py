"""Addresses: refuse those that hold secrets, and wait for answers up to a limit."""

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
