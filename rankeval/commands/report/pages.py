"""The page of a report, whole in one file, under a strict content security policy."""

import base64
import hashlib
import platform
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from rankeval.base.wording import confidence, p_words, visible
from rankeval.errors import UsageError
from rankeval.output import html
from rankeval.version import __version__

if TYPE_CHECKING:
    from markupsafe import Markup


def require_jinja() -> None:
    """Raise UsageError if jinja2 is not installed."""
    if find_spec("jinja2") is None:
        raise UsageError(
            "a page of HTML needs jinja2, which is not installed",
            remedy="pip install 'rankeval-ir[report]'",
        )


def rendered(template: str, scripts: Sequence[str] = ("page.js",), **values: Any) -> Iterator[str]:
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
        "folded": folded,
    }
    style, script = _part("page.css"), "".join(map(_part, scripts))
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
    from markupsafe import Markup

    return Markup(html.plain(line))  # noqa: S704  escaped there


SEPARATORS = re.compile(r"(?<=[-_./:+,])(?=[^\W_])")


def folded(name: str) -> "Markup":
    """Return a name as HTML that may go on in the next line after a separator."""
    from markupsafe import Markup

    return Markup("<wbr>").join(plain(part) for part in SEPARATORS.split(visible(name)))


def number(value: float | None) -> str:
    """Return a value with four decimals; a dash where it is undefined."""
    return "-" if value is None else f"{value:z.4f}"


def signed(value: float | None) -> str:
    """Return a difference with its sign; "" without one."""
    return "" if value is None else f"{value:+z.4f}"


def p_value(value: float | None, alpha: float | None = None) -> str:
    """Return a p-value, on its side of alpha; "" without one."""
    return "" if value is None else p_words(value, alpha)


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _part(name: str) -> str:
    return files("rankeval.commands.report").joinpath("templates", name).read_text(encoding="utf-8")


LIBRARIES = ("numpy", "scipy", "pyarrow", "matplotlib")


def versions() -> Mapping[str, str]:
    """Return the versions of rankeval, of Python and of the libraries behind the numbers."""
    found = {"rankeval": __version__, "Python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # a page of tables needs no matplotlib
            continue
    return found
