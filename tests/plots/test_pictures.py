"""Figures: whole, reproducible, and nothing overlapping or cut, whatever the runs are."""

import io
import subprocess
import sys

import numpy as np
import pytest

from rankeval import plots
from rankeval.errors import UsageError
from rankeval.evaluation.results import Results
from rankeval.plots.look import look
from tests.plots.conftest import panel
from tests.support.files import EXAMPLES
from tests.support.pictures import drawn_results
from tests.support.results import results, score

mpl = pytest.importorskip("matplotlib")
from matplotlib import image  # noqa: E402  after the check that it is there
from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402


def made(n_runs, n_topics, names=(), seed=0):
    """Results of runs with values at random."""
    rng = np.random.default_rng(seed)
    named = [*names, *(f"run{i:02}" for i in range(n_runs))][:n_runs]
    values = {name: np.clip(rng.normal(0.5, 0.2, n_topics), 0, 1) for name in named}
    return results(
        {name: [score("AP", v, float(v.mean()))] for name, v in values.items()},
        [str(i) for i in range(n_topics)],
    )


def drawn(kind, found, size="page"):
    costs = {run.name: float(i + 1) for i, run in enumerate(found.runs)}
    panels = plots.plot_data(kind, found, plots.Choices(costs=costs))
    figure = plots.figure(kind, panels, size=size)
    FigureCanvasAgg(figure).draw()
    return figure


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


@pytest.mark.parametrize("kind", plots.KINDS)
def test_every_kind_is_drawn_on_given_axes(example, kind):
    found = example(kind)
    axes = Figure().subplots()

    returned = plots.draw(kind, found, axes, costs={run.name: 1.0 for run in found.runs})

    assert returned is axes
    assert axes.has_data()


@pytest.mark.parametrize("kind", ["pr", "box", "agreement"])
def test_without_axes_a_figure_is_made(example, kind, monkeypatch):
    plt = pytest.importorskip("matplotlib.pyplot")
    monkeypatch.setitem(mpl.rcParams, "font.size", 33)

    axes = plots.draw(kind, example(kind))

    assert axes.figure.get_size_inches()[0] == 6.75
    assert axes.xaxis.label.get_size() == 8.0
    assert mpl.rcParams["font.size"] == 33
    plt.close(axes.figure)


def test_axes_show_the_measure_that_is_asked_for(example):
    found = example("box", "AP nDCG@10")

    assert plots.draw("box", found, Figure().subplots()).get_xlabel() == "AP"
    assert (
        plots.draw("box", found, Figure().subplots(), measure="nDCG@10").get_xlabel() == "nDCG@10"
    )


def test_axes_show_the_run_that_is_asked_for(example):
    found = example("topics")

    axes = plots.draw("topics", found, Figure().subplots(), baseline="rrf", run="lsa")

    assert axes.get_title(loc="left").startswith("lsa\n")
    with pytest.raises(UsageError, match="'rrf' is no run of a panel"):
        plots.draw("topics", found, Figure().subplots(), baseline="rrf", run="rrf")


def test_lines_have_the_heights_of_the_data(example):
    found = example("pr")

    axes = plots.draw("pr", found, Figure().subplots())

    data = panel("pr", found)
    for i, expected in enumerate(data.lines):
        (line,) = axes.findobj(lambda artist, i=i: artist.get_gid() == f"run{i}")
        assert line.get_ydata().tolist() == expected.points[1].tolist()
        assert line.get_xdata().tolist() == expected.points[0].tolist()


def test_bars_have_the_heights_of_the_data(example):
    found = example("topics")

    axes = plots.draw("topics", found, Figure().subplots())

    data = panel("topics", found)
    heights = {round(bar.get_x() + 0.4): bar.get_height() for bar in axes.patches}
    expected = {i: d for i, d in enumerate(data.differences.tolist()) if d}
    assert heights == pytest.approx(expected)


def test_a_heat_map_has_the_values_of_the_data(example):
    found = example("heatmap")

    axes = plots.draw("heatmap", found, Figure().subplots())

    drawn_values = np.asarray(axes.collections[0].get_array()).ravel()
    assert drawn_values == pytest.approx(panel("heatmap", found).layers[0].values.ravel())


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
def test_a_picture_is_the_same_at_another_resolution_and_differs_for_other_runs(example, kind):
    found = example(kind)
    fewer = Results(found.qrels, found.settings, found.runs[::-1])
    figure, other = (plots.figure(kind, plots.plot_data(kind, each)) for each in (found, fewer))

    fine, coarse, different = squares(figure, 200), squares(figure, 100), squares(other, 100)

    assert coarse.std() > 0.02
    assert np.abs(fine - coarse).mean() < 0.015
    assert np.abs(different - coarse).mean() > 2 * np.abs(fine - coarse).mean()


@pytest.mark.parametrize("kind", ["cutoff", "box", "heatmap"])
def test_pictures_of_the_docs_are_those_of_the_examples(example, kind):
    """A tolerance: other versions of matplotlib and of its font draw letters a little apart."""
    path = EXAMPLES.parent / "docs" / "pictures" / f"{kind}.png"
    panels = plots.plot_data(kind, example(kind), plots.Choices(sort="value"))
    figure = plots.figure(kind, panels)
    with look():
        found, expected = squares(figure, 200), squares_of(image.imread(path), 200)

    assert found.shape == expected.shape
    assert np.abs(found - expected).mean() < 0.01


@pytest.mark.slow
def test_a_picture_has_the_same_bytes_every_time():
    code = (
        "from tests.plots.test_pictures import made, drawn\n"
        "from rankeval import plots\n"
        "import sys\n"
        "for suffix in 'png', 'svg', 'pdf':\n"
        "    sys.stdout.buffer.write(plots.save(drawn('box', made(3, 9)), f'a.{suffix}'))\n"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=120)
        for _ in range(2)
    ]

    assert runs[0].stdout
    assert runs[0].stdout == runs[1].stdout


def test_fonts_are_in_the_file():
    figure = drawn("box", made(3, 9))

    assert b"/FontFile2" in plots.save(figure, "a.pdf")
    assert b"<text" not in plots.save(figure, "a.svg")


def test_no_name_of_a_run_takes_effect_in_a_picture():
    svg = plots.save(drawn("box", made(3, 9, ["<script>alert(1)</script>", "$\\frac$"])), "a.svg")

    assert b"<script>" not in svg


@pytest.mark.parametrize(
    ("size", "inches"), [("column", 3.33), ("page", 6.75), ("5x3.5", 5.0), ("12x9", 12.0)]
)
def test_sizes_are_those_of_papers_or_inches(size, inches):
    figure = drawn("box", made(3, 9), size)

    assert figure.get_size_inches()[0] == inches
    if "x" in size:
        assert figure.get_size_inches()[1] == float(size.split("x")[1])


@pytest.mark.parametrize("size", ["letter", "0x3", "5x", "5x3x2", "1000x2", "-3x4", "nanx2"])
def test_impossible_sizes_are_refused(size):
    with pytest.raises(UsageError, match="is not possible"):
        plots.figure_size(size)


@pytest.mark.parametrize("path", ["a.gif", "a", "a.txt"])
def test_other_formats_are_refused(path):
    with pytest.raises(UsageError, match="does not name the format of a picture"):
        plots.save(drawn("box", made(3, 9)), path)
