"""Options for the method of fusion, its weights and its parameters."""

from typing import Annotated, Any

import typer

from rankeval.cli.completion import values
from rankeval.cli.options.panels import FUSION
from rankeval.errors import UsageError
from rankeval.fusion.names import METHOD_NAMES, NORMALISATION_NAMES
from rankeval.support.frozen import frozen


@frozen
class MethodOptions:
    """The method, its normalisation, weights and parameters."""

    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="METHOD",
            autocompletion=values.one_of(METHOD_NAMES),
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
