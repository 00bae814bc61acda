"""Hooks of mkdocs: add the pages that are made from code, and lead links to pages of the site."""

import posixpath
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from docs.pages import commands, library, measures, pictures, schemas  # noqa: E402  the root is found first
from docs.pages.formulas import formula  # noqa: E402  as above

OF_THE_REPOSITORY = {
    "README.md": "start.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "SECURITY.md": "security.md",
    "examples/README.md": "examples.md",
    "LICENSE": "LICENSE.txt",
}
"""Files outside of docs/ that are pages of the site, or lie beside them."""

FOLDERS = {"commands/index.md": "commands", "python.md": "library", "measures.md": "measures"}
"""Pages of mkdocs.yml, and the folder whose pages, made from code, come after each."""

BOOSTS = {
    **dict.fromkeys(("plots.md", "statistics.md"), 4.0),
    **dict.fromkeys(("library/", "measures/"), 0.5),
    **dict.fromkeys(("changelog.md", "design.md", "json.md"), 0.25),
}
"""How much more a page, or the pages of a folder, count in the search than others do."""

LINK = re.compile(r"(?<!`)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
FORMULA = re.compile(r"^```formula\n(.*?)\n^```$", re.MULTILINE | re.DOTALL)
SHORT = re.compile(r"(?<!<pre>)(?<!</span>)<code>([^<\n]{1,28})</code>")
CODE = re.compile(r"(^ *```.*?^ *```$|`[^`\n]+`(?!\]))", re.MULTILINE | re.DOTALL)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Leave out the theme's page for what is not found: its files have no place known to it."""
    config.theme.static_templates.discard("404.html")
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages that are made from code, and those of the repository outside of docs/."""
    for source, page in OF_THE_REPOSITORY.items():
        if (ROOT / source).exists():
            _add(files, config, page, (ROOT / source).read_text(encoding="utf-8"))
    made = dict(_made())
    for page, text in [*made.items(), *_beside_pages()]:
        _add(files, config, page, text)
    config.nav = _listed(config.nav or [], list(made))
    return files


def on_page_markdown(markdown: str, *, page: Any, files: Files, **_given: Any) -> str:
    """Lead links to pages of the site, and rank the page in the search.

    A file that is no page of the site keeps its name alone.
    """
    uri = page.file.src_uri
    boost = BOOSTS.get(uri, BOOSTS.get(f"{posixpath.dirname(uri)}/", 1.0))
    page.meta.setdefault("search", {"boost": boost})
    if uri == "gallery.md":
        markdown = pictures.linked(markdown)
    parts = CODE.split(FORMULA.sub(lambda block: formula(block[1]), markdown))
    parts[::2] = [_led(part, page.file.src_uri, files) for part in parts[::2]]
    return "".join(parts)


def on_page_content(html: str, **_given: Any) -> str:
    """Keep names of options and measures in one line."""
    return SHORT.sub(r'<code class="name">\1</code>', html)


def on_post_page(output: str, **_given: Any) -> str:
    """Give the dialogue of the search a name, for screen readers."""
    return output.replace(' role="dialog">', ' role="dialog" aria-label="Search">')


def _made() -> Iterator[tuple[str, str]]:
    yield from commands.pages()
    yield from library.pages()
    yield from measures.pages()


def _beside_pages() -> Iterator[tuple[str, str]]:
    """Yield the files that pages link to: the schemas of JSON, and the numbers of pictures."""
    for name, text in schemas.schemas():
        yield f"schemas/{name.replace('/', '-')}.schema.json", text
    yield from pictures.numbers()


def _add(files: Files, config: MkDocsConfig, page: str, text: str) -> None:
    former = files.get_file_from_path(page)
    if former:
        files.remove(former)
    files.append(File.generated(config, page, content=text))


def _listed(items: list[Any], made: list[str]) -> list[Any]:
    """Return the navigation with the pages made from code behind the first one of their kind."""
    listed: list[Any] = []
    for item in items:
        if isinstance(item, dict):
            listed.append(
                {
                    title: inside if isinstance(inside, str) else _listed(inside, made)
                    for title, inside in item.items()
                }
            )
        else:
            listed.append(item)
            folder = FOLDERS.get(item)
            listed += [page for page in made if page.startswith(f"{folder}/") and page != item]
    return listed


def _led(text: str, page: str, files: Files) -> str:
    """Return the text with its links as the page of that name in the site needs them."""
    outside = {page: source for source, page in OF_THE_REPOSITORY.items()}
    folder = posixpath.dirname(outside.get(page, f"docs/{page}"))
    here = posixpath.dirname(page)

    def led(match: re.Match[str]) -> str:
        label, target = match.groups()
        path, mark, part = target.partition("#")
        if not path or "://" in path or path.startswith("mailto:"):
            return match[0]
        source = posixpath.normpath(posixpath.join(folder, path))
        found = OF_THE_REPOSITORY.get(source, source.removeprefix("docs/"))
        for uri in (found, f"{found}/README.md"):
            made = files.get_file_from_path(uri)
            if made and made.inclusion.is_included():
                return f"[{label}]({posixpath.relpath(uri, here or '.')}{mark}{part})"
        nearby = OF_THE_REPOSITORY.get(f"{source}/README.md")
        if nearby:
            return f"[{label}]({posixpath.relpath(nearby, here or '.')})"
        # mkdocs warns of a link that leads nowhere; a file of the repository is no page.
        return label if (ROOT / source).exists() else match[0]

    return LINK.sub(led, text)
