"""pytrec_eval's interface: `import rankeval.compat.pytrec_eval as pytrec_eval` is the whole switch.

Names and values are those of pytrec_eval (within 1e-12), with these choices:

- `relstring` and `runid`, which are texts in trec_eval, are 0.0, as they are there.
- An empty ranking scores 0, where pytrec_eval may not return.
- A `relevance_level` below 0, for which pytrec_eval ends the process or gives 0, raises TypeError.
- `utility.1,-1,0,0` has the value that trec_eval gives these coefficients, where pytrec_eval prints
  an error and gives 0.0.
- Wrong input raises rankeval's errors, which say what is wrong and where.

>>> import rankeval.compat.pytrec_eval as pytrec_eval
>>> evaluator = pytrec_eval.RelevanceEvaluator({"q1": {"d1": 1, "d2": 0}}, {"map", "P.5"})
>>> sorted(evaluator.evaluate({"q1": {"d1": 0.1, "d2": 0.9}})["q1"].items())
[('P_5', 0.2), ('map', 0.5)]
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np

import rankeval

Number = TypeVar("Number", int, float)
ByName = dict[str, dict[str, Number]]

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

TEXTS = frozenset({"relstring", "runid"})
"""The values of trec_eval that are no numbers."""

supported_measures = {
    *("11pt_avg", "G", "P", "Rndcg", "Rprec", "Rprec_mult", "binG", "bpref", "gm_bpref"),
    *("gm_map", "infAP", "iprec_at_recall", "map", "map_cut", "ndcg", "ndcg_cut", "ndcg_rel"),
    *("num_nonrel_judged_ret", "num_q", "num_rel", "num_rel_ret", "num_ret", "recall"),
    *("recip_rank", "relative_P", "relstring", "runid", "set_F", "set_P", "set_map"),
    *("set_recall", "set_relative_P", "success", "utility"),
}
"""The measures, without their cutoffs."""

_COUNTS = {"num_q", "num_rel", "num_rel_ret", "num_ret", "runid"}
_OFFICIAL = {"P", "Rprec", "bpref", "gm_map", "iprec_at_recall", "map", "recip_rank"}
_SET = {"set_F", "set_P", "set_map", "set_recall", "set_relative_P", "utility"}
supported_nicknames = {
    "official": _COUNTS | _OFFICIAL,
    "set": _COUNTS | _SET,
    "all_trec": set(supported_measures),
}
"""Names of sets of measures."""

WITH_FRACTIONS = {"Rprec_mult", "iprec_at_recall"}
"""Measures whose cutoffs are written with two decimals."""

WITH_CUTOFFS = r"(.+?)[._]((?:\d+\.?\d*|\.\d+)(?:,(?:\d+\.?\d*|\.\d+))*)"
"""A name such as P_5, P.5,10 or Rprec_mult.0.2."""

COEFFICIENTS = ("a", "b", "c", "d")
"""The parameters of utility, in their order."""

LEAST = 0.00001
"""Smallest value that enters a geometric mean."""


def parse_run(f_run: Iterable[str]) -> ByName[float]:
    """Read the lines of a run: topic Q0 docno rank score tag.

    AssertionError for a document that a topic has twice.

    >>> dict(parse_run(["q1 Q0 d1 1 0.5 tag"]))
    {'q1': {'d1': 0.5}}
    """
    lines = map(str.split, f_run)
    return _by_topic((topic, docno, float(score)) for topic, _, docno, _, score, _ in lines)


def parse_qrel(f_qrel: Iterable[str]) -> ByName[int]:
    """Read the lines of judgments: topic 0 docno grade.

    AssertionError for a document that a topic has twice.

    >>> dict(parse_qrel(["q1 0 d1 2"]))
    {'q1': {'d1': 2}}
    """
    lines = map(str.split, f_qrel)
    return _by_topic((topic, docno, int(grade)) for topic, _, docno, grade in lines)


def _by_topic(rows: Iterable[tuple[str, str, Number]]) -> ByName[Number]:
    found: ByName[Number] = defaultdict(dict)
    for topic, docno, number in rows:
        if docno in found[topic]:
            raise AssertionError(f"document {docno!r} is listed twice in a topic")
        found[topic][docno] = number
    return found


def compute_aggregated_measure(measure: str, values: Sequence[float]) -> float:
    """Return the sum of counts, the geometric mean of gm_ measures, the mean of others.

    >>> compute_aggregated_measure("map", [0.5, 0.25])
    0.375
    """
    total = math.fsum(values)
    if measure.startswith("num_"):
        return total
    if not len(values):
        return math.nan
    mean = total / len(values)
    return math.exp(mean) if measure.startswith("gm_") else mean


class RelevanceLevelError(rankeval.UsageError, TypeError):
    """A relevance level that is no positive number, for which pytrec_eval raises TypeError."""


class ScoresError(rankeval.InputError, TypeError):
    """A run that is no dictionary of rankings, for which pytrec_eval raises TypeError."""


class RelevanceEvaluator:
    """Evaluate runs against judgments {topic: {docno: grade}} by trec_eval's measures.

    `measures` are names of `supported_measures`, with cutoffs as in "ndcg_cut.5,10" or "P_5", or of
    `supported_nicknames`; ValueError for any other. `relevance_level` is the lowest relevant grade;
    TypeError for anything but an integer of at least 1. With `judged_docs_only_flag`, unjudged
    documents are dropped first.

    >>> RelevanceEvaluator({"q1": {"d1": 1}}, {"recip_rank"}).evaluate({"q1": {"d1": 1.0}})
    {'q1': {'recip_rank': 1.0}}
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,  # noqa: FBT001, FBT002  as pytrec_eval has it
    ) -> None:
        """Prepare judgments and measures."""
        _require_level(relevance_level)
        judged = {topic: dict(grades) for topic, grades in query_relevance.items() if grades}
        expanded, self._keys = _with_parameters(measures)
        names = sorted(expanded - TEXTS)
        self._texts = sorted(expanded & TEXTS)
        self._topics = judged.keys()
        settings = rankeval.options.Settings.like_tool(
            "trec_eval9",
            topics="both",
            min_grade=int(relevance_level),
            judged_only=judged_docs_only_flag,
        )
        self._evaluator = rankeval.Evaluator(judged, names, settings) if judged and names else None

    def evaluate(self, scores: Mapping[str, Mapping[str, float]] | None) -> ByName[float]:
        """Return {topic: {measure: value}} of the judged topics of the run, in its order.

        None is a run without topics; TypeError for what is no dictionary of rankings.
        """
        if not scores:
            return {}
        if not isinstance(scores, Mapping):
            raise ScoresError(
                f"the run is {scores!r} ({type(scores).__name__})",
                expected="{topic: {docno: score}}",
            )
        if self._evaluator is None:
            return {t: dict.fromkeys(self._texts, 0.0) for t in scores if t in self._topics}
        by_topic = self._evaluator.per_topic(dict(scores))
        found = {topic: by_topic[topic] for topic in scores if topic in by_topic}
        for values in found.values() if self._keys else ():
            for name, key in self._keys.items():
                values[key] = values.pop(name)
        logarithmic = [name for name in self._evaluator.measures if name.startswith("gm_")]
        for values in found.values() if logarithmic or self._texts else ():
            values.update(dict.fromkeys(self._texts, 0.0))
            for name in logarithmic:
                values[name] = math.log(max(values[name], LEAST))
        return found


