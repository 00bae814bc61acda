"""The page of a report: what it shows, in one file under a strict content security policy."""

import base64
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from functools import partial
from html import escape
from importlib.metadata import version
from importlib.resources import files
from importlib.util import find_spec
from pathlib import PurePath
from typing import Any, NamedTuple

from rankeval.base.arrays import Floats
from rankeval.base.checked import checked
from rankeval.base.frozen import record
from rankeval.base.wording import count, number, signed
from rankeval.commands.compare.task import Pair
from rankeval.endings import installing
from rankeval.errors import UsageError, visible
from rankeval.evaluation.results import Results
from rankeval.evaluation.show import averaged_topics
from rankeval.io.files import StrPath
from rankeval.io.small_tables import RunCosts
from rankeval.output.style import Style
from rankeval.output.writing import write_pieces
from rankeval.plots.canvas import Axis
from rankeval.plots.kinds import Numbers
from rankeval.plots.look import require_matplotlib
from rankeval.stats.in_words import confidence, p_words
from rankeval.version import __version__

SUFFIXES = (".html", ".htm")
LIBRARIES = ("numpy", "scipy", "pyarrow", "matplotlib")

MARGIN = 3.0
"""Room outside the ends of an axis, in hundredths of its width."""


class ReportPicture(NamedTuple):
    """A plot as an SVG element, and its numbers, None where the table of topics holds them."""

    kind: str
    title: str
    svg: str
    numbers: Numbers | None


class Cell(NamedTuple):
    """A run under one measure.

    ========= ================================================================================
    value     over all topics; None where undefined
    low, high ends of the interval of the mean; None without one
    deviation of the values of a system's runs, with n - 1; None for one run
    best      True for the best value of the measure
    pair      the comparison with the baseline; None for the baseline itself, and for a single run
    ========= ================================================================================
    """

    value: float | None
    low: float | None
    high: float | None
    deviation: float | None
    best: bool
    pair: Pair | None


@record
class MeasureSection:
    """One measure of a report.

    ========= ================================================================================
    loss      True where less is better
    signature states how it was computed
    cells     by run, the baseline first
    order     places of the runs in the order in which they are shown, the best first
    values    (runs, topics) float64; NaN where undefined, or where a run lacks the topic
    ========= ================================================================================
    """

    name: str
    loss: bool
    signature: str
    cells: tuple[Cell, ...]
    order: tuple[int, ...]
    values: Floats


@record
class Report:
    """One HTML page of an evaluation: everything that it shows.

    `save("report.html")` writes the page.

    =========== ==============================================================================
    results     of all runs, the baseline first
    method      the test of the differences in words; "" for a single run
    sections    one for each measure
    pictures    plots of the first measure, and of curves
    data        topics, values, rankings and texts, which the page's script shows
    verdict     sentences on the first measure: the leader, its lead, runs not different from it
    warnings    what a reader of the numbers must know
    title       heading; "" for one that counts the runs
    alpha       1 - the level of the intervals
    costs       what each run costs; None if that is not known
    command     makes the report again
    conventions sentences on those that are not the default; none for the default ones
    =========== ==============================================================================
    """

    results: Results
    method: str
    sections: tuple[MeasureSection, ...]
    pictures: tuple[ReportPicture, ...]
    data: Mapping[str, Any]
    verdict: tuple[str, ...]
    warnings: tuple[str, ...]
    title: str
    alpha: float
    costs: RunCosts | None
    command: str
    conventions: tuple[str, ...]

    def __repr__(self) -> str:
        """Return the beginning of the page."""
        title = self.title or f"Evaluation of {count(len(self.results.runs), 'run')}"
        topics = count(len(self.data["topics"]), "topic")
        return "\n".join([f"{title}, {topics}", *self.verdict])

    @checked
    def save(self, path: StrPath) -> None:
        """Write the page to a file that ends in .html or .htm, whole or not at all."""
        name = os.fspath(path)
        require_page(name)
        write_page(self, name)


def require_page(path: str) -> None:
    """Raise UsageError for a file that is named like no page, or without a library for it."""
    if find_spec("jinja2") is None:
        raise UsageError(
            "a page of HTML needs jinja2, which is not installed",
            remedy=installing("report"),
        )
    require_matplotlib()
    if PurePath(path).suffix.lower() not in SUFFIXES:
        raise UsageError(
            "a report is an HTML page", place=path, expected=f"one of {' '.join(SUFFIXES)}"
        )


def write_page(report: Report, output: str) -> None:
    """Write the page to a file, or to standard output for "-"."""
    write_pieces(lambda _: page(report), output, Style())


def page(report: Report) -> Iterator[str]:
    """Yield the HTML of a report; every text from files is escaped, and shown as text.

    The policy lets the page use its own style and script, which it names by their digests, and
    fetch nothing.
    """
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "number": partial(number, digits=4),
        "signed": partial(signed, digits=4),
        "p": p_words,
        "confidence": confidence,
        "place": place,
    }
    style, script = _part("page.css"), _part("page.js") + _part("explorer.js")
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"style-src 'sha256-{_digest(style)}'; script-src 'sha256-{_digest(script)}'"
    )
    yield from environment.from_string(_part("report.html.j2")).generate(
        report=report,
        topics=averaged_topics(report.results.runs),
        versions={"rankeval": __version__, **{name: version(name) for name in LIBRARIES}},
        parts=[(section, *_axes(section)) for section in report.sections],
        pictures=[(picture, Markup(picture.svg)) for picture in report.pictures],  # noqa: S704  our own drawing
        data=Markup(inert(report.data)),  # noqa: S704  nothing in it is markup
        style=Markup(style),  # noqa: S704  our own file
        script=Markup(script),  # noqa: S704  our own file
        policy=policy,
    )


def _axes(section: MeasureSection) -> tuple[Axis, Axis]:
    """Return the axis of the values of a measure, and that of the differences, which has zero."""
    ends = [end for cell in section.cells for end in (cell.low, cell.value, cell.high)]
    pairs = [cell.pair for cell in section.cells if cell.pair]
    differences = [end for pair in pairs for end in (pair.summary.difference, pair.low, pair.high)]
    known = [[end for end in some if end is not None] for some in (ends, [0.0, *differences])]
    return Axis.over(known[0]), Axis.over(known[1])


def place(value: float, axis: Axis) -> str:
    """Return the place of a value on an axis in hundredths of the width, with margins."""
    share = (value - axis.low) / (axis.high - axis.low)
    return f"{MARGIN + (100 - 2 * MARGIN) * share:.1f}"


def shown(value: Any) -> Any:
    """Return a text as HTML in which everything is visible, and nothing is markup."""
    from markupsafe import Markup

    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return Markup(escape(visible(value)))  # noqa: S704  escaped there


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _part(name: str) -> str:
    return files("rankeval.commands.report").joinpath("templates", name).read_text(encoding="utf-8")


def inert(value: Any) -> str:
    """Return JSON that holds no markup, and no command of the log of a workflow."""
    text = json.dumps(value, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text.replace("::", ":\\u003a").replace("##[", "#\\u0023[")
