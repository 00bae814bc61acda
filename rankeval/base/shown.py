"""Results that print and draw themselves as their commands do.

Printing is above all results, so each class of them imports its command's look in a method.
"""

from typing import Any, Protocol


class LookOfResults(Protocol):
    """The look of a class of results: a `Look` of `rankeval.output.looks`."""

    def text(self, result: Any) -> str:
        """Return the text that a terminal shows."""

    def html(self, result: Any) -> str:
        """Return the HTML that a notebook shows."""

    def printed(self, result: Any, form: str, **style: Any) -> str:
        """Return what the command of the result prints in a format."""


class Shown:
    """A result that a terminal and a notebook show as its command prints it."""

    def _look(self) -> LookOfResults:
        """Import how the command prints the result."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self._look().text(self)

    def _repr_html_(self) -> str:
        return self._look().html(self)


class InPapers(Shown):
    """A result that is printed as Markdown and LaTeX, too."""

    def to_markdown(self, *, digits: int | None = None) -> str:
        """Return what the command prints with `-f markdown`, with a number of decimals."""
        return self._look().printed(self, "markdown", digits=digits)

    def to_latex(self, *, digits: int | None = None, caption: str = "", label: str = "") -> str:
        """Return what the command prints with `-f latex`, with a number of decimals."""
        return self._look().printed(self, "latex", digits=digits, caption=caption, label=label)
