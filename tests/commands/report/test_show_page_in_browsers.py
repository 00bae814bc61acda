"""The page in a real browser: no message, tables sorted and searched, names shown as text."""

import re

import pytest

from rankeval.commands.report.reports.collect import report
from rankeval.commands.report.show import page
from rankeval.evaluation.run_names import RunNames
from rankeval.plots.look import LIGHT, NEUTRAL
from tests.commands.report.conftest import HOSTILE, HOSTILE_DOCNO, TAGS
from tests.support.browsers import DESK, PHONE, chromium, findings, open_all, opened

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def browser():
    with chromium() as started:
        yield started


@pytest.fixture(params=["light", "dark"])
def shown(browser, path, request):
    with opened(browser, path, colours=request.param) as page:
        yield page


def topics(shown):
    return shown.locator("table.searchable").first.locator("tbody tr:visible th").all_inner_texts()


def test_the_page_fits_a_phone_and_shows_hostile_names_as_text(shown):
    assert shown.evaluate("document.documentElement.scrollWidth") == 390
    open_all(shown)
    assert shown.evaluate("document.documentElement.scrollWidth") == 390
    texts = shown.locator("body").inner_text()
    for name in (*HOSTILE, *TAGS, HOSTILE_DOCNO):
        assert name.replace("\x1b", "\\x1b") in texts
    assert shown.locator("b, img").count() == 0
    assert shown.locator("svg").count() == 10


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_axe_finds_nothing_serious(browser, path, colours, viewport):
    assert findings(browser, path, colours, viewport) == {}


def test_a_click_sorts_by_value_and_another_turns_the_order(shown):
    table = shown.locator("table.searchable").first
    head = table.locator("thead th").nth(2)
    orders = []
    for _ in range(2):
        head.locator("button").click()
        cells = table.locator("tbody tr td:nth-child(3)").all_inner_texts()
        orders.append([float(cell) for cell in cells])

    assert orders[0] == sorted(orders[0])
    assert orders[1] == orders[0][::-1]
    assert head.get_attribute("aria-sort") == "descending"


def test_the_summary_is_sorted_by_its_means(shown):
    table = shown.locator("#content table").first
    table.locator("thead button").nth(2).click()

    cells = table.locator("tbody tr td:nth-child(3) > span").all_inner_texts()

    assert [*map(float, cells)] == sorted(map(float, cells))


def test_topics_are_sorted_as_numbers_from_the_keyboard(shown):
    shown.locator("table.searchable").first.locator("thead button").first.focus()

    shown.keyboard.press("Enter")

    order = topics(shown)
    assert order.index("9") < order.index("10")
    assert len(order) == len(HOSTILE)


def test_searching_hides_other_topics_and_says_how_many_are_left(shown):
    shown.locator("input[type=search]").first.focus()

    shown.keyboard.type("SCRIPT")

    assert topics(shown) == [HOSTILE[0]]
    assert shown.locator("[role=status]").first.inner_text() == "1 of 6 topics"
    shown.keyboard.press("Control+A")
    shown.keyboard.press("Delete")
    assert len(topics(shown)) == 6


def test_documents_are_searched_by_topic(shown):
    shown.locator("input[type=search]").last.fill("10")

    assert shown.locator("tbody[id]:visible th[colspan]").all_inner_texts() == ["10"]


def test_a_topic_leads_to_its_documents_from_the_keyboard(shown):
    shown.locator("table.searchable a", has_text=re.compile("^9$")).first.focus()

    expect = pytest.importorskip("playwright.sync_api").expect
    shown.keyboard.press("Enter")

    place = shown.evaluate("location.hash")
    documents = shown.locator(f"tbody{place}")
    head = documents.locator("th[colspan]")
    expect(head).to_be_in_viewport()
    names = shown.locator("table", has=documents).locator("thead").bounding_box()
    assert head.bounding_box()["y"] >= names["y"] + names["height"]
    assert head.inner_text() == "9"
    rows = documents.locator("tr").all_inner_texts()[1:]
    # c is ranked third by both runs, a first; b, which is not relevant, is retrieved by both.
    assert [row.split("\t")[:2] for row in rows] == [
        ["c", "2"],
        ["a", "1"],
        [HOSTILE_DOCNO, "1"],
        ["b", "0"],
        ["Unjudged", ""],
    ]


