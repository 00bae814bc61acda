"""The measures: pure functions from RankedJudgments to one value per topic.

Every module here whose name does not begin with an underscore registers measures, and is found
by that: a new family is a new file and nothing else.
"""

from importlib import import_module
from pkgutil import iter_modules

from rankeval.judgments import RankedJudgments
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
from rankeval.measures.base.registry import aliases, definitions, list_by_family, measure

for _module in iter_modules(__path__):
    if not _module.name.startswith("_"):
        import_module(f"{__name__}.{_module.name}")
list_by_family()

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
