"""The catalogue of measures: find, search and describe them, each with a worked example."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen, replace
from rankeval.base.wording import finite
from rankeval.commands.explain import show as explanations
from rankeval.commands.explain.documentation import Documentation, documentation
from rankeval.commands.explain.task import Explanation, explain
from rankeval.errors import MeasureError
from rankeval.evaluation.prepared import Items
from rankeval.measures import (
    Definition,
    Measure,
    definition_of,
    definitions,
    load_installed,
    parse_measure,
)
from rankeval.measures.definition import OF_TREC_EVAL
from rankeval.measures.facts import (
    ELSEWHERE,
    LISTS,
    NUGGETS,
    STRATA,
    SUBTOPICS,
    SUPPORT,
    WHOLE_RUN,
    Alias,
    Need,
    Parameter,
    ParameterValue,
    literal,
)
from rankeval.measures.other_names import ENDINGS
from rankeval.output.declared_columns import Rows, data, grade, prose, rows_of, table, text
from rankeval.output.document_form import Document, headed, plain
from rankeval.output.output_formats import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block, Heading, Verbatim
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import RunLike

EXAMPLE_PARAMETERS: dict[str, ParameterValue] = {
    "cutoff": 5,
    "recall": 0.5,
    "level": 0.5,
    "max_rel": "qrels",
}
"""Values of parameters without a default, for examples."""


@frozen
class DescribedParameter:
    """One parameter: its meaning, allowed values and default (None if it has none).

    `sign` is its mark in a measure's name: `@`, or its own name.
    """

    name: str
    sign: str
    meaning: str
    allowed: str
    default: str | None


@frozen
class Synonym:
    """Another name of a measure; `meaning` is the measure if the name implies parameters."""

    name: str
    meaning: str


@frozen
class Description:
    """The description of a measure.

    ============= ========================================================================
    name          canonical name
    usage         the name with the parameter that @ sets, such as nDCG@k
    group         subject that it is listed under, such as precision and recall
    documentation its docstring: title, formulas, edge cases, differences, source
    parameters    its parameters, in the order of a canonical name
    synonyms      names in other tools
    aggregate     rule that turns the values of all topics into one
    low, high     the range of a topic's value
    loss          True when smaller is better
    needs         data that it needs in addition to grades and ranks, and how to provide them
    example       the measure, with parameters, of the worked example
    ============= ========================================================================
    """

    name: str
    usage: str
    group: str
    documentation: Documentation
    parameters: tuple[DescribedParameter, ...]
    synonyms: tuple[Synonym, ...]
    aggregate: str
    low: float
    high: float
    loss: bool
    needs: tuple[str, ...]
    example: str


@checked
def describe(name: str) -> Description:
    """Describe the measure of that name; MeasureError, with similar names, if there is none.

    The example has the parameters in the name, and values for other required ones.

    >>> from rankeval import describe
    >>> describe("ndcg_cut_10").usage
    'nDCG@k'
    """
    try:
        measure = parse_measure(name)
    except MeasureError:
        if re.search(r"[\s(@]", name) or not name:
            raise
        return _described(definition_of(name))  # a name may lack its cutoff
    return _described(measure.definition, measure)


def find_measures(text: str = "") -> list[Description]:
    """Describe the measure of that name, else those that match the text; MeasureError for none.

    >>> from rankeval.commands.measures.task import find_measures
    >>> [one.name for one in find_measures("recip_rank")]
    ['RR']
    """
    if not text:
        return search_measures()
    try:
        return [describe(text)]
    except MeasureError:
        found = search_measures(text)
        if not found:
            raise
        return found


def search_measures(text: str = "") -> list[Description]:
    """Describe the measures whose names, title or subject contain each of the words.

    >>> from rankeval.commands.measures.task import search_measures
    >>> "RBP" in [one.name for one in search_measures("rank biased")]
    True
    """
    load_installed()
    words = text.casefold().split()
    found = [_described(definition) for definition in definitions().values()]
    return [one for one in found if all(word in _searched(one) for word in words)]


def _searched(description: Description) -> str:
    names = " ".join([description.name, *(synonym.name for synonym in description.synonyms)])
    return f"{names} {description.documentation.title} {description.group}".casefold()


def _described(definition: Definition, measure: Measure | None = None) -> Description:
    return Description(
        name=definition.name,
        usage=definition.name + _letter(definition),
        group=definition.subject,
        documentation=documentation(definition.function),
        parameters=tuple(_parameter(definition, p) for p in definition.parameters.values()),
        synonyms=tuple(s for alias in definition.aliases for s in _synonyms(definition, alias)),
        aggregate=definition.aggregate.name,
        low=definition.low,
        high=definition.high,
        loss=definition.loss,
        needs=tuple(need.given for need in definition.needs if need not in (ELSEWHERE, LISTS)),
        example=str(measure or _with_parameters(definition)),
    )


def _with_parameters(definition: Definition) -> Measure:
    """Return the measure, with values for required parameters."""
    needed = [p.name for p in definition.parameters.values() if p.required]
    return definition.measure({name: EXAMPLE_PARAMETERS[name] for name in needed})


def _letter(definition: Definition) -> str:
    """Return the placeholder of the @ parameter, such as @k."""
    letters = {None: "", "cutoff": "@k", "recall": "@r", "level": "@r"}
    return letters.get(definition.at, f"@{definition.at}")


def _parameter(definition: Definition, parameter: Parameter) -> DescribedParameter:
    return DescribedParameter(
        name=parameter.name,
        sign="@" if parameter.name == definition.at else parameter.name,
        meaning=parameter.meaning,
        allowed=parameter.allowed,
        default=None if parameter.required else literal(parameter.default),
    )


def _synonyms(definition: Definition, alias: Alias) -> Iterator[Synonym]:
    """Return the alias alone, and with the number that may follow it."""
    name = alias.name
    if name.endswith("@"):
        yield Synonym(f"{name}k", "")
    elif not name.endswith("."):
        implied = ",".join(f"{n}={literal(v)}" for n, v in alias.implied.items())
        meaning = f"{definition.name}({implied})" if implied else ""
        if meaning and name in ENDINGS:
            yield Synonym(f"{name}_x", f"{meaning} with {definition.at} set by x")
        else:
            yield Synonym(name, meaning)
    if alias.suffix:
        mark = "" if name.endswith(".") else "_"
        yield Synonym(f"{name}{mark}x", f"{definition.name} with {alias.suffix} set by x")


Described = Sequence[tuple[Description, Explanation | None]]
"""Measures, each with a worked example if it is explained."""

TWELVE = (
    ("nDCG@10", "are the best documents at the top?", "graded judgments"),
    ("AP", "are all relevant documents near the top?", "judgments are complete"),
    ("RR@10", "how early is the first relevant result?", "one answer is enough"),
    ("P@10", "what share of the top is relevant?", "users read k results"),
    ("R@100", "what share of the relevant is found?", "first stages, patents"),
    ("Success@5", "is any of the top relevant?", "questions, RAG"),
    ("Rprec", "as P@R, for R relevant documents", "R differs by topic"),
    ("ERR@20", "how soon is a reader satisfied?", "one good hit is enough"),
    ("RBP", "what does a reader gain per document?", "patience is known"),
    ("Bpref", "do relevant rank above nonrelevant?", "few are judged"),
    ("Judged@10", "what share of the top is judged?", "with any measure"),
    ("alpha_nDCG@10", "is each subtopic served early?", "subtopics are judged"),
)
"""The common measures: what each answers, and when to use it."""


def common(_found: Described, style: Style) -> Iterator[Block]:
    """Yield the common measures, a line for each."""
    columns = [
        text("measure", get=itemgetter(0), least=0),
        prose("answers", get=itemgetter(1)),
        prose("when", get=itemgetter(2)),
    ]
    yield table("", columns, TWELVE, style)
    yield ""
    yield "'rankeval measures NAME' explains one, '--all' lists all, WORD searches them."
    yield "docs/which-measure.md helps to choose."


def in_full(found: Described, style: Style) -> Iterator[Block]:
    """Yield all that is known of some measures."""
    for number, (one, example) in enumerate(found):
        yield from ["", ""] if number else []
        yield from explained(one, example, style)


def listing(found: Described, style: Style) -> Iterator[Block]:
    """Yield a table of measures for each subject."""
    shown = [one for one, _ in found if one.group != OF_TREC_EVAL]
    columns = [
        text("measure", get="usage", least=0),
        text("range", get=range_, least=0),
        prose("what it is", get="documentation.title"),
        text("parameters", get=lambda one: ", ".join(_inside(one))),
    ]
    for subject, members in groupby(shown, key=lambda one: one.group):
        yield table(subject.capitalize(), columns, members, style)
    yield ""
    yield f"{len(shown)} measures; 'rankeval measures NAME' explains one."


def explained(one: Description, example: Explanation | None, style: Style) -> Iterator[Block]:
    """Yield the documentation of a measure, and its worked example."""
    written = one.documentation
    yield Heading(one.usage)
    yield written.title
    for block in written.body:
        yield ""
        yield Verbatim(block.text) if block.is_formula else block.text
    if one.parameters:
        yield table("Parameters", PARAMETERS, one.parameters, style)
    synonyms = [s.name if not s.meaning else f"{s.name} ({s.meaning})" for s in one.synonyms]
    for heading, items in (
        ("Needs", [f"{need}." for need in one.needs]),
        ("Edge cases", [f"- {item}" for item in written.edge_cases]),
        ("Differences from other tools", [f"- {item}" for item in written.differences]),
        ("Names in other tools", [", ".join(synonyms)] if synonyms else []),
        ("In short", [facts(one)]),
        ("Source", [written.source] if written.source else []),
    ):
        if items:
            yield from ["", Heading(heading), *items]
    if example is not None:
        yield from ["", Heading(worked_title(example))]
        yield explanations.ranks(example, style)
        yield ""
        yield from explanations.remarks(example, style)


def signed_name(parameter: DescribedParameter) -> str:
    """Return the name of a parameter, behind the @ that sets it."""
    return parameter.name if parameter.sign == parameter.name else f"@ ({parameter.name})"


PARAMETERS = [
    text("parameter", get=signed_name, least=0),
    prose("meaning"),
    prose("allowed"),
    text("default", get=lambda one: "none" if one.default is None else one.default, least=0),
]


def facts(description: Description) -> str:
    """Return range, direction and aggregate in a sentence."""
    better = "less is better" if description.loss else "more is better"
    direction = "a count" if description.aggregate == "sum" else better
    over = "one number for a whole run"
    if description.aggregate != WHOLE_RUN.name:
        over = f"over topics: {description.aggregate}"
    return f"Range {range_(description)}; {direction}; {over}."


def range_(description: Description) -> str:
    """Return the range of a topic's value, such as [0, 1] or [0, ∞)."""
    low = f"[{description.low:g}" if math.isfinite(description.low) else "(-∞"
    high = f"{description.high:g}]" if math.isfinite(description.high) else "∞)"
    return f"{low}, {high}"


