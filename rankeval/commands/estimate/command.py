"""`rankeval estimate`: means from few human judgments and many of a machine."""

from typing import Annotated

import rankeval
from rankeval.choices import ESTIMATORS
from rankeval.cli.options import completion_values as values
from rankeval.cli.options import file_options as files
from rankeval.cli.options import measure_options as measuring
from rankeval.cli.options import statistics_options as statistics
from rankeval.cli.options.convention_options import Conventions
from rankeval.cli.options.option_groups import grouped, in_any_case
from rankeval.cli.options.output_options import NumbersOutput
from rankeval.cli.options.panels import STATISTICS
from rankeval.cli.options.reading_options import ReadingOptions
from rankeval.cli.options.running_options import RunningOptions


@grouped
def estimate(
    qrels: files.QrelsPath,
    runs: files.RunPaths,
    *,
    machine: Annotated[
        str | None,
        STATISTICS(
            "--machine",
            "FILE",
            "Judgments of a machine, such as a language model, of all topics: those of QRELS, "
            "which people judged, and more. Not needed where QRELS is a sample of documents.",
        ),
        files.READ,
    ] = None,
    estimator: Annotated[
        str,
        STATISTICS(
            "--estimator",
            "NAME",
            "Estimator for a sample of documents that rankeval pool --sample drew: "
            "horvitz-thompson (default), or hajek.",
            autocompletion=values.one_of(ESTIMATORS),
            callback=in_any_case(ESTIMATORS),
        ),
    ] = ESTIMATORS[0],
    finite: Annotated[
        bool,
        STATISTICS(
            "--finite",
            "Estimate the means over the machine's topics alone, or those of the sample; R@k and "
            "AP from drawn documents have no interval then. Default: over all topics that users "
            "might ask, of which these are a sample.",
        ),
    ] = False,
    topic_weights: Annotated[
        str | None,
        STATISTICS(
            "--topic-weights",
            "FILE",
            "Weights of the topics that people judged: lines of topic and 1 / the probability that "
            "people judged it. Default: the topics of QRELS are a random sample.",
        ),
        files.READ,
    ] = None,
    alpha: statistics.Alpha = None,
    measures: Annotated[
        list[str] | None,
        measuring.option(
            'Measures to estimate: -m "nDCG@10 AP"; separated by spaces, repeatable. Default: '
            "nDCG@10, AP and P@10; of a sample of documents P@10, DCG@10 and AP."
        ),
    ] = None,
    plugins: measuring.Plugins = None,
    costs: measuring.Costs = None,
    conventions: Conventions,
    run_names: files.RunNaming = "tag",
    output: NumbersOutput,
    reading: ReadingOptions,
    running: RunningOptions,
) -> None:
    """Estimate means where people judged some topics, or a sample of documents."""
    from rankeval.commands.estimate.show import ESTIMATE

    measuring.load_plugins(plugins)
    page = output.page(ESTIMATE)
    report = rankeval.estimate(
        qrels,
        [run.path for run in runs],
        measures,
        conventions.settings(),
        machine=machine,
        estimator=estimator,
        finite=finite,
        topic_weights=topic_weights,
        alpha=0.05 if alpha is None else alpha,
        costs=costs,
        reading=reading.reading(),
        run_names=files.run_names(run_names, runs),
        jobs=running.jobs,
    )
    running.write(page, report, [*running.of_runs(report.results), *report.warnings])
