"""Results that print and draw themselves as their commands do.

Printing is above all results, so a result finds its command's look when it is shown.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from rankeval.base.checked import checked
from rankeval.errors import UsageError

if TYPE_CHECKING:
    from pandas import DataFrame


def polars() -> Any:
    """Import Polars; UsageError where it is not installed."""
    try:
        import polars as pl
    except ImportError as error:
        raise UsageError("Polars is not installed", remedy="pip install polars") from error
    return pl


class LookOfResults(Protocol):
    """The look of a class of results: a `Look` of `rankeval.output.looks`."""

    def text(self, result: Any) -> str:
        """Return the text that a terminal shows."""

    def html(self, result: Any) -> str:
        """Return the HTML that a notebook shows."""

    def printed(self, result: Any, form: str, **style: Any) -> str:
        """Return the output of the result's command in a format."""

    def records(self, result: Any) -> list[dict[str, Any]]:
        """Return the rows that the command prints for programs, by the names of their columns."""

    def save(self, result: Any, path: str | os.PathLike[str]) -> None:
        """Write the result to a file, in the format of its suffix, whole or not at all."""


class Shown:
    """A result that a terminal and a notebook show as its command prints it."""

    def _look(self) -> LookOfResults:
        """Import how the command prints the result: `look` of the module `show` beside its own."""
        own = next(one for one in type(self).__mro__ if one.__module__.startswith("rankeval."))
        look: LookOfResults = import_module(f"{own.__module__.rpartition('.')[0]}.show").look()
        return look

    def __repr__(self) -> str:
        return self._look().text(self)

    def _repr_html_(self) -> str:
        return self._look().html(self)

    def to_frame(self) -> "DataFrame":
        """Return a pandas DataFrame of the rows that the command prints with `-f tsv`."""
        import pandas as pd  # slow to import

        return pd.DataFrame(self._look().records(self))

    def to_polars(self) -> Any:
        """Return the same as a Polars DataFrame; UsageError where Polars is not installed."""
        return polars().DataFrame(self._look().records(self), infer_schema_length=None)

    @checked
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the result to a file, whole or not at all.

        The suffix names the format, JSON for an unknown one: .json, .tsv, .csv, .jsonl, .md, .tex.
        """
        self._look().save(self, path)


class InPapers(Shown):
    """A result that is printed as Markdown and LaTeX, too."""

    @checked
    def to_markdown(self, *, digits: int | None = None) -> str:
        """Return the output of the command with `-f markdown`, with `digits` decimals."""
        return self._look().printed(self, "markdown", digits=digits)

    @checked
    def to_latex(self, *, digits: int | None = None, caption: str = "", label: str = "") -> str:
        """Return the output of the command with `-f latex`, with `digits` decimals."""
        return self._look().printed(self, "latex", digits=digits, caption=caption, label=label)
