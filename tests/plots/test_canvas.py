"""Drawings in characters: whole names, the right places, and any number of runs and topics."""

import re

import numpy as np
import pytest
from rich.cells import cell_len

from rankeval import plots
from rankeval.plots.canvas import Axis, Canvas, colour, legend, terminal_text
from rankeval.plots.kinds import Screen
from tests.support.results import results, score

ASCII = Screen(80, 24, unicode=False)
NAMES = [f"run{i:02}" for i in range(30)]
SIMPLE = ("topics", "scatter", "box", "heatmap", "ci", "ranks", "tradeoff")
LONG = ("a-name-" * 30, "名前" * 30, "[bold]x[/bold]")


def made(n_runs, n_topics, names=(), *, loss=False):
    rng = np.random.default_rng(0)
    named = [*names, *NAMES][:n_runs]
    values = {name: np.clip(rng.normal(0.5, 0.2, n_topics), 0, 1) for name in named}
    return results(
        {name: [score("AP", v, float(v.mean()), loss=loss)] for name, v in values.items()},
        [str(i) for i in range(n_topics)],
    )


def text_of(kind, found, screen=ASCII, **choices):
    costs = {run.name: float(i + 1) for i, run in enumerate(found.runs)}
    panels = plots.plot_data(kind, found, plots.Choices(costs=costs, **choices))
    return "".join(terminal_text(kind, panels, screen, colour=False))


@pytest.mark.parametrize("unicode", [True, False])
@pytest.mark.parametrize(
    "found",
    [made(2, 25), made(30, 40), made(4, 12, LONG), made(3, 1), made(3, 7000)],
    ids=["two runs", "thirty runs", "long names", "one topic", "many topics"],
)
@pytest.mark.parametrize("kind", SIMPLE)
def test_drawings_hold_whole_names_and_stay_within_the_width(kind, found, unicode):
    text = text_of(kind, found, Screen(80, 400, unicode=unicode))

    assert max(map(len, text.splitlines())) <= 80
    assert unicode or text.replace("名", "").replace("前", "").isascii()
    solid = re.sub(r"[^\w\[/\]-]", "", text)
    joined = re.sub(r"\W", "", solid)
    for run in () if "more run" in text else found.runs:
        name = re.sub(r"\W", "", run.name)
        # A folded name has other characters between its pieces.
        assert name in joined or all(piece in joined for piece in re.findall(".{1,4}", name))


@pytest.mark.parametrize("kind", SIMPLE)
def test_panels_that_a_screen_cannot_hold_are_counted(kind):
    found = made(6, 40)
    panels = list(plots.plot_data(kind, found, plots.Choices(costs=dict.fromkeys(NAMES, 1.0))))
    screen = Screen(80, 23)

    lines = list(terminal_text(kind, panels * 9, screen, colour=False, bounded=True))
    drawn = list(terminal_text(kind, panels * 9, screen, colour=False))

    assert len(lines) <= 23 < len(drawn)
    assert re.fullmatch(r"\d+ more panels: -o FILE draws them\n", lines[-1])
    assert not any("more panel" in line for line in drawn)


def test_a_dot_lies_where_its_numbers_say():
    canvas = Canvas(11, 5, Axis(0.0, 10.0), Axis(0.0, 4.0), unicode=False)

    canvas.dots(np.array([0.0, 10.0, 5.0, 11.0]), np.array([0.0, 4.0, 2.0, 2.0]), "")

    assert [line.plain.rstrip() for line in canvas.rows()] == [
        "          *",
        "",
        "     *",
        "",
        "*",
    ]


def test_eight_dots_are_one_braille_character():
    canvas = Canvas(1, 1, Axis(0.0, 1.0), Axis(0.0, 3.0), unicode=True)

    canvas.dots(np.array([0.0, 1.0]), np.array([3.0, 0.0]), "")

    # Unicode's dots 1 (top left) and 8 (bottom right).
    assert canvas.rows()[0].plain == "\N{BRAILLE PATTERN DOTS-18}"


def test_means_lie_in_the_order_of_their_values():
    found = made(6, 30)

    lines = text_of("ci", found).splitlines()[:6]

    data = plots.ci_data(found)
    assert [line.split()[0] for line in lines] == list(data.runs)
    places = [line.index("o", 6) for line in lines]
    assert places == sorted(places, reverse=True)
    for line, mean in zip(lines, data.mean, strict=True):
        assert f"{mean:.4f}" in line


def test_boxes_have_their_parts_in_order():
    lines = text_of("box", made(3, 200)).splitlines()

    for line in lines[:3]:
        drawn = line.partition(" ")[2]
        assert drawn.index("[") < drawn.index("|") < drawn.rindex("]")


def test_runs_of_a_group_stand_beside_one_bar():
    rng = np.random.default_rng(0)
    columns = {name: rng.uniform(0.5, 1, 40) for name in "abc"} | {"d": np.zeros(40)}
    found = results(
        {n: [score("AP", v, 0.0)] for n, v in columns.items()}, [str(i) for i in range(40)]
    )

    lines = {line[0]: line for line in text_of("ranks", found).splitlines()[:4]}

    assert [lines[name].endswith("|") for name in "abcd"] == [True, True, True, False]
    assert " 4.00" in lines["d"]


