"""trec_eval's measures: their names and parameters, and the values that the catalogue has for them.

A name of trec_eval leads to the measure of rankeval that has its values. Here are the parameters
as trec_eval reads them, and what only trec_eval does: levels of relevance below 1, undefined
values, tables of gains, and texts.
"""

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np

from rankeval.base.arrays import Floats, Integers, offsets_of, owner, position, sums
from rankeval.base.frozen import frozen
from rankeval.measures.arithmetic import log
from rankeval.measures.average_precision import documents_needed, gathered_precision
from rankeval.measures.measure_catalogue import known_names
from rankeval.measures.other_names import ENDINGS, NAMES, RECALLS, SETS
from rankeval.ranking import Ideal, RankedJudgments
from rankeval.trec_eval.flags import (
    BAD_INPUT,
    BAD_TOPIC,
    USAGE,
    Failure,
    Version,
    integer,
    real,
    shown,
)
from rankeval.trec_eval.tabulated import NAN, tabulated, with_unjudged_rows

FLOOR = 0.00001
"""Smaller values enter a geometric mean as this."""

PERSISTENCE = 0.9
"""The p of rbp and rbp_resid if none is given."""

LONGEST_NUMBER = 8
"""Characters to which a real number in a printed name is cut."""


@frozen(eq=False)
class Evaluation:
    """The data from which measures are computed.

    =============== ======================================================================
    judged          the evaluated topics, after -M and -J
    level           the lowest relevant level (-l); below 0, unjudged documents are relevant
    collection_size number of documents in the collection (-N)
    version         the rules of trec_eval's version
    =============== ======================================================================
    """

    judged: RankedJudgments
    level: int
    collection_size: int
    version: Version

    @property
    def rel(self) -> int:
        """The lowest relevant level of a judged document."""
        return max(self.level, 0)

    @cached_property
    def n_relevant(self) -> Integers:
        """R of each topic."""
        return self.judged.count_judged(min_grade=self.rel)

    @cached_property
    def n_found(self) -> Integers:
        """Relevant documents retrieved for each topic; unjudged ones are never counted."""
        return self.judged.count_per_topic(self.judged.grade >= self.rel)

    @cached_property
    def ranked(self) -> RankedJudgments:
        """The judgments in which unjudged documents have rows if they may be relevant."""
        return self.judged if self.level >= 0 else with_unjudged_rows(self.judged)

    @cached_property
    def scanned(self) -> RankedJudgments:
        """The judgments as trec_eval counts relevant documents from the end of the ranking.

        It stops when all that are judged relevant are counted, so unjudged ones above do not count.
        """
        if self.level >= 0:
            return self.judged
        rows = self.ranked
        relevant = rows.grade >= self.level
        too_many = rows.count_per_topic(relevant) - self.n_found
        counted = relevant & (rows.cumulative_count(relevant) > too_many[rows.topic])
        every = rows.ideal
        return replace(rows, grade=counted - 1, ideal=Ideal(every.offsets, 0 * every.grade))


Wording = tuple[bytes, Any]
"""The name to print for a value of a measure's parameters, and the value."""


class Pairs(NamedTuple):
    """The parameters `key=value,...`: gains of levels in the order given, and p."""

    gains: tuple[tuple[int, float], ...] = ()
    p: float | None = None


Read = Callable[[bytes, bytes | None, Version], list[Wording]]
"""A function from a measure's name, the text of its parameters and the version to wordings."""


def none(name: bytes, _text: bytes | None, _version: Version) -> list[Wording]:
    """Ignore the text: the measure has no parameters."""
    return [(name, None)]


def cutoffs(name: bytes, text: bytes | None, _version: Version) -> list[Wording]:
    """Read numbers of documents, each printed on a line of its own."""
    numbers = _distinct(name, text, integer)
    if numbers[0] <= 0:
        raise _impossible(name)
    return [(b"%b_%d" % (name, number), number) for number in numbers]


