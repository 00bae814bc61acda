"""Options for the method of fusion, its weights and its parameters."""

from typing import Annotated, Any

import typer

from rankeval.base.frozen import frozen
from rankeval.cli.options import completion_values as values
from rankeval.cli.options import measure_options as measuring
from rankeval.cli.options.file_options import READ
from rankeval.cli.options.option_groups import in_any_case
from rankeval.cli.options.panels import FUSION, RANKINGS
from rankeval.errors import UsageError
from rankeval.fusion.method_names import METHOD_NAMES, NORMALISATION_NAMES

TiesOfRuns = Annotated[
    str,
    typer.Option(
        "--ties",
        metavar="RULE",
        autocompletion=values.one_of(("docno", "input", "rank")),
        callback=in_any_case(("docno", "input", "rank")),
        help="Order of equal scores in the runs, before ranks are taken. docno (default): docno "
        "descending, as in trec_eval; input: as in the file; rank: by the rank column.",
        rich_help_panel=RANKINGS,
    ),
]


@frozen
class TuningOptions:
    """The judgments, the measures and the folds of tuning."""

    tune: Annotated[
        str | None,
        typer.Option(
            "--tune",
            metavar="QRELS",
            help="Choose the settings that are not given by these judgments, with "
            "cross-validation: each judged topic is fused by the settings chosen without it. The "
            "held-out scores are printed, on stderr if the run goes to standard output.",
            rich_help_panel=FUSION,
        ),
        READ,
    ] = None
    tune_measures: Annotated[
        list[str] | None,
        measuring.option(
            "Measures of --tune, separated by spaces; settings are chosen by the first. "
            "Repeatable. Default: nDCG@10."
        ),
    ] = None
    folds: Annotated[
        int | None,
        typer.Option(
            "--folds",
            metavar="N",
            help="Folds of --tune, to which the topics are dealt in turn, sorted by name. "
            "Default: 5.",
            rich_help_panel=FUSION,
        ),
    ] = None

    def refuse_without_tune(self) -> None:
        """Raise UsageError for a measure or folds without --tune."""
        for name, value in (("--measure", self.tune_measures), ("--folds", self.folds)):
            if self.tune is None and value is not None:
                raise UsageError(
                    f"{name} is for tuning", remedy=f"add --tune QRELS, or drop {name}"
                )


@frozen
class MethodOptions:
    """The method, its normalisation, weights and parameters."""

    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="METHOD",
            autocompletion=values.one_of(METHOD_NAMES),
            callback=in_any_case(METHOD_NAMES),
            help=f"Method of fusion: {', '.join(METHOD_NAMES)}. Default: rrf, reciprocal rank "
            "fusion.",
            rich_help_panel=FUSION,
        ),
    ] = "rrf"
    norm: Annotated[
        str | None,
        typer.Option(
            "--norm",
            metavar="RULE",
            autocompletion=values.one_of(NORMALISATION_NAMES),
            callback=in_any_case(NORMALISATION_NAMES),
            help="Normalisation of the scores of a topic, for methods that use scores: "
            f"{', '.join(NORMALISATION_NAMES)}. Default: min-max.",
            rich_help_panel=FUSION,
        ),
    ] = None
    run_weights: Annotated[
        str | None,
        typer.Option(
            "--weights",
            metavar="W,W,...",
            help="A weight for each run, for wsum, wmnz, mixed, wborda and wcondorcet.",
            rich_help_panel=FUSION,
        ),
    ] = None
    k: Annotated[
        float | None,
        typer.Option(
            "--k",
            metavar="K",
            help="Constant of rrf, added to each rank. Default: 60.",
            rich_help_panel=FUSION,
        ),
    ] = None
    gamma: Annotated[
        float | None,
        typer.Option(
            "--gamma",
            metavar="G",
            help="Power of the number of runs, of combgmnz. Default: 1.",
            rich_help_panel=FUSION,
        ),
    ] = None
    phi: Annotated[
        float | None,
        typer.Option(
            "--phi", metavar="P", help="Persistence of rbc. Default: 0.8.", rich_help_panel=FUSION
        ),
    ] = None
    sigma: Annotated[
        float | None,
        typer.Option(
            "--sigma",
            metavar="S",
            help="Number added to that of runs in logn-isr. Default: 0.01.",
            rich_help_panel=FUSION,
        ),
    ] = None
    segments: Annotated[
        int | None,
        typer.Option(
            "--segments",
            metavar="N",
            help="Number of segments of a ranking, of probfuse. Default: 25.",
            rich_help_panel=FUSION,
        ),
    ] = None
    window: Annotated[
        int | None,
        typer.Option(
            "--window",
            metavar="N",
            help="Ranks before and after a document that slidefuse averages. Default: 5.",
            rich_help_panel=FUSION,
        ),
    ] = None


def numbers(given: MethodOptions) -> dict[str, Any]:
    """Return the weights and parameters as the library takes them."""
    return {
        "weights": None if given.run_weights is None else _weights(given.run_weights),
        "k": given.k,
        "gamma": given.gamma,
        "phi": given.phi,
        "sigma": given.sigma,
        "segments": given.segments,
        "window": given.window,
    }


def _weights(text: str) -> list[float]:
    try:
        return [float(one) for one in text.split(",")]
    except ValueError:
        raise UsageError(
            f"'{text}' are no weights",
            place="--weights",
            expected="numbers separated by commas: 0.5,0.3,0.2",
        ) from None
