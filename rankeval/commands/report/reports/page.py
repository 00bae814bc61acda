"""Pages of HTML: whole in one file, under a strict content security policy."""

import base64
import hashlib
from collections.abc import Iterator
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from rankeval.base.numbers import confidence, p_words
from rankeval.base.visible import visible
from rankeval.commands.report.reports.report_content import Report
from rankeval.errors import UsageError
from rankeval.output.style import Style
from rankeval.output.writing import write_pieces

if TYPE_CHECKING:
    from markupsafe import Markup


def require_jinja() -> None:
    """Raise UsageError if jinja2 is not installed."""
    if find_spec("jinja2") is None:
        raise UsageError(
            "a page of HTML needs jinja2, which is not installed",
            remedy="pip install 'rankeval-ir[report]'",
        )


def write_page(report: Report, output: str) -> None:
    """Write the page to a file, or to standard output for "-"."""
    write_pieces(lambda _: page(report), output, Style())


def page(report: Report) -> Iterator[str]:
    """Yield the HTML of a report."""
    from markupsafe import Markup

    pictures = [(one, Markup(one.svg)) for one in report.pictures]  # noqa: S704  our own drawing
    yield from rendered("report.html.j2", report=report, pictures=pictures)


def rendered(template: str, **values: Any) -> Iterator[str]:
    """Yield the HTML of a template; every text from files is escaped, and shown as text.

    The policy lets the page use its own style and script, which it names by their digests, and
    fetch nothing. UsageError if jinja2 is not installed.
    """
    require_jinja()
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FunctionLoader(_part),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "number": number,
        "signed": signed,
        "p": p_value,
        "confidence": confidence,
        "plain": plain,
    }
    style, script = _part("page.css"), _part("page.js")
    yield from environment.get_template(template).generate(
        **values,
        style=Markup(style),  # noqa: S704  our own file
        script=Markup(script),  # noqa: S704  our own file
        policy=policy(style, script),
    )


def policy(style: str, script: str) -> str:
    """Return the content security policy of a page with one style and one script."""
    return (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"style-src 'sha256-{_digest(style)}'; script-src 'sha256-{_digest(script)}'"
    )


def shown(value: Any) -> Any:
    """Return a text as HTML in which everything is visible, and nothing is markup.

    References keep the log of a workflow, to which a page may be printed, from taking a line of it
    for a command.
    """
    from markupsafe import Markup

    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return plain(visible(value))


def plain(line: str) -> "Markup":
    """Return a line of text that is printable already as HTML, with its blanks."""
    from markupsafe import Markup, escape

    text = str(escape(line)).replace("::", "&#58;:").replace("##[", "#&#35;[")
    return Markup(text)  # noqa: S704  escaped above


def number(value: float | None) -> str:
    """Return a value with four decimals; a dash where it is undefined."""
    return "-" if value is None else f"{value:z.4f}"


def signed(value: float | None) -> str:
    """Return a difference with its sign; nothing where there is none."""
    return "" if value is None else f"{value:+z.4f}"


def p_value(value: float | None, alpha: float | None = None) -> str:
    """Return a p-value, on its side of alpha; nothing where there is none."""
    return "" if value is None else p_words(value, alpha)


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _part(name: str) -> str:
    return (
        files("rankeval.commands.report.reports")
        .joinpath("templates", name)
        .read_text(encoding="utf-8")
    )
