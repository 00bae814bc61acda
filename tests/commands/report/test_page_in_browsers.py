"""The page in a real browser, used as a person would: sorted, filtered, walked through, printed."""

import re

import pytest

from rankeval.commands.report.collect import report
from rankeval.commands.report.page import page as pieces
from rankeval.evaluation.run_names import RunNames
from tests.commands.report.conftest import HOSTILE, HOSTILE_DOCNO, QRELS, TAGS
from tests.support.browsers import DESK, PHONE, axe_source, chromium, open_all, opened, serious

pytestmark = pytest.mark.slow
BIDI = "right \u202e to left"
LONG = "w" * 5_000_000


@pytest.fixture(scope="module")
def browser():
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


def written(path, *given, **more):
    path.write_text("".join(pieces(report(*given, **more))), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def path(folder):
    """A page with hostile names and texts."""
    runs = []
    for sign in (1, -1):
        documents = {"a": 1.0, "b": 0.5 * sign, "x": 0.7 * sign, "c": 0.6, HOSTILE_DOCNO: 0.1}
        runs.append(dict.fromkeys(HOSTILE[: 5 + (sign > 0)], documents))
    queries = {HOSTILE[0]: "<b>bind</b> " + BIDI, "9": LONG, "10": "ten"}
    docs = {"a": ("<i>title</i>", LONG), "b": BIDI, "c": "<script>alert(3)</script> bind"}
    return written(
        folder / "hostile.html",
        *(QRELS, runs, "nDCG@3 AP"),
        queries=queries,
        docs=docs,
        groups={topic: "tens" if topic == "10" else "<u>rest</u>" for topic in HOSTILE},
        run_names=RunNames("tag", TAGS),
    )


@pytest.fixture
def shown(browser, path):
    with opened(browser, path, viewport=DESK) as page:
        yield page


def topics(page):
    return page.locator("tr.topic th button").all_inner_texts()


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("viewport", [PHONE, DESK, {"width": 1400, "height": 900}])
def test_the_page_fits_without_scrolling_inside_and_axe_finds_nothing(
    browser, path, colours, viewport
):
    with opened(browser, path, colours=colours, viewport=viewport, bypass_csp=True) as page:
        open_all(page)
        page.locator("tr.topic th button", has_text="script").click()
        width = viewport["width"]
        assert page.evaluate("document.documentElement.scrollWidth") == width
        # No part is wider than its place, but for lines that end in an ellipsis.
        inner = page.evaluate(
            "[...document.querySelectorAll('main *')].filter((e) => e.scrollWidth > e.clientWidth"
            " + 1 && /auto|scroll/.test(getComputedStyle(e).overflowX)).map((e) => e.outerHTML)"
        )
        assert inner == []
        page.evaluate(axe_source())
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        assert serious(found) == {}


def test_hostile_names_and_texts_are_text(shown):
    assert len(topics(shown)) == len(HOSTILE)
    shown.locator("tr.topic th button", has_text="script").click()
    text = shown.locator("#content").inner_text()

    for name in (*HOSTILE, *TAGS, HOSTILE_DOCNO):
        assert name.replace("\x1b", "\\x1b") in shown.locator("body").inner_text()
    for words in ("<b>bind</b> right \\u202e to left", "<i>title</i>", "<script>alert(3)</script>"):
        assert words in text
    assert shown.locator("main b, main i, main u, img, main script").count() == 1, "the data"
    assert len(shown.locator("li .text").first.inner_text()) <= 500, "an excerpt"
    assert "\u202e" not in text


def test_topics_are_sorted_as_numbers_and_filtered(shown):
    shown.get_by_role("button", name="Topic", exact=True).focus()
    shown.keyboard.press("Enter")
    order = topics(shown)
    assert order.index("9") < order.index("10")
    status = shown.locator("[role=status]")
    search = shown.locator("input[type=search]")

    search.fill("BIND")
    assert topics(shown) == [HOSTILE[0]]
    assert status.inner_text() == "1 of 6 topics"
    search.fill("")
    shown.get_by_label("Group").select_option(label="tens")
    assert topics(shown) == ["10"]
    shown.get_by_label("Group").select_option(index=0)
    shown.get_by_label("Best").select_option(label=TAGS[0])
    assert set(topics(shown)) == set(
        shown.evaluate(
            "() => { const all = JSON.parse(document.getElementById('data').textContent);"
            "return all.topics.filter((_, i) => { const [a, b] = all.measures[0].values[i];"
            "return a !== null && (b === null || a >= b); }); }"
        )
    )
    shown.get_by_label("Best").select_option(index=0)
    counts = []
    for third in (1, 2, 3):
        shown.get_by_label("Difficulty").select_option(index=third)
        counts.append(len(topics(shown)))
    assert sum(counts) == len(HOSTILE)


def test_rankings_stand_side_by_side_with_grades_and_moves(shown):
    shown.locator("tr.topic th button", has_text=re.compile("^10$")).click()

    lists = [
        [item.split("\n")[:3] for item in ranking.locator("li").all_inner_texts()]
        for ranking in shown.locator(".rankings section").all()
    ]
    # Of the second run, b and x have negative scores; x is unjudged.
    assert [[(rank, grade) for rank, grade, _ in ranking] for ranking in lists] == [
        [("1", "1"), ("2", "?"), ("3", "2"), ("4", "0"), ("5", "1")],
        [("1", "1"), ("2", "2"), ("3", "1"), ("4", "0"), ("5", "?")],
    ]
    lines = shown.locator(".rankings > svg path")
    kinds = [lines.nth(i).get_attribute("class") for i in range(lines.count())]
    assert sorted(kinds) == ["down", "same", "same", "up", "up"]
    places = shown.evaluate(
        "[...document.querySelectorAll('.rankings > svg path')].map((p) => p.getTotalLength())"
    )
    assert min(places) > 20
    shown.locator(".toggles button").first.click()
    assert shown.locator(".rankings section").count() == 1


def pypdf():
    return pytest.importorskip("pypdf", reason="pypdf reads what was printed")
