"""Evaluate a run on Spark: rows are shuffled by topic, and judged documents come back."""

from __future__ import annotations

import pickle
import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import pyarrow as pa

from rankeval.base.checked import checked
from rankeval.base.frozen import replace
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.aggregation import Aggregation, GroupsLike, WeightsLike
from rankeval.evaluation.evaluate import naming_check, results_of_runs, score_run
from rankeval.evaluation.prepared import (
    Prepared,
    judgments_of,
    require_topics,
)
from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.run_names import BY_TAG, RunNames
from rankeval.evaluation.settings import USUAL, Settings, SettingsFields, settings_from
from rankeval.io.blocks import first_bytes
from rankeval.io.column_names import roles_of
from rankeval.io.files import files_of, is_remote, unchanged
from rankeval.io.formats import Form
from rankeval.measures import MeasuresLike, NamedMeasure, listed_measures
from rankeval.measures.facts import CATALOG, ELSEWHERE, FEATURES, LISTS, TRAIN
from rankeval.ranking.align import assembled
from rankeval.ranking.duplicates import duplicate_error
from rankeval.ranking.items import CostsLike
from rankeval.ranking.qrels import Qrels
from rankeval.spark.session import started, told_as_input_errors
from rankeval.spark.workers import (
    JUDGED,
    SCHEMA,
    Part,
    Work,
    lines_of,
    ranked_topics,
    together,
)

TABLES = {"parquet": b"PAR1", "orc": b"ORC"}
"""Formats of tables that Spark reads, and their first bytes."""


@checked
def evaluate(
    qrels: Any,
    runs: Any,
    measures: MeasuresLike | None = None,
    settings: Settings | None = None,
    *,
    weights: WeightsLike | None = None,
    groups: GroupsLike | None = None,
    costs: CostsLike | None = None,
    bounds: bool = False,
    run_names: RunNames = BY_TAG,
    paths: tuple[str, str] = ("qrels", ""),
    **conventions: Unpack[SettingsFields],
) -> Results:
    """Score runs that are Spark DataFrames; values are those of one machine to the last bit.

    `runs` is a DataFrame with the columns topic, docno and score, or {name: DataFrame}; `qrels` is
    one with topic, docno and grade, or judgments that `rankeval.evaluate` takes. Other names of
    columns are given by `columns`, as in {"topic": "user", "docno": "item"}. Rows come in any order
    and partitioning.
    `measures`, `settings`, `weights`, `groups`, `costs`, `bounds` and the conventions are those of
    `rankeval.evaluate`; as rows of a DataFrame have no order, equal scores cannot be ordered by it,
    nor a repeated document's first row be kept.

    Rows are shuffled by topic, and the topics of a partition are ranked by the functions that do so
    on one machine, beside their judgments, which are shuffled like the run; the driver measures
    their judged documents, of which it holds all. `paths` name judgments and run in messages and
    results.

    Raises RankevalError for what cannot be used.

    >>> from rankeval.spark import evaluate  # doctest: +SKIP
    >>> found = evaluate(qrels, spark.read.parquet("run/"), "nDCG@10 GAUC")  # doctest: +SKIP
    >>> session.createDataFrame(found.to_frame(per_topic=True))  # doctest: +SKIP
    """
    settings = settings_from(settings, conventions)
    measures = listed_measures(measures)
    over_topics = Aggregation(settings.aggregate, weights, groups)
    _refuse_what_rows_lack(settings)
    named = dict(runs) if isinstance(runs, Mapping) else {"": runs}
    wrong = next((run for run in named.values() if not is_frame(run)), None if named else runs)
    if wrong is not None:
        raise UsageError(
            f"the run is a {type(wrong).__name__}",
            expected="a DataFrame of Spark, or {name: DataFrame}",
        )
    with told_as_input_errors():
        prepared = Prepared(
            judgments_of(qrels.toArrow(), measures, settings) if is_frame(qrels) else qrels,
            measures,
            settings,
            over_topics=over_topics,
            costs=costs,
            bounds=bounds,
        )
        _refuse_lists(prepared.asked)
        require_topics(prepared.asked)
        found = [
            _scored(run, prepared, name or paths[1] or "run", paths[1])
            for name, run in named.items()
        ]
    if isinstance(runs, Mapping):
        run_names = replace(run_names, given=tuple(map(str, named)))
    return results_of_runs(prepared, found, run_names)


def is_frame(one: object) -> bool:
    """Return True for a DataFrame of Spark, also of Spark Connect."""
    return any(kind.__module__.startswith("pyspark.sql") for kind in type(one).__mro__)


def evaluate_files(
    qrels: str,
    run: str,
    measures: MeasuresLike | None = None,
    settings: Settings = USUAL,
    *,
    master: str | None = None,
    **options: Any,
) -> Results:
    """Score a run on Spark whose files its workers read, in a session that is ended afterwards.

    `master` is Spark's master, by default all processors of this machine; options are those of
    `evaluate`.
    """
    with started(master) as session, unchanged(run), naming_check(), told_as_input_errors():
        judgments = judgments_of(qrels, measures, settings)
        rows = frame_of(session, run, settings.run_form())
        options["paths"] = (qrels, run)
        return evaluate(judgments, rows, measures, replace(settings, columns=None), **options)


