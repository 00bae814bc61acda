"""Evaluate a run on Spark: rows are shuffled by topic, and values of topics come back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from rankeval.base.frozen import frozen
from rankeval.base.wording import decoded, quoted
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.aggregation import Aggregation, GroupsLike, WeightsLike, aggregation
from rankeval.evaluation.evaluate import require_open_judgments, results_of_runs, with_no_match
from rankeval.evaluation.likely_mistakes import likely_reason
from rankeval.evaluation.measured import Measured
from rankeval.evaluation.notices import by_kind, dropped_notices
from rankeval.evaluation.prepared import (
    CostsLike,
    Prepared,
    asked_measures,
    extra_needs_of,
    label_for,
    require_topics,
)
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.evaluation.results import Notice, QrelsFacts, Results, RunResult
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.score import require_coverage, require_shared_topic, run_result
from rankeval.evaluation.settings import Settings, settings_or_usual
from rankeval.io.sources.parts import unchanged
from rankeval.measures import MeasuresLike, NamedMeasure, listed_measures
from rankeval.measures.declare.needs import CATALOG, FEATURES, LISTS, TRAIN
from rankeval.spark.census import no_row
from rankeval.spark.failures import told_as_input_errors
from rankeval.spark.frames import Rows, is_frame, rows_of
from rankeval.spark.measured_rows import CHOSEN, FACTS, PER_MEASURE, PartFacts, read
from rankeval.spark.partition_work import NO_JUDGMENTS, Work
from rankeval.spark.session import tasks_counted
from rankeval.spark.spark_judgments import SparkJudgments, judgments_on_spark

SAMPLE = 10_000
"""Docnos of a run that are looked at where none is judged."""


@frozen(eq=False)
class _Prepared(Prepared):
    """An evaluation whose judgments the workers have, with what the driver knows of them."""

    qrels: QrelsFacts = QrelsFacts("", 0, 0, "")
    doubts: Sequence[Notice] = ()


@frozen(eq=False)
class SparkResults:
    """The results of an evaluation on Spark.

    results   the values over all topics, with warnings, as on one machine
    per_topic a DataFrame of run, topic, measure and value; null where a measure is undefined

    Values of topics stay in Spark's cache until `unpersist`.
    """

    results: Results
    per_topic: Any
    _cached: tuple[Any, ...]

    def __repr__(self) -> str:
        """Show the results."""
        return repr(self.results)

    def unpersist(self) -> None:
        """Drop the values of topics from Spark's cache."""
        for cached in self._cached:
            cached.unpersist()


@frozen(eq=False)
class _Scored:
    """A run that was scored: its result, the DataFrame of its topics, and the cached rows."""

    result: RunResult
    per_topic: Any
    cached: Any


def evaluate(
    qrels: Any,
    runs: Any,
    measures: MeasuresLike | None = None,
    settings: Settings | None = None,
    *,
    columns: Mapping[str, str] | str | None = None,
    weights: WeightsLike | None = None,
    groups: GroupsLike | None = None,
    costs: CostsLike | None = None,
    bounds: bool = False,
    reading: Reading = AS_FOUND,
    broadcast: bool | None = None,
    run_names: RunNames = BY_TAG,
    paths: tuple[str, str] = ("qrels", ""),
) -> SparkResults:
    """Score runs that are Spark DataFrames; values are those of one machine to the last bit.

    `runs` is a DataFrame with the columns topic, docno and score, or {name: DataFrame}; `qrels` is
    one with topic, docno and grade, or judgments that `rankeval.evaluate` takes. Other names of
    columns are given by `columns`, as in {"topic": "user", "docno": "item"}. Rows come in any order
    and partitioning.
    `measures`, `settings`, `weights`, `groups`, `costs`, `bounds` and `reading` are those of
    `rankeval.evaluate`; as rows of a DataFrame have no order, equal scores cannot be ordered by it,
    nor a repeated document's first row be kept.

    Rows are shuffled by topic, and the topics of a partition are ranked and measured by the
    functions that do so on one machine. Judgments are sent to every worker where they are few, or
    `broadcast` is True, and are shuffled like the run where they are many. The driver holds the
    values of all topics. `paths` name the judgments and the run in messages and results.

    Raises RankevalError for what cannot be used.

    >>> from rankeval.spark import evaluate  # doctest: +SKIP
    >>> found = evaluate(qrels, spark.read.parquet("run/"), "nDCG@10 GAUC")  # doctest: +SKIP
    >>> found.results.to_dict(), found.per_topic.where("value < 0.1").count()  # doctest: +SKIP
    """
    settings = settings_or_usual(settings)
    measures = listed_measures(measures)
    over_topics = aggregation(settings.aggregate, weights, groups)
    if columns is not None:
        reading = replace(reading, columns=columns)
    if bounds:
        require_open_judgments(settings)
    _refuse_orders_of_rows(settings, reading)
    named = dict(runs) if isinstance(runs, Mapping) else {"": runs}
    for run in named.values():
        if not is_frame(run):
            raise UsageError(
                f"the run is a {type(run).__name__}",
                expected="a DataFrame of Spark, or {name: DataFrame}",
            )
    if not named:
        raise UsageError("no run to evaluate", expected="one run or more")
    with told_as_input_errors():
        judgments = judgments_on_spark(qrels, measures, reading, paths[0], broadcast)
        asked = asked_measures(measures, judgments, settings, as_given=True)
        _refuse_plugins(asked)
        require_topics(asked)
        prepared = _Prepared(
            qrels=judgments.facts,
            judgments=NO_JUDGMENTS,
            asked=asked,
            settings=settings,
            reading=reading,
            over_topics=over_topics,
            needs=extra_needs_of(asked, costs),
            cautious=measures is not None,
            bounds=bounds,
        )
        prepared = replace(prepared, doubts=judgments.warnings(prepared.measures))
        scored: list[_Scored] = []
        try:
            for name, run in named.items():
                scored.append(_scored(run, judgments, prepared, name or paths[1], paths))
        except BaseException:
            for done in scored:
                done.cached.unpersist()
            raise
        if isinstance(runs, Mapping):
            run_names = replace(run_names, given=tuple(map(str, named)))
        found = [done.result for done in scored]
        results = results_of_runs(prepared, found, run_names)
        per_topic = _of_all_runs(results, scored)
    return SparkResults(results, per_topic, tuple(done.cached for done in scored))


