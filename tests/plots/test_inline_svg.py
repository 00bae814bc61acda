import re
import xml.etree.ElementTree as ET

import pytest
from fontTools.ttLib import TTFont  # matplotlib reads fonts with it
from matplotlib.font_manager import FontProperties, findfont

from rankeval import evaluate, plots
from rankeval.commands.report.reports.pictures import pictures
from rankeval.plots.inline_svg import fit_texts, inline_svg
from rankeval.plots.kinds import plot_kinds
from rankeval.plots.look import text_width
from tests.plots.conftest import QRELS, RUNS
from tests.support.results import results, score

TITLE = "{http://www.w3.org/2000/svg}title"


def drawn(kind, n_runs=3):
    results = evaluate(QRELS, RUNS[:n_runs], plots.measures(kind))
    costs = {run.name: float(i) for i, run in enumerate(results.runs, 1)}
    panels = plots.plot_data(kind, results, plots.Choices(costs=costs))
    return panels, inline_svg(kind, panels, "A & <title>", "name")


@pytest.fixture(scope="module", params=[kind.name for kind in plot_kinds() if kind.report])
def made(request):
    return request.param, *drawn(request.param, 5 if request.param == "agreement" else 3)


@pytest.fixture
def svg(made):
    return made[2]


def test_a_picture_has_nothing_that_a_strict_policy_refuses(svg):
    root = ET.fromstring(svg)

    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert not tags & {"style", "script", "foreignObject", "metadata", "image", "a"}
    attributes = {name for element in root.iter() for name in element.attrib}
    assert "style" not in attributes
    assert not [name for name in attributes if name.startswith("on")]


def test_ids_begin_with_the_name_and_references_lead_to_them(svg):
    root = ET.fromstring(svg)
    ids = [element.get("id") for element in root.iter() if element.get("id")]

    assert all(re.fullmatch(r"name\d+", one) for one in ids)
    assert len(ids) == len(set(ids))
    links = {v[1:] for e in root.iter() for k, v in e.attrib.items() if k.endswith("href")}
    links |= set(re.findall(r"url\(#([^)]*)\)", svg))
    assert links
    assert links <= {*ids}


def test_text_has_the_colour_of_the_page_and_the_ground_is_its_own(svg):
    assert "#000000" not in svg
    assert "currentColor" in svg
    root = ET.fromstring(svg)
    assert (root.get("role"), root.get("aria-label")) == ("img", "A & <title>")


def test_letters_are_text_as_wide_as_their_outlines(made):
    """In a file of its own, letters are outlines, which need no font."""
    kind, panels, svg = made
    outlines = ET.fromstring(plots.save(plots.figure(kind, panels), "a.svg"))
    scales = {part for e in outlines.iter() for part in [e.get("transform", "")] if "scale" in part}
    texts = [e for e in ET.fromstring(svg).iter() if e.tag.endswith("}text")]

    assert scales
    assert not list(outlines.iter("{http://www.w3.org/2000/svg}text"))
    assert "scale(" not in svg
    assert all(text.text.strip() for text in texts)
    for text in texts:
        if len(text.text) > 4:
            # DejaVu Sans has letters of 0.28 to 0.97 of its size.
            size = float(text.get("font-size", "7")) * len(text.text)
            assert 0.27 * size < float(text.get("textLength")) < 0.98 * size


def test_a_letter_more_makes_a_text_wider_by_the_fonts_advance():
    with TTFont(findfont(FontProperties(family="DejaVu Sans"))) as font:
        advance = font["hmtx"][font.getBestCmap()[ord("n")]][0] / font["head"].unitsPerEm

    longer = text_width(20 * "n", 7.0) - text_width(10 * "n", 7.0)

    assert longer == pytest.approx(10 * advance * 7.0, rel=0.01)


@pytest.mark.parametrize(
    "style", ["font: 9px 'DejaVu Sans'", "font-size: 9px; font-family: 'DejaVu Sans'"]
)
def test_sizes_of_text_are_those_of_old_and_of_new_versions_of_matplotlib(style):
    root = ET.Element("svg")
    text = ET.SubElement(root, TITLE.replace("title", "text"))
    text.text = "abcdef"
    for declaration in style.split("; "):
        text.set(*declaration.split(": "))

    fit_texts(root)

    assert root.get("font-size") == "7"
    assert text.get("font-size") == "9"
    assert text.get("font") is None
    assert float(text.get("textLength")) == pytest.approx(text_width("abcdef", 9.0), abs=0.1)


def expected_titles(kind, panels):
    """Count the points, bars, boxes and cells of a picture from its data."""
    first = panels[0]
    counts = {
        "ci": lambda: 2 * len(first.runs),  # the point and the interval
        "forest": lambda: 2 * len(first.lines),
        "box": lambda: sum(1 + len(box.outliers) for box in first.boxes),
        "ranks": lambda: len(first.runs),
        "topics": lambda: sum(panel.wins + panel.losses for panel in panels),
        "scatter": lambda: sum(len(panel.topics) for panel in panels),
        "agreement": lambda: 2 * len(first.measures) ** 2,
        "tradeoff": lambda: len(first.runs),
        # The line, and a marker at every third cutoff; neighbours have theirs at other ones.
        "cutoff": lambda: sum(1 + len(first.x[i % 3 :: 3]) for i in range(len(first.runs))),
        # The line, and a marker at each of eleven levels or at every tenth rank.
        "judged": lambda: len(first.runs) * 11,
    }
    return counts.get(kind, lambda: len(first.runs) * 12)()


def test_a_page_is_without_the_picture_that_has_no_room(monkeypatch):
    measures = [f"P@{cutoff}" for cutoff in range(1, 61)]
    found = results(
        {
            f"run{run}": [score(name, [0.5, 0.1 * run], 0.25 + 0.05 * run) for name in measures]
            for run in range(5)
        },
        ["1", "2"],
    )
    panels = plots.plot_data("agreement", found, plots.Choices())

    assert inline_svg("agreement", panels, "title", "name") is None
    monkeypatch.setattr("rankeval.commands.report.reports.pictures.inline_svg", lambda *_: None)
    assert list(pictures(found, found, 0.05)) == []
