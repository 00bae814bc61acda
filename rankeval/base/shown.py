"""Results that print, draw and compare themselves, with the help of a room above theirs.

A room imports only those below it, and printing is above all results: `rankeval/__init__.py`, which
stands above all rooms, imports the presenter.
"""

import sys
from collections.abc import Sequence
from typing import Any, Protocol, TypeVar, cast

Result = TypeVar("Result")


class Presenter(Protocol):
    """The functions behind methods of results: those of `rankeval.commands.presenter`."""

    def text(self, result: object) -> str:
        """Return the text that a terminal shows."""

    def html(self, result: object) -> str:
        """Return the HTML that a notebook shows."""

    def printed(self, result: object, form: str, **style: Any) -> str:
        """Return what the command of the result prints in a format."""

    def save(self, results: object, path: Any) -> None:
        """Write results with the values of all topics as JSON."""

    def compare(self, results: Any, baseline: str | None, **options: Any) -> Any:
        """Compare the other runs of results with a baseline."""

    def merge(self, parts: Sequence[Result], qrels: Any) -> Result:
        """Merge results of parts of the topics."""


def presenter() -> Presenter:
    """Return the presenter, which is imported when a result first needs it."""
    return cast("Presenter", sys.modules["rankeval"]._presenter())  # noqa: SLF001  of this package


class Shown:
    """A result that a terminal and a notebook show as its command prints it."""

    def __repr__(self) -> str:
        return presenter().text(self)

    def _repr_html_(self) -> str:
        return presenter().html(self)


class InPapers(Shown):
    """A result that is printed as Markdown and LaTeX, too."""

    def to_markdown(self, *, digits: int | None = None) -> str:
        """Return what the command prints with `-f markdown`, with a number of decimals."""
        return presenter().printed(self, "markdown", digits=digits)

    def to_latex(self, *, digits: int | None = None, caption: str = "", label: str = "") -> str:
        """Return what the command prints with `-f latex`, with a number of decimals."""
        return presenter().printed(self, "latex", digits=digits, caption=caption, label=label)
