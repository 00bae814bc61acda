"""`rankeval compare`: differences between runs, with tests and intervals."""

from typing import TYPE_CHECKING, Annotated

import typer

import rankeval
from rankeval.base.frozen import frozen
from rankeval.choices import IntervalMethod, listed
from rankeval.cli.options import file_options as files
from rankeval.cli.options import measure_options as measuring
from rankeval.cli.options import panels
from rankeval.cli.options import statistics_options as statistics
from rankeval.cli.options.collection_options import (
    CollectionOptions,
    collection_warnings,
    refuse_beside,
)
from rankeval.cli.options.convention_options import Conventions
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import CaptionOptions, NumbersOutput, sort_option
from rankeval.cli.options.reading_options import ReadingOptions
from rankeval.cli.options.running_options import RunningOptions
from rankeval.errors import UsageError

if TYPE_CHECKING:
    from rankeval.commands.compare.method import Method


@frozen
class ComparisonOptions:
    """The options of `Method`, and those for the content of its tables."""

    test: statistics.AnyTestName = "t"
    correction: statistics.CorrectionName = None
    interval: Annotated[
        IntervalMethod,
        panels.STATISTICS(
            "--interval",
            "METHOD",
            f"Confidence interval of the difference: {listed(IntervalMethod)}. Default: t.",
        ),
    ] = IntervalMethod.STUDENT_T
    equivalent: Annotated[
        list[str] | None,
        panels.STATISTICS(
            "--equivalent",
            "MEASURE=MARGIN",
            "Test also whether the runs are equivalent within a margin: nDCG@10=0.01. "
            "By two one-sided t tests, whatever --test is; gate --equivalent has bounds that do "
            "not assume normal differences. Repeatable. With --test bayes, MARGIN is the region "
            "of practical equivalence.",
        ),
    ] = None
    all_pairs: Annotated[
        bool,
        panels.STATISTICS("--all-pairs", "Compare every run with every other run.", common=True),
    ] = False
    anova: Annotated[
        bool,
        panels.STATISTICS(
            "--anova",
            "Show the two-way analysis of variance of each measure, for three runs or more. "
            "JSON always has it.",
        ),
    ] = False
    alpha: statistics.Alpha = None
    power: Annotated[
        bool,
        panels.STATISTICS(
            "--power",
            "Report the topics needed to detect --difference, and the smallest difference "
            "that these topics can detect, by the noncentral t distribution. For --test t only.",
        ),
    ] = False
    at_power: statistics.AtPower = None
    difference: Annotated[
        str,
        panels.STATISTICS(
            "--difference",
            "D",
            "Difference that --power plans for: 0.01, or a share of the baseline's mean. "
            "Default: 5%.",
        ),
    ] = "5%"
    seed: statistics.Seed = None

    def method(self) -> "Method":
        """Return the method."""
        from rankeval.commands.compare.method import Method  # --help needs no numpy

        return Method.from_options(
            test=self.test,
            correction=self.correction,
            interval=self.interval,
            alpha=0.05 if self.alpha is None else self.alpha,
            all_pairs=self.all_pairs,
            power=0.8 if self.at_power is None else self.at_power,
            difference=self.difference,
            equivalent=self.equivalent or (),
            seed=self.seed or 0,
        )


@grouped
def compare(
    qrels: files.QrelsPath,
    baseline: Annotated[
        files.RunFile,
        typer.Argument(
            metavar="BASELINE",
            help="Run file, or JSON that rankeval eval -q -o FILE.json saved. NAME=FILE names it.",
        ),
    ],
    runs: Annotated[
        list[files.RunFile],
        typer.Argument(
            metavar="RUN", help="Runs to compare with BASELINE: run files or saved JSON."
        ),
    ],
    *,
    measures: Annotated[
        list[str] | None,
        measuring.option(
            'Measures to compare: -m "nDCG@10 AP"; separated by spaces, repeatable. '
            "Default: nDCG@10 and AP, or the measures of a BASELINE in JSON."
        ),
    ] = None,
    plugins: measuring.Plugins = None,
    parts: measuring.GroupedParts = None,
    conventions: Conventions,
    how: ComparisonOptions,
    by_topic: Annotated[
        bool,
        panels.OUTPUT(
            "--by-topic",
            "Show the topics that changed most as well. TSV and CSV then hold topics only.",
        ),
    ] = False,
    details: Annotated[
        bool,
        panels.OUTPUT(
            "--details",
            "Show differences, p-values, intervals, effect sizes: in tables of three runs "
            "or more, in Markdown and in LaTeX. --equivalent implies it; other formats always "
            "have them.",
        ),
    ] = False,
    run_names: files.RunNaming = "tag",
    sort: Annotated[
        str | None,
        sort_option(
            "Order of the runs behind BASELINE, and with --all-pairs of every run: a measure, best "
            "first, or name (seed2 before seed10). Default: as given."
        ),
    ] = None,
    captions: CaptionOptions,
    output: NumbersOutput,
    reading: ReadingOptions,
    collections: CollectionOptions,
    control: Annotated[
        str | None,
        panels.STATISTICS(
            "--baseline",
            "SYSTEM",
            "With --collections: the system that the others are compared with. Default: the "
            "first one of the file.",
        ),
    ] = None,
    running: RunningOptions,
) -> None:
    """Compare each RUN with BASELINE: differences, tests, intervals and effect sizes.

    Examples:
        rankeval compare qrels.txt bm25.run dense.run -m "nDCG@10 AP"
            two runs
        rankeval compare qrels.txt *.run --all-pairs --test tukey -o table.tex
            a paper's table
        rankeval compare qrels.txt bm25.run dense.run --power
            how many topics are needed
        rankeval compare --collections beir.toml
            mean ranks over many collections
    """
    from rankeval.commands.compare.show import Parts, comparison_printer

    printer = comparison_printer(Parts(details, how.power, by_topic, how.anova))
    if collections.collections:
        refuse_beside(
            {
                "QRELS": qrels,
                "--with": parts,
                "--run-names": run_names != "tag",
            }
        )
        measuring.load_plugins(plugins)
        from rankeval.commands.collections.command import evaluated
        from rankeval.commands.compare.over_collections import compare_collections

        read = collections.read(
            measures,
            [output.output],
            conventions=conventions.stated(),
            files_read=reading.stated(),
        )
        page = captions.page(output, printer)
        results = evaluated(read, running)
        found = compare_collections(results, baseline=control, sort=sort, method=how.method())
        warnings = collection_warnings(results, page.decimals, running)
        running.write(page, found, [*warnings, *found.warnings])
        return
    if control is not None:
        raise UsageError(
            "--baseline names a system of --collections",
            expected="BASELINE as the second argument, or --collections FILE",
        )
    once = files.baseline_first(baseline, runs)
    baseline, *runs = files.systems(once if len(once) > 1 else [baseline, *runs])
    measuring.load_plugins(plugins)
    page = captions.page(output, printer)
    comparison = rankeval.compare(
        qrels,
        baseline.path,
        [run.path for run in runs],
        measures,
        conventions.settings(),
        method=how.method(),
        **measuring.added(parts, measuring.GROUPED),
        reading=reading.reading(),
        run_names=files.run_names(run_names, [baseline, *runs]),
        sort=sort,
        jobs=running.jobs,
    )
    of_runs = running.of_runs(comparison.runs, page.decimals)
    running.write(page, comparison, [*of_runs, *comparison.warnings])
