"""ir_measures on rankeval: `import rankeval.compat.ir_measures as ir_measures` is the whole switch.

It has every public name of ir_measures, which must be installed. After the import, rankeval is the
first provider of `ir_measures.DefaultPipeline`, for all code in the process that uses ir_measures,
PyTerrier among it. Where PyTerrier was imported before, `pyterrier.Experiment` takes measures of
rankeval, such as `rankeval.nDCG @ 10` and `rankeval.Q`. Measures that users define, and Compat, go
to the other providers as before.

A measure with a parameter that no definition allows, such as `nDCG@0`, is NaN on every topic, with
a warning, and the other measures have their values; ir_measures raises an error for all of them.

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
import sys
import warnings
from collections.abc import Iterable, Iterator
from functools import wraps
from typing import Any

import ir_measures as _original
from ir_measures import *  # noqa: F403  the names of the library that this module replaces
from ir_measures import __all__, __version__  # noqa: F401  as the library has them
from ir_measures.providers.base import NOT_PROVIDED
from ir_measures.util import QrelsConverter, RunConverter

import rankeval

LEAVE_OUT = {"Accuracy"}
"""Measures whose undefined topics ir_measures leaves out; others have 0 there."""

OTHERS = {"Compat"}
"""Measures that ir_measures defines otherwise; its own providers go on serving them."""

SETTINGS = rankeval.options.Settings(topics="both", single_precision=True)
"""As pytrec_eval, from which ir_measures takes most values, compares scores."""

_OF_LIBRARY = frozenset(map(type, _original.measures.registry.values()))


class OfRankeval(_original.Measure):
    """A measure of rankeval, also one that ir_measures lacks, as a measure of ir_measures.

    >>> from rankeval import Q
    >>> import rankeval.compat.ir_measures as ir_measures
    >>> judged, run = {"q1": {"d1": 1}}, {"q1": {"d1": 0.5}}
    >>> ir_measures.calc_aggregate([ir_measures.OfRankeval(Q)], judged, run)
    {Q: 1.0}
    """

    def __init__(self, measure: rankeval.Measure) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # ir_measures lacks some types
        measure.require_complete()
        self.measure, self.validated = measure, True
        self.NAME, self.__name__ = f"rankeval {measure}", str(measure)

    def aggregator(self) -> Any:
        """Return the rule that makes one number of all topics: a sum for counts, else the mean."""
        aggregators = _original.measures.base
        is_sum = self.measure.definition.aggregate.name == "sum"
        return aggregators.SumAgg() if is_sum else aggregators.MeanAgg()


class RankevalProvider(_original.Provider):
    """Serves the measures of ir_measures that rankeval has."""

    NAME = "rankeval"

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # ir_measures lacks some types

    def supports(self, measure: Any) -> bool:
        """Return True for a measure of ir_measures' own that rankeval defines alike.

        An invalid one, such as `nDCG@0`, is NaN here: other providers raise an error, or end the
        process, and no measure of the call has a value.
        """
        if isinstance(measure, OfRankeval):
            return True
        if type(measure) not in _OF_LIBRARY:
            return False
        return measure.NAME not in OTHERS or _refusal(measure) is not None

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> "_Evaluator":
        return _Evaluator(sorted(measures, key=str), qrels)  # a set, of no lasting order


class _Evaluator(_original.Evaluator):
    """Evaluates runs; measures of subtopics by the subtopics in the column `iteration`."""

    def __init__(self, measures: list[Any], qrels: Any) -> None:
        judged: dict[str, dict[str, float]] = {}
        by_subtopic: dict[str, dict[str, dict[str, float]]] = {}
        for line in QrelsConverter(qrels).as_namedtuple_iter():
            judged.setdefault(line.query_id, {})[line.doc_id] = line.relevance
            subtopics = by_subtopic.setdefault(line.query_id, {}).setdefault(line.doc_id, {})
            # Every iteration names a subtopic, as for pyndeval: rankeval takes a lone 0 for none.
            subtopics[f"iteration {line.iteration}"] = line.relevance
        super().__init__(measures, set(judged))
        refusals = {measure: _refusal(measure) for measure in measures}
        self._invalid = [measure for measure, reason in refusals.items() if reason]
        for measure in self._invalid:
            reason = refusals[measure]
            warnings.warn(f"{measure.NAME} has no values, only NaN: {reason}", stacklevel=4)
        valid = [measure for measure, reason in refusals.items() if not reason]
        plain = [measure for measure in valid if not _needs_subtopics(measure)]
        diverse = [measure for measure in valid if measure not in plain]
        self._evaluators = [
            (rankeval.Evaluator(grades, [_name(measure) for measure in chosen], SETTINGS), chosen)
            for grades, chosen in ((judged, plain), (by_subtopic, diverse))
            if grades and chosen
        ]

    def iter_calc(self, run: Any) -> Iterator[Any]:
        """Yield values; topics without one have the measure's default, but for Accuracy."""
        found = [*self._iter_calc(run)]
        yield from found
        there = {(metric.measure, metric.query_id) for metric in found}
        for measure in sorted(self.measures, key=str):
            for topic in sorted(self.qrel_qids):
                if measure.NAME not in LEAVE_OUT and (measure, topic) not in there:
                    value = measure.DEFAULT
                    yield _original.Metric(query_id=topic, measure=measure, value=value)

    def _iter_calc(self, run: Any) -> Iterator[Any]:
        rankings = RunConverter(run).as_dict_of_dict()
        for evaluator, measures in self._evaluators:
            by_topic = evaluator.per_topic(rankings)
            for topic in filter(by_topic.__contains__, rankings):  # in the order of the run
                for measure, value in zip(measures, by_topic[topic].values(), strict=True):
                    if not math.isnan(value):
                        yield _original.Metric(query_id=topic, measure=measure, value=value)
        for measure in self._invalid:
            for topic in sorted(self.qrel_qids):
                yield _original.Metric(query_id=topic, measure=measure, value=math.nan)


