"""The page in a real browser: no message, tables sorted and searched, names shown as text."""

import os
import shutil

import pytest

from tests.report.conftest import HOSTILE, TAGS

playwright = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
CHROMIUM = shutil.which("chromium")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)"),
]


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        # Without a sandbox where root runs the tests, as in containers.
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        started = driver.chromium.launch(executable_path=CHROMIUM, args=options)
        yield started
        started.close()


@pytest.fixture(params=["light", "dark"])
def shown(browser, path, request):
    context = browser.new_context(
        color_scheme=request.param, viewport={"width": 390, "height": 800}
    )
    opened, messages = context.new_page(), []
    opened.on("console", lambda message: messages.append(message.text))
    opened.on("pageerror", lambda error: messages.append(str(error)))
    opened.on("dialog", lambda dialog: messages.append(dialog.message))
    opened.goto(path.as_uri())
    yield opened
    context.close()
    assert messages == []


def topics(shown):
    return shown.locator("table.topics").first.locator("tbody tr:visible th").all_inner_texts()


def test_the_page_fits_a_phone_and_shows_hostile_names_as_text(shown):
    assert shown.evaluate("document.documentElement.scrollWidth") == 390
    texts = shown.locator("body").inner_text()
    for name in (*HOSTILE, *TAGS):
        assert name.replace("\x1b", "\\x1b") in texts
    assert shown.locator("b, img").count() == 0
    assert shown.locator("svg").count() == 5


def test_a_click_sorts_by_value_and_another_turns_the_order(shown):
    table = shown.locator("table.topics").first
    head = table.locator("thead th").nth(2)
    orders = []
    for _ in range(2):
        head.locator("button").click()
        cells = table.locator("tbody tr td:nth-child(3)").all_inner_texts()
        orders.append([float(cell) for cell in cells])

    assert orders[0] == sorted(orders[0])
    assert orders[1] == orders[0][::-1]
    assert head.get_attribute("aria-sort") == "descending"


def test_topics_are_sorted_as_numbers_from_the_keyboard(shown):
    shown.locator("table.topics").first.locator("thead button").first.focus()

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
