"""How files are read: formats, columns, wrong lines, and documents that stand twice."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from rankeval.cli.options.groups import Stated, stated
from rankeval.cli.options.panels import RANKINGS, READING
from rankeval.io.format_names import NAMES as FORMATS
from rankeval.support.frozen import frozen

if TYPE_CHECKING:  # --help must not wait for numpy
    from rankeval.evaluation.reading import Reading


@frozen
class ColumnOptions:
    """What columns are called."""

    columns: Annotated[
        str | None,
        typer.Option(
            "--columns",
            metavar="ROLE=NAME,...",
            help="Columns that are not called as usual: topic=id,docno=item,score=points.",
            rich_help_panel=READING,
        ),
    ] = None

    def stated(self) -> Stated:
        """What was given, under the names that `rankeval.Reading` has for it."""
        return stated(asdict(self))


@frozen
class FormatOptions(ColumnOptions):
    """The formats of judgments and runs."""

    qrels_format: Annotated[
        str | None,
        typer.Option(
            "--qrels-format",
            metavar="FORMAT",
            help=f"{', '.join(FORMATS)}. By default what the content says.",
            rich_help_panel=READING,
        ),
    ] = None
    run_format: Annotated[
        str | None,
        typer.Option(
            "--run-format", metavar="FORMAT", help="The same for runs.", rich_help_panel=READING
        ),
    ] = None

    def reading(self) -> "Reading":
        """How files are read."""
        from rankeval.evaluation.reading import Reading

        return Reading(**self.stated())


@frozen
class LineOptions(ColumnOptions):
    """What becomes of lines: wrong ones, repeated ones, and chunks."""

    on_error: Annotated[
        str | None,
        typer.Option(
            "--on-error",
            metavar="RULE",
            help="refuse, the default, a file with a wrong line; or skip such lines and count "
            "them.",
            rich_help_panel=READING,
        ),
    ] = None
    duplicates: Annotated[
        str | None,
        typer.Option(
            "--duplicates",
            metavar="RULE",
            help="refuse, the default, a document that stands twice; or take the first, the last "
            "or the best of its lines.",
            rich_help_panel=READING,
        ),
    ] = None
    collapse: Annotated[
        str | None,
        typer.Option(
            "--collapse",
            metavar="REGEX",
            help=r"Chunks count as their document: '#\d+$' is what their docnos have more, or a "
            "group is the document's.",
            rich_help_panel=RANKINGS,
        ),
    ] = None
    collapse_sep: Annotated[
        str | None,
        typer.Option(
            "--collapse-sep",
            metavar="TEXT",
            help="The same: the docno of a chunk is cut at TEXT, such as '#'.",
            rich_help_panel=RANKINGS,
        ),
    ] = None
    collapse_by: Annotated[
        str | None,
        typer.Option(
            "--collapse-by",
            metavar="RULE",
            help="first, the default: the rank of the best chunk; max or sum of the scores.",
            rich_help_panel=RANKINGS,
        ),
    ] = None


@frozen
class ReadingOptions(LineOptions, FormatOptions):
    """The options behind `rankeval.Reading`."""