def levels(name: bytes, text: bytes | None, _version: Version) -> list[Wording]:
    """Read shares of R, each printed on a line of its own."""
    numbers = _distinct(name, text, real)
    return [(name + b"_" + (b"%3.2f" % number)[:LONGEST_NUMBER], number) for number in numbers]


def _distinct(name: bytes, text: bytes | None, read: Callable[[bytes], Any]) -> list[Any]:
    """Return the numbers of a text, or the usual ones, in ascending order."""
    usual = ",".join(ENDINGS.get(name.decode(), ())).encode()
    numbers = sorted(map(read, (usual if text is None else text).split(b",")))
    if any(a == b for a, b in pairwise(numbers)):
        raise _impossible(name)
    return numbers


def reals(*default: float) -> Read:
    """Return a reader of numbers that together make one line."""

    def read(name: bytes, text: bytes | None, _version: Version) -> list[Wording]:
        if text is None:
            return [(name, default)]
        return [(name + b"_" + text, tuple(map(real, text.split(b","))))]

    return read


def pairs(name: bytes, text: bytes | None, version: Version) -> list[Wording]:
    """Read gains of levels, and p, which together make one line."""
    if text is None:
        return [(name, Pairs())]
    gains: list[tuple[int, float]] = []
    p = None
    for item in text.split(b","):
        if item.count(b"=") != 1:
            raise _impossible(name)
        key, _, value = item.partition(b"=")
        if key == b"p":
            p = real(value)
        if version.gain_keys == "leading digits" or re.fullmatch(rb"[+-]?[0-9]+", key):
            gains.append((integer(key), real(value)))
    return [(name + b"_" + text, Pairs(tuple(gains), p))]


def _impossible(name: bytes) -> Failure:
    return Failure(BAD_INPUT, f"trec_eval: Cannot initialize measure '{name.decode()}'")


def catalogued(name: str, judged: RankedJudgments, **given: Any) -> Floats:
    """Return the values of the measure to which a name leads; `value` is its cutoff, or the like.

    Its function is called as it is: trec_eval has parameters that rankeval refuses.
    """
    definition, alias = known_names()[name]
    if "value" in given:
        given[alias.suffix or str(definition.at)] = given.pop("value")
    values: Floats = definition.function(judged, **{**alias.implied, **given})
    return values


Compute = Callable[[Any, str, Any], Floats | list[bytes]]
"""A function from an Evaluation, the Groups of judgments or the preferences of topics, a measure's
name and its parameters to the values of topics."""


def _of_judged(e: Evaluation, name: str, _: None) -> Floats:
    """Unjudged documents are never relevant."""
    return catalogued(name, e.judged, rel=e.rel)


def _of_ranked(e: Evaluation, name: str, value: int | None) -> Floats:
    """Unjudged documents may be relevant."""
    more = {} if value is None else {"value": value}
    return catalogued(name, e.ranked, rel=e.level, **more)


def _of_ranks(e: Evaluation, name: str, value: int | None) -> Floats:
    """Relevance does not matter."""
    return catalogued(name, e.judged, **({} if value is None else {"value": value}))


def _logarithm(name: str, values: Compute) -> Compute:
    """The logarithm of a measure, of 0.00001 at least."""
    return lambda e, _, __: log(np.maximum(values(e, name, None), FLOOR))


def _yaap(e: Evaluation, name: str, _: None) -> Floats:
    """A difference below 0 has no logarithm."""
    rest = 1 + e.n_relevant - gathered_precision(e.ranked, rel=e.level)
    return np.where(rest < 0, NAN, _of_ranked(e, name, None))


def _set_f(e: Evaluation, _: str, weights: tuple[float, ...]) -> Floats:
    """SetF with beta² = x, in the order of operations of trec_eval; x may be 0 or negative."""
    x = weights[0]
    p, r = _of_judged(e, "set_P", None), _of_judged(e, "set_recall", None)
    return np.where(e.n_found > 0, (x + 1.0) * p * r / (x * p + r), 0.0)


