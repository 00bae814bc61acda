"""Pictures as SVG inside a page with a strict content security policy, light or dark."""

import re
import xml.etree.ElementTree as ET  # of our own drawing, not of a file from elsewhere
from typing import Any

from rankeval.plots import figure, save

SVG = "http://www.w3.org/2000/svg"
LINK = "{http://www.w3.org/1999/xlink}href"
BLACK, WHITE, GRID = "#000000", "#ffffff", "#e0e0e0"
COLOURED = ("fill", "stroke")


def inline_svg(kind: str, panels: tuple[Any, ...], title: str, name: str) -> str:
    """Return the picture of a plot as an SVG element without styles, scripts and references.

    Styles become attributes, which a policy without 'unsafe-inline' allows. Black takes the colour
    of the page's text, and the white ground is left out. `title` is what a screen reader says,
    and `name` makes the ids different from those of other pictures of the page.
    """
    root = ET.fromstring(save(figure(kind, panels), "a.svg"))  # noqa: S314  our own drawing
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{{{SVG}}}metadata", f"{{{SVG}}}style"):
                parent.remove(child)
    for element in root.iter():
        _style_as_attributes(element)
        _rename_ids(element, name)
    _remove_ground(root)
    for attribute in ("width", "height"):
        del root.attrib[attribute]
    root.attrib |= {"role": "img", "aria-label": title, "fill": "currentColor"}
    # Joins and ends of lines, which matplotlib sets in a style.
    root.attrib |= {"stroke-linejoin": "round", "stroke-linecap": "butt"}
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", LINK[1 : LINK.index("}")])
    text = ET.tostring(root, encoding="unicode")
    return re.sub(r"(?<=\d)\n(?=[A-Z])|\n\s*(?=<)", " ", text).strip()


def _style_as_attributes(element: ET.Element) -> None:
    """Turn declarations into attributes of the same names, and black into the page's colour."""
    for declaration in element.attrib.pop("style", "").split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if name:
            element.set(name, value)
    for name in COLOURED:
        if element.get(name) == BLACK:
            element.set(name, "currentColor")
        elif element.get(name) == GRID:
            element.attrib |= {name: "currentColor", f"{name}-opacity": "0.15"}


def _rename_ids(element: ET.Element, name: str) -> None:
    """Put a name before every id and every reference to one."""
    for attribute, value in list(element.attrib.items()):
        if attribute == "id":
            element.set(attribute, f"{name}-{value}")
        elif attribute == LINK and value.startswith("#"):
            element.set(attribute, f"#{name}-{value[1:]}")
        elif "url(#" in value:
            element.set(attribute, value.replace("url(#", f"url(#{name}-"))


def _remove_ground(root: ET.Element) -> None:
    """Remove the white grounds of the figure and of its axes: the first patch in each."""
    for parent in list(root.iter()):
        for child in list(parent):
            paths = list(child)
            if (
                child.get("id", "").rpartition("-")[2].startswith("patch_")
                and len(paths) == 1
                and paths[0].get("fill") == WHITE
                and "stroke" not in paths[0].attrib
            ):
                parent.remove(child)
