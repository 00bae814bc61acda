import re
import xml.etree.ElementTree as ET

import pytest

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