def _utility(e: Evaluation, name: str, coefficients: tuple[float, ...]) -> Floats:
    if len(coefficients) != 4:
        raise Failure(BAD_TOPIC, "trec_eval.calc_utility: improper number of coefficients")
    given = dict(zip("abcd", coefficients, strict=True))
    return catalogued(name, e.judged, rel=e.rel, N=e.collection_size, **given)


def _relstring(e: Evaluation, _: str, lengths: tuple[float, ...]) -> list[bytes]:
    """The levels of the first documents: a digit or >, - if unjudged, . if negative."""
    length = max(0, int(lengths[0])) if abs(lengths[0]) < 2**63 else 0
    strings = [bytearray(b"-" * min(length, n)) for n in e.judged.retrieved.tolist()]
    top = e.judged.within(length)
    rows = zip(top.topic.tolist(), top.rank.tolist(), top.grade.tolist(), strict=True)
    for topic, rank, grade in rows:
        strings[topic][rank - 1] = b"0123456789>."[min(grade, 10) if grade >= 0 else 11]
    return [b"'%b'" % bytes(string) for string in strings]


def _at_recall(e: Evaluation, name: str, level: float) -> Floats:
    """IPrec by the version's rule; undefined if nothing is retrieved and no document is needed."""
    rel = e.rel if e.level >= 0 else 0
    rule = e.version.documents_needed
    values = catalogued(name, e.scanned, rel=rel, count=rule, value=level)
    needed = documents_needed(e.n_relevant, level, rule)
    return np.where((e.judged.retrieved == 0) & (needed <= 0), NAN, values)


def _eleven_points(e: Evaluation, _: str, recalls: tuple[float, ...]) -> Floats:
    """IPrec averaged over levels of recall, added up from the last level to the first.

    trec_eval goes up the ranking once: a level that needs more documents than one after it gets
    the value at recall 0, and so do all before it.
    """
    total = np.zeros(len(e.judged))
    at_zero = _at_recall(e, "iprec_at_recall", 0.0)
    lowest = e.n_found
    begun = is_late = np.zeros(len(e.judged), dtype=bool)
    for level in recalls[::-1]:
        needed = documents_needed(e.n_relevant, level, e.version.documents_needed)
        begun = begun | (needed <= e.n_found)
        is_late = is_late | begun & ((needed > lowest) | (needed <= 0))
        at_level = _at_recall(e, "iprec_at_recall", level)
        total = total + np.where(is_late, at_zero, at_level)
        lowest = np.where(begun, np.minimum(lowest, needed), lowest)
    return total / len(recalls)


def _rprec_mult(e: Evaluation, name: str, multiple: float) -> Floats:
    return catalogued(name, e.scanned, rel=e.rel if e.level >= 0 else 0, value=multiple)


def _gained(e: Evaluation, name: str, given: Pairs) -> Floats:
    """A measure of gains, from a table of them if there are any."""
    p = PERSISTENCE if given.p is None else given.p
    if given.gains:
        return tabulated(e.judged, given.gains, known_names()[name][0].name, p)
    return catalogued(name, e.judged, **({"p": p} if name == "rbp" else {}))


def _rndcg(e: Evaluation, name: str, given: Pairs) -> Floats:
    """Rndcg, 0 without a relevant document and undefined without a positive gain."""
    if given.gains:
        values = _gained(e, name, given)
    else:
        # Which topics have a relevant document is seen below, by e.rel, which may be 0.
        values = catalogued(name, e.judged, rel=-math.inf)
        values = np.where(_gained(e, "ideal_dcg", given) > 0, values, NAN)
    return np.where(e.n_relevant > 0, values, 0.0)


