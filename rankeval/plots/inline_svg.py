"""Pictures as short SVG inside a page with a strict content security policy, light or dark."""

import re
import xml.etree.ElementTree as ET  # of our own drawing, not of a file from elsewhere
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from rankeval.errors import UsageError
from rankeval.plots import figure, save
from rankeval.plots.look import text_width
from rankeval.plots.svg_titles import SVG, add_titles, titles_by_gid

NAMESPACE = "{http://www.w3.org/2000/svg}"
GROUP, DEFINITIONS, PATTERN = f"{NAMESPACE}g", f"{NAMESPACE}defs", f"{NAMESPACE}pattern"
TRANSLATION = re.compile(r"(?:translate|rotate)\([^)]*\)")
SHARED = (
    "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap",
    "stroke-dasharray", "stroke-dashoffset", "clip-path", "text-anchor",
)  # fmt: skip
"""Attributes that a group may have in the place of all shapes in it."""
NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
RECTANGLE = re.compile(r"M([-\d.]+) ([-\d.]+)L([-\d.]+) \2L\3 ([-\d.]+)L\1 \4z")


def shorten(root: ET.Element) -> None:
    """Round places, drop groups of one shape, and move shared attributes from shapes to groups."""
    small = {part for place in root.iter(DEFINITIONS) for part in place.iter()}
    for element in root.iter():
        # Markers are shapes of three points, and a tenth of a point is finer than any screen.
        _round(element, 2 if element in small else 1)
    for parent in list(root.iter()):
        for child in list(parent):
            _unwrap(parent, child)
    for group in list(root.iter(GROUP)):
        _share(group)


def _round(element: ET.Element, decimals: int) -> None:
    for name in ("x", "y"):
        if name in element.attrib:
            element.set(name, _rounded(element.attrib[name], decimals))
    if "transform" in element.attrib:  # but not its scale, which is small
        found = element.attrib["transform"]
        shorter = TRANSLATION.sub(lambda one: _rounded(one[0], decimals), found)
        element.set("transform", shorter)
    if "d" in element.attrib:
        path = re.sub(r"\s*([A-Za-z])\s*", r"\1", element.attrib["d"])
        bar = RECTANGLE.fullmatch(path)
        shape = _rectangle(*map(float, bar.groups())) if bar else _rounded(path, decimals)
        # More points after the first of a line need no letter.
        element.set("d", shape.replace("L", " ").strip())


def _rounded(text: str, decimals: int) -> str:
    return NUMBER.sub(lambda one: _number(float(one[0]), decimals), text)


def _number(value: float, decimals: int) -> str:
    """Return a number without the zeros that nobody needs."""
    short = f"{value:z.{decimals}f}".rstrip("0").rstrip(".") if decimals else f"{value:z.0f}"
    return re.sub(r"^(-?)0\.", r"\1.", short)


def _rectangle(left: float, start: float, right: float, end: float) -> str:
    """Return a rectangle, which may be as narrow as one bar of hundreds."""
    width, height = _number(right - left, 2), _number(end - start, 1)
    return f"M{_number(left, 2)} {_number(start, 1)}h{width}v{height}h{_number(left - right, 2)}z"


def _unwrap(parent: ET.Element, child: ET.Element) -> None:
    """Drop a group without shapes, and one that only holds one shape."""
    if child.tag == GROUP and not child.attrib and len(child) == 1:
        parent[list(parent).index(child)] = child[0]
    elif child.tag in (GROUP, DEFINITIONS) and not len(child):
        parent.remove(child)


def _share(group: ET.Element) -> None:
    """Move the attributes that neighbouring shapes share to a group of them, or to their group."""
    shapes = [child for child in group if child.tag != DEFINITIONS]
    if len(shapes) < 2:
        return
    alike = [list(run) for _, run in groupby(shapes, key=_look)]
    if len(alike) == 1:
        _move(shapes, group)
        return
    _move(shapes, group)
    for run in alike:
        if len(run) > 2 and _look(run[0]):
            inner = ET.Element(GROUP)
            group.insert(list(group).index(run[0]), inner)
            for shape in run:
                group.remove(shape)
                inner.append(shape)
            _move(run, inner)


def _look(shape: ET.Element) -> tuple[tuple[str, str], ...]:
    """Return the attributes of a shape that a group could have in its place."""
    return tuple((name, shape.attrib[name]) for name in SHARED if name in shape.attrib)


def _move(shapes: Sequence[ET.Element], group: ET.Element) -> None:
    """Move attributes that all shapes have in common to their group."""
    for name in SHARED:
        values = {shape.get(name) for shape in shapes}
        if len(values) == 1 and None not in values and name not in group.attrib:
            group.set(name, values.pop() or "")
            for shape in shapes:
                del shape.attrib[name]


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
    of the page's text, and the white ground is left out. Screen readers read
    `title`; ids begin with `name`, which makes them different from others of the page. Values show
    on hover: they are <title> elements of lines, bars and points. None if a page of paper has no
    room for all runs: the tables of a page have them.
    """
    try:
        drawn = figure(kind, panels)
    except UsageError:
        return None
    drawn.set_label("")  # the page has a title of its own
    titles = titles_by_gid(drawn, kind)
    root = ET.fromstring(save(drawn, "a.svg", outlines=False))  # noqa: S314  our own drawing
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{{{SVG}}}metadata", f"{{{SVG}}}style"):
                parent.remove(child)
    add_titles(root, titles)
    _remove_ground(root)
    short = {one: f"{name}{i}" for i, one in enumerate(dict.fromkeys(_references(root)))}
    for element in root.iter():
        _style_as_attributes(element)
        _rename_ids(element, short)
    fit_texts(root)
    shorten(root)
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
