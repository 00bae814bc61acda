"""Shorter SVG of the same look: a page with thousands of points is to be sent."""

import re
import xml.etree.ElementTree as ET  # of our own drawing, not of a file from elsewhere
from collections.abc import Sequence
from itertools import groupby

SVG = "{http://www.w3.org/2000/svg}"
GROUP, DEFINITIONS, PATTERN = f"{SVG}g", f"{SVG}defs", f"{SVG}pattern"
TRANSLATION = re.compile(r"(?:translate|rotate)\([^)]*\)")
SHARED = (
    "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap",
    "stroke-dasharray", "stroke-dashoffset", "clip-path", "text-anchor",
)  # fmt: skip
"""Attributes that a group may have in the place of all shapes in it."""
NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
RECTANGLE = re.compile(r"M([-\d.]+) ([-\d.]+)L([-\d.]+) \2L\3 ([-\d.]+)L\1 \4z")


def shorten(root: ET.Element) -> None:
    """Round places, drop groups of one shape, and give groups what their shapes have in common."""
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
    """Move what shapes side by side have in common to a group of them, or to their group."""
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
