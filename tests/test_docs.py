"""The documents say what is so: README's commands and outputs, docstrings, versions, names."""

import ast
import re
import shlex
import tomllib
from pathlib import Path

import pytest

import rankeval
from rankeval.measures import parse_measures
from tests.support.commands import built_commands

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").glob("*.md")]
)


def blocks(language=""):
    """The code blocks of README and docs that are marked with a language."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    found = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [block for marked, block in found if marked == language]


def commands():
    """The calls of rankeval in shell blocks, as lists of arguments."""
    for line in "".join(blocks("bash") + blocks("sh")).splitlines():
        for part in line.split(" | "):
            # A pattern of files stands for two.
            words = shlex.split(part.replace("*.run", "a.run b.run"), comments=True)
            if words and words[0] == "rankeval":
                yield words[1:]


# --- commands and links ---------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", list(commands()), ids=shlex.join)
def test_pages_use_options_that_exist(arguments):
    known = built_commands()

    if arguments[0] not in known:
        arguments = ["eval", *arguments]
    with known[arguments[0]].make_context(arguments[0], arguments[1:]) as context:
        given = context.params.get("qrels") or context.params.get("collections")
        assert arguments[0] != "eval" or given
        parse_measures(" ".join(context.params.get("measures") or []))


def prose(page):
    """Return the text of a page without its blocks of code."""
    text = page.read_text(encoding="utf-8")
    return re.sub(r"^ *```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)


def links_within(page):
    """Return the links of a page to files and headings of the repository."""
    return [link for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)) if "://" not in link]


def anchors(page):
    """Return the anchors of the headings of a page, as mkdocs names them."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    words = [re.sub(r"[^\w\s-]", "", heading).strip().lower() for heading in headings]
    return {re.sub(r"[-\s]+", "-", heading) for heading in words}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_files_and_headings(page):
    lost = []
    for link in links_within(page):
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        lost += [link] * (not target.exists() or bool(anchor and anchor not in anchors(target)))

    assert lost == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_paths_of_the_repository_that_pages_name_exist(page):
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`((?:rankeval|tests|benchmarks|docs)/[\w./-]*)`", text)

    paths = [name for name in named if not re.fullmatch(r"rankeval/\d+", name)]  # no schema
    assert [path for path in paths if not (ROOT / path).exists()] == []


# --- names and versions -------------------------------------------------------------------


def test_version_is_the_same_everywhere():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

    assert re.search(r"^version: (\S+)$", citation, re.MULTILINE)[1] == rankeval.__version__
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["hatch"]["version"]["path"] == "rankeval/version.py"


def test_the_stub_of_public_names_lists_each_once_and_nothing_else():
    stub = (ROOT / "rankeval" / "__init__.pyi").read_text(encoding="utf-8")
    body = ast.parse(stub).body
    imports = [node for node in body if isinstance(node, ast.ImportFrom)]
    told = [(alias.name, alias.asname) for node in imports for alias in node.names]
    declared = [ast.unparse(node) for node in body if not isinstance(node, ast.ImportFrom)]
    assert all(re.fullmatch(r"\w+: Measure", one) for one in declared)
    told += [(one.partition(":")[0],) * 2 for one in declared]

    public = sorted([*rankeval.__all__, *MODULES_AT_THE_ROOT])
    assert sorted(told) == [(name, name) for name in public]


MODULES_AT_THE_ROOT = ("advanced", "compat", "measures", "options", "spark", "stats", "types")
"""Modules with names of their own."""
