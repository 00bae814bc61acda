"""Rules for reading files, and the warning of lines that were dropped."""

from collections.abc import Mapping
from typing import Literal, TypedDict

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.wording import count
from rankeval.errors import printable
from rankeval.evaluation.results import Notice
from rankeval.io.formats import Form, check_name
from rankeval.io.parsers.column_names import parse_columns, require_roles
from rankeval.io.parsers.line_errors import Problems
from rankeval.ranking.duplicates import Collapse, Duplicates, collapse_at


class ReadingFields(TypedDict, total=False):
    """The fields of `Reading`, as keywords of functions."""

    qrels_format: str | None
    run_format: str | None
    columns: Mapping[str, str] | str | None
    on_error: Literal["refuse", "skip"]
    duplicates: Duplicates
    collapse: str | None


@checked
@frozen
class Reading:
    """The fields of `Settings` that say how files are read; functions that only read take them."""

    qrels_format: str | None = None
    run_format: str | None = None
    columns: Mapping[str, str] | str | None = None
    on_error: Literal["refuse", "skip"] = "refuse"
    duplicates: Duplicates = "refuse"
    collapse: str | None = None

    def __post_init__(self) -> None:
        _ = self.chunks

    def format_of(self, what: str) -> str | None:
        """Return the name of the format of a run, or of judgments."""
        return self.run_format if what == "run" else self.qrels_format

    def qrels_form(self) -> Form:
        """Return the form of judgments, with a new count of wrong lines."""
        check_name(self.qrels_format)
        return Form("qrels", self.qrels_format, self._columns, self._problems)

    def run_form(self) -> Form:
        """Return the form of a run, with a new count of wrong lines."""
        check_name(self.run_format)
        return Form("run", self.run_format, self._columns, self._problems)

    @property
    def chunks(self) -> Collapse | None:
        """Return the rule that collapses chunks into documents, or None."""
        return None if self.collapse is None else collapse_at(self.collapse)

    @property
    def marks(self) -> list[str]:
        """Return the parts of a signature: the rules that can change a number."""
        marks = []
        if self.duplicates != "refuse":
            marks.append(f"duplicates:{self.duplicates}")
        if self.on_error == "skip":
            marks.append("wrong-lines:skipped")
        if (chunks := self.chunks) is not None:
            text = chunks.regex.replace("|", r"\x7c")
            marks.append(printable(f"collapse:{chunks.by}:regex={text}"))
        return marks

    @property
    def _columns(self) -> Mapping[str, str]:
        if isinstance(self.columns, str):
            return parse_columns(self.columns)
        return require_roles(self.columns or {})

    @property
    def _problems(self) -> Problems | None:
        return Problems() if self.on_error == "skip" else None


def dropped_notices(name: str, dropped: Mapping[str, int]) -> list[Notice]:
    """Return a warning if lines were dropped."""
    if not dropped:
        return []
    kinds = ", ".join(f"{number} × {kind}" for kind, number in sorted(dropped.items()))
    lines = count(sum(dropped.values()), "line")
    return [Notice(f"{name}: {lines} dropped ({kinds})")]
