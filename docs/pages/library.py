"""Pages of the Python library, made from signatures and docstrings of the public names."""

import inspect
import re
from collections.abc import Iterator
from functools import cache
from operator import attrgetter
from textwrap import fill, indent
from typing import Any

import rankeval
from docs.pages.texts import cell, markdown

GROUPS = {
    "Evaluate": (
        "evaluate Evaluator options.Settings options.Items Seeds options.RunNames "
        "options.DEFAULT_MEASURES options.QrelsLike options.RunLike options.RunsLike "
        "options.MeasuresLike"
    ),
    "Judgments, runs and other input": ("Qrels Run options.read_weights options.read_groups"),
    "Results": ("Results types.RunResult types.Score types.ScoreBounds load"),
    "Measures": ("Measure parse_measure describe advanced.worked_example types.Description"),
    "Compare runs": ("compare types.Comparison options.Method types.Pair"),
    "Explain and diff": ("diff types.Difference explain types.Explanation"),
    "Judgments": ("estimate types.EstimateReport judges types.JudgesReport"),
    "Systems and topics": ("systems types.SystemsReport topics types.TopicsReport"),
    "Pictures and pages": ("plot types.Picture report types.Report"),
    "Gate": (
        "gate types.GateReport types.JudgedSuite types.GateFailure "
        "types.RuleOutcome options.Rule options.parse_rule options.Decision options.Suite "
        "options.read_suites advanced.gate_suites"
    ),
    "Baselines": ("init types.NewGate advanced.renewed_baseline"),
    "Collections": ("options.read_collections options.Collection advanced.evaluate_collections"),
    "Answers": ("nuggets"),
    "Files and runs": (
        "check types.FileReport convert types.Conversion fuse advanced.tune_fusion "
        "types.Tuning pool types.Pool"
    ),
    "Plugins": "measure TopicRanking load_plugin",
    "Errors": ("RankevalError InputError MeasureError UsageError"),
}
"""The public names by purpose; those with a dot are in modules of the root."""
WIDTH = 72
"""Letters of a line of a signature."""
DOORS = ("advanced.", "options.", "types.")
"""Modules of the names that are folded: what the functions at the root take and return."""
TABLE = re.compile(r"^=+ +=+\n(?:(?!=+ +=).*\n)+=+ +=+$", re.MULTILINE)
FIELDS = {
    "SettingsFields": "fields of `Settings`",
    "MethodFields": "fields of `Method`",
    "ComparisonFields": "fields of `Method` and of `Settings`",
}
"""What further keywords of a call are."""
UNKNOWN = inspect.Parameter.empty


def pages() -> Iterator[tuple[str, str]]:
    """Yield a page for every group of names."""
    for group, names in GROUPS.items():
        text = "\n".join(part for name in names.split() for part in _shown(name))
        yield f"library/{re.sub('[^a-z]+', '-', group.lower())}.md", f"# {group}\n\n{text}"


def _shown(name: str) -> Iterator[str]:
    """Yield the entry of a public name, of which details are folded behind a door of the root."""
    heading, call, *parts = _entry(name)
    if not name.startswith(DOORS) or not parts:
        yield from (heading, call, *parts)
        return
    summary, _, details = parts[0].partition("\n\n")
    yield from (heading, f"{summary}\n")
    inside = indent("\n".join((call, details, *parts[1:])), "    ")
    yield f'??? info "Fields and details"\n\n{inside}\n'


def _entry(name: str) -> Iterator[str]:
    """Yield the Markdown of a public name: its heading, its call, its words and its members."""
    value = attrgetter(name)(rankeval)
    short = name.rpartition(".")[2]
    yield f"## {short}\n"
    if inspect.isfunction(value) or inspect.isclass(value):
        yield f"```python\nrankeval.{_call(name, value)}\n```\n"
        yield f"{_explained(value)}\n"
        if inspect.isclass(value):
            yield from _members(short, value)
    elif isinstance(value, tuple | list | str):
        yield f"```python\nrankeval.{name} = {value!r}\n```\n"
    else:
        yield f"```python\nrankeval.{name} = {_plain(inspect.formatannotation(value))}\n```\n"


def _explained(value: Any) -> str:
    """Return a docstring as Markdown, with a table of the parameters before the example."""
    text = inspect.getdoc(value) or ""
    table = TABLE.search(text)
    before, after = (text[: table.start()], text[table.end() :]) if table else (text, "")
    if not table and "\n>>> " in text:
        before, mark, after = text.partition("\n>>> ")
        after = mark + after
    words = [markdown(part) if part.strip() else "" for part in (before, after)]
    parts = (words[0], _parameters(value, _meanings(text)), words[1])
    return "\n\n".join(part for part in parts if part)


