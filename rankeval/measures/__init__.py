"""The measures: pure functions from RankedJudgments to one value per topic.

A family of measures is a module here and a line of names in `base/families.py`, by which it is
imported when one of its measures is first asked for.
"""

from rankeval.measures.declare.aggregates import GEOMETRIC, MEAN, MEDIAN, SUM, Aggregate
from rankeval.measures.declare.definition import (
    Alias,
    Cutoff,
    Definition,
    Measure,
    Rel,
    RequiredCutoff,
    Values,
)
from rankeval.measures.declare.measure_names import (
    MeasuresLike,
    NamedMeasure,
    definition_of,
    listed_measures,
    measure_names,
    parse_measure,
    parse_measures,
)
from rankeval.measures.declare.measure_parameters import (
    AtLeast,
    AtMost,
    LessThan,
    Meaning,
    MoreThan,
)
from rankeval.measures.declare.measure_registry import aliases, definitions, measure
from rankeval.measures.declare.per_topic import TopicRanking, topic_measure
from rankeval.measures.declare.plugins import load_installed, load_plugin
from rankeval.ranking import RankedJudgments

__all__ = [
    "GEOMETRIC",
    "MEAN",
    "MEDIAN",
    "SUM",
    "Aggregate",
    "Alias",
    "AtLeast",
    "AtMost",
    "Cutoff",
    "Definition",
    "LessThan",
    "Meaning",
    "Measure",
    "MeasuresLike",
    "MoreThan",
    "NamedMeasure",
    "RankedJudgments",
    "Rel",
    "RequiredCutoff",
    "TopicRanking",
    "Values",
    "aliases",
    "definition_of",
    "definitions",
    "listed_measures",
    "load_installed",
    "load_plugin",
    "measure",
    "measure_names",
    "parse_measure",
    "parse_measures",
    "topic_measure",
]
