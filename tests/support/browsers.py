"""Pages in Debian's chromium, driven by playwright, and axe-core's findings on them.

`RANKEVAL_AXE` names axe.min.js; else it is looked for in node_modules of the folder for temporary
files and of the current one: `npm install --prefix /tmp axe-core`.
"""

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PHONE, DESK = {"width": 390, "height": 800}, {"width": 1280, "height": 900}
AXE = "node_modules/axe-core/axe.min.js"


@contextmanager
def chromium():
    """Yield a browser; skip the test, with a reason, where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
    if CHROMIUM is None:
        pytest.skip("needs chromium (apt-get install chromium)")
    with playwright.sync_playwright() as driver:
        # Without a sandbox where root runs the tests, as in containers.
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=options)
        yield browser
        browser.close()


@contextmanager
def opened(browser, path, *, colours="light", viewport=PHONE, **more):
    """Yield a page; at the end, nothing may have come to the console, nor any request left."""
    context = browser.new_context(color_scheme=colours, viewport=viewport, **more)
    page, messages = context.new_page(), []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("dialog", lambda dialog: messages.append(dialog.message))
    page.on("request", lambda request: messages.append(request.url))
    page.goto(path.as_uri())
    assert messages == [path.as_uri()]
    messages.clear()
    yield page
    context.close()
    assert messages == []


def open_all(page):
    """Open everything that is closed."""
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")


def axe_source():
    """Return the text of axe-core; skip the test, with a reason, where it is not found."""
    folders = (tempfile.gettempdir(), ".")
    places = [os.environ.get("RANKEVAL_AXE", ""), *(f"{folder}/{AXE}" for folder in folders)]
    for place in map(Path, filter(None, places)):
        if place.is_file():
            return place.read_text(encoding="utf-8")
    pytest.skip("needs axe-core (npm install axe-core; RANKEVAL_AXE names axe.min.js)")


def serious(found, *further):
    """Return what axe-core calls serious, critical or `further` among its findings, by rule."""
    assert len(found["passes"]) > 10, "axe has looked at the page"
    return {
        one["id"]: [node["html"] for node in one["nodes"]]
        for one in found["violations"]
        if one["impact"] in ("serious", "critical", *further)
    }