def _rbp_resid(e: Evaluation, _: str, given: Pairs) -> Floats:
    """The weight of unjudged and unretrieved documents; 0 if all retrieved ones are judged."""
    p = PERSISTENCE if given.p is None else given.p
    judged = e.judged
    powers = np.full(judged.retrieved.max(initial=0) + 1, p)
    powers[0] = 1.0
    powers = np.multiply.accumulate(powers)
    starts = offsets_of(judged.retrieved)
    is_open = np.ones(starts[-1])
    is_open[starts[judged.topic] + judged.rank - 1] = judged.grade < 0
    topic = owner(starts)
    weight = sums(topic, np.where(is_open > 0, powers[position(starts)], 0.0), len(judged))
    values = powers[judged.retrieved] + (1.0 - p) * weight
    return np.where(sums(topic, is_open, len(judged)) > 0, values, 0.0)


class Groups(NamedTuple):
    """The groups of judgments, each as a topic of its own, and the topic of each."""

    evaluation: Evaluation
    topic: Integers


def _over_groups(values: Compute) -> Compute:
    """A measure of each group's judgments alone, averaged over groups in the order of names."""

    def average(groups: Any, name: str, value: Any) -> Floats:
        each: Any = values(groups.evaluation, name.removesuffix("_avgjg"), value)
        means: Floats = np.bincount(groups.topic, each) / np.bincount(groups.topic)
        return means

    return average


def _preference(topics: Any, name: str, _: None) -> Floats:
    from rankeval.trec_eval.preferences import MEASURES  # few evaluations need them

    return np.array([MEASURES[name](topic) for topic in topics], dtype=float)


Summary = Literal["mean", "sum", "relevant", "geometric", "topics", "tag", "none"]
"""The value of all topics; `summarized` has them."""


@frozen
class Entry:
    """A measure of trec_eval.

    ========= ========================================================================
    name      its name
    compute   computes the values of topics; None if it has none and needs no ranking
    read      reads the parameters
    summary   which value of all topics it has
    integer   True to print it without decimals
    per_topic True to print it for each topic, with -q
    formats   formats of judgments from which it can be computed
    ========= ========================================================================
    """

    name: bytes
    compute: Compute | None
    read: Read = none
    summary: Summary = "mean"
    integer: bool = False
    per_topic: bool = True
    formats: frozenset[bytes] = frozenset({b"qrels"})


_ANY = frozenset({b"qrels", b"qrels_jg", b"prefs", b"qrels_prefs"})
_GROUPS = frozenset({b"qrels_jg"})
_PREFERENCES = frozenset({b"prefs", b"qrels_prefs"})