def test_shades_grow_with_values():
    found = results({"a": [score("AP", [0.0, 0.5, 1.0], 0.5)]}, ["1", "2", "3"])

    line = text_of("heatmap", found).splitlines()[0]

    assert line.split() == ["a", "@+"]


def test_undefined_values_show():
    found = results(
        {"a": [score("AP", [float("nan"), 0.5], 0.5)], "b": [score("AP", [0.1, 0.2], 0.1)]}
    )

    assert "?" in text_of("heatmap", found)
    empty = results({"a": [score("AP", [float("nan")], 0.5)]}, ["1"])
    assert "undefined" in text_of("box", empty)


def test_bars_of_a_loss_rise_where_the_run_is_worse():
    text = text_of("topics", made(2, 40, loss=True))
    lines = [line.partition("|")[2] for line in text.splitlines() if "|" in line]

    # The best topics come first: for a loss those below 0, at the bottom.
    assert lines[-1].startswith("*")
    assert lines[0].rstrip().endswith("*")
    assert not lines[0].startswith("*")


def test_the_front_is_marked():
    found = results({"a": [score("AP", [0.5], 0.5)], "b": [score("AP", [0.4], 0.4)]}, ["1"])

    text = text_of("tradeoff", found)

    assert "a  (Pareto front)" in text
    assert "b  (Pareto front)" not in text


def test_costs_far_apart_are_drawn_by_their_logarithms():
    found = results(
        {name: [score("AP", [0.5], 0.5)] for name in ("a", "b", "c")},
        ["1"],
    )
    panels = plots.plot_data(
        "tradeoff", found, plots.Choices(costs={"a": 1.0, "b": 100.0, "c": 10_000.0})
    )

    text = "".join(terminal_text("tradeoff", panels, ASCII, colour=False))

    line = next(line for line in text.splitlines() if "|a" in line)
    first, middle, last = (line.index(name) for name in "abc")
    assert middle - first == pytest.approx(last - middle, abs=1)
    assert "cost, logarithmic" in text


def test_the_legend_of_many_runs_has_columns():
    names = [f"{i:02}-a-name-of-twenty-letters" for i in range(13)] + ["Z" * 60]

    lines = [line.plain for line in legend(names, 80)]

    assert len(lines) < 20
    assert max(map(len, lines)) <= 80
    joined = re.sub(r"\W", "", "".join(lines))
    assert all(name.replace("-", "") in joined for name in names[:-1])
    assert joined.count("Z") == 60


def test_a_test_without_doubt_has_no_p_of_zero():
    columns = {name: np.full(200, float(i)) for i, name in enumerate("abcd")}
    found = results(
        {n: [score("AP", v, v[0])] for n, v in columns.items()}, [str(i) for i in range(200)]
    )

    assert "Friedman p < 0.0001" in text_of("ranks", found)


def test_ranks_without_documents_are_left_out():
    curves = plots.Curves(
        "unjudged", "cutoff", ("a",), np.arange(1.0, 101.0), np.full((1, 100), 0.5)
    )
    curves.y[0, 60:] = np.nan

    text = "".join(terminal_text("judged", [curves], ASCII, colour=False))

    assert text.splitlines()[0] == "share unjudged in the top k"
    ends = next(line for line in text.splitlines() if line.endswith("60"))
    assert ends.split() == ["1", "k", "60"]


def test_twelve_runs_have_colours_of_their_own():
    assert len({colour(place) for place in range(12)}) == 12
    assert colour(12) == colour(0)
    assert all(16 <= int(colour(place)[6:-1]) <= 255 for place in range(12))


@pytest.mark.parametrize("number", [1, 8, 30, 62])
@pytest.mark.parametrize("name", ["r{}", "a-name-that-is-too-long-for-columns-of-a-legend-{}"])
def test_a_legend_has_eight_lines_at_most_and_counts_the_rest(number, name):
    names = [name.format(i) for i in range(number)]

    lines = [line.plain for line in legend(names, 80)]

    whole = " ".join(" ".join(lines).split())
    shown = sum(each in whole.replace("- ", "-").split() for each in names)
    more = re.search(r"and (\d+) more runs?: a picture has them all", whole)
    assert len(lines) <= 8
    assert shown + (int(more[1]) if more else 0) == number


@pytest.mark.parametrize("number", [2, 8, 30])
@pytest.mark.parametrize("names", [(), LONG], ids=["short", "long"])
@pytest.mark.parametrize("kind", [kind for kind in SIMPLE if kind != "topics"])
def test_no_plot_of_a_panel_is_higher_than_a_terminal(kind, names, number):
    found = made(2 if kind == "scatter" else number, 12, names)

    text = text_of(kind, found, Screen(80, 23))

    assert len(text.splitlines()) <= 24
    assert max(map(cell_len, text.splitlines())) <= 80
