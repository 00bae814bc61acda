"""Draw plots in the terminal: the same data as in pictures, in characters."""

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Any

import numpy as np
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from rankeval.base.numbers import p_words
from rankeval.base.visible import visible
from rankeval.output.folding import folded
from rankeval.plots.between_measures import Agreement
from rankeval.plots.by_cost import Tradeoff
from rankeval.plots.by_run import Boxes, MeanRanks, Means
from rankeval.plots.canvas import Axis, Canvas, Screen, colour, framed, legend, letter, short
from rankeval.plots.curves import Curves, GainCurves
from rankeval.plots.topic_data import TopicDifferences, TopicPairs, TopicValues
from rankeval.stats.checked_arrays import Floats

SHADES, ASCII_SHADES = " ░▒▓█", " .:-=+*#%@"
LEAST_LINES = 8
"""Lines of a plot on a screen that is lower than it and its legend."""


def terminal_text(
    kind: str, panels: Sequence[Any], screen: Screen, *, colour: bool
) -> Iterator[str]:
    """Yield the lines of a plot in characters, one panel after the other.

    A plot with one panel fits the screen if its legend leaves room; several follow each other. No
    name is cut.
    """
    console = Console(
        file=StringIO(),
        width=max(screen.width, 20),
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
    )
    for i, panel in enumerate(panels):
        lines = _DRAWN[kind](panel, screen)
        with console.capture() as capture:
            if i:
                console.print()
            for line in lines:
                console.print(line, overflow="ignore", crop=False, soft_wrap=True)
        # Blanks at the ends of lines would only be in the way of those who copy it.
        yield from (line.rstrip() + "\n" for line in capture.get().splitlines())


def _curves(data: Curves, screen: Screen) -> list[Text]:
    y = Axis.over(data.y.ravel(), least=(0.0, 1.0) if data.axis != "cutoff" else ())
    of_ranks = data.axis == "rank"
    name = "share of unjudged documents" if of_ranks else f"mean {visible(data.measure)}"
    drawn = data.drawn
    return _lines(data.runs, data.x[drawn], data.y[:, drawn], y, screen, data.axis, name)


def _gains(data: GainCurves, screen: Screen) -> list[Text]:
    y = Axis.over(data.precision_gain.ravel(), least=(0.0, 1.0))
    areas = [f"  area {area:.3f}" for area in data.area.tolist()]
    return _lines(
        data.runs,
        data.recall_gain,
        data.precision_gain,
        y,
        screen,
        "recall gain",
        "mean precision gain",
        areas,
    )


