"""Text of pictures as text, which is short, searched and selected, in a font that readers have."""

import re
import xml.etree.ElementTree as ET  # of our own drawing, not of a file from elsewhere

from rankeval.plots.look import text_width

TEXT, SPAN = "{http://www.w3.org/2000/svg}text", "{http://www.w3.org/2000/svg}tspan"
SIZE = 7.0
"""Size of most texts of a picture, which its root states."""

FONT = {"font-family": "'DejaVu Sans',Verdana,sans-serif", "font-size": f"{SIZE:g}"}
"""Attributes of the root: the font that matplotlib measures, one of its widths, or any other."""

SHORT = 4
"""Texts of at most so many letters, such as numbers of an axis, differ little between fonts."""


_POINTS = re.compile(r"([\d.]+)px")


def fit_texts(root: ET.Element) -> None:
    """Give longer texts the width that matplotlib laid out, and drop what the root states."""
    root.attrib |= FONT
    for element in root.iter():
        if element.tag in (TEXT, SPAN):
            _fit(element)


def _fit(text: ET.Element) -> None:
    """State the size of a text where it is not the usual one, and its width where it is long."""
    text.attrib.pop("font-family", None)
    # Old matplotlibs write size and family as one declaration.
    stated = text.attrib.pop("font-size", "") + text.attrib.pop("font", "")
    found = _POINTS.search(stated)
    size = float(found[1]) if found else SIZE
    if size != SIZE:
        text.set("font-size", f"{size:g}")
    words = "" if len(text) else text.text or ""  # the parts of a formula have places of their own
    if len(words) > SHORT:
        width = text_width(words, size)
        text.attrib |= {"textLength": f"{width:.1f}", "lengthAdjust": "spacingAndGlyphs"}
