"""Evaluate runs against judgments: the function behind `rankeval eval`, and one for loops.

Judgments, measures and settings are prepared once. Each run is aligned with the judgments, its
topics that count are measured, and its result is put together with those of the other runs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import chain, repeat
from typing import TYPE_CHECKING, Self, Unpack

import numpy as np

from rankeval.base.arrays import Booleans, Floats
from rankeval.base.checked import checked
from rankeval.base.frozen import ByTopic, record
from rankeval.base.threads import counted, give_back, in_order, usable_threads
from rankeval.base.wording import count, decoded, listed
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.aggregation import Aggregation, GroupsLike, Total, WeightsLike
from rankeval.evaluation.notices import (
    UNJUDGED,
    dropped_lines,
    no_match_notice,
    order_notices,
    restricted,
    run_warnings,
    topics_that_count,
    unlike,
)
from rankeval.evaluation.prepared import FEW_JUDGMENTS, Items, Prepared, Progress, later
from rankeval.evaluation.results import GroupResult, Notice, Results, RunResult, Score, ScoreBounds
from rankeval.evaluation.run_names import BY_TAG, RunNames, members, of_systems, own_or
from rankeval.evaluation.settings import (
    Settings,
    SettingsFields,
    conventions_in_words,
    settings_from,
    signature_of,
)
from rankeval.io.blocks import BLOCK_SIZE, display_name, is_rereadable
from rankeval.io.files import size_of
from rankeval.measures import MeasuresLike, listed_measures
from rankeval.other_words import Hinting
from rankeval.ranking import RankedJudgments
from rankeval.ranking.align import Alignment
from rankeval.ranking.items import CostsLike
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import (
    Batches,
    RunLike,
    RunsLike,
    RunSource,
    batch_of,
    refuse_stdin_twice,
    run_sources,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class Evaluating(SettingsFields, total=False):
    """The keywords of `evaluate` that functions take which call it, and hand on to it.

    ========= ==============================================================================
    settings  the conventions, as an object; or its fields as keywords, such as topics="both"
    costs     of reading documents
    run_names how runs are named
    jobs      threads that read a large run, or evaluate small ones
    ========= ==============================================================================
    """

    settings: Settings | None
    costs: CostsLike | None
    run_names: RunNames
    jobs: int | None


@checked
def values_of(
    *,
    settings: Settings | None = None,
    costs: CostsLike | None = None,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
    **conventions: Unpack[SettingsFields],
) -> tuple[Settings, CostsLike | None, RunNames, int | None]:
    """Return the values of such keywords, the usual ones of those that are not given."""
    return settings_from(settings, conventions), costs, run_names, jobs


@checked
def evaluate(
    qrels: QrelsLike,
    runs: RunsLike,
    measures: MeasuresLike | None = None,
    settings: Settings | None = None,
    *,
    weights: WeightsLike | None = None,
    groups: GroupsLike | None = None,
    costs: CostsLike | None = None,
    items: Items | None = None,
    bounds: bool = False,
    run_names: RunNames = BY_TAG,
    jobs: int | None = None,
    progress: Progress | bool | None = None,
    **conventions: Unpack[SettingsFields],
) -> Results:
    """Score runs against one set of judgments.

    ============= ===========================================================================
    qrels         judgments: a path, {topic: {docno: grade}}, a table, arrays, or a `Qrels`
    runs          a run, several, or {name: run}: a path, {topic: {docno: score}}, a table,
                  arrays, or a `Run`; `Seeds`, or a path with {seed}, is one system of several
    measures      names in one string or several, or objects such as `nDCG @ 10`
    settings      the conventions, as an object; or its fields as keywords, such as
                  topics="both", min_grade=2, ties="expected" or like="trec_eval"; also how
                  files are read: columns={"topic": "user"}, duplicates="best", on_error="skip"
    weights       of topics, for averaged measures: a path, or {topic: weight}
    groups        of topics, for values in each: a path, or {topic: group}
    costs         of reading documents: a path, or {docno: cost}
    items         what measures of recommenders need, as `rankeval.options.Items`
    bounds        add the values that judging the unjudged documents could lead to
    run_names     how runs are named, as `rankeval.options.RunNames`
    jobs          threads that read a large run, or evaluate small ones; one per processor
    progress      True shows how far it is, on stderr; or a function is told, from
                  any thread, a path and how many of its bytes were read
    ============= ===========================================================================

    Raises RankevalError (InputError, MeasureError, UsageError) for what cannot be used, and
    TypeError for an unknown keyword.

    >>> from rankeval import evaluate, nDCG
    >>> qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}}
    >>> runs = {"bm25": {"q1": {"d1": 0.3, "d2": 0.8}, "q2": {"d3": 1.0}}}
    >>> results = evaluate(qrels, runs, ["map", nDCG @ 10])
    >>> results["bm25"]["map"].mean
    0.75
    >>> results.to_dict(per_topic=True)["bm25"]["q1"]
    {'map': 0.5, 'nDCG@10': 0.6309297535714575}
    """
    settings = settings_from(settings, conventions)
    measures = listed_measures(measures)
    over_topics = Aggregation(settings.aggregate, weights, groups)
    systems = systems_of(runs, settings, run_names)
    every = [run for system in systems.members for run in system]
    if not every:
        raise UsageError("no run to evaluate", expected="one run or more")
    threads = usable_threads(jobs)
    refuse_stdin_twice(qrels, *(vars(items).values() if items else ()), *every)
    told = None if isinstance(progress, bool) else progress
    bar: AbstractContextManager[Progress | None] = nullcontext(told)
    if progress is True:
        from rankeval.output.progress import showing_progress  # seldom needed

        bar = showing_progress({run.path: size_of(run.path) for run in every if run.is_file})
    with naming_check(), bar as listener:
        prepared = Prepared(
            qrels,
            measures,
            settings,
            over_topics=over_topics,
            costs=costs,
            items=items,
            bounds=bounds,
        )
        return results_of(prepared, systems, jobs=threads, progress=listener)


@record
class Systems:
    """What was given, the runs of each, of which several are averaged, and how to name them."""

    given: list[RunSource]
    members: list[list[RunSource]]
    run_names: RunNames


def systems_of(
    runs: RunsLike, settings: Settings, run_names: RunNames = BY_TAG, *, by_topic: bool = False
) -> Systems:
    """List the runs; what can be read once only is read. `by_topic` as in `run_sources`."""
    form = settings.run_form()
    given, names = run_sources(runs, form.columns, by_topic=by_topic)
    every = [[RunSource.of(run).once(form) for run in members(one)] for one in given]
    return Systems(given, every, own_or(run_names, names))


@contextmanager
def naming_check() -> Iterator[None]:
    """Let the error of a wrong line name the command that lists all of them."""
    try:
        yield
    except InputError as error:
        if re.search(r":\d+$", error.place):
            more = "'rankeval check' lists all wrong lines"
            error.remedy = f"{error.remedy}; {more}" if error.remedy else more
        raise


WORTH_SHARING = 4 << 20
"""Bytes of small runs, all together, from which threads save time."""


def results_of(
    prepared: Prepared,
    systems: Systems,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
    require_shared: bool = True,
) -> Results:
    """Score small runs side by side, or large ones in turn, each with all threads."""

    def scored(run: RunSource, jobs: int) -> RunResult:
        alignment, path = prepared.align(run, jobs, progress)
        return score_run(prepared, alignment, path, run=run, require_shared=require_shared)

    runs = [run for system in systems.members for run in system]
    work: Iterator[RunResult] = (scored(run, jobs) for run in runs)
    if jobs > 1 and len(runs) > 1 and _are_small(runs):
        first = scored(runs[0], jobs)  # which fills caches that all share
        work = chain([first], in_order(scored, zip(runs[1:], repeat(1)), jobs))
    found = [*(work if progress else counted(work, "runs", len(runs)))]
    found = of_systems(found, systems.given, systems.members)
    return results_of_runs(prepared, found, systems.run_names)


def _are_small(runs: Sequence[RunSource]) -> bool:
    """Return True for small files that are so many that threads are worth their time."""
    if not all(run.is_file and is_rereadable(run.path) for run in runs):
        return False
    sizes = [size_of(run.path) for run in runs]
    return max(sizes) <= 4 * BLOCK_SIZE and sum(sizes) >= WORTH_SHARING


def results_of_runs(
    prepared: Prepared, found: Sequence[RunResult], run_names: RunNames = BY_TAG
) -> Results:
    """Put the results of runs together with the facts about their evaluation, and name them."""
    facts = {**prepared.facts, **prepared.items}
    return Results(qrels=prepared.qrels, settings=facts, runs=tuple(run_names.name(found)))


NO_VALUES: Floats = np.zeros(0)
"""The values of topics of a measure that is one number for a whole run."""


def score_run(
    prepared: Prepared,
    alignment: Alignment,
    path: str,
    name: str = "",
    *,
    run: RunSource | None = None,
    require_shared: bool = True,
) -> RunResult:
    """Score one aligned run; `path` is "" for a run in memory, and messages have its `name`.

    With `require_shared`, a run without any judged topic is an error, and of a `run` that is given
    likely mistakes are warned of, such as scores that are distances.
    """
    settings, over_topics, qrels = prepared.settings, prepared.over_topics, prepared.judgments
    judged, present = alignment.judged, alignment.present
    name = name or display_name(path) or "run"
    chosen = topics_that_count(judged, settings, present)
    _require_topics(prepared, alignment, chosen, name, shared=require_shared)
    counted = restricted(judged, chosen, settings)
    over_topics.require(counted.topics)

    topics = tuple(map(decoded, counted.topics))
    groups = over_topics.members(counted.topics) if over_topics.groups else {}
    scores: list[Score] = []
    found: dict[str, tuple[Floats, Total]] = {}
    for named in prepared.asked:
        measure, definition, text = named.measure, named.measure.definition, str(named.measure)
        if text not in found:
            values = NO_VALUES if definition.of_run else measure.values(counted)
            found[text] = values, over_topics.total_of(measure, counted)
        values, total = found[text]
        known = measure.bounds(counted) if prepared.bounds and not definition.of_run else None
        bounds = None
        if known is not None:
            low, high = known.low, known.high
            bounds = ScoreBounds(low, high, total(low), total(high), known.exact)
        marks = prepared.marks_of(measure, counted)
        score = Score(
            measure=text,
            as_given=named.as_given,
            values=values,
            aggregate=total(values),
            rule=over_topics.rule_for(definition).name,
            loss=definition.loss,
            signature=later(signature_of, measure, settings, over_topics, prepared.qrels, marks),
            bounds=bounds,
            span=measure.range if all(map(math.isfinite, measure.range)) else None,
            topics=() if definition.of_run else topics,
        )
        scores.append(score)

    likely_wrong = run if require_shared and _is_likely_wrong(settings, alignment) else None
    give_back(len(judged.rank) // 4)  # before the run is opened again

    def warnings() -> tuple[Notice, ...]:
        found = run_warnings(prepared, alignment, chosen, counted, scores, name)
        if likely_wrong is None:
            return found
        form = settings.run_form()
        if len(judged.rank):
            return (*found, *order_notices(likely_wrong, form))
        others = [one for one in found if one.kind != UNJUDGED]
        return (*others, no_match_notice(qrels, likely_wrong, form))

    return RunResult(
        name=decoded(alignment.last_tag) or name,
        path=path,
        topics=topics,
        scores=tuple(scores),
        # Files may have changed when somebody reads the warnings.
        warnings=warnings() if path or len(qrels.grade) > FEW_JUDGMENTS else later(warnings),
        groups=tuple(
            GroupResult(
                group, len(some), tuple(found[s.measure][1](s.values, some) for s in scores)
            )
            for group, some in groups.items()
        ),
        labels=tuple(over_topics.labels(counted.topics)),
        missing=tuple(decoded(qrels.topics[i]) for i in (~present).nonzero()[0].tolist()),
        tied=int(np.count_nonzero(judged.tied_topics)),
        dropped=dropped_lines(alignment),
        judged=len(judged),
        conventions=conventions_in_words(prepared.facts),
    )


ENOUGH = 10
"""Documents of a run whose order says something of its scores."""


def _is_likely_wrong(settings: Settings, alignment: Alignment) -> bool:
    """Return True if no document is judged, or relevant ones are in the second half of rankings."""
    judged = alignment.judged
    if not len(judged.rank) or settings.order != "score" or alignment.lines < ENOUGH:
        return not len(judged.rank) and alignment.lines > 0
    relevant = judged.grade > 0
    place = (2 * judged.rank[relevant] - 1) / judged.retrieved[judged.topic[relevant]]
    return bool(place.sum() > len(place))


def _require_topics(
    prepared: Prepared, alignment: Alignment, chosen: Booleans, name: str, *, shared: bool
) -> None:
    """Raise InputError for a run without the topics that it must have."""
    settings, qrels, present = prepared.settings, prepared.judgments, alignment.present
    if shared and not present.any() and (alignment.lines or alignment.without):
        how = unlike(alignment.without, qrels.topics)
        same = "check that both files are from the same collection"
        alike = f"write topics alike: they {how}" if how else same
        raise InputError(
            f"no topic in common with {qrels.path}: the run has {listed(alignment.without)}, the "
            f"qrels have {listed(qrels.topics)}",
            place=name,
            remedy=f"{alike}; 'rankeval check' describes both",
        )
    if settings.require_coverage and not present.all():
        missing = [qrels.topics[i] for i in (~present).nonzero()[0].tolist()]
        raise InputError(
            f"lacks {len(missing):,} of {count(len(present), 'judged topic')}: {listed(missing)}",
            place=name,
            expected="every judged topic, as --require-coverage asks",
            remedy="complete the run, or drop --require-coverage to score them 0",
        )
    if settings.skip_no_relevant and present.any() and not chosen.any():
        raise InputError(
            "no topic with a relevant document is left", remedy="drop --skip-no-relevant"
        )


class Evaluator(Hinting):
    """Score runs against judgments that are read, indexed and summed up once.

    ======== ===============================================================================
    qrels    judgments, as in `evaluate`
    measures names or objects
    settings the conventions, or their fields as keywords, such as topics="both"
    weights  of topics, for averaged measures: a path, or {topic: weight}
    costs, items    as in `evaluate`
    ======== ===============================================================================

    Values are those of `rankeval.evaluate`, to the last bit. Keys are the names of measures as they
    were given.

    - A judged topic that the run lacks scores 0 under `topics="judged"`, the default, and
      is left out under "both". Topics without judgments are ignored.
    - A topic with an empty ranking is retrieved: it scores 0 under both rules.
    - Where no topic is left to average, means are 0.0. A measure that is undefined for all topics
      has the mean NaN.

    Rankings that come in batches are given to `update`, and `compute` evaluates them. An
    evaluator can be used from several threads, and be pickled.

    >>> from rankeval import Evaluator
    >>> evaluator = Evaluator({"q1": {"d1": 1, "d2": 0}}, "AP nDCG@10")
    >>> evaluator.means({"q1": {"d1": 0.2, "d2": 0.7}})
    {'AP': 0.5, 'nDCG@10': 0.6309297535714575}
    """

    @checked
    def __init__(
        self,
        qrels: QrelsLike,
        measures: MeasuresLike | None = None,
        settings: Settings | None = None,
        *,
        weights: WeightsLike | None = None,
        costs: CostsLike | None = None,
        items: Items | None = None,
        **conventions: Unpack[SettingsFields],
    ) -> None:
        """Prepare judgments and measures; RankevalError for what cannot be used."""
        settings = settings_from(settings, conventions)
        self._prepared = prepared = Prepared(
            qrels,
            listed_measures(measures),
            settings,
            over_topics=Aggregation(settings.aggregate, weights, None),
            costs=costs,
            items=items,
        )
        self.qrels, self.settings = prepared.judgments, settings
        self._over_topics = prepared.over_topics
        self._measures = {named.as_given: named.measure for named in prepared.asked}
        self._relevant_only = not settings.judged_only and all(
            measure.relevant_only for measure in self._measures.values()
        )
        self._every_topic = settings.topics == "judged" and not settings.skip_no_relevant
        self._topics = tuple(map(decoded, self.qrels.topics))
        self._batches = Batches()

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures' names, as they were given."""
        return tuple(self._measures)

    def __repr__(self) -> str:
        """Show the judgments and the measures."""
        topics = len(self.qrels.topics)
        return f"<Evaluator of {' '.join(self._measures)} on {topics} topics>"

    # Loops call the next two thousands of times; wrong runs are refused where they are read.
    def means(self, run: RunLike) -> dict[str, float]:
        """Return {measure: value over all topics}.

        >>> from rankeval import Evaluator
        >>> Evaluator({"q1": {"d1": 1}}, "map").means({"q1": {"d1": 1.5}})
        {'map': 1.0}
        """
        judged = self._judged(run)
        if not len(judged):
            return dict.fromkeys(self._measures, 0.0)
        self._over_topics.require(judged.topics)
        found = {}
        for name, measure in self._measures.items():
            values = NO_VALUES if measure.definition.of_run else measure.values(judged)
            found[name] = self._over_topics.total_of(measure, judged)(values)
        return found

    __call__ = means

    def per_topic(self, run: RunLike) -> ByTopic[dict[str, float]]:
        """Return {topic: {measure: value}}, NaN where a measure is undefined for a topic.

        Topics are text, and 7 finds the topic "7".

        >>> from rankeval import Evaluator
        >>> Evaluator({"q1": {"d1": 1}}, "RR P@5").per_topic({"q1": {"d1": 1.5}})
        {'q1': {'RR': 1.0, 'P@5': 0.2}}
        """
        judged = self._judged(run)
        every = judged.topics is self.qrels.topics
        topics = self._topics if every else map(decoded, judged.topics)
        measures = self._measures.items()
        values = {n: m.values(judged) for n, m in measures if not m.definition.of_run}
        if not values:  # each measure is one number for the whole run
            return ByTopic((topic, {}) for topic in topics)
        rows = zip(*(numbers.tolist() for numbers in values.values()), strict=True)
        by_name = map(dict, map(zip, repeat(tuple(values)), rows))
        return ByTopic(zip(topics, by_name, strict=True))

    @checked
    def evaluate(self, runs: RunsLike) -> Results:
        """Return the results of one run or several, as `rankeval.evaluate` does, with warnings.

        >>> from rankeval import Evaluator
        >>> results = Evaluator({"q1": {"d1": 1}}, "AP").evaluate({"q1": {"d1": 1.5}})
        >>> results.runs[0].scores[0].aggregate
        1.0
        """
        return self._results(runs)

    @checked
    def update(
        self,
        ids: RunLike | ArrayLike,
        scores: ArrayLike | None = None,
        *,
        topics: ArrayLike | None = None,
        pad: int | str | bytes = -1,
    ) -> Self:
        """Add the rankings of some topics to those that `compute` evaluates; return the evaluator.

        ====== =============================================================================
        ids    documents, an array (n, k) as in `Run.from_topk`, or a list of one topic; or any
               run alone, such as {topic: {docno: score}} or a table
        scores of the same shape; without it, documents are in the order of the ranking
        topics n names, or the name of the one topic
        pad    stands where a row has fewer than k documents
        ====== =============================================================================

        Arrays are copied. Topics may come in any order, from several threads.

        Raises UsageError for a topic that was added before, and for arrays that do not fit;
        InputError for a repeated document, and for wrong names and scores. Nothing of a batch with
        an error is added.

        >>> from rankeval import Evaluator
        >>> evaluator = Evaluator({"q1": {"d1": 1}, "q2": {"d7": 1}}, "AP")
        >>> _ = evaluator.update(["d1", "d2"], [0.9, 0.3], topics="q1")
        >>> _ = evaluator.update([["d1", "d7"]], [[0.8, 0.5]], topics=["q2"])
        >>> evaluator.compute()["run", "AP"].mean
        0.75
        """
        self._batches.add(batch_of(ids, scores, topics, pad))
        return self

    def compute(self) -> Results:
        """Return the results of all updates, as `evaluate` does; they stay until `reset`."""
        return self._results([self._batches.run()])

    def reset(self) -> None:
        """Forget all updates."""
        self._batches = Batches()

    def _results(self, runs: RunsLike) -> Results:
        systems = systems_of(runs, self.settings, by_topic=True)
        return results_of(self._prepared, systems, require_shared=False)

    def _judged(self, run: RunLike) -> RankedJudgments:
        """Align a run and apply the settings: all that values depend on."""
        found = self._prepared.dictionaries(run, relevant_only=self._relevant_only)
        if found is None:
            alignment, _ = self._prepared.align(RunSource.of(run))
            found = alignment.judged, alignment.present
        judged, present = found
        chosen = None if self._every_topic else topics_that_count(judged, self.settings, present)
        return restricted(judged, chosen, self.settings)
