"""Options for the method of fusion, its weights and its parameters."""

from typing import Annotated, Any

from rankeval.base.frozen import frozen
from rankeval.choices import METHOD_NAMES, NORMALISATION_NAMES
from rankeval.cli.options import measure_options as measuring
from rankeval.cli.options.file_options import READ
from rankeval.cli.options.panels import FUSION, RANKINGS
from rankeval.errors import UsageError

TiesOfRuns = Annotated[
    str,
    RANKINGS(
        "--ties",
        "RULE",
        "Order of equal scores in the runs, before ranks are taken. docno (default): docno "
        "descending, as in trec_eval; input: as in the file; rank: by the rank column.",
        any_of=("docno", "input", "rank"),
    ),
]


@frozen
class TuningOptions:
    """The judgments, the measures and the folds of tuning."""

    tune: Annotated[
        str | None,
        FUSION(
            "--tune",
            "QRELS",
            "Tune the other settings on these judgments, with cross-validation: "
            "each judged topic is fused by the settings chosen without it. The "
            "held-out scores are printed, on stderr if the run goes to standard output.",
            common=True,
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
        FUSION(
            "--folds",
            "N",
            "Folds of --tune, to which the topics are dealt in turn, sorted by name. Default: 5.",
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
        FUSION(
            "--method",
            "METHOD",
            f"Method of fusion: {', '.join(METHOD_NAMES)}. Default: rrf, reciprocal rank fusion.",
            any_of=METHOD_NAMES,
            common=True,
        ),
    ] = "rrf"
    norm: Annotated[
        str | None,
        FUSION(
            "--norm",
            "RULE",
            "Normalisation of the scores of a topic, for methods that use scores: "
            f"{', '.join(NORMALISATION_NAMES)}. Default: min-max.",
            any_of=NORMALISATION_NAMES,
            common=True,
        ),
    ] = None
    run_weights: Annotated[
        str | None,
        FUSION(
            "--weights",
            "W,W,...",
            "A weight for each run, for wsum, wmnz, mixed, wborda and wcondorcet.",
            common=True,
        ),
    ] = None
    k: Annotated[
        float | None,
        FUSION("--k", "K", "Constant of rrf, added to each rank. Default: 60."),
    ] = None
    gamma: Annotated[
        float | None,
        FUSION("--gamma", "G", "Power of the number of runs, of combgmnz. Default: 1."),
    ] = None
    phi: Annotated[
        float | None,
        FUSION("--phi", "P", "Persistence of rbc. Default: 0.8."),
    ] = None
    sigma: Annotated[
        float | None,
        FUSION("--sigma", "S", "Number added to that of runs in logn-isr. Default: 0.01."),
    ] = None


def numbers(given: MethodOptions) -> dict[str, Any]:
    """Return the weights and parameters as the library takes them."""
    return {
        "weights": None if given.run_weights is None else _weights(given.run_weights),
        "k": given.k,
        "gamma": given.gamma,
        "phi": given.phi,
        "sigma": given.sigma,
    }


def _weights(text: str) -> list[float]:
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        raise UsageError(
            f"'{text}' are no weights",
            place="--weights",
            expected="numbers separated by commas: 0.5,0.3,0.2",
        ) from None
