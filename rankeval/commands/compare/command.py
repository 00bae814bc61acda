"""`rankeval compare`: differences between runs, with tests and intervals."""

import math
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

import rankeval
from rankeval.base.frozen import frozen
from rankeval.base.wording import nearest
from rankeval.choices import Correction, listed
from rankeval.cli.options import file_options as files
from rankeval.cli.options import measure_options as measuring
from rankeval.cli.options import panels
from rankeval.cli.options.evaluating_options import (
    Alpha,
    CollectionOptions,
    Conventions,
    ReadingOptions,
    RunningOptions,
    Seed,
)
from rankeval.cli.options.option_groups import grouped
from rankeval.cli.options.output_options import NumbersOutput, sort_option
from rankeval.errors import UsageError
from rankeval.stats.statistical_tests import names_of_tests

if TYPE_CHECKING:
    from rankeval.commands.compare.method import Method


AnyTestName = Annotated[
    str,
    panels.STATISTICS(
        "--test TEST",
        f"Significance test: {listed(names_of_tests())}. Default: t, Student's paired t "
        "test. tukey, randomized-tukey and dunnett test all runs at once; bayes gives "
        "probabilities.",
        any_of=names_of_tests(),
    ),
]


CorrectionName = Annotated[
    Correction | None,
    panels.STATISTICS(
        "--correction RULE",
        f"Correction of p-values for multiple tests: {listed(Correction)}. Default: "
        "holm, over the runs that are compared; tests of all runs at once need none.",
    ),
]


@frozen
class ComparisonOptions:
    """The options of `Method`."""

    test: AnyTestName = "t"
    correction: CorrectionName = None
    equivalent: Annotated[
        list[str] | None,
        panels.STATISTICS(
            "--equivalent MEASURE=MARGIN",
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
    alpha: Alpha = None
    power: Annotated[
        str | None,
        panels.STATISTICS(
            "--power D[:POWER]",
            "Report the topics needed to detect a difference D (0.01, or 5% of the baseline's "
            "mean) with a power (default: 0.8), and the smallest difference that these topics can "
            "detect, by the noncentral t distribution. For --test t only.",
        ),
    ] = None
    seed: Seed = None

    def method(self) -> "Method":
        """Return the method."""
        from rankeval.commands.compare.method import Method  # --help needs no numpy

        difference, relative, power = _plan(self.power) if self.power else (None, True, 0.8)
        return Method(
            test=self.test,  # type: ignore[arg-type]  # the option has checked the word
            correction=self.correction,
            alpha=0.05 if self.alpha is None else self.alpha,
            all_pairs=self.all_pairs,
            difference=difference,
            relative=relative,
            power=power,
            margins=dict(map(_margin, self.equivalent or ())),
            seed=self.seed or 0,
        )


def _plan(text: str) -> tuple[float, bool, float]:
    """Read the difference to plan for, perhaps a share, and the power: 0.01, 5%, 5%:0.9."""
    difference, _, power = text.strip().partition(":")
    share = difference.removesuffix("%")
    with suppress(ValueError):
        wanted, of = float(share), float(power or 0.8)
        if math.isfinite(wanted) and wanted > 0:
            relative = share != difference
            return wanted / 100 if relative else wanted, relative, of
    raise UsageError(
        f"'{text}' is not a difference to plan for",
        place="--power",
        expected="a number above 0, or a share such as 5%, and perhaps a power: 5%:0.9",
    )


def _margin(text: str) -> tuple[str, float]:
    """Read a margin of equivalence, such as nDCG@10=0.01."""
    measure, _, number = text.rpartition("=")
    with suppress(ValueError):
        if measure.strip():
            return measure.strip(), float(number)
    raise UsageError(
        f"'{text}' is not a margin of equivalence", expected="MEASURE=MARGIN, as in nDCG@10=0.01"
    )


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
    measures: Annotated[
        list[str] | None,
        measuring.option(
            'Measures to compare: -m "nDCG@10 AP"; separated by spaces, repeatable. '
            "Default: nDCG@10 and AP, or the measures of a BASELINE in JSON."
        ),
    ] = None,
    parts: measuring.ClusteredParts = None,
    conventions: Conventions,
    how: ComparisonOptions,
    run_names: files.RunNaming = "tag",
    sort: Annotated[
        str | None,
        sort_option(
            "Order of the runs after BASELINE, and with --all-pairs of every run: a measure, best "
            "first, or name (seed2 before seed10). Default: as given."
        ),
    ] = None,
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
        results = collections.evaluated(
            measures,
            [output.output],
            running,
            conventions=conventions.stated() | reading.stated(),
        )
        found = _of_systems(results, control, sort, how.method())
        warnings = running.of_runs(results.runs, page.decimals)
        running.write(page, found, [*warnings, *found.warnings])
        return
    given = files.baseline_first(control or baseline, [baseline, *runs] if control else runs)
    baseline, *runs = files.systems(given if len(given) > 1 else [baseline, *runs])
    comparison = rankeval.compare(
        qrels,
        baseline.path,
        [run.path for run in runs],
        measures,
        settings=conventions.settings(**reading.stated()),
        method=how.method(),
        **measuring.added(parts, measuring.CLUSTERED),
        run_names=files.run_names(run_names, [baseline, *runs]),
        sort=sort,
        jobs=running.jobs,
    )
    of_runs = running.of_runs(comparison.runs, page.decimals)
    running.write(page, comparison, [*of_runs, *comparison.warnings])


def _of_systems(
    results: "rankeval.Results", control: files.RunFile | None, sort: str | None, method: "Method"
) -> "rankeval.types.Comparison":
    """Compare the baseline, by default the first system, with the others over collections."""
    names = [run.name for run in results.runs]
    first = control.path if control else names[0]
    if first not in names:
        problem = f"no system is called '{first}'"
        raise UsageError(problem, place="--baseline", expected=nearest(first, names))
    ordered = results.sorted(sort) if sort else results
    return ordered.compare(first if control or not method.all_pairs else None, method=method)
