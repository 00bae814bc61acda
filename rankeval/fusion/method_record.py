"""The record of a method of fusion, its parameters, and how a function becomes one."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import field
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
    whole   only whole numbers
    tried   the values that --tune tries
    ======= =========================================================================
    """

    name: str
    default: float
    low: float
    high: float = float("inf")
    open: bool = False
    whole: bool = False
    tried: tuple[float, ...] = ()

    def checked(self, value: float) -> float:
        """Return the value; UsageError if it lies outside the range."""
        inside = self.low < value < self.high if self.open else self.low <= value <= self.high
        if not inside or (self.whole and value != int(value)) or value == float("inf"):
            raise UsageError(f"{self.name} cannot be {value}", expected=self.range)
        return int(value) if self.whole else float(value)

    @property
    def range(self) -> str:
        """Describe the range in words."""
        number = "a whole number" if self.whole else "a number"
        if self.high == float("inf"):
            return f"{number} {'above' if self.open else 'of at least'} {self.low:g}"
        ends = "between" if self.open else "from"
        joint = "and" if self.open else "to"
        return f"{number} {ends} {self.low:g} {joint} {self.high:,.9g}"


PARAMETERS: Mapping[str, FusionParameter] = {
    one.name: one
    for one in (
        FusionParameter("k", 60, 0, tried=(1, 5, 10, 20, 40, 60, 80, 100, 200)),
        FusionParameter("gamma", 1, 0, 100, tried=(0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3)),
        FusionParameter(
            "phi", 0.8, 0, 1, open=True, tried=(0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
        ),
        FusionParameter("sigma", 0.01, 0, 1, tried=(0, 0.001, 0.01, 0.05, 0.1, 0.2, 0.5, 1)),
        FusionParameter("segments", 25, 1, 1_000_000, whole=True, tried=(2, 5, 10, 25, 50, 100)),
        FusionParameter("window", 5, 0, 1_000_000, whole=True, tried=(1, 2, 3, 5, 10, 20)),
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
    train      `train(hits, **parameters)` learns what a run's ranks are worth; None if the method
               learns nothing but weights
    ========== ============================================================================
    """

    name: str
    function: Callable[..., Any]
    scored: bool
    parameters: tuple[str, ...] = ()
    weighted: bool = False
    train: Callable[..., Any] | None = field(default=None)

    @property
    def title(self) -> str:
        """The first line of the function's documentation."""
        return (self.function.__doc__ or "").partition("\n")[0].rstrip(".")


REGISTERED: dict[str, FusionMethod] = {}
"""The methods of the modules that have been imported, by name."""


def fusion_method(
    name: str, *, train: Callable[..., Any] | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function as a method of fusion; its signature declares its inputs.

    A parameter `scores` gives it normalised scores, `weights` one number for each run, `learned`
    what `train` has learned of each run. The other names are those of PARAMETERS.
    """

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        names = list(inspect.signature(function).parameters)
        more = inspect.signature(train).parameters if train else ()
        REGISTERED[name] = FusionMethod(
            name,
            function,
            scored="scores" in names,
            parameters=tuple(parameter for parameter in PARAMETERS if parameter in (*names, *more)),
            weighted="weights" in names,
            train=train,
        )
        return function

    return register
