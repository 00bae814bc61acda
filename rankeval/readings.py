"""How files are read: their formats, and what becomes of lines that are wrong or said twice."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rankeval.io.conventions import parse_columns
from rankeval.io.formats import Form


@dataclass(frozen=True)
class Reading:
    """How qrels and runs are read.

    ============ =========================================================================
    qrels_format the format of the judgments, such as "csv"; None finds it by the content
    run_format   the format of the runs, likewise
    columns      the names of columns by role, {"topic": "qid"}, or text "topic=qid,…"
    ============ =========================================================================
    """

    qrels_format: str | None = None
    run_format: str | None = None
    columns: Mapping[str, str] | str = field(default_factory=dict)

    @property
    def qrels(self) -> Form:
        """How judgments are read."""
        return Form("qrels", self.qrels_format, self._columns)

    @property
    def run(self) -> Form:
        """How a run is read."""
        return Form("run", self.run_format, self._columns)

    @property
    def _columns(self) -> Mapping[str, str]:
        return parse_columns(self.columns) if isinstance(self.columns, str) else self.columns


AS_FOUND = Reading()
"""Every file as its content says, and none that is wrong."""
