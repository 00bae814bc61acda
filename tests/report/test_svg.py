import re
import xml.etree.ElementTree as ET

import pytest

from rankeval import evaluate, plots
from rankeval.report.pictures import PICTURES
from rankeval.report.svg import inline_svg
from tests.plots.conftest import QRELS, RUNS

TITLE = "{http://www.w3.org/2000/svg}title"


def drawn(kind, n_runs=3):
    results = evaluate(QRELS, RUNS[:n_runs], plots.measures(kind))
    costs = {run.name: float(i) for i, run in enumerate(results.runs, 1)}
    panels = plots.plot_data(kind, results, plots.Choices(costs=costs))
    return panels, inline_svg(kind, panels, "A & <title>", "name")


@pytest.fixture(scope="module", params=list(PICTURES))
def made(request):
    return request.param, *drawn(request.param)


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


def test_ids_carry_the_name_and_references_lead_to_them(svg):
    root = ET.fromstring(svg)
    ids = [element.get("id") for element in root.iter() if element.get("id")]

    assert all(one.startswith("name-") for one in ids)
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


def test_letters_keep_their_size(made):
    """Letters are outlines of 64 units, which a scale makes as small as they are."""
    kind, panels, svg = made
    scale = re.compile(r"scale\([^)]*\)")

    drawn_alone = plots.save(plots.figure(kind, panels), "a.svg").decode()

    assert "scale(0.015625)" in svg
    assert set(scale.findall(svg)) == set(scale.findall(drawn_alone))


def test_each_shape_has_one_value_and_each_value_a_shape(made):
    kind, panels, svg = made
    root = ET.fromstring(svg)
    titles = [one.text for one in root.iter(TITLE)]

    parents = [parent for parent in root.iter() for child in parent if child.tag == TITLE]
    assert {parent.tag.rpartition("}")[2] for parent in parents} <= {"path", "use"}
    assert len(parents) == len({id(parent) for parent in parents})
    assert len(titles) == expected_titles(kind, panels)


def expected_titles(kind, panels):
    """Count the points, bars, boxes and cells of a picture from its data."""
    first = panels[0]
    counts = {
        "ci": lambda: 2 * len(first.runs),  # the point and the interval
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


def test_differences_on_hover_are_those_of_their_bars():
    panels, svg = drawn("topics", 2)
    values = dict(one.text.rsplit(": ", 1) for one in ET.fromstring(svg).iter(TITLE))

    drawn_bars = {t: d for t, d in zip(panels[0].topics, panels[0].differences, strict=True) if d}
    assert values == {topic: f"{value:+.4f}" for topic, value in drawn_bars.items()}


def test_bars_upwards_have_positive_values():
    """SVG counts downwards: a bar from y to a smaller one is a gain."""
    _, svg = drawn("topics", 2)
    bars = [
        (parent.get("d"), child.text)
        for parent in ET.fromstring(svg).iter()
        for child in parent
        if child.tag == TITLE
    ]

    assert len(bars) > 10
    for path, text in bars:
        _, _, _, start, _, end = re.fullmatch(
            r"M([\d.]+)( )([\d.]+)H([\d.]+)(V)([\d.]+)H[\d.]+z", path
        ).group(1, 2, 1, 3, 5, 6)
        assert (float(end) <= float(start)) == (float(text.rsplit(" ", 1)[1]) > 0)
