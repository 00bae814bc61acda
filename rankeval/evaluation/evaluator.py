"""Evaluate many runs against judgments that are prepared once, as a training loop does."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, Self, Unpack

from rankeval.base.checked import checked
from rankeval.base.frozen import ByTopic
from rankeval.base.wording import decoded
from rankeval.evaluation.aggregation import Aggregation, WeightsLike
from rankeval.evaluation.evaluate import NO_VALUES, results_of, systems_of
from rankeval.evaluation.notices import restricted, topics_that_count
from rankeval.evaluation.prepared import Items, Prepared
from rankeval.evaluation.results import Results
from rankeval.evaluation.settings import Settings, SettingsFields, settings_from
from rankeval.measures import MeasuresLike, listed_measures
from rankeval.other_words import Hinting
from rankeval.ranking import RankedJudgments
from rankeval.ranking.items import CostsLike
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import Batches, RunLike, RunsLike, RunSource, batch_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


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