def worked_title(example: Explanation) -> str:
    """Return the value of a worked example."""
    value = "undefined" if math.isnan(example.value) else f"{example.value:.4f}"
    return f"Example: {example.measure} = {value}"


def _inside(description: Description) -> list[str]:
    """Return the parameters that stand within parentheses."""
    return [p.name for p in description.parameters if p.sign != "@"]


COLUMNS = [
    data("measure", get="usage"),
    data("group"),
    grade("low", get=lambda one: finite(one.low)),
    grade("high", get=lambda one: finite(one.high)),
    data("better", get=lambda one: "lower" if one.loss else "higher"),
    data("aggregate"),
    data("parameters", get=lambda one: " ".join(_inside(one))),
    data("title", get="documentation.title"),
    data("also", get=lambda one: " ".join(synonym.name for synonym in one.synonyms)),
]


def _rows(found: Described, _style: Style) -> Rows:
    return rows_of(COLUMNS, [one for one, _ in found])


def document(found: Described, _style: Style) -> Document:
    """Return the descriptions of measures, each with its example where there is one."""
    every = [{**plain(one), **({"example": plain(shown)} if shown else {})} for one, shown in found]
    return headed("rankeval-measures/1", {"measures": every})


LISTING = Printer[Described](listing, _rows, document, {"latex": None})
COMMON = replace(LISTING, blocks=common)
IN_FULL = replace(LISTING, blocks=in_full)


