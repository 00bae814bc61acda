"""Rules for reading files: formats, wrong lines, duplicate documents, and chunks."""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from rankeval.base.checked import checked
from rankeval.base.dicts import seal
from rankeval.base.frozen import frozen, shown_changes
from rankeval.errors import printable
from rankeval.io.formats.file_format import Form
from rankeval.io.formats.formats import check_name
from rankeval.io.parsers.column_names import parse_columns, require_roles
from rankeval.io.parsers.line_errors import Problems
from rankeval.ranking.chunks import Collapse, CollapseBy, collapse_at
from rankeval.ranking.duplicates import Duplicates


@checked
@frozen
class Reading:
    """Rules for reading qrels and runs.

    ============ =========================================================================
    qrels_format the format of the judgments, such as "csv"; None finds it by the content
    run_format   the format of the runs, likewise
    columns      the names of columns by role, {"topic": "qid"}, or text "topic=qid,…"
    on_error     "refuse" a file with a line that is wrong, or "skip" such lines and count them
    duplicates   "refuse" a file that lists a document twice for a topic, or keep the "first"
                 or "last" of its lines, or the "best", by score or grade
    collapse     a regular expression: chunks become their document, whose docno is the
                 first group of the match, or the docno without the match
    collapse_sep text at which the docno of a chunk is cut instead
    collapse_by  "first": the document has the rank of its best chunk; or the "max" or "sum"
                 of their scores
    ============ =========================================================================

    >>> from rankeval import evaluate
    >>> from rankeval.options import Reading
    >>> run = {"who": ["q1"], "what": ["d1"], "how": [0.5]}
    >>> reading = Reading(columns="topic=who,docno=what,score=how")
    >>> evaluate({"q1": {"d1": 1}}, run, "RR", reading=reading).to_dict()
    {'run': {'RR': 1.0}}
    """

    qrels_format: str | None = None
    run_format: str | None = None
    columns: Mapping[str, str] | str = field(default_factory=dict)
    on_error: Literal["refuse", "skip"] = "refuse"
    duplicates: Duplicates = "refuse"
    collapse: str | None = None
    collapse_sep: str | None = None
    collapse_by: CollapseBy = "first"

    __repr__ = shown_changes

    def __post_init__(self) -> None:
        seal(self)
        _ = self.chunks

    def format_of(self, what: str) -> str | None:
        """Return the name of the format of a run, or of judgments."""
        return self.run_format if what == "run" else self.qrels_format

    def qrels(self) -> Form:
        """Return the form of judgments, with a new count of wrong lines."""
        check_name(self.qrels_format)
        return Form("qrels", self.qrels_format, self._columns, self._problems)

    def run(self) -> Form:
        """Return the form of a run, with a new count of wrong lines."""
        check_name(self.run_format)
        return Form("run", self.run_format, self._columns, self._problems)

    @property
    def chunks(self) -> Collapse | None:
        """Return the rule that collapses chunks into documents, or None."""
        return collapse_at(self.collapse, self.collapse_sep, self.collapse_by)

    @property
    def marks(self) -> list[str]:
        """Return the parts of a signature: the rules that can change a number."""
        marks = []
        if self.duplicates != "refuse":
            marks.append(f"duplicates:{self.duplicates}")
        if self.on_error == "skip":
            marks.append("wrong-lines:skipped")
        if self.chunks is not None:
            rule = "sep" if self.collapse is None else "regex"
            text = (self.collapse or self.collapse_sep or "").replace("|", r"\x7c")
            marks.append(printable(f"collapse:{self.collapse_by}:{rule}={text}"))
        return marks

    def facts(self) -> dict[str, str | None]:
        """Return the rules that can change a number, for the settings of the results."""
        return {
            "on_error": self.on_error,
            "duplicates": self.duplicates,
            "collapse": self.collapse,
            "collapse_sep": self.collapse_sep,
            "collapse_by": self.collapse_by,
        }

    @property
    def _columns(self) -> Mapping[str, str]:
        if isinstance(self.columns, str):
            return parse_columns(self.columns)
        return require_roles(self.columns)

    @property
    def _problems(self) -> Problems | None:
        return Problems() if self.on_error == "skip" else None


AS_FOUND = Reading()
"""Detect formats by content, and refuse wrong lines."""