def _meanings(docstring: str) -> dict[str, str]:
    """Return what the table of a docstring says of each name, and sentences that begin with one."""
    prose = " ".join(docstring.partition("\n>>> ")[0].split())
    begun = re.findall(r"(?:^|(?<=\. ))`(\w+)` ((?:[^.`]|`[^`]*`|\.(?! ))+)", prose)
    meanings = {
        name: re.sub("^(is|are) ", "", said) for name, said in begun if not said.startswith("and ")
    }
    table = TABLE.search(docstring)
    names: list[str] = []
    # A name that is longer than its column shifts its meaning to the right.
    for line in table[0].splitlines()[1:-1] if table else ():
        if line[:1].strip():
            named, meaning = re.match(r"(\S+(?:, ?\w+)*)(.*)", line).groups()
            names = re.split(", ?", named)
            meanings |= dict.fromkeys(names, meaning.strip())
        else:
            meanings |= {name: f"{meanings[name]} {line.strip()}" for name in names}
    return meanings


@cache
def _shared() -> dict[tuple[str, str], str]:
    """Return the meanings of parameters, by name and type, that functions share with others."""
    sources = (rankeval.options.Method, rankeval.options.Settings, rankeval.evaluate)
    return {
        (parameter.name, _typed(parameter)): meanings[parameter.name]
        for source in sources
        for meanings in [_meanings(inspect.getdoc(source) or "")]
        for parameter in _called_with(source)
        if parameter.name in meanings
    }


def _parameters(value: Any, meanings: dict[str, str]) -> str:
    """Return a table of the parameters of a call, each with its type, default and meaning."""
    parameters, shared = _called_with(value), _shared()
    named = {parameter.name for parameter in parameters}
    rows = [
        (
            f"`{_starred(parameter)}`",
            _typed(parameter),
            "" if parameter.default is UNKNOWN else f"`{_default(parameter)}`",
            _said(
                meanings.get(parameter.name) or shared.get((parameter.name, _typed(parameter)), "")
            ),
        )
        for parameter in parameters
    ]
    rows += [(f"`{name}`", "", "", _said(m)) for name, m in meanings.items() if name not in named]
    if not rows:
        return ""
    heads = ["name", "type", "default", "meaning"]
    kept = [i for i in range(4) if any(row[i] for row in rows)]
    lines = [[row[i] for i in kept] for row in (heads, [":---"] * 4, *rows)]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f'<div class="dense" markdown>\n\n{table}\n\n</div>'


def _said(meaning: str) -> str:
    """Return a cell of which braces at the end are no attributes."""
    return cell(meaning).replace("{", "&#123;")


def _called_with(value: Any) -> list[inspect.Parameter]:
    try:
        parameters = inspect.signature(value).parameters.values()
    except ValueError:
        return []
    return [parameter for parameter in parameters if parameter.name != "self"]


def _typed(parameter: inspect.Parameter) -> str:
    if parameter.annotation is UNKNOWN:
        return ""
    shown = _annotation(parameter.annotation)
    if parameter.default is None:
        shown = shown.removesuffix(" | None")
    fields = re.fullmatch(r"Unpack\[(\w+)\]", shown)
    return FIELDS.get(fields[1], "keywords") if fields else f"`{shown}`"


def _call(name: str, value: Any) -> str:
    """Return a call with the names and defaults of its parameters, in lines where it is long."""
    texts: list[str] = []
    keywords = False
    for parameter in _called_with(value):
        if parameter.kind is parameter.KEYWORD_ONLY and not keywords:
            texts.append("*")
        keywords = keywords or parameter.kind in (
            parameter.KEYWORD_ONLY,
            parameter.VAR_POSITIONAL,
        )
        default = "" if parameter.default is UNKNOWN else f"={_default(parameter)}"
        texts.append(f"{_starred(parameter)}{default}")
    returned = ""
    if not inspect.isclass(value):
        found = inspect.signature(value).return_annotation
        returned = "" if found is UNKNOWN else f" -> {_annotation(found)}"
    line = f"{name}({', '.join(texts)}){returned}"
    if len(line) <= WIDTH:
        return line
    # No break inside of a parameter.
    kept = [text.replace(" ", "\0") for text in texts]
    inside = fill(", ".join(kept), WIDTH - 4, break_long_words=False, break_on_hyphens=False)
    return f"{name}(\n{indent(inside, '    ')}\n){returned}".replace("\0", " ")


def _starred(parameter: inspect.Parameter) -> str:
    marks = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
    return marks.get(parameter.kind, "") + parameter.name


def _default(parameter: inspect.Parameter) -> str:
    shown = repr(parameter.default)
    return "..." if "<" in shown or len(shown) > 40 else _plain(shown)


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
            shown = " ".join(_call(name, getattr(value, name)).split())
            shown = shown.replace("( ", "(").replace(" )", ")")
            rows.append(f"| `{shown}` | {summary} |")
    if rows:
        yield '<div class="dense" markdown>\n'
        yield f"| methods and properties of {owner} | |\n| :--- | :--- |"
        yield from (*rows, "", "</div>", "")


def _annotation(found: Any) -> str:
    return _plain(found if isinstance(found, str) else inspect.formatannotation(found))


def _plain(text: str) -> str:
    """Return the text of an annotation without the modules of its names."""
    text = re.sub(r"\b(?:\w+\.)+(?=[A-Za-z_])", "", text)
    return re.sub(r"Optional\[(.*)\]$", r"\1 | None", text)
