"""The record of a method of fusion, its parameters, and how a function becomes one."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from rankeval.base.frozen import frozen
from rankeval.errors import UsageError


@frozen
class FusionParameter:
    """A parameter of methods: a number, and the range that it may have.

    ======= =========================================================================
    name    its name, that of the option
    default its value if it is not given
    low     the least value, or with `open` the value that it must exceed
    high    the largest value, or with `open` the value below which it must be
    open    the ends of the range do not belong to it
    ======= =========================================================================
    """

    name: str
    default: float
    low: float
    high: float = float("inf")
    open: bool = False

    def checked(self, value: float) -> float:
        """Return the value; UsageError if it lies outside the range."""
        inside = self.low < value < self.high if self.open else self.low <= value <= self.high
        if not inside or value == float("inf"):
            raise UsageError(f"{self.name} cannot be {value}", expected=self.range)
        return float(value)

    @property
    def range(self) -> str:
        """Describe the range in words."""
        if self.high == float("inf"):
            return f"a number {'above' if self.open else 'of at least'} {self.low:g}"
        ends = "between" if self.open else "from"
        joint = "and" if self.open else "to"
        return f"a number {ends} {self.low:g} {joint} {self.high:,.9g}"


PARAMETERS: Mapping[str, FusionParameter] = {
    one.name: one
    for one in (
        FusionParameter("k", 60, 0),
        FusionParameter("gamma", 1, 0, 100),
        FusionParameter("phi", 0.8, 0, 1, open=True),
        FusionParameter("sigma", 0.01, 0, 1),
    )
}
"""The parameters of methods other than weights."""


@frozen(eq=False)
class FusionMethod:
    """A method of fusion.

    ========== ============================================================================
    name       its name, that --method takes
    function   `function(candidates, scores, **parameters)` or, for a method that uses ranks
               only, `function(candidates, **parameters)`: the fused scores, shape (D,)
    scored     it uses the scores, and so their normalisation
    parameters names of the parameters, without weights
    weighted   it takes one weight for each run
    ========== ============================================================================
    """

    name: str
    function: Callable[..., Any]
    scored: bool
    parameters: tuple[str, ...] = ()
    weighted: bool = False

    @property
    def settings(self) -> tuple[str, ...]:
        """The names of all settings that it uses."""
        return ("norm",) * self.scored + ("weights",) * self.weighted + self.parameters


REGISTERED: dict[str, FusionMethod] = {}
"""The methods of the modules that have been imported, by name."""


def fusion_method(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function as a method of fusion; its signature declares its inputs.

    A parameter `scores` gives it normalised scores, `weights` one number for each run.
    The other names are those of PARAMETERS.
    """

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        names = list(inspect.signature(function).parameters)
        REGISTERED[name] = FusionMethod(
            name,
            function,
            scored="scores" in names,
            parameters=tuple(parameter for parameter in PARAMETERS if parameter in names),
            weighted="weights" in names,
        )
        return function

    return register
