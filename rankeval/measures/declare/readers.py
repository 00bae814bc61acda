"""Declare measures of the C/W/L framework by their readers' rule of going on."""

import inspect
import re
from collections.abc import Callable, Mapping
from functools import partial
from inspect import Parameter, Signature
from typing import Annotated, Any, Literal

from rankeval.base.arrays import Floats
from rankeval.errors import MeasureError
from rankeval.measures.arithmetic.logarithms import MaxRel, MinRel, scale_is_exceeded, scaled_gain
from rankeval.measures.arithmetic.walk import Reader, measure_reader, probabilities
from rankeval.measures.declare.definition import RequiredCutoff, Values
from rankeval.measures.declare.measure_parameters import Meaning, MoreThan
from rankeval.measures.declare.measure_registry import measure
from rankeval.measures.declare.needs import COSTS, Need, Steps, Terms
from rankeval.measures.declare.value_bounds import Bounds, BoundsRule
from rankeval.ranking import RankedJudgments

Out = Annotated[
    Literal["EU", "ETU", "EC", "ETC", "ED"],
    Meaning(
        "quantity reported: expected utility per document read, expected total utility, the same "
        "for cost, or the expected depth"
    ),
]
OutOfReader = Annotated[
    Literal["EU", "ETU", "EC", "ETC", "ED"],
    Meaning(
        "quantity reported: 'EU' is the measure itself; the others are its reader's expected total "
        "utility, cost per document read, total cost or depth in the C/W/L framework"
    ),
]
Normalised = Annotated[bool, Meaning("divide by the sum of the weights; False only with out='EU'")]
Wanted = Annotated[float, MoreThan(0), Meaning("gain that the reader wants, 1 per best document")]

INFINITY = float("inf")

Rule = Callable[..., Floats | float]
"""From a Place and the rule's own parameters to C, the chance to go on."""

GAIN = "    r_i = (clip(g_i, min_rel, max_rel) - min_rel) / (max_rel - min_rel)\n"
EDGES = """\
Edge cases
    - Places without a judged document, and padding up to place 1000, have gain 0.
    - Nothing retrieved: 0, for every out=.
"""
EDGE_OF_CUTOFF = "    - k above 1000 has the effect of 1000.\n"


def spending(**_parameters: object) -> tuple[Need, ...]:
    """Return the costs of documents as an optional need."""
    return (COSTS,)


def spending_where_reported(*, out: str, **_parameters: object) -> tuple[Need, ...]:
    """Return the costs of documents as an optional need if a cost is reported."""
    return (COSTS,) if out in ("EC", "ETC") else ()


def chances_of(readers: Callable[..., Reader]) -> Callable[..., Terms]:
    """Return a function for C, W and L of a measure's readers; it has no terms for out='EU'."""

    def chances(judged: RankedJudgments, *, out: str, **parameters: Any) -> Terms:
        return {} if out == "EU" else probabilities(judged, readers(judged, **parameters))

    return chances


def of_the_measure_itself(rule: BoundsRule) -> BoundsRule:
    """Return a rule that bounds the measure itself, and gives None for other values of out=."""

    def bounds(
        values: Callable[[RankedJudgments], Values],
        judged: RankedJudgments,
        parameters: Mapping[str, Any],
    ) -> Bounds | None:
        return rule(values, judged, parameters) if parameters["out"] == "EU" else None

    return bounds


def reader(
    name: str,
    *,
    tier: int = 2,
    max_rel: str | None = None,
    norm: bool = False,
    cutoff: bool = False,
    bounds: BoundsRule | None = None,
) -> Callable[[Rule], Callable[..., Values]]:
    """Register a rule of going on as the measure `name`.

    ======= =============================================================================
    max_rel default of the scale's upper end; None where it must be given
    norm    whether norm=False is allowed: the sum of the gains, as first published
    cutoff  whether readers stop at a rank that must be given
    ======= =============================================================================

    The measure has the rule's own parameters and those that all readers share. Its docstring is
    the rule's, completed by the gain and the edge cases of all readers.
    """

    def register(rule: Rule) -> Callable[..., Values]:
        own = list(inspect.signature(rule, eval_str=True).parameters.values())[1:]
        signature = Signature([_JUDGED, *own, *_shared(max_rel, norm=norm, cutoff=cutoff)])

        def readers(
            judged: RankedJudgments, *, min_rel: float, max_rel: float | str, **given: Any
        ) -> Reader:
            gain = scaled_gain(judged.grade, judged, min_rel=min_rel, max_rel=max_rel)
            go_on = partial(rule, **{parameter.name: given[parameter.name] for parameter in own})
            return Reader(gain, go_on, given.get("cutoff"))

        def values(judged: RankedJudgments, **parameters: object) -> Values:
            bound = signature.bind(judged, **parameters)
            bound.apply_defaults()
            given = bound.arguments
            out = given["out"]
            if given.get("norm", True):
                return measure_reader(judged, readers(**given), out)
            if out != "EU":
                raise MeasureError(
                    f"norm=False and out='{out}' exclude each other", expected="out='EU'"
                )
            return measure_reader(judged, readers(**given), "sum")

        def gains(judged: RankedJudgments, **parameters: Any) -> Terms:
            return {"gain": readers(judged, **parameters).gain}

        def chances(judged: RankedJudgments, **parameters: Any) -> Terms:
            return probabilities(judged, readers(judged, **parameters))

        return measure(
            name,
            at="cutoff" if cutoff else None,
            high=INFINITY if norm else 1.0,
            tier=tier,
            caution=scale_is_exceeded,
            steps=Steps(rows=gains, places=chances),
            takes=spending,
            bounds=bounds,
        )(_like(rule, values, signature, cutoff=cutoff))

    return register


_JUDGED = Parameter("judged", Parameter.POSITIONAL_OR_KEYWORD, annotation=RankedJudgments)


def _shared(max_rel: str | None, *, norm: bool, cutoff: bool) -> list[Parameter]:
    """Return the parameters that readers share, in the order of a canonical name."""
    wanted: list[tuple[str, Any, object]] = [
        ("min_rel", MinRel, 0),
        ("max_rel", MaxRel, max_rel or Parameter.empty),
        *([("norm", Normalised, True)] if norm else []),
        ("out", Out, "EU"),
        *([("cutoff", RequiredCutoff, Parameter.empty)] if cutoff else []),
    ]
    return [
        Parameter(name, Parameter.KEYWORD_ONLY, annotation=annotation, default=default)
        for name, annotation, default in wanted
    ]


def _like(
    rule: Rule, values: Callable[..., Values], signature: Signature, *, cutoff: bool
) -> Callable[..., Values]:
    """Give a function the rule's name and module, the signature, and the completed docstring."""
    about: Any = values
    about.__name__, about.__qualname__ = rule.__name__, rule.__qualname__
    about.__module__ = rule.__module__
    about.__signature__ = signature.replace(return_annotation=Values)
    about.__annotations__ = {p.name: p.annotation for p in signature.parameters.values()}
    about.__doc__ = _completed(inspect.getdoc(rule) or "", cutoff=cutoff)
    return values


def _completed(text: str, *, cutoff: bool) -> str:
    """Add the gain and the edge cases of all readers to a rule's docstring."""
    edges = EDGES + EDGE_OF_CUTOFF * cutoff
    text = re.sub(r"(?m)(^ {4}.+\n)(?=\n)", lambda formula: formula[1] + GAIN, text, count=1)
    if "\nEdge cases\n" in text:
        return text.replace("Edge cases\n", edges, 1)
    return re.sub(r"(?m)^(?=Differences$|Source$)", lambda _: f"{edges}\n", text, count=1)
