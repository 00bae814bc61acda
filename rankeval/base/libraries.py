"""The time that SOURCE_DATE_EPOCH states, which makes documents the same every time."""

import os
from typing import TYPE_CHECKING

from rankeval.base.wording import quoted
from rankeval.errors import UsageError

if TYPE_CHECKING:
    from datetime import datetime

EPOCH = "SOURCE_DATE_EPOCH"


def require_epoch() -> None:
    """Raise UsageError for a SOURCE_DATE_EPOCH that libraries cannot read as a time."""
    stated_time()


def stated_time() -> "datetime | None":
    """Return the time of SOURCE_DATE_EPOCH, which makes documents the same; None if it is not set.

    UsageError for what is no time.
    """
    stated = os.environ.get(EPOCH)
    if stated is None:
        return None
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(int(stated), UTC)
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            f"cannot be {quoted(os.fsencode(stated))}",
            place=EPOCH,
            expected="a whole number of seconds since 1970, such as 1700000000",
            remedy=f"set it to one, or unset {EPOCH}",
        ) from None
