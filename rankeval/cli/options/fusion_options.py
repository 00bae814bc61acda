"""Options for the method of fusion, its weights and its parameters."""

import re
from typing import Annotated, Any

from rankeval.base.frozen import frozen
from rankeval.choices import METHOD_NAMES, NORMALISATION_NAMES, FusedTieRule
from rankeval.cli.options import measure_options as measuring
from rankeval.cli.options.file_options import READ
from rankeval.cli.options.panels import FUSION, RANKINGS
from rankeval.errors import UsageError

TiesOfRuns = Annotated[
    FusedTieRule,
    RANKINGS(
        "--ties RULE",
        "Order of equal scores in the runs, before ranks are taken. docno (default): docno "
        "descending, as in trec_eval; input: as in the file; rank: by the rank column.",
    ),
]


@frozen
class TuningOptions:
    """The judgments, the measures and the folds of tuning."""

    tune: Annotated[
        str | None,
        FUSION(
            "--tune QRELS",
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
            "--folds N",
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
            "--method METHOD",
            f"Method of fusion, with its parameter or not, as in rbc(phi=0.9): "
            f"{', '.join(METHOD_NAMES)}. Default: rrf, reciprocal rank fusion, with k=60.",
            any_of=METHOD_NAMES,
            common=True,
        ),
    ] = "rrf"
    norm: Annotated[
        str | None,
        FUSION(
            "--norm RULE",
            "Normalisation of the scores of a topic, for methods that use scores: "
            f"{', '.join(NORMALISATION_NAMES)}. Default: min-max.",
            any_of=NORMALISATION_NAMES,
            common=True,
        ),
    ] = None
    run_weights: Annotated[
        str | None,
        FUSION(
            "--weights W,W,...",
            "A weight for each run, for wsum, wmnz, mixed, wborda and wcondorcet.",
            common=True,
        ),
    ] = None

    @property
    def name(self) -> str:
        """The name of the method."""
        return self.method.partition("(")[0].strip()

    def numbers(self) -> dict[str, Any]:
        """Return the weights and parameters as the library takes them."""
        weights = None if self.run_weights is None else _weights(self.run_weights)
        return {"weights": weights, **_parameters(self.method)}


def _parameters(method: str) -> dict[str, float]:
    """Return the parameters in the name of a method, such as 60 for k in rrf(k=60)."""
    shape = re.fullmatch(r"[^()]*(?:\(\s*((?:\w+=[^\s,=]+[,\s]*)*)\))?", method)
    try:
        pairs = re.findall(r"(\w+)=([^\s,=]+)", (shape and shape[1]) or "")
        found = {name: float(value) for name, value in pairs}
    except ValueError:
        shape = None
    if shape is None:
        raise UsageError(
            f"'{method}' is not a method", place="--method", expected="rrf or rrf(k=60)"
        )
    return found


def _weights(text: str) -> list[float]:
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        raise UsageError(
            f"'{text}' are no weights",
            place="--weights",
            expected="numbers separated by commas: 0.5,0.3,0.2",
        ) from None