def _require_level(level: object) -> None:
    if not isinstance(level, int | np.integer) or level < 1:
        raise RelevanceLevelError(
            f"relevance_level is {level!r}", expected="an integer of at least 1"
        )


def _with_parameters(measures: Iterable[str]) -> tuple[set[str], dict[str, str]]:
    """Return names of measures, and the keys of those whose parameters their keys do not show.

    These are `set_F.0.5`, whose key is set_F, and `utility.1,-1,0,0`, whose key is utility.
    """
    if isinstance(measures, str):
        raise TypeError(f"measures must be several names, not the text {measures!r}")
    plain, keys = set(), {}
    for name in measures:
        base, mark, text = name.partition(".")
        numbers = text.split(",") if mark else []
        if base == "set_F" and numbers:
            keys[f"set_F_{numbers[0]}"] = base
        elif base == "utility" and len(numbers) == len(COEFFICIENTS):
            given = ",".join(f"{c}={n}" for c, n in zip(COEFFICIENTS, numbers, strict=True))
            keys[f"SetUtility({given})"] = base
        else:
            plain.add(name)
    expanded = _expanded(plain) - {*keys.values()}
    return expanded | {*keys}, keys


def _expanded(measures: Iterable[str]) -> set[str]:
    """Return names of measures, each with at most one cutoff; ValueError for an unknown one."""
    expanded: set[str] = set()
    for name in measures:
        expanded |= supported_nicknames.get(name) or {name}
    cut = {name for name in expanded if name not in supported_measures}
    found: set[str] = set()
    for name in cut:
        parts = re.fullmatch(WITH_CUTOFFS, name)
        if parts is None or parts[1] not in supported_measures:
            raise ValueError(f"unsupported measure {name}")
        base, cutoffs = parts[1], parts[2].split(",")
        if base in WITH_FRACTIONS:
            cutoffs = [f"{float(cutoff):.2f}" for cutoff in cutoffs]
        found |= {f"{base}_{cutoff}" for cutoff in cutoffs}
        expanded.discard(base)  # named cutoffs take the place of the usual ones
    return (expanded - cut) | found
