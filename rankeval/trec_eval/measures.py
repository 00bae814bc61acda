"""trec_eval's measures: their names and parameters, and the values that the catalogue has for them.

A name of trec_eval leads to the measure of rankeval that has its values. Here are the parameters
as trec_eval reads them, and what only trec_eval does: levels of relevance below 1, undefined
values, tables of gains, and texts.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.base.frozen import frozen, record, replace
from rankeval.measures.average_precision import documents_needed, gathered_precision
from rankeval.measures.measure_catalogue import known_names
from rankeval.measures.other_names import ENDINGS, NAMES, RECALLS, SETS
from rankeval.ranking import Ideal, RankedJudgments
from rankeval.trec_eval.flags import BAD_TOPIC, USAGE, Failure, integer, real, shown
from rankeval.trec_eval.tabulated import tabulated, with_unjudged_rows

PERSISTENCE = 0.9
"""The p of rbp and rbp_resid if none is given."""

LONGEST_NUMBER = 8
"""Characters to which a real number in a printed name is cut."""


@record
class Evaluation:
    """The data from which measures are computed.

    =============== ======================================================================
    judged          the evaluated topics, after -M and -J
    level           the lowest relevant level (-l); below 0, unjudged documents are relevant
    collection_size number of documents in the collection (-N)
    version         the version whose rules hold: 9 or 10
    preferences     those of each topic, for formats that have them
    groups          the topic of each group of judgments, which is a topic of `judged`, with -R jg
    missing         the topics that the run lacks
    =============== ======================================================================
    """

    judged: RankedJudgments
    level: int
    collection_size: int = 0
    version: int = 10
    preferences: Sequence[Any] = ()
    groups: Integers | None = None
    missing: Any = None

    @property
    def rel(self) -> int:
        """The lowest relevant level of a judged document."""
        return max(self.level, 0)

    @property
    def rounding(self) -> str:
        """How a share of R becomes a number of documents."""
        return "add 0.9" if self.version == 9 else "nearest"

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
"""What the printed name adds to a measure's name, and the value of the parameter."""

Read = Callable[[bytes | None, str, int], list[Wording]]
"""A function of the text of the parameters, the measure's name and the version to the lines to
print; ValueError for parameters that cannot be."""


def none(_text: bytes | None, _name: str, _version: int) -> list[Wording]:
    """Ignore the text: the measure has no parameters."""
    return [(b"", None)]


def cutoffs(text: bytes | None, name: str, _version: int) -> list[Wording]:
    """Read numbers of documents, each printed on a line of its own."""
    numbers = _distinct(text, name, integer)
    if numbers[0] <= 0:
        raise ValueError
    return [(b"_%d" % number, number) for number in numbers]


def levels(text: bytes | None, name: str, _version: int) -> list[Wording]:
    """Read shares of R, each printed on a line of its own."""
    numbers = _distinct(text, name, real)
    return [(b"_" + (b"%3.2f" % number)[:LONGEST_NUMBER], number) for number in numbers]


def _distinct(text: bytes | None, name: str, read: Callable[[bytes], Any]) -> list[Any]:
    """Return the numbers of a text, or the usual ones, in ascending order."""
    texts = map(str.encode, ENDINGS[name]) if text is None else text.split(b",")
    numbers = sorted(map(read, texts))
    if any(a == b for a, b in pairwise(numbers)):
        raise ValueError
    return numbers


def reals(*default: float) -> Read:
    """Return a reader of numbers that together make one line."""

    def read(text: bytes | None, _name: str, _version: int) -> list[Wording]:
        if text is None:
            return [(b"", default)]
        return [(b"_" + text, tuple(map(real, text.split(b","))))]

    return read


@frozen
class Pairs:
    """The parameters `key=value,...`: gains of levels in the order given, and p."""

    gains: tuple[tuple[int, float], ...] = ()
    p: float = PERSISTENCE


