"""The measures that a sample of documents estimates: weights of ranks, and gains of grades."""

from collections.abc import Callable
from typing import Any

import numpy as np

from rankeval.base.arrays import Floats, Integers
from rankeval.base.frozen import frozen
from rankeval.errors import MeasureError
from rankeval.evaluation.settings import Settings
from rankeval.measures import Measure, MeasuresLike, parse_measures
from rankeval.measures.cumulated_gain import discount, gain
from rankeval.stats.sampled_values import PRECISION, SHARE, STAT_AP, TOTAL

SAMPLED = "P@10 DCG@10 AP"
"""The measures that are estimated from a sample by default."""

FAMILIES = "P@k, DCG@k, RBP, R@k, AP or statAP"


@frozen(eq=False)
class SampledMeasure:
    """A measure that is a sum over documents, a ratio of two, or one over pairs.

    ======= =======================================================================
    name    text, as results have it
    way     TOTAL, SHARE, PRECISION or STAT_AP
    weights the weights of ranks, which are 0 below the cutoff; ranks are 1 or more
    gains   the gains of grades
    ======= =======================================================================
    """

    name: str
    way: str
    weights: Callable[[Integers], Floats]
    gains: Callable[[Floats], Floats]

    @property
    def of_all(self) -> str:
        """The measure that has the value where everything was judged."""
        return self.name.replace("statAP", "AP") if self.way == STAT_AP else self.name


def sampled_measures(measures: MeasuresLike, settings: Settings) -> list[SampledMeasure]:
    """Return the measures, each once; MeasureError for one that no sample estimates."""
    found = [settings.apply_to(named) for named in parse_measures(measures, settings.meanings)]
    return [_sampled(measure) for measure in {str(one): one for one in found}.values()]


def _sampled(measure: Measure) -> SampledMeasure:
    values: dict[str, Any] = dict(measure.parameters)
    cutoff = values.pop("cutoff", None)
    family = measure.definition.name
    if family not in ("P", "DCG", "RBP", "R", "AP", "statAP") or _odd(values):
        raise MeasureError(
            f"{measure} cannot be estimated from a sample of documents",
            expected=FAMILIES,
            remedy="leave it out, or have all documents judged that it needs",
        )

    def within(rank: Integers) -> Floats:
        return np.ones(len(rank)) if cutoff is None else (rank <= cutoff).astype(np.float64)

    if family == "DCG":
        kind, base, gains = values["dcg"], values["base"], values["gains"]
        return SampledMeasure(
            str(measure),
            TOTAL,
            lambda rank: within(rank) / discount(rank, dcg=kind, base=base),
            lambda grade: gain(grade, dcg=kind, gains=gains),
        )
    rel = values["rel"]

    def relevant(grade: Floats) -> Floats:
        return (grade >= rel).astype(np.float64)

    if family == "RBP":
        p = values["p"]
        return SampledMeasure(
            str(measure), TOTAL, lambda rank: within(rank) * (1 - p) * p ** (rank - 1.0), relevant
        )
    if family == "P":
        return SampledMeasure(str(measure), TOTAL, lambda rank: within(rank) / cutoff, relevant)
    if family == "R":
        return SampledMeasure(str(measure), SHARE, within, relevant)
    way = PRECISION if family == "AP" else STAT_AP
    return SampledMeasure(str(measure), way, lambda rank: within(rank) / rank, relevant)


def _odd(values: dict[str, object]) -> bool:
    """Return True for settings with which the value is no such sum."""
    usual: dict[str, tuple[object, ...]] = {
        "judged_only": (False,),
        "max_rel": (None,),
        "out": ("EU",),
        "norm": ("rel",),
    }
    return any(name in usual and value not in usual[name] for name, value in values.items())
