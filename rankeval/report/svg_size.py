"""Shorter SVG of the same look: a page with thousands of points is to be sent."""

import re
import xml.etree.ElementTree as ET  # of our own drawing, not of a file from elsewhere

GROUP, DEFINITIONS = "{http://www.w3.org/2000/svg}g", "{http://www.w3.org/2000/svg}defs"
PLACES = ("d", "x", "y")
TRANSLATION = re.compile(r"translate\([^)]*\)")
SHARED = ("fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "clip-path")
"""Attributes that a group may have in the place of all shapes in it."""
DECIMALS = re.compile(r"(\.\d\d)\d+")
"""A hundredth of a point is finer than any screen."""
RECTANGLE = re.compile(r"M([-\d.]+) ([-\d.]+)L([-\d.]+) \2L\3 ([-\d.]+)L\1 \4z")


def shorten(root: ET.Element) -> None:
    """Round places, drop groups of one shape, and give groups what their shapes have in common."""
    for element in root.iter():
        _round(element)
    for parent in list(root.iter()):
        for i, child in enumerate(list(parent)):
            if child.tag == GROUP and not child.attrib and len(child) == 1:
                parent[i] = child[0]
    for group in root.iter(GROUP):
        _share(group)


def _round(element: ET.Element) -> None:
    for name in PLACES:
        if name in element.attrib:
            element.set(name, DECIMALS.sub(r"\1", element.attrib[name]))
    if "transform" in element.attrib:  # but not its scale, which is small
        found = element.attrib["transform"]
        shorter = TRANSLATION.sub(lambda one: DECIMALS.sub(r"\1", one[0]), found)
        element.set("transform", shorter)
    if "d" in element.attrib:
        path = re.sub(r"\s*([A-Za-z])\s*", r"\1", element.attrib["d"])
        element.set("d", RECTANGLE.sub(r"M\1 \2H\3V\4H\1z", path))


def _share(group: ET.Element) -> None:
    shapes = [child for child in group if child.tag != DEFINITIONS]
    for name in SHARED if len(shapes) > 1 else ():
        values = {shape.get(name) for shape in shapes}
        if len(values) == 1 and None not in values and name not in group.attrib:
            group.set(name, values.pop() or "")
            for shape in shapes:
                del shape.attrib[name]
