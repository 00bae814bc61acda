"""Pictures as SVG inside a page with a strict content security policy, light or dark."""

import re
import xml.etree.ElementTree as ET  # of our own drawing, not of a file from elsewhere
from collections.abc import Iterator, Mapping
from typing import Any

from rankeval.errors import UsageError
from rankeval.plots import figure, save
from rankeval.plots.look import text_width

SVG = "http://www.w3.org/2000/svg"
TEXT, SPAN = "{http://www.w3.org/2000/svg}text", "{http://www.w3.org/2000/svg}tspan"
SIZE = 7.0
"""Size of most texts of a picture, which its root states."""

FONT = {"font-family": "'DejaVu Sans',Verdana,sans-serif", "font-size": f"{SIZE:g}"}
"""Attributes of the root: the font that matplotlib measures, one of its widths, or any other."""

SHORT = 4
"""Texts of at most this many letters, such as numbers of an axis, differ little between fonts."""


_POINTS = re.compile(r"([\d.]+)px")


def fit_texts(root: ET.Element) -> None:
    """Give longer texts the width that matplotlib laid out, and drop attributes of the root."""
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


LINK = "{http://www.w3.org/1999/xlink}href"
BLACK, WHITE = "#000000", "#ffffff"
GRIDS = ("#e0e0e0", "#d0d0d0")
COLOURED = ("fill", "stroke")


def inline_svg(kind: str, panels: tuple[Any, ...], title: str, name: str) -> str | None:
    """Return the picture of a plot as an SVG element without styles, scripts and references.

    Styles become attributes, which a policy without 'unsafe-inline' allows. Black takes the colour
    of the page's text, and the white ground is left out. Screen readers read `title`; ids begin
    with `name`, which makes them different from others of the page. None if a page of paper has no
    room for all runs: the tables of a page have them.
    """
    try:
        drawn = figure(kind, panels)
    except UsageError:
        return None
    drawn.set_label("")  # the page has a title of its own
    root = ET.fromstring(save(drawn, "a.svg", outlines=False))  # noqa: S314  our own drawing
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{{{SVG}}}metadata", f"{{{SVG}}}style"):
                parent.remove(child)
    _remove_ground(root)
    short = {one: f"{name}{i}" for i, one in enumerate(dict.fromkeys(_references(root)))}
    for element in root.iter():
        _style_as_attributes(element)
        _rename_ids(element, short)
    fit_texts(root)
    for attribute in ("width", "height", "version"):
        del root.attrib[attribute]
    root.attrib |= {"role": "img", "aria-label": title, "fill": "currentColor"}
    # Joins and ends of lines, which matplotlib sets in a style.
    root.attrib |= {"stroke-linejoin": "round", "stroke-linecap": "butt"}
    ET.register_namespace("", SVG)
    text = ET.tostring(root, encoding="unicode")
    return re.sub(r">\s+<", "><", text.replace(" />", "/>")).replace("\n", " ").strip()


def _references(root: ET.Element) -> Iterator[str]:
    """Yield the ids that something refers to."""
    for element in root.iter():
        if LINK in element.attrib:
            yield element.attrib[LINK][1:]
        for value in element.attrib.values():
            yield from re.findall(r"url\(#([^)]*)\)", value)


def _style_as_attributes(element: ET.Element) -> None:
    """Turn declarations into attributes of the same names, and black into the page's colour."""
    for declaration in element.attrib.pop("style", "").split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if name:
            element.set(name, value)
    for name in COLOURED:
        if element.get(name) == BLACK:
            element.set(name, "currentColor")
        elif element.get(name) in GRIDS:
            element.attrib |= {name: "currentColor", f"{name}-opacity": "0.15"}


def _rename_ids(element: ET.Element, short: Mapping[str, str]) -> None:
    """Give ids and references their short names, and drop ids that nothing refers to."""
    for attribute, value in list(element.attrib.items()):
        if attribute == "id" and value not in short:
            del element.attrib[attribute]
        elif attribute == "id":
            element.set(attribute, short[value])
        elif attribute == LINK:
            del element.attrib[attribute]
            element.set("href", f"#{short[value[1:]]}")
        elif found := re.fullmatch(r"url\(#([^)]*)\)", value):
            element.set(attribute, f"url(#{short[found[1]]})")


def _remove_ground(root: ET.Element) -> None:
    """Remove the white grounds of the figure and of its axes: the first patch in each."""
    for parent in list(root.iter()):
        for child in list(parent):
            paths = list(child)
            if (
                child.get("id", "").startswith("patch_")
                and len(paths) == 1
                and re.fullmatch(rf"fill: {WHITE};?", paths[0].get("style", "").strip())
            ):
                parent.remove(child)
