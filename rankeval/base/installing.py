"""The command that installs an extra, for errors that miss it."""

import json
import os
from importlib.metadata import PackageNotFoundError, distribution
from urllib.parse import unquote, urlsplit

DISTRIBUTION = "rankeval-ir"


def command(extra: str) -> str:
    """Return what installs rankeval with an extra, from where it was installed.

    That is a clone or a wheel on this machine, `.` in the clone itself, else the distribution.
    """
    return f"pip install '{_source()}[{extra}]'"


def _source() -> str:
    try:
        text = distribution(DISTRIBUTION).read_text("direct_url.json")
    except PackageNotFoundError:
        return DISTRIBUTION
    address = urlsplit(json.loads(text)["url"] if text else "")
    path = unquote(address.path) if address.scheme == "file" else ""
    if not os.path.exists(path):  # noqa: PTH110  as pathlib is slow
        return DISTRIBUTION
    return "." if os.path.samefile(path, os.curdir) else path  # noqa: PTH121  likewise
