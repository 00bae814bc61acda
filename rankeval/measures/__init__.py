"""The measures: pure functions from RankedJudgments to one value per topic.

A family of measures is a module here and a line of names in `base/families.py`, by which it is
imported when one of its measures is first asked for.
"""

from rankeval.measures.base.aggregates import GEOMETRIC, MEAN, MEDIAN, SUM, Aggregate
from rankeval.measures.base.definition import (
    Alias,
    Cutoff,
    Definition,
    Measure,
    Rel,
    RequiredCutoff,
    Values,
)
from rankeval.measures.base.names import (
    MeasuresLike,
    NamedMeasure,
    definition_of,
    listed_measures,
    measure_names,
    parse_measure,
    parse_measures,
)
from rankeval.measures.base.parameters import AtLeast, AtMost, LessThan, Meaning, MoreThan
from rankeval.measures.base.per_topic import TopicRanking, topic_measure
from rankeval.measures.base.plugins import load_installed, load_plugin
from rankeval.measures.base.registry import aliases, definitions, measure
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