def _entries() -> Iterable[Entry]:
    """Return all measures, in any order."""
    yield Entry(b"runid", None, summary="tag", per_topic=False, formats=_ANY)
    yield Entry(b"num_q", None, summary="topics", integer=True, per_topic=False, formats=_ANY)
    yield Entry(b"num_ret", _of_ranks, summary="sum", integer=True)
    yield Entry(b"num_rel", _of_judged, summary="relevant", integer=True)
    for name in b"num_rel_ret", b"num_nonrel_judged_ret":
        yield Entry(name, _of_judged, summary="sum", integer=True)
    for name in b"bpref infAP set_P set_relative_P set_recall set_map".split():
        yield Entry(name, _of_judged)
    for name in b"Rprec", b"recip_rank", b"map", b"binG":
        yield Entry(name, _of_ranked)
    for name in b"P", b"recall", b"relative_P", b"map_cut":
        yield Entry(name, _of_ranked, cutoffs)
    yield Entry(b"success", lambda e, _, k: _of_ranked(e, "Success", k), cutoffs)
    logarithm = _logarithm("map", _of_ranked)
    yield Entry(b"gm_map", logarithm, summary="geometric", per_topic=False)
    logarithm = _logarithm("bpref", _of_judged)
    yield Entry(b"gm_bpref", logarithm, summary="geometric", per_topic=False)
    yield Entry(b"iprec_at_recall", _at_recall, levels)
    yield Entry(b"11pt_avg", _eleven_points, reals(*RECALLS))
    yield Entry(b"Rprec_mult", _rprec_mult, levels)
    yield Entry(b"relstring", _relstring, reals(10), "none")
    yield Entry(b"utility", _utility, reals(1, -1, 0, 0))
    yield Entry(b"set_F", _set_f, reals(1))
    yield Entry(b"yaap", _yaap)
    yield Entry(b"unj", _of_ranks, cutoffs)
    yield Entry(b"ndcg_cut", lambda e, name, k: catalogued(name, e.judged, value=k), cutoffs)
    for name in b"G", b"dcg", b"ideal_dcg", b"ndcg", b"ndcg_rel", b"rbp":
        yield Entry(name, _gained, pairs)
    yield Entry(b"Rndcg", _rndcg, pairs)
    yield Entry(b"rbp_resid", _rbp_resid, pairs)
    yield Entry(b"map_avgjg", _over_groups(_of_ranked), formats=_GROUPS)
    yield Entry(b"P_avgjg", _over_groups(_of_ranked), cutoffs, formats=_GROUPS)
    yield Entry(b"Rprec_mult_avgjg", _over_groups(_rprec_mult), levels, formats=_GROUPS)
    for each in NAMES:
        if each.startswith("prefs_"):
            counts: Any = {"summary": "sum", "integer": True} if "_num_" in each else {}
            yield Entry(each.encode(), _preference, formats=_PREFERENCES, **counts)


_BY_NAME = {entry.name: entry for entry in _entries()}
MEASURES = tuple(_BY_NAME[name.encode()] for name in NAMES)
"""All measures, in the order in which they are printed."""


def known(version: Version) -> dict[bytes, Entry]:
    """Return the measures of a version by name, in the order in which they are printed."""
    missing = version.missing_measures
    return {entry.name: entry for entry in MEASURES if entry.name.decode() not in missing}


def requested(names: Iterable[bytes], version: Version) -> list[tuple[Entry, bytes | None]]:
    """Return the measures that -m names, in the order of printing, with texts of parameters.

    Failure for an unknown name.

    The first parameters given for a measure are its parameters.
    """
    entries = known(version)
    wanted: set[str] = set()
    texts: dict[bytes, bytes] = {}
    for given in names:
        head, dot, text = given.partition(b".")
        name = shown(head)
        if dot and not text:
            improper = f"trec_eval: improper measure in parameter '{name}'\n"
            raise Failure(USAGE, f"{improper}trec_eval: illegal measure '{name}'")
        if name not in SETS and head not in entries:
            raise Failure(USAGE, f"trec_eval: illegal measure '{name}'")
        wanted |= SETS.get(name, {name})
        if dot:
            texts.setdefault(head, text)
    return [
        (entry, texts.get(entry.name))
        for entry in entries.values()
        if entry.name.decode() in wanted
    ]


def summarized(
    entry: Entry, values: Floats, *, averaged: int, relevant: int | None, tag: bytes
) -> float | bytes | None:
    """Return the value of all topics; None for no line.

    ======== ============================================================================
    averaged number of topics over which means are taken
    relevant number of documents with a level above 0 in the whole qrels with -c, else None
    tag      tag of the run
    ======== ============================================================================
    """
    if entry.summary in ("none", "tag", "topics"):
        return {"none": None, "tag": tag, "topics": averaged}[entry.summary]
    if entry.summary == "relevant" and relevant is not None:
        return relevant
    # One by one in the order of topics, beginning with 0.
    total = 0.0 + float(np.add.accumulate(values)[-1])
    if entry.summary in ("sum", "relevant"):
        return total
    if entry.summary == "mean":
        return total / averaged
    # Topics without a value count as the floor.
    lacking = (averaged - len(values)) * math.log(FLOOR)
    try:
        return math.exp((total + lacking) / averaged)
    except OverflowError:
        return math.inf
