"""Wait for an answer from elsewhere, and no longer than a limit."""

from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

SECONDS = 30.0
"""The limit, unless another is set."""

_limit = [SECONDS]
"""One limit for the process, as that of Python's sockets: readers in all threads share it."""


def set_limit(seconds: float) -> None:
    """Set the seconds that each request may take."""
    _limit[0] = seconds


def in_time(ask: Callable[[], Result]) -> Result:
    """Return what is asked for; TimeoutError where it does not come within the limit.

    The request itself goes on, in a thread that ends with the process: no library can be told to
    give it up at any point.
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