def pairs(text: bytes | None, _name: str, version: int) -> list[Wording]:
    """Read gains of levels, and p, which together make one line."""
    if text is None:
        return [(b"", Pairs())]
    items = [(key, real(value)) for key, value in (item.split(b"=") for item in text.split(b","))]
    # Version 9 takes the leading digits of a key, or 0 if it has none.
    gains = [
        (integer(key), value)
        for key, value in items
        if version == 9 or re.fullmatch(rb"[+-]?[0-9]+", key)
    ]
    return [(b"_" + text, Pairs(tuple(gains), dict(items).get(b"p", PERSISTENCE)))]


def catalogued(name: str, judged: RankedJudgments, value: Any = None, **given: Any) -> Floats:
    """Return the values of the measure to which a name leads; `value` is its cutoff, or the like.

    Its function is called as it is: trec_eval has parameters that rankeval refuses.
    """
    # Each group of judgments is evaluated as a topic.
    definition, alias = known_names()[name.removesuffix("_avgjg")]
    if value is not None:
        given[alias.suffix or str(definition.at)] = value
    values: Floats = definition.function(judged, **{**alias.implied, **given})
    return values


Compute = Callable[[Evaluation, str, Any], Floats | list[bytes]]
"""A function from an Evaluation, a measure's name and its parameter to the values of topics."""


def _of_judged(e: Evaluation, name: str, _: None) -> Floats:
    """Unjudged documents are never relevant."""
    return catalogued(name, e.judged, rel=e.rel)


def _of_ranked(e: Evaluation, name: str, value: int | None) -> Floats:
    """Unjudged documents may be relevant."""
    return catalogued(name, e.ranked, value, rel=e.level)


def _of_ranks(e: Evaluation, name: str, value: int | None) -> Floats:
    """The lowest relevant level does not matter."""
    return catalogued(name, e.judged, value)


def _yaap(e: Evaluation, name: str, _: None) -> Floats:
    """A difference below 0 has no logarithm."""
    rest = 1 + e.n_relevant - gathered_precision(e.ranked, rel=e.level)
    return np.where(rest < 0, math.nan, _of_ranked(e, name, None))


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
    values = catalogued(name, e.scanned, level, rel=e.rel, count=e.rounding)
    needed = documents_needed(e.n_relevant, level, e.rounding)
    return np.where((e.judged.retrieved == 0) & (needed <= 0), math.nan, values)


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
        needed = documents_needed(e.n_relevant, level, e.rounding)
        begun = begun | (needed <= e.n_found)
        is_late = is_late | begun & ((needed > lowest) | (needed <= 0))
        total = total + np.where(is_late, at_zero, _at_recall(e, "iprec_at_recall", level))
        lowest = np.where(begun, np.minimum(lowest, needed), lowest)
    return total / len(recalls)


def _rprec_mult(e: Evaluation, name: str, multiple: float) -> Floats:
    return catalogued(name, e.scanned, multiple, rel=e.rel)


def _gained(e: Evaluation, name: str, given: Pairs) -> Floats:
    """A measure of gains, from a table of them if there are any."""
    if given.gains:
        return tabulated(e.judged, given.gains, known_names()[name][0].name, given.p)
    return catalogued(name, e.judged, **({"p": given.p} if name == "rbp" else {}))


def _rndcg(e: Evaluation, name: str, given: Pairs) -> Floats:
    """Rndcg, 0 without a relevant document and undefined without a positive gain."""
    values = _gained(e, name, given)
    if not given.gains:
        # Which topics have a relevant document is seen below, by e.rel, which may be 0.
        values = catalogued(name, e.judged, rel=-math.inf)
        values = np.where(_gained(e, "ideal_dcg", given) > 0, values, math.nan)
    return np.where(e.n_relevant > 0, values, 0.0)


def _preference(e: Evaluation, name: str, _: None) -> Floats:
    from rankeval.trec_eval.preferences import MEASURES  # few evaluations need them

    return np.array([MEASURES[name](topic) for topic in e.preferences], dtype=float)


@record
class Entry:
    """A measure of trec_eval.

    ======= ==========================================================================
    compute computes the values of topics; None if it has none and needs no ranking
    read    reads the parameters
    summary the value of all topics: `mean` and the like, the `tag` of the run, or their number
    kind    the judgments that it needs: "qrels", "jg" for groups, or "prefs"; "" for any
    ======= ==========================================================================
    """

    compute: Compute | None
    read: Read = none
    summary: Literal["mean", "sum", "relevant", "geometric", "topics", "tag", "none"] = "mean"
    kind: str = "qrels"


