"""The catalogue of measures: find, search and describe them."""

from collections.abc import Iterator

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.errors import MeasureError
from rankeval.measures import (
    Definition,
    Measure,
    definition_of,
    definitions,
    load_installed,
    parse_measure,
)
from rankeval.measures.declare.definition import Alias
from rankeval.measures.declare.documentation import Documentation
from rankeval.measures.declare.measure_parameters import Parameter, ParameterValue, literal
from rankeval.measures.declare.needs import ELSEWHERE, LISTS
from rankeval.measures.declare.other_names import ENDINGS

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
