"""Open files among the values that callers give."""

from rankeval.errors import InputError


def refuse_closed(given: object, place: str) -> None:
    """Raise InputError for a file that was closed; anything else is left alone."""
    if getattr(given, "closed", False) is True:
        raise InputError(
            "the file is closed", place=place, expected="a file that is open for reading"
        )
