"""The six pictures of a report, each with its numbers as a table."""

import re
from collections.abc import Iterator, Sequence
from html import escape

import numpy as np

from rankeval.base.progress import counted
from rankeval.commands.compare.task import Comparison
from rankeval.commands.report.content import ReportPicture
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.measures import parse_measure
from rankeval.plots.form import Form
from rankeval.plots.kinds import USUAL, Choices, kind_named
from rankeval.plots.look import Appearance
from rankeval.plots.pictures import figure, save
from rankeval.plots.row_kinds import forest_of
from rankeval.plots.selection import measures, plot_data, with_measures, with_runs

PICTURES = ("forest", "box", "topics", "pr", "cutoff", "judged")

TOP = 5
"""Runs whose differences are drawn topic by topic: the best."""


def curve_measures(first: str) -> list[str]:
    """Return the measures of the curves; `first` is the report's first measure."""
    return [name for kind in PICTURES if kind_named(kind).over for name in _places(kind, first)]


def _places(kind: str, first: str) -> Sequence[str]:
    if kind != "cutoff":
        return measures(kind)
    return measures(kind, first if parse_measure(first).definition.at == "cutoff" else USUAL)


def pictures(
    results: Results, curves: Results | None, compared: Comparison | None, order: Sequence[int]
) -> Iterator[ReportPicture]:
    """Yield the pictures that the results allow.

    `results` hold the measures of the report, `curves` those of `curve_measures`, and `order` the
    places of the runs, the best first.
    """
    names = [results.runs[place].name for place in order]
    first = results.runs[0].scores[0].measure
    of_first = with_runs(with_measures(results, [first]), names)
    undefined = all(np.isnan(run.scores[0].aggregate) for run in results.runs)
    choices = Choices(baseline=results.runs[0].name)
    for kind in counted(PICTURES, "pictures", len(PICTURES)):
        record = kind_named(kind)
        title = f"{record.words[0].upper()}{record.words[1:]}"
        title = title if record.over else f"{title}: {first}"
        try:
            if undefined and not record.over:
                continue
            if kind == "forest":
                panels: tuple[Form, ...] = ()
                if compared:
                    panels = (forest_of(compared)[0].only(names),)
            elif record.over:
                if curves is None:
                    continue
                of_curve = with_measures(curves, _places(kind, first))
                panels = plot_data(kind, with_runs(of_curve, names))
            else:
                panels = plot_data(kind, of_first, choices)[: TOP if kind == "topics" else None]
        except UsageError:  # one run, or no topic on which all runs have a value
            continue
        if panels:
            drawn = figure(kind, panels, appearance=Appearance(remedy=""))
            svg = inline(save(drawn, "picture.svg").decode(), title, kind)
            yield ReportPicture(kind, title, svg, panels[0].table())


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
