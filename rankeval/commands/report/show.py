"""The page of a report."""

from collections.abc import Iterator

from rankeval.commands.report.reports.report_content import Report
from rankeval.output.pages import rendered, require_jinja
from rankeval.output.style import Style
from rankeval.output.writing import write_pieces
from rankeval.plots.look import require_matplotlib


def require_libraries() -> None:
    """Raise UsageError if a library that draws pages is not installed."""
    require_jinja()
    require_matplotlib()


def write_page(report: Report, output: str) -> None:
    """Write the page to a file, or to standard output for "-"."""
    write_pieces(lambda _: page(report), output, Style())


def page(report: Report) -> Iterator[str]:
    """Yield the HTML of a report."""
    from markupsafe import Markup

    pictures = [(picture, Markup(picture.svg)) for picture in report.pictures]  # noqa: S704  our own drawing
    yield from rendered("report.html.j2", report=report, pictures=pictures)
