"""Judgments on Spark: few are held by the driver and every worker, many are shuffled like a run."""

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.errors import UsageError
from rankeval.evaluation.measured import Measured
from rankeval.evaluation.notices import (
    qrels_warnings,
    score_warnings,
    several_subtopics_warnings,
    threshold_warnings,
)
from rankeval.evaluation.prepared import facts_of, judgments_of, label_for
from rankeval.evaluation.reading import Reading
from rankeval.evaluation.results import Notice, QrelsFacts
from rankeval.evaluation.score import measure_topics
from rankeval.io.formats.trec import RUN
from rankeval.io.python_values import columns_of
from rankeval.measures import Measure, MeasuresLike, parse_measures
from rankeval.measures.declare.needs import ELSEWHERE, STRATA, SUBTOPICS
from rankeval.ranking.align import align_columns
from rankeval.ranking.qrels import Qrels, QrelsLike
from rankeval.spark.census import Census, no_row, take_census
from rankeval.spark.frames import Rows, beside, is_frame, rows_of
from rankeval.spark.measured_rows import SCHEMA, PartFacts, matrix_of, measured_of
from rankeval.spark.measured_rows import facts_of as measure_facts
from rankeval.spark.partition_work import (
    Work,
    WrongRows,
    by_own_judgments,
    by_shared_judgments,
    judgments_of_rows,
)

MOST_SHARED = 500_000
"""Judgments up to which every worker holds all of them; each takes some 150 bytes there."""


@frozen(eq=False)
class SharedJudgments:
    """Judgments that the driver holds, and every worker."""

    qrels: Qrels

    @property
    def highest_grade(self) -> float:
        """The highest grade of all."""
        return self.qrels.highest_grade

    @cached_property
    def facts(self) -> QrelsFacts:
        """The facts that results have of them."""
        return facts_of(self.qrels)

    @property
    def sample(self) -> Qrels:
        """All of them."""
        return self.qrels

    def warnings(self, measures: Sequence[Measure]) -> list[Notice]:
        """Return the warnings of judgments that the measures cannot use."""
        return qrels_warnings(self.qrels, measures)

    def joined(self, run: Rows, work: Work) -> Any:
        """Return the DataFrame of the measured topics of a run, those that it lacks left out."""
        function = partial(
            by_shared_judgments, work=work, judgments=_shared(run.frame.sparkSession, self.qrels)
        )
        return by_topic(run.frame).mapInArrow(function, SCHEMA)

    def completed(
        self, names: Sequence[bytes], numbers: Floats, facts: PartFacts, work: Work
    ) -> tuple[Measured, PartFacts]:
        """Add the topics that the run lacks."""
        lacking = np.ones(len(self.qrels.topics), dtype=bool)
        found = [self.qrels.code[name] for name in names]
        lacking[found] = False
        nothing = measure_topics(
            work.prepared,
            align_columns(
                self.qrels, [columns_of({}, RUN)], needs=work.prepared.needs
            ).judged.select(lacking),
            np.zeros(np.count_nonzero(lacking), dtype=bool),
        )
        every = np.empty((len(lacking), numbers.shape[1]))
        every[found] = numbers
        every[lacking] = matrix_of(nothing)
        facts = measure_facts(nothing).plus(facts)
        return measured_of(self.qrels.topics, every, facts), facts


@frozen(eq=False)
class ShuffledJudgments:
    """Judgments that are shuffled by topic; the driver has counted them."""

    rows: Rows
    census: Census
    digest: str
    reading: Reading

    @property
    def highest_grade(self) -> float:
        """The highest grade of all."""
        return self.census.highest_grade

    @property
    def facts(self) -> QrelsFacts:
        """The facts that results have of them."""
        return self.census.facts(self.rows.name, self.digest)

    @property
    def sample(self) -> Qrels:
        """The first of them."""
        return _held(self.rows.frame.limit(MOST_SHARED).toArrow(), self.rows, self.reading, None)

    def warnings(self, measures: Sequence[Measure]) -> list[Notice]:
        """Return the warnings of judgments that the measures cannot use."""
        census = self.census

        def distinct() -> int:
            grades = self.rows.frame.select("grade").where("not isnan(grade)")
            return int(grades.distinct().count())

        return [
            *threshold_warnings(census.between, measures),
            *several_subtopics_warnings(census.several, measures),
            *score_warnings(census.judgments, census.fractions, self.highest_grade, distinct),
        ]

    def joined(self, run: Rows, work: Work) -> Any:
        """Return the DataFrame of all judged topics, those that the run lacks included."""
        function = partial(by_own_judgments, work=work)
        return by_topic(beside(run, self.rows)).mapInArrow(function, SCHEMA)

    def completed(
        self,
        names: Sequence[bytes],
        numbers: Floats,
        facts: PartFacts,
        work: Work,  # noqa: ARG002  the judgments that every worker has need it
    ) -> tuple[Measured, PartFacts]:
        """Return all judged topics."""
        return measured_of(names, numbers, facts), facts


SparkJudgments = SharedJudgments | ShuffledJudgments
"""Judgments of an evaluation on Spark, wherever they are."""


def by_topic(frame: Any) -> Any:
    """Return the rows of each topic in one partition, one after the other."""
    return frame.repartition("topic").sortWithinPartitions("topic")


def judgments_on_spark(
    qrels: Any,
    measures: MeasuresLike | None,
    reading: Reading,
    name: str,
    broadcast: bool | None,  # noqa: FBT001  as the public function has it
) -> SparkJudgments:
    """Decide where judgments are: with every worker if they are few, or measures need them all."""
    if not is_frame(qrels):
        given: QrelsLike = qrels
        return SharedJudgments(judgments_of(given, measures, reading))
    rows = rows_of(qrels, "qrels", reading.qrels().columns, name)
    labels = {
        SUBTOPICS: {"subtopic", "iteration"} & {*rows.roles},
        STRATA: {"stratum"} & {*rows.roles},
        ELSEWHERE: True,
    }
    whole = [
        str(named.measure)
        for named in parse_measures(measures or "")
        if any(labels.get(need) for need in named.measure.considers)
    ]
    if whole and broadcast is False:
        raise UsageError(
            f"{whole[0]} looks at all judgments at once, so that every worker must have them",
            remedy="leave out broadcast=False, or the measure",
        )
    if broadcast or whole:
        return SharedJudgments(_held(rows.frame.toArrow(), rows, reading, measures))
    if broadcast is None:
        table = rows.frame.limit(MOST_SHARED + 1).toArrow()
        if table.num_rows <= MOST_SHARED:
            return SharedJudgments(_held(table, rows, reading, measures))
    census, digest = take_census(rows.frame, name, reading)
    return ShuffledJudgments(rows, census, digest, reading)


def _held(table: Any, rows: Rows, reading: Reading, measures: MeasuresLike | None) -> Qrels:
    """Return the judgments of all rows, with the labels that measures need."""
    wrong = WrongRows("qrels", rows.name, reading)
    qrels = judgments_of_rows(table, wrong, label_for(measures))
    if qrels is None:
        raise no_row(rows.name, "judgment", "grade")
    dropped: Mapping[str, int] = {**wrong.counts, **qrels.dropped}
    return qrels.changed(dropped=dropped)


@frozen(eq=False)
class Sent:
    """Judgments that go to workers with the function, as Spark Connect has no other way."""

    value: Qrels


def _shared(session: Any, qrels: Qrels) -> Any:
    """Return judgments that every worker gets once."""
    from pyspark.errors import PySparkException

    try:
        return session.sparkContext.broadcast(qrels)
    except PySparkException:
        return Sent(qrels)
