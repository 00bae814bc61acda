"""Errors that a user can act on: where, what was found, what was expected, how to mend it."""


class RankevalError(Exception):
    """Something the user gave cannot be used; the command line prints it and exits with 2.

    ======== ============================================================================
    problem  what was found, in one line, without a full stop
    place    file, or file:line, or option that the problem is in; "" when there is none
    expected what would have been right; "" when the problem says it
    remedy   what to do next; "" when nothing sensible can be said
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
    r"""Show text in one line that a terminal does not obey: what does not print, as \x1b."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


class InputError(RankevalError):
    """A file cannot be read, or is not what it should be."""


class MeasureError(RankevalError):
    """A measure is unknown, or its parameters are impossible."""


class UsageError(RankevalError):
    """Options contradict each other or ask for something impossible."""


class ReaderLeftError(BrokenPipeError):
    """Whoever read the output has left; `code` is what the exit code has to say all the same."""

    def __init__(self, code: int, cause: BrokenPipeError) -> None:
        super().__init__(*cause.args)
        self.code = code