TOPIC = "example"
QRELS = {TOPIC: {"a": 2, "b": 0, "c": 1, "d": 3, "e": 0, "f": 1, "g": -1}}
RUN = {TOPIC: {"a": 9, "b": 8, "x": 8, "c": 6, "g": 5, "d": 4, "e": 4}}
"""One topic with a tie, an unjudged document, a negative grade and a relevant one missed."""

BY_SUBTOPIC = {"a": {"1": 1, "2": 1}, "b": {"1": 1}, "c": {"3": 2}, "d": {"2": 1}, "e": {"0": 0}}
"""Three subtopics: two documents for each of the first two, one for the third."""

POOLED = zip("abcdefg", "1112222", (2, 0, 1, 1, -1, 0, -1), strict=True)
BY_STRATUM = {docno: {stratum: grade} for docno, stratum, grade in POOLED}
"""A pool of two strata: all of the first is judged, and half of the second."""

SPECIAL: Mapping[Need, tuple[QrelsLike, RunLike]] = {
    SUBTOPICS: ({TOPIC: BY_SUBTOPIC}, {TOPIC: {"b": 4, "a": 3, "x": 2, "c": 1}}),
    STRATA: ({TOPIC: BY_STRATUM}, {TOPIC: {"a": 7, "e": 6, "b": 5, "d": 4, "x": 3, "f": 2}}),
}

TRAIN = {"u1": ["a", "b"], "u2": ["a", "b", "f"], "u3": ["a", "d"], "u4": ["a"]}
CATALOG = 10
GENRES = ("crime", "crime", "comedy", "comedy", "drama")
BOOKS = zip("abcdx", GENRES, (1999, 2005, 2005, 1999, 2005), strict=True)
FEATURES = {docno: {"genre": genre, "year": year} for docno, genre, year in BOOKS}
"""Interactions, a catalogue of ten items and features, for the first example's documents."""


@checked
def worked_example(one: Description) -> Explanation | None:
    """Explain the value of the described measure for a small ranking; None if it has none.

    Measures of answers and of whole runs have no ranking.

    >>> from rankeval import describe
    >>> from rankeval.advanced import worked_example
    >>> worked_example(describe("P@5")).value
    0.4
    """
    definition = definitions()[one.name]
    if definition.of_run or {NUGGETS, SUPPORT} & {*definition.needs}:
        return None
    special = (SPECIAL[need] for need in definition.needs if need in SPECIAL)
    qrels, run = next(special, (QRELS, RUN))
    items = Items(train=TRAIN, catalog=CATALOG, features=FEATURES)
    return explain(qrels, run, TOPIC, one.example, items=items)[0]
