"""Results that print and draw themselves as their commands do."""

import os
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rankeval.base.checked import checked
from rankeval.base.other_words import Hinting
from rankeval.errors import UsageError

if TYPE_CHECKING:
    from pandas import DataFrame

    from rankeval.output.looks import Look


def polars() -> Any:
    """Import Polars; UsageError where it is not installed."""
    try:
        import polars as pl
    except ImportError as error:
        raise UsageError("Polars is not installed", remedy="pip install polars") from error
    return pl


class Shown(Hinting):
    """A result that a terminal and a notebook show as its command prints it.

    By convention, the module `show` beside that of the result's class holds its `PRINTER`, or the
    function `look` if it looks otherwise than its tables.
    """

    def _look(self) -> "Look":
        """Import how the command prints the result."""
        from rankeval.output.looks import Look

        own = next(one for one in type(self).__mro__ if one.__module__.startswith("rankeval."))
        show = import_module(f"{own.__module__.rpartition('.')[0]}.show")
        look: Look = show.look() if hasattr(show, "look") else Look(show.PRINTER)
        return look

    def _doubts(self) -> Sequence[str]:
        """Return the warnings, which commands print apart."""
        return getattr(self, "warnings", ())

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
    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Return the output of the command with `-f csv`, or write it to a file."""
        return self._look().text_or_file(self, "csv", path)

    @checked
    def to_json(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Return all of the result as JSON, or write it to a file."""
        return self._look().text_or_file(self, "json", path)

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