_GAINS = ("G", "dcg", "ideal_dcg", "ndcg", "ndcg_rel", "rbp")
_BY_NAME = {
    "runid": Entry(None, summary="tag", kind=""),
    "num_q": Entry(None, summary="topics", kind=""),
    "num_ret": Entry(_of_ranks, summary="sum"),
    "num_rel": Entry(_of_judged, summary="relevant"),
    **dict.fromkeys(("num_rel_ret", "num_nonrel_judged_ret"), Entry(_of_judged, summary="sum")),
    **dict.fromkeys(("bpref", "infAP", "set_P", "set_relative_P"), Entry(_of_judged)),
    **dict.fromkeys(("set_recall", "set_map"), Entry(_of_judged)),
    **dict.fromkeys(("Rprec", "recip_rank", "map", "binG"), Entry(_of_ranked)),
    **dict.fromkeys(("P", "recall", "relative_P", "map_cut"), Entry(_of_ranked, cutoffs)),
    "success": Entry(lambda e, _, k: _of_ranked(e, "Success", k), cutoffs),
    "gm_map": Entry(_of_ranked, summary="geometric"),
    "gm_bpref": Entry(_of_judged, summary="geometric"),
    "iprec_at_recall": Entry(_at_recall, levels),
    "11pt_avg": Entry(_eleven_points, reals(*RECALLS)),
    "Rprec_mult": Entry(_rprec_mult, levels),
    "relstring": Entry(_relstring, reals(10), "none"),
    "utility": Entry(_utility, reals(1, -1, 0, 0)),
    "set_F": Entry(_set_f, reals(1)),
    "yaap": Entry(_yaap),
    **dict.fromkeys(("unj", "ndcg_cut"), Entry(_of_ranks, cutoffs)),
    **dict.fromkeys(_GAINS, Entry(_gained, pairs)),
    "Rndcg": Entry(_rndcg, pairs),
    "rbp_resid": Entry(lambda e, name, given: catalogued(name, e.judged, p=given.p), pairs),
    "map_avgjg": Entry(_of_ranked, kind="jg"),
    "P_avgjg": Entry(_of_ranked, cutoffs, kind="jg"),
    "Rprec_mult_avgjg": Entry(_rprec_mult, levels, kind="jg"),
}
_COUNTED, _AVERAGED = Entry(_preference, none, "sum", "prefs"), Entry(_preference, kind="prefs")
MEASURES = {
    name: _BY_NAME.get(name) or (_COUNTED if name.startswith("prefs_num") else _AVERAGED)
    for name in NAMES
}
"""All measures by name, in the order in which they are printed."""

SINCE_10 = frozenset({"dcg", "ideal_dcg", "rbp", "rbp_resid", "unj"})
"""Measures that version 9 does not have."""


def known(version: int) -> list[str]:
    """Return the measures of a version, in the order in which they are printed."""
    return [name for name in MEASURES if version > 9 or name not in SINCE_10]


def requested(names: Iterable[bytes], version: int) -> dict[str, bytes | None]:
    """Return the measures that -m names, in the order of printing, with texts of parameters.

    The first parameters given for a measure are its parameters. Failure for an unknown name.
    """
    entries = known(version)
    wanted: set[str] = set()
    texts: dict[str, bytes] = {}
    for given in names:
        head, dot, text = given.partition(b".")
        name = shown(head)
        if dot and not text:
            improper = f"trec_eval: improper measure in parameter '{name}'\n"
            raise Failure(USAGE, f"{improper}trec_eval: illegal measure '{name}'")
        if name not in SETS and name not in entries:
            raise Failure(USAGE, f"trec_eval: illegal measure '{name}'")
        wanted |= SETS.get(name, {name})
        if dot:
            texts.setdefault(name, text)
    return {name: texts.get(name) for name in entries if name in wanted}
