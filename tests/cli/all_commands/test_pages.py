"""Pages of comparisons: what they hold, and how a browser shows them."""

import re

import pytest

from tests.support.browsers import DESK, PHONE, chromium, findings, open_all, opened
from tests.support.files import BM25, DENSE, QRELS, run_of
from tests.support.pages import Page

pytest.importorskip("jinja2")
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def files(shell):
    third = BM25.replace("bm25", HOSTILE)
    return shell.write(qrels=QRELS, bm25=BM25, dense=DENSE, third=third)


COMPARE = ("compare", "qrels.txt", "bm25.txt", "dense.txt", "third.txt", "-m", "nDCG@10 AP")


def pages(files):
    files(*COMPARE, "-o", "found.html")
    return files.path("found.html")


def test_compare_writes_the_numbers_that_its_table_has(files):
    page = pages(files)
    rows = [line.split("\t") for line in files(*COMPARE, "-f", "tsv").out.splitlines()[1:]]

    text = "".join(Page(page.read_text()).texts)

    assert len(rows) == 4
    heads = files(*COMPARE, "-f", "tsv").out.splitlines()[0].split("\t")
    for row in rows:
        facts = dict(zip(heads, row, strict=True))
        assert f"{float(facts['difference']):+z.4f}" in text
        assert f"{float(facts['baseline_mean']):.4f}" in text


def test_a_page_is_whole_and_names_are_text(files):
    parsed = Page(pages(files).read_text())

    assert parsed.open == []
    assert HOSTILE in "".join(parsed.texts)
    assert len(parsed.all("script")) == len(parsed.all("style")) == 1
    assert not [a for _, a in parsed.elements if "style" in a or any(k[:2] == "on" for k in a)]
    (policy,) = [m["content"] for m in parsed.all("meta") if "http-equiv" in m]
    assert policy.startswith("default-src 'none'; ")


def test_stdout_takes_the_page_of_a_comparison(files):
    outcome = files(*COMPARE, "-f", "html")

    assert outcome.code == 0
    assert outcome.out.startswith("<!doctype html>")
    assert outcome.out == pages(files).read_text().replace("-o found.html", "-f html")


def test_without_jinja_it_says_what_to_install(files, monkeypatch):
    monkeypatch.setattr("rankeval.output.pages.find_spec", lambda *_: None)

    outcome = files(*COMPARE, "-f", "html")

    assert outcome.code == 2
    assert "pip install 'rankeval-ir[report]'" in outcome.err


def test_eval_has_no_page(files):
    outcome = files("eval", "qrels.txt", "bm25.txt", "-o", "found.html")

    assert outcome.code == 2
    assert "cannot be written as html" in outcome.err


@pytest.fixture(scope="module")
def browser():
    with chromium() as started:
        yield started


@pytest.mark.slow
@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_axe_finds_nothing_serious_and_nothing_scrolls(browser, files, viewport, colours):
    path = pages(files)

    assert findings(browser, path, colours, viewport) == {}
    with opened(browser, path, viewport=viewport) as page:
        open_all(page)
        wide = "(part) => part.scrollWidth - part.clientWidth"
        assert page.locator("html").evaluate(wide) == 0
        assert {part.evaluate(wide) for part in page.locator(".wide").all()} == {0}


@pytest.mark.slow
def test_tables_of_a_comparison_are_sorted_on_a_phone(browser, files):
    ranked = {name: {"301": docs} for name, docs in (("a", "d1 d2"), ("b", "d2 d1"))}
    files.write(**{name: run_of(name, **one) for name, one in ranked.items()})
    words = ("compare", "qrels.txt", "bm25.txt", "dense.txt", "a.txt", "b.txt", "-m", "AP")
    assert files(*words, "-o", "found.html").code == 0
    with opened(browser, files.path("found.html"), viewport=PHONE) as page:
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        table = page.locator("table").first
        table.locator("thead button", has_text=re.compile("^AP$")).focus()
        page.keyboard.press("Enter")
        cells = table.locator("tbody tr td:nth-child(3)").all_inner_texts()

    values = [float(re.match(r"[.\d]+", cell)[0]) for cell in cells]
    assert len(values) == 4
    assert values == sorted(values, reverse=True)
