"""The method of a fusion with its normalisation, weights and parameters, all checked."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack, cast

import numpy as np

from rankeval.base.arrays import Floats
from rankeval.base.frozen import frozen
from rankeval.base.wording import count, known_word
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.reading import Reading, ReadingFields
from rankeval.fusion.method_record import PARAMETERS, FusionMethod
from rankeval.fusion.methods import method_named, methods
from rankeval.fusion.normalise import NORMALISATIONS, BestScoreError
from rankeval.fusion.side_by_side import Batch

DEFAULT_NORM = "min-max"


class FusionSettings(TypedDict, total=False):
    """The settings of methods of fusion; each method uses some of them.

    ======= ============================================================================
    norm    normalisation of scores, for methods that use them: "min-max" by default
    weights of the runs, for "wsum", "mixed" and so on
    k       constant of "rrf" and others
    gamma, phi, sigma  parameters of some methods, as docs/fusion.md says
    ======= ============================================================================
    """

    norm: str | None
    weights: Sequence[float] | None
    k: float | None
    gamma: float | None
    phi: float | None
    sigma: float | None


class FusionKeywords(FusionSettings, ReadingFields, total=False):
    """The keywords of `fuse`: settings of methods, and how files are read."""


def reading_and_settings(given: FusionKeywords) -> tuple[Reading, FusionSettings]:
    """Part the keywords of `fuse` into how files are read, and the settings of its method."""
    reading = {name: v for name, v in given.items() if name in ReadingFields.__annotations__}
    settings = {name: v for name, v in given.items() if name not in reading}
    return Reading(**reading), cast("FusionSettings", settings)  # type: ignore[arg-type]  # its fields


@frozen(eq=False)
class FusionPlan:
    """A method of fusion, ready for use.

    ========== ========================================================================
    method     the record of the method
    norm       the name of the normalisation; None for a method that uses ranks only
    weights    one for each run; None if the method takes none
    parameters the method's other parameters, by name
    ========== ========================================================================
    """

    method: FusionMethod
    norm: str | None
    weights: Sequence[float] | None
    parameters: Mapping[str, float]

    def fuse(self, batch: Batch) -> Floats:
        """Return the fused score of each candidate; InputError where a score does not allow it."""
        found = batch.candidates
        given: dict[str, Any] = dict(self.parameters)
        if self.method.weighted:
            given["weights"] = np.array(self.weights)
        try:
            with np.errstate(over="raise", invalid="ignore"):
                scores = [NORMALISATIONS[self.norm](found)] if self.norm is not None else []
                fused: Floats = self.method.function(found, *scores, **given)
        except FloatingPointError:
            raise _too_large() from None
        except BestScoreError as error:
            raise error.named(batch.topics[error.topic]) from None
        if not np.isfinite(fused).all():  # a product of matrices reports no overflow
            raise _too_large()
        return fused

    def __str__(self) -> str:
        """Name the method with its settings: `wsum(weights=0.5,0.5 norm=min-max)`."""
        parts = [f"{name}={value:g}" for name, value in self.parameters.items()]
        if self.weights is not None:
            parts.append("weights=" + ",".join(f"{weight:.4g}" for weight in self.weights))
        parts += [f"norm={self.norm}"] if self.norm is not None else []
        return f"{self.method.name}({' '.join(parts)})" if parts else self.method.name


def _too_large() -> InputError:
    return InputError(
        "scores or weights are too large to be normalised and added",
        remedy="choose a method that uses ranks, such as rrf",
    )


def fusion_plan(method: str, n_runs: int, **settings: Unpack[FusionSettings]) -> FusionPlan:
    """Check a method and its settings; UsageError for a setting that the method does not use."""
    record = method_named(method)
    if n_runs < 2:
        raise UsageError(f"there is {n_runs or 'no'} run to fuse", expected="two runs or more")
    given: dict[str, Any] = {name: value for name, value in settings.items() if value is not None}
    norm = known_word(given.get("norm", DEFAULT_NORM), NORMALISATIONS)
    if norm not in NORMALISATIONS:
        raise UsageError(
            f"there is no normalisation '{norm}'", expected=f"one of {', '.join(NORMALISATIONS)}"
        )
    for name in given:
        if name not in record.settings:
            reason = "uses ranks only" if name == "norm" else f"does not use {name}"
            others = [one.name for one in methods().values() if name in one.settings]
            raise UsageError(
                f"the method {record.name} {reason}",
                expected=f"one of the methods {', '.join(others)}",
                remedy=f"drop {name}, or choose another method",
            )
    if record.weighted:
        _check_weights(record, given.get("weights"), n_runs)
    return FusionPlan(
        record,
        norm if record.scored else None,
        given.get("weights"),
        {n: PARAMETERS[n].checked(given.get(n, PARAMETERS[n].default)) for n in record.parameters},
    )


def _check_weights(record: FusionMethod, weights: Sequence[float] | None, n_runs: int) -> None:
    if weights is None:
        raise UsageError(
            f"the method {record.name} needs weights",
            remedy="give weights, or tune them on judgments",
        )
    if len(weights) != n_runs:
        raise UsageError(
            f"{count(len(weights), 'weight')} given for {n_runs} runs",
            expected="a weight for each run",
        )
    if not all(np.isfinite(weight) for weight in weights):
        raise UsageError("a weight is not finite", expected="finite numbers")
