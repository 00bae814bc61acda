"""`rankeval eval`: score runs against one set of judgments."""

import contextlib
import os
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Annotated, Any

import rankeval
from rankeval.base.frozen import record, replace
from rankeval.choices import AggregateRule, Names, listed
from rankeval.cli.options import evaluating_options as measuring
from rankeval.cli.options import file_options as files
from rankeval.cli.options import output_options as printing
from rankeval.cli.options import panels
from rankeval.cli.options.evaluating_options import (
    CollectionOptions,
    Conventions,
    ReadingOptions,
    RunningOptions,
    reading_progress,
)
from rankeval.cli.options.option_groups import Stated, grouped, stated
from rankeval.endings import DONE
from rankeval.errors import UsageError

Aggregate = Annotated[
    AggregateRule | None,
    panels.MEASURES(
        "--aggregate RULE",
        f"Aggregation over topics: {listed(AggregateRule)}. Default: each measure's own, "
        "which is the mean, or the sum for counts.",
    ),
]


Bounds = Annotated[
    bool,
    panels.MEASURES(
        "--bounds",
        "Add the lowest and highest value that judging the unjudged documents could give.",
    ),
]


Baseline = Annotated[
    files.RunFile | None,
    panels.STATISTICS(
        "--baseline RUN",
        "Mark significant differences from RUN, by the paired t test with Holm's correction. "
        "RUN is a file, or the name of one of the runs; it is shown first.",
        common=True,
    ),
]


NoSummary = Annotated[
    bool, panels.OUTPUT("--no-summary -n", "Leave out the values over all topics.")
]


NamesStyle = Annotated[
    Names,
    panels.OUTPUT(
        "--measure-names STYLE",
        "Names of measures. canonical (default): AP for map; as-given: as you wrote them.",
    ),
]


Signature = Annotated[bool, panels.OUTPUT("--signature", "Add the conventions behind each number.")]


SortKey = Annotated[
    str | None,
    printing.sort_option(
        "Sort the runs by a measure, best first, or by name (seed2 before seed10). Default: as "
        "given."
    ),
]


@record
class ValuesOutput(printing.NumbersOutput):
    """The options of `eval`, which also writes trec_eval's lines."""

    form: Annotated[str | None, printing.form_option(*printing.TABLES, "trec")] = None


@record
class AllConventions(Conventions):
    """The options behind `rankeval.options.Settings`, and trec_eval's letters for them."""

    collection_size: Annotated[
        int | None,
        panels.MEASURES(
            "--collection-size -N N", "Number of documents in the collection, for SetUtility."
        ),
    ] = None
    complete: Annotated[
        bool,
        panels.RANKINGS(
            "--complete -c", "Count every judged topic, as trec_eval -c does. This is the default."
        ),
    ] = False
    require_coverage: Annotated[
        bool, panels.RANKINGS("--require-coverage", "Refuse a run that lacks a judged topic.")
    ] = False

    def stated(self) -> Stated:
        """Return the options that were given, named as in `rankeval.options.Settings`."""
        given = {**vars(self)}
        if given.pop("complete"):
            if self.topics == "both":
                raise UsageError(
                    "--complete contradicts --topics both", remedy="give one of the two"
                )
            given["topics"] = "judged"
        return stated(given)


@record
class EngineOptions:
    """The engine, and the master of Spark."""

    engine: Annotated[
        str,
        panels.OTHER(
            "--engine ENGINE",
            "Evaluation engine. local (default): this machine alone; spark, or spark=MASTER "
            "(spark=yarn): Spark, which reads both files and gives the same values. It needs Java "
            "and pip install 'rankeval-ir[spark]'.",
        ),
    ] = "local"

    def is_spark(self, runs: Sequence[str]) -> bool:
        """Return True for Spark; UsageError for another engine, or for several runs."""
        engine, equals, master = self.engine.partition("=")
        if engine != "spark" or (equals and not master):
            if self.engine == "local":
                return False
            raise UsageError(
                f"there is no engine '{self.engine}'",
                place="--engine",
                expected="local, spark or spark=MASTER",
            )
        if len(runs) != 1:
            raise UsageError(
                f"--engine spark evaluates one run, and here are {len(runs)}",
                remedy="evaluate each by itself",
            )
        return True

    @property
    def master(self) -> str | None:
        """The master of Spark; None for all processors of this machine."""
        return self.engine.partition("=")[2] or None


OF_ONE = "QRELS --with --bounds --baseline --per-topic --no-summary --signature --run-names"


