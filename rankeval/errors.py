"""Errors for users, the place, the problem, the expectation and the remedy; visible text."""

import re


class RankevalError(Exception):
    """An error in the user's input; the command line prints it and exits with 2.

    ======== ============================================================================
    problem  the problem, in one line without a full stop
    place    the file, file:line or option with the problem; "" if there is none
    expected the correct form; "" if the problem already says it
    remedy   the next step for the user; "" if there is no sensible advice
    ======== ============================================================================
    """

    def __init__(
        self, problem: str, *, place: str = "", expected: str = "", remedy: str = ""
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.place = place
        self.expected = expected
        self.remedy = remedy

    def __str__(self) -> str:
        lines = [f"{self.place}: {self.problem}" if self.place else self.problem]
        if self.expected:
            lines.append(f"  expected: {self.expected}")
        if self.remedy:
            lines.append(f"  to fix:   {self.remedy}")
        return "\n".join(map(printable, lines))


def printable(text: str) -> str:
    r"""Return the text in one line that is safe on a terminal; escape the rest, as \x1b."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


_LOOKS_ESCAPED = r"\\|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}"
_LOST_SPACE = r"^ | \Z| (?= )"
"""Spaces that a reader or a typesetter does not see: at the ends, and doubled."""


def visible(text: str, also: str | re.Pattern[str] = _LOST_SPACE) -> str:
    r"""Write characters that do not print, and those that `also` matches, as escapes.

    A backslash is doubled only where one could read it as the start of an escape, so that
    C:\runs stays as it is.
    """
    hidden = {match.start() for match in re.finditer(also, text)}
    if not hidden and "\\" not in text and text.isprintable():
        return text
    shown = ""
    for i, character in reversed([*enumerate(text)]):
        if i in hidden or not character.isprintable():
            n = ord(character)
            code = f"x{n:02x}" if n < 1 << 8 else f"u{n:04x}" if n < 1 << 16 else f"U{n:08x}"
            shown = f"\\{code}{shown}"
        else:
            is_escape = character == "\\" and re.match(_LOOKS_ESCAPED, shown)
            shown = ("\\\\" if is_escape else character) + shown
    return shown


class InputError(RankevalError):
    """A file cannot be read, or its content is wrong."""


class MeasureError(RankevalError):
    """A measure is unknown, or a parameter has an impossible value."""


class UsageError(RankevalError):
    """Options contradict each other or ask for something impossible."""


def placed(error: RankevalError, place: str) -> RankevalError:
    """Return the error at a place; one of the classes above, which can be pickled."""
    kinds: tuple[type[RankevalError], ...] = (InputError, MeasureError, UsageError)
    kind = next((kind for kind in kinds if isinstance(error, kind)), RankevalError)
    return kind(error.problem, place=place, expected=error.expected, remedy=error.remedy)


class ReaderLeftError(BrokenPipeError):
    """The reader of a pipe stopped reading; the command still exits with `code`."""

    def __init__(self, code: int, cause: BrokenPipeError) -> None:
        super().__init__(*cause.args)
        self.code = code