def _scored(
    run: Any, judgments: SparkJudgments, prepared: Prepared, name: str, paths: tuple[str, str]
) -> _Scored:
    """Score one run; `name` is for messages, and `paths` are those of the judgments and run."""
    settings, name = prepared.settings, name or "run"
    form = settings.form(prepared.reading.run())
    rows = rows_of(run, "run", form.columns, name, ranks=form.ranks)
    # The driver alone needs the weights and groups of topics.
    of_workers = replace(prepared, over_topics=Aggregation(settings.aggregate))
    work = Work(of_workers, name, paths[0], judgments.highest_grade)
    cached = judgments.joined(rows, work).persist()
    try:
        with tasks_counted(cached.sparkSession):
            rows_of_topics = cached.toArrow()
        names, numbers, facts = read(rows_of_topics, len(prepared.measures))
        found, facts = judgments.completed(names, numbers, facts, work)
        about = _about(rows, found, facts, prepared)
        result = run_result(prepared, found, path=paths[1], **about)
        if not found.judged.any():
            result = with_no_match(result, _no_match(rows, judgments))
        return _Scored(result, _per_topic(cached, names, found, prepared), cached)
    except BaseException:
        cached.unpersist()
        raise


def _of_all_runs(results: Results, scored: Sequence[_Scored]) -> Any:
    """Return one DataFrame of the topics of all runs, with a column of their names."""
    from pyspark.sql import functions

    frames = [
        done.per_topic.select(functions.lit(run.name).alias("run"), *done.per_topic.columns)
        for run, done in zip(results.runs, scored, strict=True)
    ]
    return reduce(lambda above, below: above.union(below), frames)


def _about(rows: Rows, found: Measured, facts: PartFacts, prepared: Prepared) -> dict[str, Any]:
    """Return what `run_result` takes of a run; InputError for one that cannot be evaluated."""
    if facts.repeated is not None and prepared.reading.duplicates == "refuse":
        raise _repeated(facts, rows.name)
    dropped = dict(facts.dropped)
    if facts.n_repeated:
        dropped["documents that stand twice"] = facts.n_repeated
    qrels = prepared.qrels
    if not (found.present.any() or facts.n_without):
        raise no_row(rows.name, "ranking", "score")
    require_shared_topic(found.present, found.names, facts.without, qrels.path, rows.name)
    require_coverage(prepared.settings, found.present, found.names, rows.name)
    tags = _tags(rows)
    return {
        "name": rows.name,
        "tags": tags,
        "last_tag": max(tags, default=b""),
        "n_without": facts.n_without,
        "without": facts.without,
        "dropped": by_kind(dropped),
        "doubts": [
            *dropped_notices(rows.name, dropped),
            *dropped_notices(qrels.path, qrels.dropped),
        ],
    }


def _repeated(facts: PartFacts, name: str) -> InputError:
    """Return the error of a document that is listed twice."""
    assert facts.repeated is not None  # noqa: S101  the caller has looked
    topic, docno = facts.repeated
    more = f" (and {facts.n_repeated - 1} more such rows)" if facts.n_repeated > 1 else ""
    return InputError(
        f"document {quoted(docno)} is listed twice in topic {quoted(topic)}{more}",
        place=name,
        expected="each document once per topic",
        remedy="keep one row for each document of a topic",
    )