@partial(grouped, not_with={"--collections": f"{OF_ONE} --measure-names"})
def evaluate(
    qrels: files.QrelsPath,
    runs: files.RunPaths,
    *,
    measures: measuring.Measures = None,
    aggregate: Aggregate = None,
    parts: measuring.AllParts = None,
    conventions: AllConventions,
    bounds: Bounds = False,
    baseline: Baseline = None,
    per_topic: printing.PerTopic = False,
    no_summary: NoSummary = False,
    output: ValuesOutput,
    run_names: files.RunNaming = "tag",
    sort: SortKey = None,
    names: NamesStyle = "canonical",
    signature: Signature = False,
    reading: ReadingOptions,
    collections: CollectionOptions,
    engine: EngineOptions,
    running: RunningOptions,
) -> int:
    """Score each RUN against QRELS.

    Files may be compressed with gzip, bzip2, xz, zstd or lz4; - is stdin.

    Examples:
        rankeval qrels.txt bm25.run dense.run.gz
            a general-purpose set of measures
        rankeval qrels.txt *.run -m "nDCG@10 AP(rel=2) P@5"
            the measures you name
        rankeval qrels.txt *.run -q -o topics.tsv
            every topic, to a file
        rankeval test.tsv als.run -m MIUF@10 --with train=train.tsv
            how novel a recommender's items are
        zcat run.gz | rankeval qrels.txt - -f json
            a run from a pipe, as JSON
        rankeval eval --collections beir.toml -m nDCG@10
            systems on many collections
    """
    from rankeval.evaluation.show import PRINTER

    if collections.collections:
        page = output.page(PRINTER, per_topic=True)
        found = collections.evaluated(
            measures,
            [output.output],
            running,
            conventions=conventions.stated() | stated({"aggregate": aggregate}) | reading.stated(),
        )
        return _printed(found, page, sort, running, first=None)
    asked = measures, conventions.settings(aggregate=aggregate, **reading.stated())
    runs = files.systems(files.baseline_first(baseline, runs) if baseline else runs)
    paths = _paths(runs)

    if no_summary and not per_topic:
        raise UsageError(
            "--no-summary without --per-topic leaves nothing to print",
            remedy="add -q, or leave out -n",
        )
    page = output.page(
        PRINTER, per_topic=per_topic, summary=not no_summary, names=names, signature=signature
    )
    options: dict[str, Any] = {
        **measuring.added(parts, measuring.PARTS),
        "bounds": bounds,
        "run_names": files.run_names(run_names, runs),
    }
    if engine.is_spark(paths):
        if "items" in options:
            raise UsageError(
                "Spark's workers are given no facts of items", remedy="evaluate on one machine"
            )
        from rankeval.spark.engine import evaluate_files  # imports pyspark

        results = evaluate_files(qrels, paths[0], *asked, master=engine.master, **options)
    else:
        options["jobs"] = running.jobs
        with reading_progress(paths, wanted=not running.quiet) as progress:
            results = rankeval.evaluate(qrels, paths, *asked, **options, progress=progress)
    return _printed(results, page, sort, running, first=paths[0] if baseline else None)


def _printed(
    results: "rankeval.Results",
    page: printing.Printout,
    sort: str | None,
    running: RunningOptions,
    *,
    first: str | None,
) -> int:
    """Print results, compared with the `first` run if there is one, and return the exit code."""
    compared: tuple[str, ...] = ()
    if first is not None and len(results.runs) > 1:
        from rankeval.commands.compare.show import results_beside
        from rankeval.commands.compare.task import compare_results

        comparison = compare_results(results)
        page = replace(page, printer=results_beside(comparison))
        compared = comparison.warnings
    warnings = [*running.of_runs(results.runs, page.decimals), *compared]
    if sort:
        results = results.sorted(sort)
    running.write(page, results, warnings)
    return DONE


def _paths(runs: Iterable[files.RunFile]) -> list[str]:
    """Return the paths; UsageError for `-m AP nDCG@10`, which takes a measure for a run."""
    from rankeval.measures import parse_measures  # --help needs no numpy

    paths = [run.path for run in runs]
    for run in paths:
        if run == "-" or os.path.lexists(run):
            continue
        with contextlib.suppress(rankeval.MeasureError):
            if parse_measures(run):
                raise rankeval.UsageError(
                    "there is no such file, but there is a measure of this name",
                    place=run,
                    expected=f'all measures in one string, -m "AP {run}", or -m before each',
                )
    return paths