def frame_of(session: Any, path: str, form: Form) -> Any:
    """Return the rows of a file or a folder: tables by Spark, all else by our readers.

    Their columns have the names of their roles.
    """
    if is_remote(path):
        from rankeval.io.remote import refuse_secrets

        refuse_secrets(path)
        kind = next((kind for kind in TABLES if f".{kind}" in path), "")
        files = [path] if kind else files_of(path)
    else:
        files = files_of(path)
        kinds = {_kind(file) for file in files}
        kind = kinds.pop() if len(kinds) == 1 else ""
        files = [str(Path(file).resolve()) for file in files]
    reader = session.read.option("recursiveFileLookup", "true")
    if kind and form.name is None:
        return _rows(getattr(reader, kind)(*files), form, path)
    paths = session.createDataFrame([(file,) for file in files], "path string")
    work = partial(lines_of, form=replace(form, problems=None))
    ranks = ", rank double" * form.ranks
    schema = f"topic binary, docno binary, score double{ranks}, tag binary"
    return paths.repartition(len(files)).mapInArrow(work, schema)


def _kind(file: str) -> str:
    """Return parquet or orc for a table whose name Spark takes as it is; else ""."""
    begun = first_bytes(file, 4)
    if Path(file).name.startswith(("_", ".")) or re.search(r"[^\w/.=-]", str(Path(file).resolve())):
        return ""
    return next((kind for kind, magic in TABLES.items() if begun.startswith(magic)), "")


def _rows(run: Any, form: Form, name: str) -> Any:
    """Return the columns of a run that are needed, topic and docno first, topics as bytes."""
    from pyspark.sql import functions

    roles = roles_of(list(run.columns), "run", form.columns, name)
    taken = {
        role: functions.col("`" + run.columns[roles[role]].replace("`", "``") + "`").alias(role)
        for role in ("topic", "docno", "score", "rank", "tag")
        if role in roles
    }
    topic = run.schema.fields[roles["topic"]]
    kind = topic.dataType.simpleString()
    if not kind.startswith(
        ("string", "char", "varchar", "binary", "tinyint", "smallint", "int", "bigint")
    ):
        raise InputError(
            f"column {topic.name!r} is of the type {kind}",
            place=name,
            expected="text or integers as topic",
            remedy="cast it, or name another column with columns={'topic': NAME}",
        )
    as_bytes = taken["topic"] if kind == "binary" else taken["topic"].cast("string").cast("binary")
    taken["topic"] = functions.coalesce(as_bytes, functions.lit(b"")).alias("topic")
    return run.select(*taken.values())


def _ranked(rows: Any, work: Work, qrels: Qrels) -> Part:
    """Rank the topics of a run on the workers, beside the judgments of each."""
    topic = pa.array(qrels.topic)
    columns = (
        pa.array(qrels.topics, pa.binary()).take(topic),
        pa.array(qrels.docnos.names, pa.binary()).take(pa.array(qrels.docno)),
        pa.array(qrels.grade, pa.float64()),
        pa.array(np.arange(len(qrels.grade))),
        topic,
    )
    judged = dict(zip(("topic", *JUDGED), columns, strict=True))
    session = rows.sparkSession  # which makes 200 partitions of 2 million rows: 1.4 s
    partitions = int(session.conf.get("spark.sql.shuffle.partitions"))
    judgments = session.createDataFrame(pa.table(judged)).coalesce(partitions)
    both = rows.unionByName(judgments, allowMissingColumns=True)
    by_topic = both.repartition("topic").sortWithinPartitions("topic")
    found = by_topic.mapInArrow(partial(ranked_topics, work=work), SCHEMA).toArrow()
    parts = [pickle.loads(row) for row in found.column("part").to_pylist()]  # noqa: S301  written by `workers`
    return together(parts)


def _scored(run: Any, prepared: Prepared, name: str, path: str) -> RunResult:
    """Score one run; `name` is for messages."""
    qrels, needs = prepared.judgments, prepared.needs
    form = replace(prepared.settings.run_form(), problems=None)
    rows = _rows(run, form, name)
    work = Work(prepared.rules, needs, replace(form, columns={}), name)
    part = _ranked(rows, work, qrels)
    if part.repeated and prepared.settings.duplicates == "refuse":
        raise duplicate_error(part.repeated[0], part.n_repeated - 1, name, counted="")
    alignment = assembled(qrels, part.ranked, needs, name)
    repeated = {"duplicate documents": part.n_repeated} if part.n_repeated else {}
    alignment = replace(
        alignment,
        last_tag=max(part.tags, default=b""),
        without=part.without,
        n_further=part.n_without - len(part.without),
        dropped=repeated,
    )
    return score_run(prepared, alignment, path, name)


def _refuse_what_rows_lack(settings: Settings) -> None:
    """Raise UsageError for rules that need an order of rows, or their lines."""
    if settings.ties == "input" or settings.duplicates in ("first", "last"):
        raise UsageError(
            "rows of a DataFrame have no order, and so no first row",
            expected="ties by another rule, such as docno, and duplicates refused or the best",
        )
    if settings.on_error == "skip":
        raise UsageError(
            "Spark leaves out no wrong rows", remedy="filter them, or evaluate on one machine"
        )


def _refuse_lists(asked: Sequence[NamedMeasure]) -> None:
    """Raise UsageError for measures that need more than each topic's judged documents."""
    for named in asked:
        if {LISTS, TRAIN, CATALOG, FEATURES, ELSEWHERE} & {*named.measure.considers}:
            raise UsageError(
                f"{named.measure} looks at whole lists of items, or at judgments of other topics, "
                "which Spark's workers do not have",
                remedy="evaluate it on one machine",
            )