def _tags(rows: Rows) -> frozenset[bytes]:
    """Return the run tags of all rows."""
    if rows.tags is None:
        return frozenset()
    tags = rows.tags.distinct().toArrow().column("tag").to_pylist()
    return frozenset(tag for tag in tags if tag is not None)


def _no_match(rows: Rows, judgments: SparkJudgments) -> Notice:
    """Return the warning that no document of the run is judged, with the likely reason."""
    named = rows.frame.select("docno").where("length(docno) > 0")
    names = named.limit(SAMPLE).toArrow().column("docno").to_pylist()
    reason = likely_reason(judgments.sample, names)
    return Notice(f"no document of the run is judged: {reason}")


def _per_topic(cached: Any, names: Sequence[bytes], found: Measured, prepared: Prepared) -> Any:
    """Return a DataFrame of topic, measure and value; `names` are the topics of the cached rows."""
    from pyspark.sql import functions

    places = {str(measure): i for i, measure in enumerate(prepared.measures)}
    numbers = functions.col("numbers")
    each = []
    for named in prepared.asked:
        number = numbers[len(FACTS) + places[str(named.measure)] * len(PER_MEASURE)]
        value = functions.when(~functions.isnan(number), number)
        each.append(
            functions.struct(functions.lit(named.as_given).alias("measure"), value.alias("value"))
        )
    rows = cached.where(functions.col("topic").isNotNull() & (numbers[CHOSEN] == 1.0))
    shown = rows.select(
        functions.col("name").alias("topic"), functions.inline(functions.array(*each))
    )
    others = _others(
        names, found, [(named.as_given, places[str(named.measure)]) for named in prepared.asked]
    )
    return shown if others is None else shown.union(cached.sparkSession.createDataFrame(others))


def _others(names: Sequence[bytes], found: Measured, asked: Sequence[tuple[str, int]]) -> Any:
    """Return a table of the topics that count and that the driver has added; None without any."""
    import pyarrow as pa

    if len(names) == len(found.names):
        return None
    known = set(names)
    added = np.array([name not in known for name in found.counted], dtype=bool)
    if not added.any():
        return None
    topics = [decoded(name) for name in found.counted if name not in known]
    parts = [
        pa.table(
            {
                "topic": pa.array(topics, pa.string()),
                "measure": pa.array([name] * len(topics), pa.string()),
                "value": pa.array(found.measures[place].values[added], from_pandas=True),
            }
        )
        for name, place in asked
    ]
    return pa.concat_tables(parts)


def evaluate_files(
    qrels: str,
    run: str,
    measures: MeasuresLike | None = None,
    settings: Settings | None = None,
    *,
    master: str | None = None,
    reading: Reading = AS_FOUND,
    **options: Any,
) -> Results:
    """Score a run on Spark whose files Spark reads, in a session that is ended afterwards.

    `master` is Spark's master, by default all processors of this machine; options are those of
    `evaluate`.
    """
    from rankeval.spark.session import started
    from rankeval.spark.spark_files import frame_of

    of_run = settings_or_usual(settings).form(reading.run())
    of_qrels = replace(reading.qrels(), label=label_for(measures))
    with started(master) as session, unchanged(qrels, run), told_as_input_errors():
        judged = frame_of(session, qrels, of_qrels)
        ranked = frame_of(session, run, of_run)
        found = evaluate(
            judged, ranked, measures, settings, reading=reading, paths=(qrels, run), **options
        )
        return found.results


def _refuse_orders_of_rows(settings: Settings, reading: Reading) -> None:
    """Raise UsageError for rules that need an order of rows."""
    if settings.ties == "input":
        raise UsageError(
            "rows of a DataFrame have no order, by which equal scores could be ordered",
            remedy="break ties by another rule, such as docno",
        )
    if reading.duplicates in ("first", "last"):
        raise UsageError(
            f"rows of a DataFrame have no order, so that there is no {reading.duplicates} row of a "
            "document",
            expected="duplicates that are refused, or the best of them",
        )


def _refuse_plugins(asked: Sequence[NamedMeasure]) -> None:
    """Raise UsageError for measures that workers do not know."""
    for named in asked:
        if not named.measure.definition.is_own:
            raise UsageError(
                f"{named.measure} is a plugin's measure, which Spark's workers do not know",
                expected="rankeval's own measures",
                remedy="evaluate it on one machine",
            )
        if {LISTS, TRAIN, CATALOG, FEATURES} & {*named.measure.considers}:
            raise UsageError(
                f"{named.measure} looks at whole lists of items, which Spark's workers do not keep",
                remedy="evaluate it on one machine",
            )