def test_points_and_bars_show_their_values_on_hover(shown):
    titles = shown.locator("svg title").all_text_contents()

    assert "9: +0.0000" in titles or any(re.fullmatch(r"9: [+-]0\.\d{4}", one) for one in titles)
    assert any(one.startswith(f"{TAGS[0]}: median ") for one in titles)


def test_lines_of_pictures_stand_out_from_the_ground(shown):
    """WCAG asks for a contrast of 3 to 1."""
    colours = shown.evaluate(
        "['stroke', 'fill'].flatMap((name) => [...document.querySelectorAll(`svg [${name}^='#']`)]"
        ".map((one) => [one.getAttribute(name), getComputedStyle(one)[name]]))"
    )
    ground = shown.evaluate("getComputedStyle(document.body).backgroundColor")
    found = {given: drawn for given, drawn in colours if given.upper() in (*LIGHT, NEUTRAL)}

    assert len(found) >= 3
    for given, drawn in found.items():
        assert contrast(drawn, ground) >= 3.0, given


def contrast(*colours):
    lights = []
    for colour in colours:
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        lights.append(sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True)))
    return (max(lights) + 0.05) / (min(lights) + 0.05)


def test_paper_has_everything_in_dark_on_white(browser, path):
    with opened(browser, path, colours="dark", viewport=DESK) as page:
        page.emulate_media(media="print", color_scheme="dark")
        colours = page.evaluate(
            "[getComputedStyle(document.body).color, getComputedStyle(document.body)"
            ".backgroundColor]"
        )
        printed = page.pdf(format="A4")
        closed = page.locator("details:not([open])").count()
    assert colours == ["rgb(26, 26, 26)", "rgb(255, 255, 255)"]
    assert closed > 0, "what was closed is closed again"
    texts = pdf_text(printed)
    for name in ("Unjudged", "First quartile", "10", "rankeval report"):
        assert name in texts


def test_thirty_runs_fit_the_width_of_a4_paper(browser, tmp_path):
    qrels = {str(t): {"a": 1, "b": 0} for t in range(3)}
    runs = [{t: {"a": 1.0, "b": i % 3 - 0.5} for t in qrels} for i in range(30)]
    names = RunNames("tag", [f"run-{i:02}-name" for i in range(30)])
    path = tmp_path / "report.html"
    path.write_text("".join(page(report(qrels, runs, "AP", run_names=names))), encoding="utf-8")

    # 210 mm less margins of 10 mm on both sides, at 96 dots an inch.
    with opened(browser, path, viewport={"width": 718, "height": 1000}) as shown:
        shown.emulate_media(media="print")
        open_all(shown)
        heads = shown.locator(".tall thead th").first
        assert heads.evaluate("(head) => getComputedStyle(head).position") == "static"
        assert shown.evaluate("document.documentElement.scrollWidth") == 718


def test_bars_are_printed_as_shapes_and_not_as_images(browser, tmp_path):
    """Chromium prints each bar that has a pattern as an image; 10 runs took 200 MB."""
    qrels = {str(t): {"a": 1, "b": 0} for t in range(40)}
    better, worse = ({t: {"a": 1.0, "b": b} for t in qrels} for b in (0.0, 2.0))
    path = tmp_path / "report.html"
    path.write_text("".join(page(report(qrels, [better, worse], "AP"))), encoding="utf-8")

    with opened(browser, path, viewport=DESK) as shown:
        bars = shown.locator("[aria-labelledby=picture-topics] [fill^='url('] path")
        on_screen = bars.first.evaluate("(bar) => getComputedStyle(bar).fill")
        printed = shown.pdf(format="A4")
        assert bars.count() == 40
    assert on_screen.startswith("url(")
    assert printed.count(b"/Subtype /Image") < 10


def pdf_text(printed):
    fitz = pytest.importorskip("pypdf", reason="pypdf reads what was printed")
    from io import BytesIO

    return "\n".join(page.extract_text() for page in fitz.PdfReader(BytesIO(printed)).pages)
