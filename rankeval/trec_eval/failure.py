"""The exception that ends trec_eval early, with an exit status and a message."""

from rankeval.errors import printable


class Failure(Exception):  # noqa: N818 - raised for wrong usage and bad files
    """Stop with an exit status; the message goes to standard error, one line or several."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


USAGE = 1
"""Wrong usage, or an unknown measure."""

BAD_INPUT = 2
"""A file that cannot be read, an unknown format, an impossible parameter of a measure."""

BAD_TOPIC = 4
"""A topic that cannot be evaluated."""

NO_TOPIC = 7
"""No topic was evaluated."""

BAD_ZSCORES = 255
"""The file of means and standard deviations cannot be used."""


def shown(text: bytes) -> str:
    """Return bytes from a command line or a file as text for a message."""
    return printable(text.decode("utf-8", "backslashreplace"))
