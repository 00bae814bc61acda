"""Pages of the Python library, made from signatures and docstrings of the public names."""

import dataclasses
import inspect
import re
from collections.abc import Iterator
from operator import attrgetter
from textwrap import indent
from typing import Any

import rankeval
from docs.pages.texts import cell, markdown

ROW = re.compile(r"^\| ([^|]*) \| `([\w.]+)` \| (.*) \|$", re.MULTILINE)
LONG = 250
"""Lines of a page whose entries are folded."""
SIGNATURE = 12
"""Lines of a signature that is shown beside a folded entry."""


def pages(listing: str) -> Iterator[tuple[str, str]]:
    """Yield a page for every group of names in the table of docs/python.md."""
    groups: dict[str, list[str]] = {}
    heading = ""
    for found, name, _ in ROW.findall(listing):
        heading = found.strip() or heading
        groups.setdefault(heading, []).append(name)
    for group, names in groups.items():
        entries = [list(_entry(name)) for name in names]
        if sum(part.count("\n") + 1 for entry in entries for part in entry) > LONG:
            entries = [list(_folded(*entry)) for entry in entries]
        text = "\n".join(part for entry in entries for part in entry)
        yield f"library/{re.sub('[^a-z]+', '-', group.lower())}.md", f"# {group}\n\n{text}"


def _folded(heading: str, signature: str, text: str = "", *members: str) -> Iterator[str]:
    """Yield an entry of which the first paragraph, and a short signature, is shown at once."""
    summary, _, details = text.strip().partition("\n\n")
    is_short = signature.count("\n") <= SIGNATURE
    yield from (heading, *([signature] if is_short else []), f"{summary}\n")
    hidden = [*([] if is_short else [signature]), details, *members]
    if any(part.strip() for part in hidden):
        title = "Parameters and details" if details or not is_short else "Methods and properties"
        inside = indent("\n".join(hidden), "    ")
        yield f'??? info "{title}"\n\n{inside}\n'


def _entry(name: str) -> Iterator[str]:
    """Yield the Markdown of a public name."""
    value = attrgetter(name)(rankeval)
    name = name.rpartition(".")[2]
    yield f"## {name}\n"
    if inspect.isfunction(value) or inspect.isclass(value):
        yield f"```python\n{_signature(name, value)}\n```\n"
        yield f"{markdown(inspect.getdoc(value) or '')}\n"
        if inspect.isclass(value):
            yield from _members(name, value)
    elif isinstance(value, tuple | list | str):
        yield f"```python\n{name} = {value!r}\n```\n"
    else:
        yield f"```python\n{name} = {_plain(inspect.formatannotation(value))}\n```\n"


def _members(owner: str, value: type) -> Iterator[str]:
    """Yield the methods and properties that a class documents itself."""
    rows = []
    for name, member in vars(value).items():
        if name.startswith("_") or not (inspect.getdoc(member) or ""):
            continue
        summary = cell((inspect.getdoc(member) or "").partition("\n\n")[0])
        if isinstance(member, property):
            rows.append(f"| `{name}` | {summary} |")
        elif isinstance(member, classmethod | staticmethod | type(pages)):
            shown = _signature(name, getattr(value, name)).replace("\n", " ")
            shown = re.sub(r"\(\s*(self(, )?)?\s*", "(", re.sub(r"\s+", " ", shown), count=1)
            shown = re.sub(r",? \)", ")", shown).replace("|", "\\|")
            rows.append(f"| `{shown}` | {summary} |")
    if rows:
        yield f"| of {owner} | |\n| :--- | :--- |"
        yield from (*rows, "")


def _signature(name: str, value: Any) -> str:
    """Return a call with its parameters, one a line where they are many."""
    try:
        signature = inspect.signature(value)
    except ValueError:
        return name
    parameters = [p for p in signature.parameters.values() if p.name != "self"]
    texts: list[str] = []
    keywords = False
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY and not keywords:
            keywords = True
            texts.append("*")
        keywords = keywords or parameter.kind is parameter.VAR_POSITIONAL
        texts.append(_parameter(parameter))
    found = signature.return_annotation
    returned = "" if found is inspect.Signature.empty else f" -> {_annotation(found)}"
    if dataclasses.is_dataclass(value) or inspect.isclass(value):
        returned = ""
    line = f"{name}({', '.join(texts)}){returned}"
    if len(line) <= 80:
        return line
    return f"{name}(\n" + "".join(f"    {text},\n" for text in texts) + f"){returned}"


def _parameter(parameter: inspect.Parameter) -> str:
    mark = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    kind = (
        "" if parameter.annotation is parameter.empty else f": {_annotation(parameter.annotation)}"
    )
    if parameter.default is parameter.empty:
        return f"{mark}{parameter.name}{kind}"
    shown = repr(parameter.default)
    shown = "..." if "<" in shown or len(shown) > 40 else _plain(shown)
    return f"{mark}{parameter.name}{kind} = {shown}" if kind else f"{mark}{parameter.name}={shown}"


def _annotation(found: Any) -> str:
    return _plain(found if isinstance(found, str) else inspect.formatannotation(found))


def _plain(text: str) -> str:
    """Return the text of an annotation without the modules of its names."""
    text = re.sub(r"\b(?:\w+\.)+(?=[A-Za-z_])", "", text)
    return re.sub(r"Optional\[(.*)\]$", r"\1 | None", text)
