import re
import xml.etree.ElementTree as ET

import pytest

from rankeval import evaluate, plots
from rankeval.report.svg import inline_svg
from tests.plots.conftest import QRELS, RUNS


@pytest.fixture(scope="module", params=["ci", "topics", "pr"])
def svg(request):
    results = evaluate(QRELS, RUNS[:3], plots.measures(request.param))
    panels = plots.plot_data(request.param, results)
    return inline_svg(request.param, panels, "A & <title>", "name")


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
    links = {v[1:] for e in root.iter() for k, v in e.attrib.items() if k.endswith("href")}
    links |= set(re.findall(r"url\(#([^)]*)\)", svg))
    assert links
    assert links <= {*ids}


def test_text_has_the_colour_of_the_page_and_the_ground_is_its_own(svg):
    assert "#000000" not in svg
    assert "currentColor" in svg
    root = ET.fromstring(svg)
    assert (root.get("role"), root.get("aria-label")) == ("img", "A & <title>")
