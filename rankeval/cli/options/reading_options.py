"""Options for reading files: formats, columns, malformed lines, duplicates and chunks."""

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

from rankeval.base.frozen import frozen
from rankeval.choices import OnRunError
from rankeval.cli.options.option_groups import Stated, stated
from rankeval.cli.options.panels import RANKINGS, READING
from rankeval.errors import UsageError
from rankeval.io.formats.formats import NAMES as FORMATS
from rankeval.io.sources.addresses import SECONDS, set_limit

if TYPE_CHECKING:  # --help must not wait for numpy
    from rankeval.evaluation.reading import Reading


def _waiting(seconds: float) -> float:
    """Wait `seconds` for remote addresses; UsageError for a number that is no time."""
    if not 0 < seconds < math.inf:
        raise UsageError(f"--timeout cannot be {seconds:g}", expected="seconds, more than 0")
    set_limit(seconds)
    return seconds


@frozen
class ColumnOptions:
    """Names of columns, and the time for remote addresses."""

    columns: Annotated[
        str | None,
        READING(
            "--columns",
            "ROLE=NAME,...",
            "Names of columns that differ from the usual ones: topic=id,docno=item,score=points.",
        ),
    ] = None

    timeout: Annotated[
        float,
        READING(
            "--timeout",
            "SECONDS",
            "Wait so long for each answer of a remote address. Default: 30.",
            callback=_waiting,
        ),
    ] = SECONDS

    def stated(self) -> Stated:
        """Return the options that were given, named as in `rankeval.options.Reading`."""
        return stated({name: one for name, one in asdict(self).items() if name != "timeout"})


@frozen
class FormatOptions(ColumnOptions):
    """Formats of qrels and runs."""

    qrels_format: Annotated[
        str | None,
        READING(
            "--qrels-format",
            "FORMAT",
            f"Format of the qrels: {', '.join(FORMATS)}. Default: detected from the content.",
            any_of=FORMATS,
        ),
    ] = None
    run_format: Annotated[
        str | None,
        READING(
            "--run-format",
            "FORMAT",
            "Format of the runs, as for --qrels-format.",
            any_of=FORMATS,
        ),
    ] = None

    def reading(self) -> "Reading":
        """Return the options as the library takes them."""
        from rankeval.evaluation.reading import Reading

        return Reading(**self.stated())


@frozen
class LineOptions(ColumnOptions):
    """Rules for malformed lines, duplicates and chunks."""

    on_error: Annotated[
        str | None,
        READING(
            "--on-error",
            "RULE",
            "Malformed lines. refuse (default): reject the file; skip: drop and count them.",
            any_of=("refuse", "skip"),
        ),
    ] = None
    duplicates: Annotated[
        str | None,
        READING(
            "--duplicates",
            "RULE",
            "Documents listed twice for a topic. refuse (default): reject the file; first, "
            "last, best: keep only that line.",
            any_of=("refuse", "first", "last", "best"),
        ),
    ] = None
    collapse: Annotated[
        str | None,
        RANKINGS(
            "--collapse",
            "REGEX",
            "Collapse chunks into documents: delete what REGEX matches from each docno, "
            r"such as '#\d+$', or keep only its first group.",
        ),
    ] = None
    collapse_sep: Annotated[
        str | None,
        RANKINGS(
            "--collapse-sep",
            "TEXT",
            "Collapse chunks into documents: cut each docno at TEXT, such as '#'.",
        ),
    ] = None
    collapse_by: Annotated[
        str | None,
        RANKINGS(
            "--collapse-by",
            "RULE",
            "Rank of a collapsed document. first (default): the rank of its best chunk; "
            "max, sum: by the largest score, or the sum of scores, of its chunks.",
            any_of=("first", "max", "sum"),
        ),
    ] = None


@frozen
class ReadingOptions(LineOptions, FormatOptions):
    """The options behind `rankeval.options.Reading`."""


RunErrors = Annotated[
    OnRunError,
    READING(
        "--on-run-error",
        "RULE",
        "Runs with errors. refuse (default): evaluate none; skip: evaluate the other runs, "
        "report the errors, and exit with 2.",
    ),
]
