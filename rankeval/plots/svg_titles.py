"""Titles in SVG: the words of bars, points and lines of a plot on hover."""

import re
import xml.etree.ElementTree as ET  # of our own drawing, not of a file from elsewhere
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rankeval.base.wording import visible
from rankeval.plots.kinds import KNOWN, plot_kind
from rankeval.plots.whole_figure import DRAWN

SVG = "http://www.w3.org/2000/svg"


def titled_svg(
    drawn: Any,
    kind: str,
    queries: Mapping[str, str],
    save: Callable[[Any, str], bytes],
) -> bytes:
    """Return a figure as SVG, whose bars and points are titled with query and value.

    Browsers show titles on hover, and screen readers say them. `save` gives the figure's bytes.
    """
    titles = {
        gid: [_with_query(text, queries) for text in texts]
        for gid, texts in titles_by_gid(drawn, kind).items()
    }
    root = ET.fromstring(save(drawn, "a.svg"))  # noqa: S314  our own drawing
    add_titles(root, titles)
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'.encode()


def _with_query(text: str, queries: Mapping[str, str]) -> str:
    """Put the query behind the topic with which a text on hover begins."""
    for colon in re.finditer(": ", text):
        topic = text[: colon.start()]
        if topic in queries:
            return f'{topic} "{queries[topic]}"{text[colon.start() :]}'
    return text


def titles_by_gid(drawn: Any, kind: str) -> dict[str, Sequence[str]]:
    """Put the number of the axes before the gids of a figure; return the titles by gid."""
    titles = {}
    report = plot_kind(kind).report if kind in KNOWN else None
    for i, (part, ax) in enumerate(zip(DRAWN[drawn], drawn.axes, strict=False)):
        for gid, texts in report.hover(part) if report else ():
            titles[f"axes{i}-{gid}"] = texts
        for artist in ax.get_children():
            if artist.get_gid():
                artist.set_gid(f"axes{i}-{artist.get_gid()}")
    return titles


def add_titles(root: ET.Element, titles: Mapping[str, Sequence[str]]) -> None:
    """Add a title to each shape of each group that has one for each."""
    for group in root.iter(f"{{{SVG}}}g"):
        texts = titles.get(group.get("id", ""), ())
        shapes = list(_shapes(group))
        if len(shapes) == len(texts):
            for shape, text in zip(shapes, texts, strict=True):
                ET.SubElement(shape, f"{{{SVG}}}title").text = visible(text)


def _shapes(group: ET.Element) -> Iterator[ET.Element]:
    """Yield the drawn elements: paths, and uses of markers, but not their definitions."""
    for child in group:
        if child.tag in (f"{{{SVG}}}path", f"{{{SVG}}}use"):
            yield child
        elif child.tag != f"{{{SVG}}}defs":
            yield from _shapes(child)
