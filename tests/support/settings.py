"""Measures with combinations of a few values for each parameter."""

from math import inf, prod
from random import Random

from rankeval.errors import MeasureError
from rankeval.measures import definitions
from rankeval.measures.facts import Gains

TABLES = ({1: 1, 2: 3, 3: 7, 4: 15}, {0: 1, 2: 0.5}, {-1: -2, 1: -1})


def small_values(parameter):
    """A few values that the parameter allows, its default among them."""
    candidates = [*parameter.choices]
    if int in parameter.kinds and float in parameter.kinds:
        candidates += [1, 2, 0.5]
    elif int in parameter.kinds:
        candidates += [0, 1, 3, 10]
    elif float in parameter.kinds:
        candidates += [0.0, 0.3, 1.0, 2.5]
    if bool in parameter.kinds:
        candidates += [False, True]
    if Gains in parameter.kinds:
        candidates += TABLES
    if not parameter.required:
        candidates.append(parameter.default)
    allowed = []
    for value in candidates:
        try:
            allowed.append(parameter.check("", value))
        except MeasureError:
            continue
    return list(dict.fromkeys(allowed))


def settings_of(definition, *, most=60):
    """The measure with each combination of small values, or with about as many as are wanted."""
    names = list(definition.parameters)
    values = [small_values(parameter) for parameter in definition.parameters.values()]
    if "out" in names:
        # The measure itself comes as often as all else that is reported of its readers.
        values[names.index("out")] += ["EU"] * 3
    n_combinations = prod(map(len, values))
    numbers = range(n_combinations)
    found = {}
    for number in Random(0).sample(numbers, most) if n_combinations > most else numbers:
        chosen, rest = [], number
        for allowed in values:
            rest, place = divmod(rest, len(allowed))
            chosen.append(allowed[place])
        found[definition.measure(dict(zip(names, chosen, strict=True)))] = None
    return list(found)


def greatest(measure):
    """The greatest value: of what a reader does, only its utility per document has a limit."""
    return measure.definition.high if measure.parameters.get("out", "EU") == "EU" else inf


ALL_SETTINGS = [setting for each in definitions().values() for setting in settings_of(each)]
