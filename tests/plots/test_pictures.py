"""Figures: whole, reproducible, with the heights of the data, and nothing overlapping or cut."""

import io
import os
import subprocess
import sys

import numpy as np
import pytest

import rankeval
from rankeval import plots
from rankeval.plots.kinds import Choices
from rankeval.plots.look import look
from rankeval.plots.pictures import figure, save
from rankeval.plots.selection import plot_data
from tests.plots.conftest import panel
from tests.support.files import EXAMPLES
from tests.support.pictures import drawn_results
from tests.support.results import results, score

mpl = pytest.importorskip("matplotlib")
from matplotlib import image  # noqa: E402  after the check that it is there
from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: E402


def made(n_runs, n_topics, names=(), seed=0):
    """Results of runs with values at random."""
    rng = np.random.default_rng(seed)
    named = [*names, *(f"run{i:02}" for i in range(n_runs))][:n_runs]
    values = {name: np.clip(rng.normal(0.5, 0.2, n_topics), 0, 1) for name in named}
    return results(
        {name: [score("AP", v, float(v.mean()))] for name, v in values.items()},
        [str(i) for i in range(n_topics)],
    )


def drawn(kind, found, size="page", **choices):
    costs = {run.name: float(i + 1) for i, run in enumerate(found.runs)}
    made_figure = figure(plot_data(kind, found, Choices(costs=costs, **choices)), size=size)
    FigureCanvasAgg(made_figure).draw()
    return made_figure


def texts_of(figure):
    """Yield the texts that are drawn, without labels of ticks beyond the axes, and their boxes."""
    beyond = set()
    for axis in (axis for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)):
        low, high = sorted(axis.get_view_interval())
        for tick in axis.get_major_ticks():
            if not low - 1e-9 <= tick.get_loc() <= high + 1e-9:
                beyond |= {tick.label1, tick.label2}
    for text in figure.findobj(mpl.text.Text):
        hidden = text in beyond or (text.axes and not text.axes.get_visible())
        if text.get_visible() and text.get_text().strip() and not hidden:
            yield text.get_text(), text.get_window_extent()


@pytest.mark.slow
@pytest.mark.parametrize("kind", plots.KINDS)
@pytest.mark.parametrize("size", ["column", "page", "slide"])
@pytest.mark.parametrize("letters", [3, 28, 60])
def test_no_text_is_cut_or_covers_another(kind, size, letters):
    for n_runs in (6, 12, 40) if kind == "agreement" else (2, 6, 12, 40):
        figure = drawn(kind, drawn_results(kind, n_runs, 50, letters=letters), size)
        page, boxes = figure.bbox.padded(1.0), list(texts_of(figure))
        assert len(boxes) > 3
        for i, (text, box) in enumerate(boxes):
            assert page.x0 < box.x0 < box.x1 < page.x1, text
            assert page.y0 < box.y0 < box.y1 < page.y1, text
            for other, other_box in boxes[:i]:
                assert not box.padded(-1.5).overlaps(other_box.padded(-1.5)), (text, other)


def axes_of(kind, found, **choices):
    (first, *_) = drawn(kind, found, **choices).axes
    return first


def test_lines_bars_and_cells_have_the_values_of_the_data(example):
    lines = axes_of("pr", example("pr"))
    for i, line in enumerate(panel("pr", example("pr")).of_runs.values()):
        (artist,) = lines.findobj(lambda one, i=i: one.get_gid() == f"p0-run{i}")
        assert [*artist.get_data()] == [pytest.approx(values) for values in line.points]

    bars = axes_of("topics", example("topics"))
    heights = {round(bar.get_x() + 0.4): bar.get_height() for bar in bars.patches}
    differences = panel("topics", example("topics")).differences.tolist()
    assert heights == pytest.approx({i: d for i, d in enumerate(differences) if d})

    cells = axes_of("heatmap", example("heatmap"))
    drawn_values = np.asarray(cells.collections[0].get_array()).ravel()
    assert drawn_values == pytest.approx(panel("heatmap", example("heatmap")).values.ravel())


def squares(figure, dpi):
    """The mean colour of each tenth of a square inch, of a picture with so many dots an inch."""
    with io.BytesIO() as stream:
        figure.savefig(stream, dpi=dpi)
        stream.seek(0)
        return squares_of(image.imread(stream), dpi)


def squares_of(picture, dpi):
    pixels, side = picture[:, :, :3], dpi // 10
    height, width = pixels.shape[0] // side, pixels.shape[1] // side
    whole = pixels[: height * side, : width * side]
    return whole.reshape(height, side, width, side, 3).mean(axis=(1, 3))


@pytest.mark.parametrize("kind", ["cutoff", "box", "heatmap"])
def test_pictures_of_the_docs_are_those_of_the_examples(example, kind):
    """A tolerance: other versions of matplotlib and of its font draw letters a little apart."""
    path = EXAMPLES.parent / "docs" / "pictures" / f"{kind}.png"
    picture = rankeval.plot(kind, example(kind)).figure()
    with look():
        found, expected = squares(picture, 200), squares_of(image.imread(path), 200)

    assert found.shape == expected.shape
    assert np.abs(found - expected).mean() < 0.01


@pytest.mark.slow
def test_a_picture_has_the_same_bytes_every_time_and_no_date():
    code = (
        "from tests.plots.test_pictures import made, drawn, save\n"
        "import sys\n"
        "for suffix in 'png', 'svg', 'pdf':\n"
        "    sys.stdout.buffer.write(save(drawn('box', made(3, 9)), f'a.{suffix}'))\n"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            timeout=120,
            env=os.environ | {"SOURCE_DATE_EPOCH": date},
        )
        for date in ("0", "no date")
    ]

    assert runs[0].stdout
    assert runs[0].stdout == runs[1].stdout


def test_fonts_are_in_the_file_and_no_name_takes_effect():
    figure = drawn("box", made(3, 9, ["<script>alert(1)</script>", "$\\frac$"]))

    svg = save(figure, "a.svg")
    assert b"/FontFile2" in save(figure, "a.pdf")
    assert b"<text" not in svg
    assert b"<script>" not in svg
