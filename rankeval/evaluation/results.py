"""Results of an evaluation: values by run, measure and topic, with warnings."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, Self, Unpack, overload

from rankeval.base.checked import checked
from rankeval.base.frozen import ByTopic, field, frozen, record, replace
from rankeval.base.wording import count, listed, natural, nearest
from rankeval.errors import MeasureError, UsageError
from rankeval.other_words import Hinting
from rankeval.output.document_form import fields_of
from rankeval.output.shown import InPapers

if TYPE_CHECKING:  # the command's --help knows of results, and must not wait for numpy
    from pandas import DataFrame

    from rankeval.base.arrays import Floats
    from rankeval.commands.compare.method import MethodFields
    from rankeval.commands.compare.task import Comparison
    from rankeval.evaluation.aggregation import GroupsLike
    from rankeval.output.style import Style
    from rankeval.stats.choices import IntervalMethod
    from rankeval.stats.intervals import Interval

WHOLE_RUN = "whole run"
"""The rule of measures that are one number for a whole run."""

Span = tuple[float, float] | None
"""The least and the greatest value that is possible, or shown; None where it is not known."""

Ranges = Mapping[str, tuple[float, float]]
"""The least and the greatest value of measures that orders of equal scores give."""


class _MayBeLater:
    """A required field of a frozen value that takes a `functools.partial` for its value, too.

    It is called when the field is first read, compared, copied or pickled; what it is
    given stays in memory until then.

    >>> from functools import partial
    >>> from rankeval.base.frozen import frozen
    >>> @frozen
    ... class Square:
    ...     side: int
    ...     area: int = may_be_later()
    >>> Square(3, partial(pow, 3, 2))
    Square(side=3, area=9)
    """

    def __set_name__(self, _: Any, name: str) -> None:
        self.name = name

    def __get__(self, made: Any, owner: type) -> Any:
        value = made.__dict__[self.name]  # AttributeError of the class: the field has no default
        if isinstance(value, partial):
            value = made.__dict__[self.name] = value()
        return value

    def __set__(self, made: Any, value: Any) -> None:
        """Keep the value; without this method, Python would not ask `__get__` for it."""
        made.__dict__[self.name] = value


may_be_later: Any = _MayBeLater


class Notice(str):  # noqa: SLOT000  a few, with fields
    """A warning in one line.

    Of the warnings of a `kind`, only the one of the largest `size` is shown in brief.
    """

    kind: str
    size: float
    ranges: Ranges

    def __new__(
        cls, text: str, kind: str = "", size: float = 0.0, ranges: Ranges | None = None
    ) -> Self:
        """Keep the line, and what is known of it."""
        notice = super().__new__(cls, text)
        notice.kind, notice.size, notice.ranges = kind, size, ranges or {}
        return notice


def notice_of_ranges(where: str, ranges: Ranges) -> Notice:
    """Return the warning of ranges of values, which names the first of them.

    It has four decimals, or more where these show no difference.
    """
    name, (least, greatest) = next(iter(ranges.items()))
    digits = 4
    while f"{least:.{digits}f}" == f"{greatest:.{digits}f}":
        digits += 1
    text = f"{where}: {name} could be {least:z.{digits}f} to {greatest:z.{digits}f} (--ties)"
    return Notice(text, "ties", greatest - least, ranges)


@record
class ScoreBounds:
    """Least and greatest score that judging the unjudged documents could lead to.

    ======== =============================================================================
    low      least value of each topic, shape (T,)
    high     greatest value of each topic, shape (T,)
    least    least value over all topics
    greatest greatest value over all topics
    exact    False where the bounds hold, but may not be reachable by any judging
    ======== =============================================================================
    """

    low: "Floats"
    high: "Floats"
    least: float
    greatest: float
    exact: bool


@frozen
class Score(Hinting, float):
    """One measure of one run: the value over all topics, as a float that knows more.

    ========= ============================================================================
    measure   canonical name, such as nDCG@10
    as_given  the name in the user's words
    values    one value per topic of the run's result, shape (T,); NaN where undefined
    aggregate all topics in one number; NaN when the measure is defined for none of them
    rule      how the topics became that number, such as "mean"
    loss      True when smaller is better
    signature the conventions behind the number
    bounds    lowest and highest value that judging could give, if requested and known
    span      least and greatest value that a topic can have; None where there is no such range, or
              it is unknown
    topics    the topics of the values
    seeds     of a system of several runs, the scores of each; empty for one run
    ========= ============================================================================

    A measure of a whole run, such as Coverage, has no values of topics: `values` and `topics` are
    empty, and `rule` is "whole run".
    """

    measure: str
    as_given: str
    values: "Floats"
    aggregate: float
    rule: str
    loss: bool
    signature: str = may_be_later()
    bounds: ScoreBounds | None = None
    span: Span = None
    topics: tuple[str, ...] = ()
    seeds: tuple["Score", ...] = ()

    __eq__, __hash__ = float.__eq__, float.__hash__

    def __new__(cls, *_: object, aggregate: float, **__: object) -> Self:
        """Make the number, of which the other fields are kept."""
        return super().__new__(cls, aggregate)

    def __getnewargs_ex__(self) -> Any:
        """Pickle the number as what `__new__` takes."""
        return (), {"aggregate": self.aggregate}

    @property
    def deviation(self) -> float:
        """The sample standard deviation of the values of `seeds`; NaN for one run."""
        return deviation([score.aggregate for score in self.seeds])

    def interval(
        self,
        level: float = 0.95,
        *,
        method: 'IntervalMethod | Literal["t", "bca"]' = "t",
    ) -> "Interval":
        """Bound the mean of the population that the topics were drawn from; `low` and `high`.

        `method` is "t" for Student's interval, "percentile" or "bca" for the bootstrap's
        (docs/statistics.md). UsageError for a score that is no plain mean over topics, and for a
        system of several runs, whose topics are not all that varies.

        >>> from rankeval import evaluate
        >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}, "q3": {"d3": 1}}
        >>> run = {"q1": {"d1": 1}, "q2": {"d7": 2, "d2": 1}, "q3": {"d3": 1}}
        >>> found = evaluate(qrels, run, "RR")["run", "RR"].interval()
        >>> round(found.low, 4), round(found.high, 4)
        (0.1162, 1.5504)
        """
        from rankeval.stats.intervals import confidence_interval  # seldom needed

        if self.rule != "mean" or self.seeds:
            of = "mean of several runs" if self.seeds else self.rule
            raise UsageError(
                f"there is no interval for {self.as_given}, a {of}",
                expected="the plain mean of the topics of one run",
            )
        return confidence_interval(self.values, method=method, level=level)

    @property
    def has_topics(self) -> bool:
        """False for a measure that is one number for a whole run."""
        return self.rule != WHOLE_RUN

    @property
    def mean(self) -> float:
        """The same as `aggregate`, by whatever rule it was found."""
        return self.aggregate

    def __repr__(self) -> str:
        """Show the value over all topics, and how many there are."""
        of = f" of {count(len(self.values), 'topic')}" if self.has_topics else ""
        return f"<{self.as_given} = {self.aggregate:.4f}, {self.rule}{of}>"

    def __getitem__(self, topic: str | int, /) -> float:
        """Return the value of a topic."""
        return self.per_topic[topic]

    @property
    def per_topic(self) -> ByTopic[float]:
        """{topic: value}, in which 7 finds "7"; a KeyError for another topic lists the first."""
        return ByTopic(zip(self.topics, self.values.tolist(), strict=True))


def deviation(values: Sequence[float]) -> float:
    """Return the sample standard deviation of the values of seeds; NaN for fewer than two."""
    if len(values) < 2:
        return math.nan
    import numpy as np  # this module is imported without it

    return float(np.std(values, ddof=1))


@frozen
class GroupResult:
    """The values over the topics of a group: how many topics, and one number per score."""

    name: str
    topics: int
    aggregates: tuple[float, ...]


@frozen
class RunResult(Hinting, Mapping[str, Score]):
    """The scores of one run, {measure: score} in the order in which the measures were requested.

    Two names of one measure, as in `map AP`, give two scores with the same values.

    `name` is the run's tag, `topics` the topics that were evaluated, and `warnings` the doubts
    that a reader of the numbers should know. If topics were grouped, `groups` holds the values
    by group, and `labels` the group of each topic, "" for a topic without one. `missing` are the
    judged topics that the run lacks, and `tied` counts the topics in which equal scores leave
    open the rank of a document that is judged for any topic. `dropped` counts the lines
    of the file that were left out, by kind. `judged` counts the judged topics, not all of which may
    be among `topics`; 0 if it is not known. `conventions` are those that are not the default, in
    words. `seeds` are the runs of a system of several, of which everything else is the mean.
    """

    name: str
    path: str
    topics: tuple[str, ...]
    scores: tuple[Score, ...]
    warnings: tuple[Notice, ...] = may_be_later()
    groups: tuple[GroupResult, ...] = ()
    labels: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    tied: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    judged: int = 0
    conventions: tuple[str, ...] = ()
    seeds: tuple["RunResult", ...] = ()

    def _in_document(self) -> dict[str, Any]:
        """Return how documents name the run, and those of a system of several."""
        return fields_of(self, "name", "path", *["seeds"] * bool(self.seeds))

    def __repr__(self) -> str:
        """Show the name, the number of topics and the values over all of them."""
        values = " ".join(f"{score.as_given}={score.aggregate:.4f}" for score in self.scores)
        return f"<{self.name}, {count(len(self.topics), 'topic')}: {values}>"

    def __getitem__(self, measure: object) -> Score:
        """Return a score by its measure: an object, or the name as given, or the canonical one."""
        named = [(one.as_given, one) for one in self.scores]
        named += [(one.measure, one) for one in self.scores]
        by_name, name = dict(reversed(named)), str(measure)  # the first of several with one name
        if name not in by_name:  # another name of the same measure, perhaps
            from rankeval.measures import parse_measures  # needs numpy

            with suppress(MeasureError):
                name = " ".join(str(one.measure) for one in parse_measures(name))
        if name not in by_name:
            way = f"; a value of the topic is [MEASURE][{name!r}]" if name in self.topics else ""
            there = ", ".join(self) or "none"
            raise KeyError(f"no measure {str(measure)!r}; there is {there}{way}")
        return by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter([score.as_given for score in self.scores])

    def __len__(self) -> int:
        """Count the scores."""
        return len(self.scores)

    __eq__, __hash__ = object.__eq__, object.__hash__


def by_name(scores: Sequence[Score], content: "Style") -> dict[str, Score]:
    """Return each measure once by its name: canonical, or in the user's words.

    A word of the user's that names several measures is replaced by their canonical names.
    """
    if content.names == "canonical":
        return {score.measure: score for score in scores}
    often = Counter(name for name, _ in {(score.as_given, score.measure) for score in scores})
    return {s.as_given if often[s.as_given] == 1 else s.measure: s for s in scores}


def scores_of_group(run: RunResult, name: str) -> tuple[Score, ...]:
    """Return the scores with the values over a group of topics; over all topics for ""."""
    if not name:
        return run.scores
    undefined = (math.nan,) * len(run.scores)
    values = next((one.aggregates for one in run.groups if one.name == name), undefined)
    seeds = [scores_of_group(seed, name) for seed in run.seeds]
    return tuple(
        replace(score, aggregate=value, bounds=None, seeds=tuple(found[i] for found in seeds))
        for i, (score, value) in enumerate(zip(run.scores, values, strict=True))
    )


def notice_lines(
    runs: Sequence[RunResult],
    digits: int | None = None,
    hidden: Collection[str] = (),
    *,
    brief: bool = False,
) -> Iterator[str]:
    """Yield each warning of runs, and name its runs unless it holds for all.

    In brief, only the one of a kind that has most of it is shown. Where numbers are printed with
    `digits` decimals, equal scores that change none of these are left out, and so are changes of
    the `hidden` measures.
    """
    runs = [single for run in runs for single in run.seeds or (run,)]
    kinds: dict[str, dict[Notice, list[str]]] = {}
    for name, notice in [(run.name, notice) for run in runs for notice in run.warnings]:
        ranges = {
            measure: (least, greatest)
            for measure, (least, greatest) in notice.ranges.items()
            if measure not in hidden
            and (digits is None or f"{least:.{digits}f}" != f"{greatest:.{digits}f}")
        }
        if ranges or not notice.ranges:
            fewer, where = len(ranges) < len(notice.ranges), notice.rpartition(": ")[0]
            shown = notice_of_ranges(where, ranges) if fewer else notice
            kinds.setdefault(shown.kind or shown, {}).setdefault(shown, []).append(name)
    for found in kinds.values():
        most = max(found, key=attrgetter("size"))
        alike = {most: found[most][:1]} if brief and len(found) > 1 else found
        for text, names in alike.items():
            yield text if len(names) == len(runs) else f"{listed(names)}: {text}"


@frozen
class QrelsFacts:
    """The judgments of an evaluation: path, counts, digest, and dropped lines by kind.

    `by_topic` has a digest of the judgments of each topic, which shows later whose have changed;
    None where they are not known.
    """

    path: str
    topics: int
    judgments: int
    digest: str = may_be_later()
    by_topic: Mapping[str, str] | None = may_be_later()
    dropped: Mapping[str, int] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Show the path and the counts."""
        counts = f"{count(self.topics, 'topic')}, {count(self.judgments, 'judgment')}"
        return f"<{self.path or 'qrels'}: {counts}>"

    def _in_document(self) -> dict[str, Any]:
        """Return the facts, with the digests by topic if they are known.

        ========= =========================== ======================================================
        path      str                         "" for judgments in memory
        topics    int                         number of judged topics
        judgments int                         number of judgments
        digest    str                         equal judgments have equal digests, in any format
        dropped   dict[str, int]              lines left out, by kind
        by_topic  NotRequired[dict[str, str]] a digest of the judgments of each topic
        ========= =========================== ======================================================
        """
        known = ["by_topic"] if self.by_topic is not None else []
        return fields_of(self, "path", "topics", "judgments", "digest", "dropped", *known)

    def changed_topics(self, other: "QrelsFacts") -> list[str] | None:
        """Return the topics whose judgments are others there, in order; None if it is not known."""
        ours, theirs = self.by_topic, other.by_topic
        if ours is None or theirs is None:
            return None
        return sorted(topic for topic in {**ours, **theirs} if ours.get(topic) != theirs.get(topic))


