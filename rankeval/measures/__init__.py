"""The measures: pure functions from RankedJudgments to one value per topic."""

from importlib import import_module

from rankeval.measures._names import (
    NamedMeasure,
    definition_of,
    parse_measure,
    parse_measures,
)
from rankeval.measures._registry import Alias, Definition, Measure, aliases, definitions, measure

FAMILIES = (
    "counts",
    "sets",
    "precision",
    "recall_levels",
    "average_precision",
    "reciprocal_rank",
    "cumulated_gain",
    "ideal_walk",
    "cascade",
    "rank_biased",
    "cwl",
    "ntcir",
    "compat",
    "incomplete",
    "roc",
    "gain_space",
)
"""The modules that register measures, in the order in which `rankeval measures` lists them."""

for _family in FAMILIES:
    import_module(f"rankeval.measures.{_family}")

__all__ = [
    "Alias",
    "Definition",
    "Measure",
    "NamedMeasure",
    "aliases",
    "definition_of",
    "definitions",
    "measure",
    "parse_measure",
    "parse_measures",
]
