"""The documentation site: every page has a place, and pages are made from code; none fetches."""

import html
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from docs.pages import commands, formulas, library
from docs.pages.measures import in_catalogue
from rankeval.cli import COMMANDS
from tests.support.browsers import DESK, chromium
from tests.support.public_names import MEASURES, PUBLIC, bare

yaml = pytest.importorskip("yaml")


ROOT = Path(__file__).parents[1]
SITE = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
FORMULAS = sorted(
    {block.text for one in in_catalogue() for block in one.documentation.body if block.is_formula}
)


def listed(items):
    for item in items:
        if isinstance(item, dict):
            for inside in item.values():
                yield from listed(inside if isinstance(inside, list) else [inside])
        else:
            yield item


def test_every_page_has_a_place_in_the_navigation():
    left_out = SITE["exclude_docs"].split()
    paths = (path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md"))
    pages = {path for path in paths if not path.startswith(tuple(left_out))}

    assert pages - set(listed(SITE["nav"])) == set(), "add a line to `nav` in mkdocs.yml"
    assert len(set(listed(SITE["nav"]))) == len(list(listed(SITE["nav"])))


# --- pages made from code ------------------------------------------------------------------


def test_every_command_has_a_page_with_all_its_options():
    pages = dict(commands.pages())

    assert {f"commands/{name}.md" for name in COMMANDS} < pages.keys()
    assert "| `-m, --measure MEASURE` |" in pages["commands/eval.md"]
    assert (
        "rankeval compare qrels.txt bm25.run dense.run --power 5%" in pages["commands/compare.md"]
    )


def test_every_public_name_has_an_entry():
    pages = dict(library.pages())
    entries = re.findall(r"^## (\w+)$", "\n".join(pages.values()), re.MULTILINE)

    assert set(entries) == {bare(name) for name in PUBLIC.keys() - MEASURES} - {"__version__"}
    assert len(entries) == len(set(entries))


# --- formulas ------------------------------------------------------------------------------


@pytest.mark.parametrize("formula", FORMULAS)
def test_no_letter_of_a_formula_is_lost(formula):
    """All but what the drawing replaces: lines of fractions, brackets, subscripts, hats, dots."""
    drawn = html.unescape(re.sub(r"<[^>]+>", "", formulas.mathml(formula)))

    def letters(text):
        for sign, shown in {"²": "2", "⁺": "+", "₀": "0", "−": "-", "∑": "Σ", "∏": "Π"}.items():
            text = text.replace(sign, shown)
        return sorted(re.sub(r"[\s_^{}()/…]|\.\.", "", text))

    assert letters(drawn) == letters(formula)


# --- the site ------------------------------------------------------------------------------


PAGES = (
    *("index", "start", "tutorial", "which-measure", "which-test", "gallery", "coming-from"),
    *("measures", "measures/gain", "commands/eval", "commands/gate", "library/evaluate"),
    *("statistics", "statistics/verdicts", "ci", "plots", "evaluate", "formats"),
    "changelog",
)
"""Pages of all kinds, for what takes long."""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build the site as `make docs` does."""
    pytest.importorskip("material", reason="mkdocs-material builds the site (extra docs)")
    folder = tmp_path_factory.mktemp("site")
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", folder],
        cwd=ROOT,
        check=True,
        env={"PATH": "/usr/bin:/bin", "NO_MKDOCS_2_WARNING": "1"},
    )
    return folder


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened


@pytest.mark.slow
def test_pages_name_no_script_style_or_picture_from_elsewhere(built):
    for path in built.rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        fetched = re.findall(r"<(?:script|img|iframe)[^>]*\ssrc=\"?([^\"> ]+)", page)
        fetched += re.findall(r"<link[^>]*\shref=\"?([^\"> ]+)", page)
        assert [one for one in fetched if "//" in one] == [], path.name


@pytest.mark.slow
def test_pages_fit_a_phone(built, browser):
    """With scripts and without; the test of heights looks at all pages with a width of 390."""
    phone = {"width": 375, "height": 700}
    plain = browser.new_page(viewport=phone, java_script_enabled=False)
    page = browser.new_page(viewport=phone)
    for name in PAGES:
        plain.goto((built / f"{name}.html").as_uri())
        assert plain.evaluate("document.querySelector('.md-content').scrollWidth") <= 375, name
        page.goto((built / f"{name}.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == 375, name


@pytest.mark.slow
def test_search_works_from_disk(built, browser):
    requests = []
    page = browser.new_page(viewport=DESK)
    page.on("request", lambda request: requests.append(request.url))
    page.goto((built / "index.html").as_uri())
    page.locator(".md-search__input").click()
    page.keyboard.type("alpha_nDCG")
    page.locator(".md-search-result__item").first.wait_for()
    found = page.locator(".md-search-result__item").all_inner_texts()

    assert any("alpha_nDCG@k" in one for one in found)
    assert {url.partition(":")[0] for url in requests} <= {"file", "data"}


@pytest.mark.slow
def test_no_link_to_a_heading_is_dead(built):
    texts = {path: path.read_text(encoding="utf-8") for path in built.rglob("*.html")}
    ids = {path: set(re.findall(r'\sid="?([^"\s>]+)', text)) for path, text in texts.items()}
    dead = []
    for path, text in texts.items():
        for target in re.findall(r'<a\s(?:[^>]*\s)?href="?([^"\s>]+)', text):
            file, _, part = html.unescape(target).partition("#")
            leads_to = (path.parent / file).resolve() if file else path
            if "://" in file or file.startswith("mailto:"):
                continue
            if not leads_to.exists() or (part and unquote(part) not in ids.get(leads_to, {part})):
                dead.append(f"{path.name}: {target}")

    assert sum(map(len, ids.values())) > 1000
    assert dead == []
