"""The documents say what is so: README's commands and outputs, docstrings, versions, names."""

import ast
import importlib
import inspect
import pydoc
import re
import shlex
import tomllib
from pathlib import Path

import pytest

import rankeval
from rankeval.__main__ import run
from rankeval.measures import definitions, parse_measures
from tests.support.commands import built_commands
from tests.support.modules import importable

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs" / "evaluate.md").read_text(encoding="utf-8")
TEXTS = {".py", ".md"}
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


def test_the_page_of_eval_names_every_option():
    eval_ = built_commands()["eval"]

    for option in eval_.params:
        if option.param_type_name == "option" and not option.hidden:
            assert any(re.search(rf"`{name}[` ]", GUIDE) for name in option.opts), option.opts


def test_the_page_of_eval_shows_errors_as_they_are(tmp_path, capsys, monkeypatch):
    (shown,) = [block for block in blocks("text") if block.startswith("rankeval: run.txt:")]
    place = re.match(r"rankeval: (\S+):(\d+): found 5 columns: \"(.*)\"\n", shown)
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text("301 0 FBIS3-10082 1\n")
    before = "".join(f"301 Q0 d{i} 0 0 bm25\n" for i in range(int(place[2]) - 1))
    Path(place[1]).write_text(before + place[3] + "\n")

    assert run(["qrels.txt", place[1]]) == 2
    assert capsys.readouterr().err == shown


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


def test_every_page_is_linked_from_another():
    linked = set()
    for page in PAGES:
        targets = {page.parent / link.partition("#")[0] for link in links_within(page)}
        linked |= {target.resolve() for target in targets} - {page.resolve()}

    alone = [page.relative_to(ROOT).as_posix() for page in PAGES if page.resolve() not in linked]
    assert alone == ["docs/index.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_to_other_sites_are_whole_and_encrypted(page):
    links = re.findall(r"\]\(([^)\s]*://[^)\s]*)\)", page.read_text(encoding="utf-8"))

    assert [
        one for one in links if not re.fullmatch(r"https://[\w-]+(\.[\w-]+)+(/\S*)?", one)
    ] == []


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


def test_changelog_has_a_place_for_what_comes_next():
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)

    assert headings[0] == "Unreleased"


def test_public_names_are_all_importable():
    assert rankeval.__all__
    for name in rankeval.__all__:
        assert getattr(rankeval, name) is not None


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


MODULES_AT_THE_ROOT = ("compat", "gating", "options", "reports", "stats")
"""Modules with names of their own."""


def test_the_root_has_few_names_beside_the_measures():
    others = [n for n in rankeval.__all__ if not isinstance(getattr(rankeval, n), rankeval.Measure)]

    assert len(others) <= 45


def test_help_shows_all_public_names():
    text = pydoc.plaintext.document(rankeval)

    assert rankeval.__version__ in text
    for name in rankeval.__all__:
        assert name == "__version__" or re.search(rf"^    (class )?{name}\b", text, re.MULTILINE)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'evaluated'"):
        _ = rankeval.evaluated


# --- docstrings ---------------------------------------------------------------------------


def public(owner, module):
    """Functions and classes that a module or a class defines itself, by qualified name."""
    for name, value in vars(owner).items():
        if isinstance(value, property):
            found = value.fget
        elif isinstance(value, classmethod | staticmethod):
            found = value.__func__
        else:
            found = value
        if name.startswith("_") or getattr(found, "__module__", None) != module:
            continue
        if inspect.isclass(found):
            yield found.__qualname__, found
            yield from public(found, module)
        elif inspect.isfunction(found):
            yield found.__qualname__, found


def test_everything_public_has_a_docstring():
    lacking = []
    for module in *importable(), "rankeval.__main__":
        loaded = importlib.import_module(module)
        parts = [("", loaded), *public(loaded, module)]
        lacking += [(module, name) for name, found in parts if not inspect.getdoc(found)]

    # A method that a base class or a protocol documents need not say it again.
    assert [(module, name) for module, name in lacking if not documented_elsewhere(name)] == []


def test_no_docstring_begins_with_a_question_word():
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = [
        (path.name, ast.get_docstring(node) or "")
        for path in sorted((ROOT / "rankeval").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, documented)
    ]

    assert len(docstrings) > 1000
    assert [one for one in docstrings if re.match(r"(What|Whether|How)\b", one[1])] == []


def documented_elsewhere(name):
    """Return True if a protocol of the package documents a method of this name."""
    if "." not in name:
        return False
    columns = importlib.import_module("rankeval.io.parsers.columns")
    method = name.rpartition(".")[2]
    return any(
        inspect.getdoc(getattr(protocol, method, None))
        for protocol in vars(columns).values()
        if inspect.isclass(protocol) and getattr(protocol, "_is_protocol", False)
    )


@pytest.mark.parametrize("definition", list(definitions().values()), ids=lambda d: d.name)
def test_every_measure_tells_what_it_is_how_it_is_computed_and_where_it_is_from(definition):
    text = inspect.getdoc(definition.function) or ""
    title, blank, *body = text.splitlines()

    assert title == definition.summary
    assert title.endswith(".")
    assert blank == ""
    # A formula stands indented below the title, before the sections.
    before_sections = "\n".join(body).split("\nEdge cases")[0].split("\nSource")[0]
    assert re.search(r"^    .*[=≥≤]", before_sections, re.MULTILINE)
    source = text.partition("\nSource\n")[2]
    assert source.startswith("    ")
    assert len(source.strip()) > 5


def test_nothing_is_left_to_do():
    words = re.compile(r"\b(TO" + "DO|FIX" + r"ME)\b")
    folders = ("rankeval", "tests", "examples", "docs", "benchmarks")
    paths = [p for folder in folders for p in (ROOT / folder).rglob("*.*") if p.suffix in TEXTS]

    assert paths
    assert [p for p in [*paths, *ROOT.glob("*.md")] if words.search(p.read_text("utf-8"))] == []
