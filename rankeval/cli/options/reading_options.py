"""Options for reading files: formats, columns, malformed lines, duplicates and chunks."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

from rankeval.base.frozen import frozen
from rankeval.cli.options.option_groups import Stated, stated
from rankeval.cli.options.panels import RANKINGS, READING
from rankeval.io.formats.formats import NAMES as FORMATS

if TYPE_CHECKING:  # --help must not wait for numpy
    from rankeval.evaluation.reading import Reading


COLLAPSE_RULES = ("first", "max", "sum")


@frozen
class ColumnOptions:
    """Names of columns."""

    columns: Annotated[
        str | None,
        READING(
            "--columns ROLE=NAME,...",
            "Names of columns that differ from the usual ones: topic=id,docno=item,score=points.",
        ),
    ] = None

    def stated(self) -> Stated:
        """Return the options that were given, named as in `rankeval.options.Reading`."""
        return stated(asdict(self))


@frozen
class FormatOptions(ColumnOptions):
    """Formats of qrels and runs."""

    qrels_format: Annotated[
        str | None,
        READING(
            "--qrels-format FORMAT",
            f"Format of the qrels: {', '.join(FORMATS)}. Default: detected from the content.",
            any_of=FORMATS,
        ),
    ] = None
    run_format: Annotated[
        str | None,
        READING(
            "--run-format FORMAT", "Format of the runs, as for --qrels-format.", any_of=FORMATS
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
            "--on-error RULE",
            "Malformed lines. refuse (default): reject the file; skip: drop and count them.",
            any_of=("refuse", "skip"),
        ),
    ] = None
    duplicates: Annotated[
        str | None,
        READING(
            "--duplicates RULE",
            "Documents listed twice for a topic. refuse (default): reject the file; first, "
            "last, best: keep only that line.",
            any_of=("refuse", "first", "last", "best"),
        ),
    ] = None
    collapse: Annotated[
        str | None,
        RANKINGS(
            "--collapse [RULE:]REGEX",
            "Collapse chunks into documents: delete what REGEX matches from each docno, such as "
            r"'#\d+$', or keep only its first group. RULE of their rank: first (default), that of "
            "the best chunk; max, sum: by the largest score, or the sum of scores.",
        ),
    ] = None

    def stated(self) -> Stated:
        """Return the options that were given, named as in `rankeval.options.Reading`."""
        given = super().stated()
        rule, colon, regex = (self.collapse or "").partition(":")
        if colon and rule in COLLAPSE_RULES:
            given |= {"collapse": regex, "collapse_by": rule}
        return given


@frozen
class ReadingOptions(LineOptions, FormatOptions):
    """The options behind `rankeval.options.Reading`."""
