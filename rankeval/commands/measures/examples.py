"""A worked example for each measure, on data of the kind that it needs."""

from collections import Counter
from collections.abc import Mapping

import numpy as np

from rankeval.base.checked import checked
from rankeval.commands.explain.task import Explanation, explain
from rankeval.commands.measures.task import Description
from rankeval.evaluation.evaluate import evaluate
from rankeval.evaluation.prepared import Items
from rankeval.measures import definitions
from rankeval.measures.answers import NuggetCounts, SupportCounts
from rankeval.measures.declare.facts import NUGGETS, STRATA, SUBTOPICS, SUPPORT, Need
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import RunLike

TOPIC = "example"
QRELS = {TOPIC: {"a": 2, "b": 0, "c": 1, "d": 3, "e": 0, "f": 1, "g": -1}}
RUN = {TOPIC: {"a": 9, "b": 8, "x": 8, "c": 6, "g": 5, "d": 4, "e": 4}}
"""One topic with a tie, an unjudged document, a negative grade and a relevant one missed."""

BY_SUBTOPIC = {
    "a": {"1": 1, "2": 1},
    "b": {"1": 1},
    "c": {"3": 2},
    "d": {"2": 1},
    "e": {"0": 0},
}
"""Three subtopics: two documents for each of the first two, one for the third."""

BY_STRATUM = {
    "a": {"1": 2},
    "b": {"1": 0},
    "c": {"1": 1},
    "d": {"2": 1},
    "e": {"2": -1},
    "f": {"2": 0},
    "g": {"2": -1},
}
"""A pool of two strata: all of the first is judged, and half of the second."""

SPECIAL: Mapping[Need, tuple[QrelsLike, RunLike]] = {
    SUBTOPICS: ({TOPIC: BY_SUBTOPIC}, {TOPIC: {"b": 4, "a": 3, "x": 2, "c": 1}}),
    STRATA: ({TOPIC: BY_STRATUM}, {TOPIC: {"a": 7, "e": 6, "b": 5, "d": 4, "x": 3, "f": 2}}),
}

TRAIN = {"u1": ["a", "b"], "u2": ["a", "b", "f"], "u3": ["a", "d"], "u4": ["a"]}
CATALOG = 10
FEATURES = {
    "a": {"genre": "crime", "year": 1999},
    "b": {"genre": "crime", "year": 2005},
    "c": {"genre": "comedy", "year": 2005},
    "d": {"genre": "comedy", "year": 1999},
    "x": {"genre": "drama", "year": 2005},
}
"""Interactions, a catalogue of ten items and features, for the first example's documents."""

LISTS = {"u1": {"a": 2, "b": 1}, "u2": {"a": 2, "c": 1}, "u3": {"b": 2, "a": 1}}
CATALOG_OF_LISTS = 5
"""Lists of three users from a catalogue of five items, for measures of a whole run."""

ANSWERS: Mapping[Need, tuple[NuggetCounts | SupportCounts, Mapping[str, int]]] = {
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


@checked
def worked_example(one: Description) -> Explanation:
    """Explain the value of the described measure for a small ranking.

    >>> from rankeval import describe
    >>> from rankeval.advanced import worked_example
    >>> worked_example(describe("P@5")).value
    0.4
    """
    definition = definitions()[one.name]
    if definition.of_run:
        judged = {user: {"a": 1} for user in LISTS}
        found = evaluate(judged, LISTS, one.example, items=Items(catalog=CATALOG_OF_LISTS))
        shown = Counter(item for ranking in LISTS.values() for item in ranking)
        times = {f"times that {item} is shown": n for item, n in shown.items()}
        return _without_ranks(one, found.runs[0].scores[0].aggregate, times)
    answer = next((ANSWERS[need] for need in definition.needs if need in ANSWERS), None)
    if answer is not None:
        counts, quantities = answer
        return _without_ranks(one, float(definition.function(counts)[0]), quantities)
    special = (SPECIAL[need] for need in definition.needs if need in SPECIAL)
    qrels, run = next(special, (QRELS, RUN))
    return explain(
        *(qrels, run, TOPIC, one.example),
        items=Items(train=TRAIN, catalog=CATALOG, features=FEATURES),
    )[0]


def _without_ranks(one: Description, value: float, quantities: Mapping[str, int]) -> Explanation:
    """Return the example of a measure that is not of a single ranking."""
    return Explanation(
        topic="",
        run=TOPIC,
        measure=one.example,
        formula=one.documentation.formula,
        value=value,
        quantities=quantities,
        retrieved=0,
        documents=(),
        ideal=(),
        missed=(),
        signature="",
    )
