"""The six pictures of a report, each with its numbers as a table."""

import re
from collections.abc import Iterator, Sequence
from html import escape

import numpy as np

from rankeval.base.progress import counted
from rankeval.commands.compare.task import Comparison
from rankeval.commands.report.page import ReportPicture
from rankeval.errors import RankevalError
from rankeval.evaluation.results import Results
from rankeval.measures import parse_measure
from rankeval.plots.form import Form
from rankeval.plots.kinds import KINDS, USUAL
from rankeval.plots.look import Appearance
from rankeval.plots.pictures import figure, save
from rankeval.plots.rows import forest_of
from rankeval.plots.selection import arranged, measures, plot_data, with_measures

PICTURES = ("forest", "box", "topics", "pr", "cutoff", "judged")

TOP = 5
"""Runs whose differences are drawn topic by topic: the best."""


def curve_measures(first: str) -> list[str]:
    """Return the measures of the curves; `first` is the report's first measure."""
    return [name for kind in PICTURES if KINDS[kind].over for name in _needed(kind, first)]


def _needed(kind: str, first: str) -> list[str]:
    if not KINDS[kind].over:
        return [first]
    has_cutoff = parse_measure(first).definition.at == "cutoff"
    return measures(kind, (first if has_cutoff else USUAL) if kind == "cutoff" else None)


def pictures(
    results: Results, first: str, compared: Comparison | None, order: Sequence[int]
) -> Iterator[ReportPicture]:
    """Yield the pictures that the results allow, of the first measure and of `curve_measures`.

    `order` are the places of the runs, the best first.
    """
    best_first = [results.runs[place].name for place in order]
    for kind in counted(PICTURES, "pictures", len(PICTURES)):
        panels = arranged(_panels(kind, results, first, compared), best_first)
        panels = panels[: TOP if kind == "topics" else None]
        if panels:
            words = KINDS[kind].words + ("" if KINDS[kind].over else f": {first}")
            title = f"{words[0].upper()}{words[1:]}"
            drawn = figure(kind, panels, appearance=Appearance(remedy=""))
            svg = inline(save(drawn, "picture.svg").decode(), title, kind)
            yield ReportPicture(kind, title, svg, panels[0].table())


def _panels(
    kind: str, results: Results, first: str, compared: Comparison | None
) -> tuple[Form, ...]:
    """Return the panels of a kind; none for one run, or where no run has a value."""
    of_kind = with_measures(results, _needed(kind, first))
    if all(np.isnan(score.aggregate) for run in of_kind.runs for score in run.scores):
        return ()
    if kind == "forest":
        return forest_of(compared)[:1] if compared else ()
    try:
        return plot_data(kind, of_kind)
    except RankevalError:  # one run, or no topic on which all runs have a value
        return ()


def inline(svg: str, title: str, kind: str) -> str:
    """Return a picture as an element without styles, whose ids begin with the kind.

    Styles become attributes, which a policy without 'unsafe-inline' allows. Black takes the colour
    of the page's text, and white that of its ground, by the page's own style.
    """
    head, _, body = svg[svg.index("<svg") :].partition(">")
    box = re.search(r'viewBox="[^"]*"', head)
    body = re.sub(r"<(metadata|style|title|desc)\b[^>]*>.*?</\1>", _kept, body, flags=re.DOTALL)
    body = re.sub(r' style="([^"]*)"', _attributes, body)
    body = re.sub(r'( id="|url\(#|href="#)', rf"\g<1>{kind}-", body)
    # Nothing is a command in the log of a workflow that prints the page.
    body = body.replace("::", "&#58;:").replace("##[", "#&#35;[")
    root = (
        f'<svg {box[0] if box else ""} role="img" aria-label="{escape(title)}" fill="currentColor" '
    )
    return f'{root}stroke-linejoin="round" stroke-linecap="butt">{body}'


def _kept(found: re.Match[str]) -> str:
    """Keep the words on hover, which follow the start of a group."""
    return found[0] if found[1] == "title" and found.string[found.start() - 1] == ">" else ""


def _attributes(found: re.Match[str]) -> str:
    pairs = (declaration.partition(":") for declaration in found[1].split(";"))
    stated = {name.strip(): value.strip() for name, _, value in pairs if name.strip()}
    return "".join(f' {name}="{value}"' for name, value in stated.items())
