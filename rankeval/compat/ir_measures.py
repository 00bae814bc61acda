"""ir_measures on rankeval: `import rankeval.compat.ir_measures as ir_measures` is the whole switch.

It has every public name of ir_measures, which must be installed. After the import, rankeval is the
first provider of `ir_measures.DefaultPipeline`, for all code in the process that uses ir_measures,
PyTerrier among it. Measures that users define and measures that rankeval lacks go to the other
providers as before.

Where the same spelling means something else, it is translated: `SetF(beta=b)` of ir_measures is
trec_eval's set_F, in which b weighs recall by itself and not by its square.

>>> import rankeval.compat.ir_measures as ir_measures
>>> from ir_measures import nDCG
>>> judged = {"q1": {"d1": 1, "d2": 0}}
>>> run = {"q1": {"d1": 0.1, "d2": 0.9}}
>>> ir_measures.calc_aggregate([nDCG @ 10], judged, run)
{nDCG@10: 0.6309297535714575}
"""

import math
from collections.abc import Iterable, Iterator
from typing import Any

import ir_measures as _original
from ir_measures import *  # noqa: F403  the names of the library that this module stands for
from ir_measures import __all__, __version__  # noqa: F401  as the library has them
from ir_measures.providers.base import NOT_PROVIDED
from ir_measures.util import QrelsConverter, RunConverter

import rankeval

OTHERS = {"Compat"}
"""Measures that ir_measures defines otherwise; its own providers go on serving them."""

SETTINGS = rankeval.Settings(topics="both", single_precision=True)
"""As pytrec_eval, from which ir_measures takes most values, compares scores."""

_OF_LIBRARY = frozenset(map(type, _original.measures.registry.values()))


class RankevalProvider(_original.Provider):
    """Serves the measures of ir_measures that rankeval has."""

    NAME = "rankeval"

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # ir_measures lacks some types

    def supports(self, measure: Any) -> bool:
        """Return True for a measure of ir_measures' own that rankeval defines alike."""
        measure.validate_params()
        if type(measure) not in _OF_LIBRARY or measure.NAME in OTHERS:
            return False
        try:
            rankeval.parse_measure(_name(measure))
        except rankeval.MeasureError:
            return False
        return True

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> "_Evaluator":
        return _Evaluator(list(measures), qrels)


class _Evaluator(_original.Evaluator):
    """Evaluates runs; measures of subtopics by the subtopics in the column `iteration`."""

    def __init__(self, measures: list[Any], qrels: Any) -> None:
        judged: dict[str, dict[str, float]] = {}
        by_subtopic: dict[str, dict[str, dict[str, float]]] = {}
        for one in QrelsConverter(qrels).as_namedtuple_iter():
            judged.setdefault(one.query_id, {})[one.doc_id] = one.relevance
            subtopics = by_subtopic.setdefault(one.query_id, {}).setdefault(one.doc_id, {})
            subtopics[one.iteration] = one.relevance
        super().__init__(measures, set(judged))
        plain = [one for one in measures if not _needs_subtopics(one)]
        diverse = [one for one in measures if _needs_subtopics(one)]
        self._evaluators = [
            (rankeval.Evaluator(grades, [_name(one) for one in chosen], SETTINGS), chosen)
            for grades, chosen in ((judged, plain), (by_subtopic, diverse))
            if grades and chosen
        ]

    def _iter_calc(self, run: Any) -> Iterator[Any]:
        rankings = RunConverter(run).as_dict_of_dict()
        for evaluator, measures in self._evaluators:
            for topic, values in evaluator.per_topic(rankings).items():
                for measure, value in zip(measures, values.values(), strict=True):
                    if not math.isnan(value):
                        yield _original.Metric(query_id=topic, measure=measure, value=value)


def _name(measure: Any) -> str:
    """Return the name that rankeval has for a measure."""
    if measure.NAME == "SetF" and measure["beta"] is not NOT_PROVIDED:
        measure = measure(beta=math.sqrt(measure["beta"]))
    return str(measure)


def _needs_subtopics(measure: Any) -> bool:
    return any(
        need.name == "subtopics" for need in rankeval.parse_measure(_name(measure)).considers
    )


def _provide() -> None:
    """Put rankeval before the other providers, once."""
    providers = _original.DefaultPipeline.providers
    if not any(provider.NAME == RankevalProvider.NAME for provider in providers):
        providers.insert(0, _original.providers.register(RankevalProvider()))


_provide()
