"""`rankeval compare`: differences between runs, with tests and intervals."""

import math
from contextlib import suppress
from functools import partial
from typing import Annotated, Any

import typer

import rankeval
from rankeval.base.frozen import record
from rankeval.choices import listed
from rankeval.cli.options import evaluating_options as measuring
from rankeval.cli.options import file_options as files
from rankeval.cli.options import panels
from rankeval.cli.options.evaluating_options import (
    CollectionOptions,
    Conventions,
    ReadingOptions,
    RunningOptions,
)
from rankeval.cli.options.further_options import Alpha, Seed
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import NumbersOutput
from rankeval.errors import UsageError
from rankeval.stats.choices import Correction
from rankeval.stats.statistical_tests import names_of_tests


@record
class ComparisonOptions:
    """The options of `Method`."""

    test: Annotated[
        str,
        panels.STATISTICS(
            "--test TEST",
            f"Significance test: {listed(names_of_tests())}. Default: t. tukey, randomized-tukey "
            "and dunnett test all runs at once; bayes gives probabilities.",
            any_of=names_of_tests(),
        ),
    ] = "t"
    correction: Annotated[
        Correction | None,
        panels.STATISTICS(
            "--correction RULE",
            f"Correction of p-values for multiple tests: {listed(Correction)}. Default: holm, over "
            "the runs that are compared; tests of all runs at once need none.",
        ),
    ] = None
    equivalent: Annotated[
        list[str] | None,
        panels.STATISTICS(
            "--equivalent MEASURE=MARGIN",
            "Test also whether the runs are equivalent within a margin: nDCG@10=0.01, by two "
            "one-sided t tests. Repeatable. With --test bayes, MARGIN is the region of practical "
            "equivalence.",
        ),
    ] = None
    all_pairs: Annotated[
        bool,
        panels.STATISTICS("--all-pairs", "Compare every run with every other run.", common=True),
    ] = False
    alpha: Alpha = None
    power: Annotated[
        str | None,
        panels.STATISTICS(
            "--power D",
            "Report the topics needed to detect a difference D (0.01, or 5% of the baseline's "
            "mean) with power 0.8, and the smallest difference that these topics detect. For "
            "--test t only.",
        ),
    ] = None
    seed: Seed = None

    def fields(self) -> dict[str, Any]:
        """Return the fields of `Method`."""
        plain = ("test", "correction", "alpha", "all_pairs", "seed")
        found = {n: getattr(self, n) for n in plain if getattr(self, n) is not None}
        if self.power:
            share = self.power.removesuffix("%")
            wanted = _number(share, "a difference to plan for", "0.01, or a share: 5%")
            relative = share != self.power
            found |= {"difference": wanted / 100 if relative else wanted, "relative": relative}
        margins = {}
        for text in self.equivalent or ():
            name, _, margin = text.rpartition("=")
            if not name:
                raise UsageError(
                    f"'{text}' has no measure", expected="MEASURE=MARGIN, as in nDCG@10=0.01"
                )
            margins[name] = _number(margin, "a margin of equivalence", "nDCG@10=0.01")
        return found | {"margins": margins}


def _number(text: str, what: str, example: str) -> float:
    """Read a number above 0."""
    with suppress(ValueError):
        if 0 < (number := float(text)) < math.inf:
            return number
    raise UsageError(f"'{text}' is not {what}", expected=f"a number above 0, as in {example}")


@partial(grouped, not_with={"--collections": "QRELS --with --run-names"})
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
    measures: Annotated[list[str] | None, measuring.by_default("nDCG@10, AP or BASELINE's")] = None,
    parts: measuring.ClusteredParts = None,
    conventions: Conventions,
    how: ComparisonOptions,
    run_names: files.RunNaming = "tag",
    output: NumbersOutput,
    reading: ReadingOptions,
    collections: CollectionOptions,
    control: Annotated[
        files.RunFile | None,
        panels.STATISTICS(
            "--baseline RUN",
            "Run to compare with, a file or a name; with --collections, with this "
            "system. Default: the first one.",
            common=True,
        ),
    ] = None,
    running: RunningOptions,
) -> None:
    """Compare each RUN with BASELINE: differences, intervals, p-values, wins and losses.

    Examples:
        rankeval compare qrels.txt bm25.run dense.run -m "nDCG@10 AP"
            two runs
        rankeval compare qrels.txt *.run --all-pairs --test tukey -o table.tex
            a paper's table
        rankeval compare qrels.txt bm25.run dense.run --power 5%
            how many topics are needed
        rankeval compare --collections beir.toml
            mean ranks over many collections
    """
    from rankeval.commands.compare.show import PRINTER

    page = output.page(PRINTER)
    if collections.collections:
        stated = conventions.stated() | reading.stated()
        results = collections.evaluated(measures, [output.output], running, conventions=stated)
        found = results.compare(control.path if control else None, **how.fields())
    else:
        given = files.baseline_first(control or baseline, [baseline, *runs] if control else runs)
        baseline, *runs = files.systems(given if len(given) > 1 else [baseline, *runs])
        found = rankeval.compare(
            qrels,
            baseline.path,
            [run.path for run in runs],
            measures,
            settings=conventions.settings(**reading.stated()),
            **how.fields(),
            **measuring.added(parts, measuring.CLUSTERED),
            run_names=files.run_names(run_names, [baseline, *runs]),
            jobs=running.jobs,
        )
    of_runs = running.of_runs(found.runs, page.decimals)
    running.write(page, found, [*of_runs, *found.warnings])
