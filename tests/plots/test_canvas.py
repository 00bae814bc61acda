"""Drawings in characters: names, the right places, and any number of runs and topics."""

import numpy as np
import pytest
from rich.cells import cell_len

from rankeval.plots.canvas import Axis, Canvas, terminal_text
from rankeval.plots.kinds import Choices, Screen
from rankeval.plots.selection import plot_data
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
    panels = plot_data(kind, found, Choices(**{"costs": costs, **choices}))
    return "".join(terminal_text(panels, screen, colour=False))


@pytest.mark.parametrize("unicode", [True, False])
@pytest.mark.parametrize(
    "found",
    [made(2, 25), made(30, 40), made(4, 12, LONG), made(3, 1), made(3, 7000)],
    ids=["two runs", "thirty runs", "long names", "one topic", "many topics"],
)
@pytest.mark.parametrize("kind", SIMPLE)
def test_drawings_name_every_run_and_stay_within_the_width(kind, found, unicode):
    text = text_of(kind, found, Screen(80, 400, unicode=unicode))

    assert max(map(cell_len, text.splitlines())) <= 80
    assert unicode or text.replace("名", "").replace("前", "").isascii()
    for run in () if "more run" in text else found.runs:
        assert run.name[:4] in text
        assert run.name[-4:] in text


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
