"""Pictures hold at any size: no text overlaps or is cut, no panel is flatter than its labels."""

import os
import random
import re
import warnings

import pytest

from rankeval import plots
from rankeval.errors import UsageError
from rankeval.plots.look import look
from tests.support.pictures import Case, drawn_results, every_case, panels_of

mpl = pytest.importorskip("matplotlib")
from matplotlib.figure import Figure  # noqa: E402  after the check that it is there

from rankeval.plots.faults import layout_of  # noqa: E402

EVERY = list(every_case())
SOME = random.Random(32).sample(EVERY, 60)
MANY = EVERY if os.environ.get("RANKEVAL_HEAVY") else random.Random(33).sample(EVERY, 80)
"""The whole grid takes most of an hour; `python -m docs.studies.picture_grid measure` prints it."""


def assert_holds(case):
    """Draw a picture; one that is refused must hold at the size that the message names."""
    panels = panels_of(case)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            figure = plots.figure(case.kind, panels, size=case.size)
        except UsageError as error:
            if case.size in ("column", "page"):
                raise  # these hold everything
            (least,) = re.findall(r"size='([\d.]+x[\d.]+)'", str(error))
            figure = plots.figure(case.kind, panels, size=least)
        with look():
            layout = layout_of(figure)
    assert layout.faults == ()
    assert layout.gap >= 0.0
    assert layout.panel >= 0.3
    if case.size in ("column", "page"):
        assert figure.get_figheight() <= 9.0 + 1e-9


@pytest.mark.parametrize("case", SOME, ids=str)
def test_a_picture_holds(case):
    assert_holds(case)


@pytest.mark.slow
@pytest.mark.parametrize("case", MANY, ids=str)
def test_every_picture_of_the_grid_holds(case):
    assert_holds(case)


def test_a_layout_that_differs_each_time_is_kept_where_it_has_no_fault():
    panels = panels_of(Case("cutoff", "3.33x2", 8, long=False, n_topics=7_000))

    figure = plots.figure("cutoff", panels, size="3.33x2")

    with look():
        layouts = [layout_of(figure) for _ in range(4)]
    assert [layout.faults for layout in layouts] == [()] * 4


def test_a_size_that_holds_nothing_is_refused_with_the_least_that_does():
    panels = panels_of(Case("box", "", 30, long=True, n_topics=5))

    with pytest.raises(UsageError, match=r"no room in 3\.33x2 inches") as refused:
        plots.figure("box", panels, size="3.33x2")

    (width, height) = re.findall(r"size='([\d.]+)x([\d.]+)'", str(refused.value))[0]
    assert plots.figure("box", panels, size=f"{width}x{height}")
    with pytest.raises(UsageError):
        plots.figure("box", panels, size=f"{width}x{float(height) - 0.2:g}")


# Faults that are drawn on purpose are found.


def drawn():
    with look():
        made = Figure(figsize=(4, 3), layout="constrained")
        return made, made.subplots()


def test_texts_on_each_other_are_found():
    made, ax = drawn()
    ax.text(0.5, 0.5, "one")
    ax.text(0.51, 0.5, "two")

    assert layout_of(made).faults == ("'one' covers 'two'",)


def test_a_text_that_leaves_the_figure_is_found():
    made, _ = drawn()
    made.text(0.95, 0.5, "a long text")

    assert "'a long text' is cut" in layout_of(made).faults


def test_a_text_on_a_mark_is_found():
    made, ax = drawn()
    ax.plot([0.2, 0.8], [0.5, 0.5], "o")
    ax.annotate("here", (0.8, 0.5), ha="center", va="center")

    assert layout_of(made).faults == ("'here' lies on a mark",)


def test_a_panel_flatter_than_its_name_is_found():
    made, axes = drawn()
    axes.set_ylabel("a name that is much longer than the panel is high, and more of it")
    made.set_figheight(1.0)

    assert any("flatter" in fault or "cut" in fault for fault in layout_of(made).faults)


def test_the_best_panels_are_drawn_where_not_all_have_room():
    found = drawn_results("topics", 30, 100, long=False)
    panels = plots.plot_data("topics", found, plots.Choices(sort="value"))

    figure = plots.figure("topics", panels, size="5x3.5")

    (head,) = re.findall(r"and (\d+) more runs without room here", figure.get_suptitle())
    drawn_panels = [ax for ax in figure.axes if ax.get_visible()]
    assert len(drawn_panels) + int(head) == 29
    assert drawn_panels[0].get_title(loc="left").startswith("run29")