def _lines(
    runs: Sequence[str],
    x: Floats,
    y: Floats,
    axis: Axis,
    screen: Screen,
    x_name: str,
    y_name: str,
    notes: Sequence[str] = (),
) -> list[Text]:
    """Draw a line for each run, with its letter on it at several places."""
    names = legend(runs, screen.width, notes=notes)
    canvas = _canvas(screen, Axis.over(x), axis, len(names))
    for i, heights in enumerate(y):
        canvas.line(x, heights, colour(i))
    marks = max(2, canvas.width // 24)
    for i, heights in enumerate(y):
        for k in range(marks):
            share = (k + (i + 0.5) / len(y)) / marks
            at = canvas.x.low + share * (canvas.x.high - canvas.x.low)
            canvas.mark(at, float(np.interp(at, x, heights)), letter(i), f"bold {colour(i)}")
    return [*framed(canvas, x_name, y_name, unicode=screen.unicode), *names]


def _tradeoff(data: Tradeoff, screen: Screen) -> list[Text]:
    notes = ["  (Pareto front)" if on_front else "" for on_front in data.on_front.tolist()]
    names = legend(data.runs, screen.width, notes=notes)
    costs = np.log(data.costs) if data.logarithmic else data.costs
    canvas = _canvas(screen, Axis.over(costs), Axis.over(data.values), len(names))
    for i, (x, y) in enumerate(zip(costs.tolist(), data.values.tolist(), strict=True)):
        canvas.mark(x, y, letter(i), f"bold {colour(i)}")
    canvas.x = Axis.over(data.costs)
    cost = visible(data.cost) + (", logarithmic" if data.logarithmic else "")
    return [*framed(canvas, cost, visible(data.measure), unicode=screen.unicode), *names]


def _topics(data: TopicDifferences, screen: Screen) -> list[Text]:
    mean = f"{data.differences.mean():+.4f}" if len(data.differences) else "undefined"
    head = [
        *_named(f"{data.run} - {data.baseline}", screen),
        *_words(f"{data.wins} better, {data.losses} worse, {data.ties} equal; mean {mean}", screen),
    ]
    axis = Axis.over(data.differences, least=(0.0,))
    canvas = _canvas(screen, Axis(0.0, 1.0), axis, len(head))
    n = len(data.differences)
    places = canvas.width * (2 if screen.unicode else 1)
    for place in range(places if n else 0):
        first = place * n // places
        # Topics that share a column of dots are drawn as their mean.
        height = float(data.differences[first : max(first + 1, (place + 1) * n // places)].mean())
        better = height < 0 if data.loss else height > 0
        if height:
            canvas.bar(place / (places - 1), height, "blue" if better else "red")
    canvas.x = Axis(1.0, float(max(n, 2)))
    name = "topics, the best first"
    measure = f"difference in {visible(data.measure)}"
    return [*head, *framed(canvas, name, measure, unicode=screen.unicode)]


def _scatter(data: TopicPairs, screen: Screen) -> list[Text]:
    above, below = int((data.y > data.x).sum()), int((data.y < data.x).sum())
    head = [
        *_named(f"{data.run} (upwards) and {data.baseline} (across)", screen),
        *_words(f"{above} topics above the diagonal, {below} below", screen),
    ]
    low, high = data.span or (np.inf, -np.inf)
    axis = Axis.over([*data.x, *data.y], least=(low, high))
    canvas = _canvas(screen, axis, axis, len(head))
    ends = np.array([axis.low, axis.high])
    canvas.line(ends, ends, "bright_black")
    mark = "•" if screen.unicode else "o"
    for x, y in zip(data.x.tolist(), data.y.tolist(), strict=True):
        style = "blue" if y > x else "red" if y < x else "bright_black"
        canvas.mark(x, y, mark, style)
    measure = visible(data.measure)
    return [*head, *framed(canvas, measure, measure, unicode=screen.unicode)]


def _boxes(data: Boxes, screen: Screen) -> list[Text]:
    known = [v for box in data.boxes for v in (box.low, box.high) if v is not None]
    outliers = [v for box in data.boxes for v in box.outliers.tolist()]
    axis = Axis.over([*known, *outliers], least=data.span or ())
    flat, left, right, middle, mean = "─[]┃◆" if screen.unicode else "-[]|+"

    def drawn(i: int, width: int) -> Text:
        box, cells, styles = data.boxes[i], [" "] * width, [""] * width
        if box.median is None or box.low is None or box.high is None:
            return Text("undefined")

        def put(value: float | None, text: str, style: str = "") -> None:
            place = _place(axis, value or 0.0, width)
            cells[place], styles[place] = text, style

        for outlier in box.outliers.tolist():
            put(outlier, "·" if screen.unicode else ".")
        low, high = _place(axis, box.low, width), _place(axis, box.high, width)
        cells[low : high + 1] = flat * (high - low + 1)
        first, third = (_place(axis, v or 0.0, width) for v in (box.first, box.third))
        for place in range(first, third + 1):
            cells[place], styles[place] = " ", "reverse"
        put(box.first, left, "reverse")
        put(box.third, right, "reverse")
        put(box.mean, mean, "reverse yellow")
        put(box.median, middle, "reverse bold")
        return _styled(cells, styles)

    names = [box.run for box in data.boxes]
    notes = f"[ ] quartiles, {middle} median, {mean} mean"
    return _rows(names, drawn, axis, visible(data.measure), screen, notes)


def _means(data: Means, screen: Screen) -> list[Text]:
    numbers = np.concatenate([data.mean, data.low, data.high])
    axis = Axis.over(numbers)
    flat, dot = "─●" if screen.unicode else "-o"
    texts = [
        f" {mean:.4f} [{low:.4f}, {high:.4f}]" if np.isfinite(low) else f" {mean:.4f}"
        for mean, low, high in zip(data.mean, data.low, data.high, strict=True)
    ]
    side = max(map(len, texts))

    def drawn(i: int, width: int) -> Text:
        cells = [" "] * width
        styles = [""] * width
        if np.isfinite(data.low[i]):
            low, high = (_place(axis, v[i], width) for v in (data.low, data.high))
            cells[low : high + 1] = flat * (high - low + 1)
        if np.isfinite(data.mean[i]):
            place = _place(axis, data.mean[i], width)
            cells[place], styles[place] = dot, "bold blue"
        return _styled(cells, styles).append(texts[i])

    name = f"mean {visible(data.measure)}, {100 * data.level:g}% intervals"
    return _rows(data.runs, drawn, axis, name, screen, "", side)


def _ranks(data: MeanRanks, screen: Screen) -> list[Text]:
    axis = Axis(1.0, float(max(len(data.runs), 2)))
    dot, bar = "●│" if screen.unicode else "o|"

    def drawn(i: int, width: int) -> Text:
        cells = [" "] * width
        cells[_place(axis, float(data.ranks[i]), width)] = dot
        groups = "".join(bar if a <= i <= b else " " for a, b in data.groups)
        return Text("".join(cells)).append(f" {data.ranks[i]:5.2f} ").append(groups, style="bold")

    name = f"mean rank by {visible(data.measure)}"
    test = data.test
    notes = (
        f"critical difference {test.critical_difference:.2f} at alpha = {test.alpha:g}; "
        f"Friedman {p_words(test.friedman.p_f, test.alpha)}\n"
        f"Runs beside the same {bar} cannot be told apart."
    )
    return _rows(data.runs, drawn, axis, name, screen, notes, 7 + len(data.groups))


def _heatmap(data: TopicValues, screen: Screen) -> list[Text]:
    axis = Axis.over(data.values.ravel(), least=data.span or ())
    shades = SHADES if screen.unicode else ASCII_SHADES

    def drawn(i: int, width: int) -> Text:
        n = len(data.topics)
        line = Text()
        for place in range(min(width, n) if n < width // 2 else width):
            first = place if n < width // 2 else place * n // width
            last = first + 1 if n < width // 2 else max(first + 1, (place + 1) * n // width)
            values = data.values[first:last, i]
            values = values[~np.isnan(values)]
            if not values.size:
                line.append("?")
                continue
            share = float(axis.share(values.mean()))
            line.append(shades[min(len(shades) - 1, int(share * len(shades)))])
        return line

    name = f"{len(data.topics):,} {data.item}s, the easiest first"
    notes = (
        f"{visible(data.measure)} from {short(axis.low)} '{shades[0]}' to {short(axis.high)} "
        f"'{shades[-1]}'; ? undefined"
    )
    return _rows(data.runs, drawn, None, name, screen, notes)


def _agreement(data: Agreement, screen: Screen) -> list[Text]:
    lines = []
    titles = ("Kendall's tau", "tau-AP of the column's order, the row's being the truth")
    for title, values in zip(titles, (data.tau, data.tau_ap), strict=True):
        lines += _words(f"{title}, {data.n_runs} runs", screen, "bold")
        names = [visible(name) for name in data.measures]
        side = min(max(map(cell_len, names)) + 4, screen.width // 2)
        size = max(1, (screen.width - side) // 6)
        for first in range(0, len(names), size):
            part = range(first, min(first + size, len(names)))
            heads = "".join(f"{letter(j):>6}" for j in part)
            lines.append(Text(" " * side + heads))
            for i, name in enumerate(names):
                *before, last = folded(f" {letter(i)} {name}", side - 1)
                lines += [Text(text) for text in before]
                line = Text(last + " " * (side - cell_len(last)))
                for j in part:
                    value = values[i, j]
                    style = "bold" if value > 0.9 else "red" if value < 0.5 else ""
                    line.append("     -" if np.isnan(value) else f"{value:6.2f}", style=style)
                lines.append(line)
    return lines


def _canvas(screen: Screen, x: Axis, y: Axis, other_lines: int) -> Canvas:
    """Return a canvas that leaves room for the axes and other lines."""
    side = max(len(short(v)) for v in (y.low, y.high, (y.low + y.high) / 2)) + 2
    height = max(LEAST_LINES, screen.height - other_lines - 4)
    return Canvas(max(10, screen.width - side - 1), height, x, y, unicode=screen.unicode)


def _rows(
    names: Sequence[str],
    drawn: Callable[[int, int], Text],
    axis: Axis | None,
    axis_name: str,
    screen: Screen,
    notes: str = "",
    right: int = 0,
) -> list[Text]:
    """Return a line per run: its name, and what is drawn for it in the room that is left."""
    shown = [visible(name) for name in names]
    side = min(max(map(cell_len, shown)), max(8, screen.width // 3))
    width = max(10, screen.width - side - 1 - right)
    lines = []
    for i, name in enumerate(shown):
        *before, last = folded(name, side)
        lines += [Text(text, no_wrap=True) for text in before]
        head = Text(last + " " * (side - cell_len(last) + 1), no_wrap=True)
        lines.append(head.append_text(drawn(i, width)))
    if axis is not None:
        low, high = short(axis.low), short(axis.high)
        room = width - len(low) - len(high)
        inside = axis_name if cell_len(axis_name) + 2 <= room else ""
        lines.append(Text(" " * (side + 1) + low + inside.center(max(1, room)) + high))
        if not inside:
            lines += _words(axis_name, screen)
    else:
        lines.append(Text(" " * (side + 1) + axis_name))
    return [*lines, *(line for note in notes.splitlines() for line in _words(note, screen))]


def _styled(cells: Sequence[str], styles: Sequence[str]) -> Text:
    line = Text(no_wrap=True)
    for text, style in zip(cells, styles, strict=True):
        line.append(text, style=style or None)
    return line


def _place(axis: Axis, value: float, width: int) -> int:
    share = (value - axis.low) / (axis.high - axis.low)
    return min(width - 1, max(0, round(share * (width - 1))))


def _words(text: str, screen: Screen, style: str = "") -> list[Text]:
    return [Text(line, style=style) for line in textwrap.wrap(text, screen.width)]


def _named(text: str, screen: Screen) -> list[Text]:
    return [Text(line, style="bold") for line in folded(visible(text), screen.width)]


_DRAWN: Mapping[str, Callable[[Any, Screen], list[Text]]] = {
    "pr": _curves,
    "prg": _gains,
    "cutoff": _curves,
    "topics": _topics,
    "scatter": _scatter,
    "box": _boxes,
    "heatmap": _heatmap,
    "ci": _means,
    "ranks": _ranks,
    "agreement": _agreement,
    "tradeoff": _tradeoff,
    "judged": _curves,
}
