"""The files that figures are saved in: PNG, SVG and PDF."""

import io
import warnings
from collections.abc import Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from rankeval.base.wording import visible
from rankeval.errors import UsageError
from rankeval.plots.look import look, require_matplotlib
from rankeval.plots.whole_figure import figure_size

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg", ".pdf")


def save(made: "Figure", path: str, *, outlines: bool = True) -> bytes:
    """Return the bytes of a picture in the format that a path's suffix names.

    Fonts are embedded; a figure gives the same bytes every time, without a date. Letters of SVG are
    outlines, which need no font, or without `outlines` text, which needs its font.
    """
    suffix = suffix_of(path)
    metadata: Mapping[str, Any] = {
        ".svg": {"Date": None, "Creator": None},
        ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
        ".png": {"Software": None},
    }[suffix]
    stream = io.BytesIO()
    with look({} if outlines else {"svg.fonttype": "none"}), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made.savefig(stream, format=suffix[1:], metadata=dict(metadata), facecolor="auto")
    if suffix == ".svg":
        return described(stream.getvalue(), str(made.get_label()))
    return stream.getvalue()


def described(svg: bytes, label: str) -> bytes:
    """Return an SVG with a title and a description, which screen readers read out."""
    title, _, words = label.partition("\n")
    if not title:
        return svg
    texts = (f"<title>{escape(visible(title))}</title>", f"<desc>{escape(visible(words))}</desc>")
    start = svg.index(b">", svg.index(b"<svg")) + 1
    return svg[:start] + f"\n {texts[0]}\n {texts[1]}".encode() + svg[start:]


def check_picture(path: str, size: str) -> None:
    """Raise UsageError if a picture cannot be drawn: its suffix, its size, or no matplotlib."""
    suffix_of(path)
    figure_size(size)
    require_matplotlib()


def suffix_of(path: str) -> str:
    """Return the suffix of a picture's path; UsageError if pictures are not written so."""
    suffix = PurePath(path).suffix.lower()
    if suffix not in SUFFIXES:
        found = f"the suffix '{suffix}'" if suffix else "a name without a suffix"
        raise UsageError(
            f"{found} does not name the format of a picture",
            place=path,
            expected=f"one of {' '.join(SUFFIXES)}",
            remedy="change the suffix, or write numbers with --data",
        )
    return suffix
