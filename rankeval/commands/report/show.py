"""The page of a report."""

from collections.abc import Iterable, Iterator

from rankeval.base.frozen import frozen
from rankeval.commands.report.content import MeasureSection, Report
from rankeval.commands.report.explorer import explorer_data, inert
from rankeval.commands.report.pages import rendered
from rankeval.output.style import Style
from rankeval.output.writing import write_pieces

MARGIN = 3.0
"""Room outside the ends of an axis, in hundredths of its width."""


@frozen
class BarAxis:
    """An axis that the bars of a table share."""

    low: float
    high: float

    def at(self, value: float) -> str:
        """Return the place of a value in hundredths of the width."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return f"{MARGIN + (100 - 2 * MARGIN) * share:.1f}".removesuffix(".0")


def write_page(report: Report, output: str) -> None:
    """Write the page to a file, or to standard output for "-"."""
    write_pieces(lambda _: page(report), output, Style())


def page(report: Report) -> Iterator[str]:
    """Yield the HTML of a report."""
    from markupsafe import Markup

    yield from rendered(
        "report.html.j2",
        ("page.js", "explorer.js"),
        report=report,
        parts=[(section, *_axes(section)) for section in report.sections],
        pictures=[(picture, Markup(picture.svg)) for picture in report.pictures],  # noqa: S704  our own drawing
        data=Markup(inert(explorer_data(report))),  # noqa: S704  nothing in it is markup
    )


def _axes(section: MeasureSection) -> tuple[BarAxis, BarAxis]:
    """Return the axis of the values of a measure, and that of the differences, which has zero."""
    cells = section.summary
    ends = [end for cell in cells for end in (cell.low, cell.value, cell.high)]
    differences = [end for cell in cells for end in (cell.difference, *(cell.ends or ()))]
    return _axis(ends), _axis([0.0, *differences])


def _axis(values: Iterable[float | None]) -> BarAxis:
    known = [value for value in values if value is not None]
    return BarAxis(min(known, default=0.0), max(known, default=1.0))
