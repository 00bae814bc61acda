"""Grades that are fractions, from the file to the table, for every measure."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from rankeval.errors import MeasureError
from rankeval.measures import definitions
from rankeval.ranking import Ideal
from tests.support.builders import from_dicts
from tests.support.samples import collection
from tests.support.settings import small_values

QUARTERS = (-1, 0, 0, 0.25, 0.5, 0.75, 1)


def scaled(qrels, factor):
    return {t: {d: g * factor for d, g in docs.items()} for t, docs in qrels.items()}


def some_settings(definition):
    """The measure with combinations of small values, a few of the many; the same every time."""
    random = Random(definition.name)
    choices = {name: small_values(p) for name, p in definition.parameters.items()}
    drawn = [{n: random.choice(values) for n, values in choices.items()} for _ in range(25)]
    return [definition.measure(parameters) for parameters in drawn]


def values_of(measure, judged):
    try:
        return measure.values(judged)
    except MeasureError:
        return None


@pytest.mark.parametrize("name", definitions())
def test_integers_are_integers_whatever_their_type(name):
    judged = from_dicts(*collection(21, topics=6))
    ideal = Ideal(judged.ideal.offsets, judged.ideal.grade.astype(float))
    floats = replace(judged, grade=judged.grade.astype(float), ideal=ideal)

    for measure in some_settings(definitions()[name]):
        values = values_of(measure, judged)
        if values is not None:
            np.testing.assert_array_equal(measure.values(floats), values, str(measure))


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, definition in definitions().items()
        # The gains of a table do not scale with the grades, which it cuts to integers.
        if "rel" in definition.parameters and name != "TabulatedGain"
    ],
)
def test_a_threshold_compares_fractions_as_it_compares_integers(name):
    qrels, run = collection(22, topics=8, grades=QUARTERS)
    fractions, integers = from_dicts(qrels, run), from_dicts(scaled(qrels, 4), run)

    for setting in some_settings(definitions()[name]):
        given = dict(setting.given)
        if given.get("max_rel", given.get("gains")) is not None:
            continue
        for rel in (0.25, 0.5, 0.75, 1):
            mine = setting.definition.measure({**given, "rel": rel})
            same = setting.definition.measure({**given, "rel": 4 * rel})
            values = values_of(mine, fractions)
            if values is not None:
                np.testing.assert_array_equal(values, same.values(integers), str(mine))