@frozen
class Results(InPapers, Mapping[str, RunResult]):
    """One evaluation, {run: {measure: score}}: some runs against one set of judgments.

    `results["bm25"]` is a run, and `results["bm25"]["nDCG@10"]` or `results["bm25", "nDCG@10"]` a
    score, which is a float; where there is one run, `results["nDCG@10"]` is its score. Measures
    have the names that were given. `runs` are the runs in order. `unit` is what values are of:
    topics, or collections, of which `parts` has the results by name.

    >>> import rankeval
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    >>> runs = {"bm25": {"q1": {"d1": 2, "d7": 1}, "q2": {"d7": 2, "d2": 1}}}
    >>> results = rankeval.evaluate(qrels, runs, "map P@1")
    >>> results["bm25"]["map"].mean, results["bm25"]["map"].per_topic
    (0.75, {'q1': 1.0, 'q2': 0.5})
    >>> results["bm25"]
    <bm25, 2 topics: map=0.7500 P@1=0.5000>
    >>> results["bm25", "map"] > results["bm25", "P@1"], results.best("map").name
    (True, 'bm25')
    """

    qrels: QrelsFacts
    settings: Mapping[str, str | int | float | bool | None]
    runs: tuple[RunResult, ...]
    unit: str = "topic"
    parts: "Mapping[str, Results]" = field(default_factory=dict)

    @overload
    def __getitem__(self, run: str, /) -> RunResult: ...
    @overload
    def __getitem__(self, run: tuple[str, object], /) -> Score: ...
    def __getitem__(self, run: str | tuple[str, object], /) -> RunResult | Score:
        """Return the result of a run by its name, or the score of a run and a measure."""
        if isinstance(run, tuple):
            found: Any = self
            for key in run:
                found = found[key]
            return found
        by_name = {result.name: result for result in self.runs}
        if run in by_name:
            return by_name[run]
        if len(self.runs) == 1 and run in self.runs[0]:
            return self.runs[0][run]
        way = ""
        for name, first in [*by_name.items()][:1]:
            if run in first:
                way = f"; a score of a run is results[{name!r}][{str(run)!r}]"
            elif str(run) in first.topics and first.scores:
                score = f"results[{name!r}][{first.scores[0].as_given!r}]"
                way = f"; the value of a topic is {score}.per_topic[{run!r}]"
            elif str(run).isdecimal():
                way = "; the first one is results.runs[0]"
        raise KeyError(f"no run {run!r}; there is {', '.join(by_name) or 'none'}{way}")

    def __contains__(self, run: object) -> bool:
        """Return True for the name of a run."""
        return any(run == result.name for result in self.runs)

    def __iter__(self) -> Iterator[str]:
        return iter([result.name for result in self.runs])

    def __len__(self) -> int:
        """Count the runs."""
        return len(self.runs)

    __eq__, __hash__ = object.__eq__, object.__hash__

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures, as they were given."""
        return tuple(dict.fromkeys(name for run in self.runs for name in run))

    @checked
    def best(self, measure: object) -> RunResult:
        """Return the run that is best in a measure, the first of several equal ones."""
        return self.sorted(measure).runs[0]

    @checked
    def sorted(self, by: object) -> "Results":
        """Return the results with the runs sorted by a measure, best first, or by "name".

        Names are in natural order: seed2 before seed10. Runs with equal values stay in their order,
        and those for which the measure is undefined come last. UsageError if the runs were not
        evaluated with the measure.
        """
        return replace(self, runs=tuple(in_order(self.runs, str(by))))

    @checked
    def to_dict(self, *, per_topic: bool = False) -> dict[str, dict[str, Any]]:
        """Return {run: {measure: value}}; with `per_topic`, {run: {topic: {measure: value}}}.

        Measures have the names that were given. Topics are text, and 7 finds the topic "7".
        """
        if not per_topic:
            return {
                run.name: {score.as_given: score.aggregate for score in run.scores}
                for run in self.runs
            }
        by_topic: dict[str, dict[str, Any]] = {}
        for run, topic, measure, value in self._values():
            by_topic.setdefault(run, ByTopic()).setdefault(topic, {})[measure] = value
        return by_topic

    @checked
    def to_frame(self, *, per_topic: bool = False) -> "DataFrame":
        """Return a pandas DataFrame of runs by measures.

        With `per_topic`, it has a row for each value: run, topic, measure, value.
        """
        import pandas as pd  # slow to import

        if per_topic:
            return pd.DataFrame(self._values(), columns=["run", "topic", "measure", "value"])
        return pd.DataFrame.from_dict(self.to_dict(), orient="index")

    @checked
    def compare(
        self,
        baseline: str | None = None,
        *,
        groups: "GroupsLike | None" = None,
        **options: "Unpack[MethodFields]",
    ) -> "Comparison":
        """Compare the other runs with a baseline, by default the first run.

        ======== ===========================================================================
        baseline name of a run
        groups   of topics, for comparisons in each: a path, or {topic: group}
        options  the fields of `rankeval.options.Method`, such as test="t", correction="holm" or
                 alpha=0.01
        ======== ===========================================================================

        Counts, and measures that are aggregated in another way than by the mean, are left out.

        >>> from rankeval import evaluate
        >>> qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
        >>> bm25 = {"q1": {"d7": 2, "d1": 1}, "q2": {"d2": 1}}
        >>> dense = {"q1": {"d1": 2, "d7": 1}, "q2": {"d2": 1}}
        >>> results = evaluate(qrels, {"bm25": bm25, "dense": dense}, "RR")
        >>> results.compare("bm25", test="sign")["dense", "RR"].difference
        0.25
        """
        from rankeval.commands.compare.task import compare_results, method_of

        order = with_first([*self], baseline)
        results = replace(self, runs=tuple(self.runs[place] for place in order))
        return compare_results(results, method=method_of(options), groups=groups)

    def _values(self) -> list[tuple[str, str, str, float]]:
        """Return all values, each with its run, topic and measure."""
        return [
            (run.name, topic, score.as_given, value)
            for run in self.runs
            for score in run.scores
            for topic, value in score.per_topic.items()
        ]


def in_order(runs: Iterable[RunResult], by: str) -> list[RunResult]:
    """Return the runs in the order of `Results.sorted`."""
    if by == "name":
        return sorted(runs, key=lambda run: natural(run.name))

    def place(run: RunResult) -> tuple[bool, float]:
        if by not in run:
            from rankeval.measures import parse_measures  # needs numpy

            parse_measures(by)  # a misspelt name is told as one
            raise UsageError(
                f"cannot sort by {by}, a measure that is not evaluated",
                expected=f"name, or one of {', '.join(run)}",
                remedy=f"add -m {by}",
            )
        score = run[by]
        gain = -score.aggregate if score.loss else score.aggregate
        return not math.isfinite(gain), -gain

    return sorted(runs, key=place)


def with_first(names: Sequence[str], first: str | None) -> list[int]:
    """Return the places of all names, that of `first` before the others.

    UsageError for one that is not there.

    >>> with_first(["bm25", "dense", "hybrid"], "dense")
    [1, 0, 2]
    """
    if first is not None and first not in names:
        raise UsageError(f"no run is named '{first}'", expected=nearest(first, names))
    return sorted(range(len(names)), key=lambda place: names[place] != first)
