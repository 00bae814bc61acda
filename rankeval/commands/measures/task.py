"""The catalogue of measures: find, search and describe them."""

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.commands.explain.task import Explanation, explain
from rankeval.errors import MeasureError
from rankeval.evaluation.evaluate import evaluate
from rankeval.measures import (
    Definition,
    Measure,
    definition_of,
    definitions,
    load_installed,
    parse_measure,
)
from rankeval.measures.answers import NuggetCounts, SupportCounts
from rankeval.measures.declare.definition import Alias
from rankeval.measures.declare.documentation import Documentation
from rankeval.measures.declare.measure_parameters import Parameter, ParameterValue, literal
from rankeval.measures.declare.needs import (
    ELSEWHERE,
    LISTS,
    NUGGETS,
    STRATA,
    SUBTOPICS,
    SUPPORT,
    Need,
)
from rankeval.measures.declare.other_names import ENDINGS
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import RunLike

EXAMPLE_TOPIC = "example"
EXAMPLE_QRELS = {EXAMPLE_TOPIC: {"a": 2, "b": 0, "c": 1, "d": 3, "e": 0, "f": 1, "g": -1}}
EXAMPLE_RUN = {EXAMPLE_TOPIC: {"a": 9, "b": 8, "x": 8, "c": 6, "g": 5, "d": 4, "e": 4}}
"""One topic with a tie, an unjudged document, a negative grade and a relevant one missed."""

EXAMPLE: tuple[QrelsLike, RunLike] = EXAMPLE_QRELS, EXAMPLE_RUN

EXAMPLE_BY_SUBTOPIC = {
    EXAMPLE_TOPIC: {
        "a": {"1": 1, "2": 1},
        "b": {"1": 1},
        "c": {"3": 2},
        "d": {"2": 1},
        "e": {"0": 0},
    }
}
EXAMPLE_DIVERSE_RUN = {EXAMPLE_TOPIC: {"b": 4, "a": 3, "x": 2, "c": 1}}
"""A topic with three subtopics: two documents for each of the first two, one for the third."""

EXAMPLE_STRATA = {
    EXAMPLE_TOPIC: {
        "a": {"1": 2},
        "b": {"1": 0},
        "c": {"1": 1},
        "d": {"2": 1},
        "e": {"2": -1},
        "f": {"2": 0},
        "g": {"2": -1},
    }
}
EXAMPLE_POOL_RUN = {EXAMPLE_TOPIC: {"a": 7, "e": 6, "b": 5, "d": 4, "x": 3, "f": 2}}
"""A pool of two strata: all of the first is judged, and half of the second."""

EXAMPLES: Mapping[Need, tuple[QrelsLike, RunLike]] = {
    SUBTOPICS: (EXAMPLE_BY_SUBTOPIC, EXAMPLE_DIVERSE_RUN),
    STRATA: (EXAMPLE_STRATA, EXAMPLE_POOL_RUN),
}

EXAMPLE_TRAIN = {
    "u1": ["a", "b"],
    "u2": ["a", "b", "f"],
    "u3": ["a", "d"],
    "u4": ["a"],
}
EXAMPLE_FEATURES = {
    "a": {"genre": "crime", "year": 1999},
    "b": {"genre": "crime", "year": 2005},
    "c": {"genre": "comedy", "year": 2005},
    "d": {"genre": "comedy", "year": 1999},
    "x": {"genre": "drama", "year": 2005},
}
EXAMPLE_CATALOG = 10
"""Interactions, features and a catalogue of ten items, for the first example's documents."""

EXAMPLE_LISTS = {"u1": {"a": 2, "b": 1}, "u2": {"a": 2, "c": 1}, "u3": {"b": 2, "a": 1}}
EXAMPLE_QRELS_OF_LISTS = {user: {"a": 1} for user in EXAMPLE_LISTS}
EXAMPLE_LISTS_CATALOG = 5
"""Lists of three users from a catalogue of five items, for measures of a whole run."""

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
    definition = definition_of(name)
    try:
        return _described(definition, parse_measure(name))
    except MeasureError:
        return _described(definition)


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


@checked
def worked_example(one: Description) -> Explanation:
    """Explain the value of the described measure for a small ranking.

    >>> from rankeval import describe
    >>> from rankeval.reports import worked_example
    >>> worked_example(describe("P@5")).value
    0.4
    """
    needs = definitions()[one.name].needs
    if definitions()[one.name].of_run:
        return _example_of_run(one)
    if NUGGETS in needs or SUPPORT in needs:
        return _example_of_answer(one, EXAMPLE_ANSWERS[needs[0]])
    qrels, run = next((EXAMPLES[need] for need in needs if need in EXAMPLES), EXAMPLE)
    return explain(
        qrels,
        run,
        EXAMPLE_TOPIC,
        one.example,
        train=EXAMPLE_TRAIN,
        catalog=EXAMPLE_CATALOG,
        item_features=EXAMPLE_FEATURES,
    )[0]


def _example_of_run(description: Description) -> Explanation:
    """Return the value of a whole run of three short lists, and how often each item is shown."""
    results = evaluate(
        EXAMPLE_QRELS_OF_LISTS, EXAMPLE_LISTS, description.example, catalog=EXAMPLE_LISTS_CATALOG
    )
    (score,) = results.runs[0].scores
    shown = Counter(item for ranking in EXAMPLE_LISTS.values() for item in ranking)
    return Explanation(
        topic="",
        run="example",
        measure=score.measure,
        formula=description.documentation.formula,
        value=score.aggregate,
        quantities={f"times that {item} is shown": times for item, times in shown.items()},
        retrieved=shown.total(),
        documents=(),
        ideal=(),
        missed=(),
        signature=score.signature,
    )


EXAMPLE_ANSWERS: Mapping[Need, tuple[NuggetCounts | SupportCounts, Mapping[str, int]]] = {
    NUGGETS: (
        NuggetCounts(
            number=np.array([[2.0, 2.0, 0.0]]),
            supported=np.array([[1.0, 1.0, 0.0]]),
            partly=np.array([[1.0, 0.0, 0.0]]),
            length=np.array([250.0]),
        ),
        {
            "vital nuggets": 2,
            "of them supported": 1,
            "of them supported in part": 1,
            "okay nuggets": 2,
            "of the okay ones supported": 1,
            "characters of the answer": 250,
        },
    ),
    SUPPORT: (
        SupportCounts(*(np.array([number]) for number in (4.0, 3.0, 3.0, 1.5, 1.5))),
        {
            "sentences": 4,
            "of them with one citation": 3,
            "citations of full support": 1,
            "citations of partial support": 1,
        },
    ),
}
"""An answer by its nuggets, and one by its citations: as counts, and in words."""


def _example_of_answer(
    description: Description, answer: tuple[NuggetCounts | SupportCounts, Mapping[str, int]]
) -> Explanation:
    """Return the value of an example's answer."""
    counts, quantities = answer
    return Explanation(
        topic="",
        run="example",
        measure=description.example,
        formula=description.documentation.formula,
        value=float(definitions()[description.name].function(counts)[0]),
        quantities=quantities,
        retrieved=0,
        documents=(),
        ideal=(),
        missed=(),
        signature="",
    )


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
        documentation=definition.documentation,
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
    return {None: "", "cutoff": "@k", "recall": "@r", "level": "@r"}.get(
        definition.at, f"@{definition.at}"
    )


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
