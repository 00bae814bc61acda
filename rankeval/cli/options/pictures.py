"""Options of commands that draw a picture to a file."""

from pathlib import PurePath
from typing import Annotated

import typer

from rankeval.cli.options import panels
from rankeval.errors import UsageError

Size = Annotated[
    str | None,
    typer.Option(
        "--size",
        metavar="SIZE",
        help="Size of the picture: column or page (one or two columns of a paper), or inches such "
        "as 5x3.5. Default: page.",
        rich_help_panel=panels.OUTPUT,
    ),
]


def is_picture(path: str) -> bool:
    """Return True if the suffix of a path is that of a picture."""
    from rankeval.plots.figure import SUFFIXES  # after --help, which needs no numpy

    return PurePath(path).suffix.lower() in SUFFIXES


def require_drawable(picture: str | None, size: str | None = None) -> None:
    """Raise UsageError for a picture that cannot be drawn, or for a size without a picture."""
    if picture is not None:
        from rankeval.plots import check_picture

        check_picture(picture, size or "page")
    elif size is not None:
        raise UsageError("--size is that of a picture", remedy="add -o FILE.png, or drop --size")