def _refusal(measure: Any) -> str | None:
    """Return why a measure has no values, or None where its parameters are possible."""
    try:
        measure.validate_params()
        rankeval.parse_measure(_name(measure))
    # ir_measures asserts the values of parameters, and looks up those that it does not know.
    except (AssertionError, KeyError, rankeval.MeasureError) as error:
        if "<object object" in str(error):
            return "a parameter without a default is missing"
        return "; ".join(line.strip() for line in str(error).splitlines())
    return None


def _name(measure: Any) -> str:
    """Return the name that rankeval has for a measure."""
    if measure.NAME == "SetF" and measure["beta"] is not NOT_PROVIDED:
        measure = measure(beta=math.sqrt(measure["beta"]))
    return str(measure)


def _needs_subtopics(measure: Any) -> bool:
    return any(
        need.name == "subtopics" for need in rankeval.parse_measure(_name(measure)).considers
    )


def _enter_pyterrier() -> None:
    """Let `pyterrier.Experiment` take measures of rankeval, if PyTerrier is imported; once."""
    pyterrier = sys.modules.get("pyterrier")
    if pyterrier is None or hasattr(pyterrier.Experiment, "__wrapped__"):
        return
    original = pyterrier.Experiment

    @wraps(original)
    def experiment(
        retr_systems: Any, topics: Any, qrels: Any, eval_metrics: Any, *others: Any, **named: Any
    ) -> Any:
        measures = [
            OfRankeval(given) if isinstance(given, rankeval.Measure) else given
            for given in eval_metrics
        ]
        return original(retr_systems, topics, qrels, measures, *others, **named)

    pyterrier.Experiment = experiment  # type: ignore[attr-defined]  # a module


def _provide() -> None:
    """Put rankeval before the other providers, once."""
    providers = _original.DefaultPipeline.providers
    if not any(provider.NAME == RankevalProvider.NAME for provider in providers):
        providers.insert(0, _original.providers.register(RankevalProvider()))


_provide()
_enter_pyterrier()
