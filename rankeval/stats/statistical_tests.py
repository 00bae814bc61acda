"""The tests of differences between systems: a record each, by name.

`--test`, its help and completion read the tables, captions and JSON the records. A record names
its function, which is imported when it is first applied, so that the tables take no numpy.
"""

from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from typing import Any

from rankeval.base.frozen import record
from rankeval.stats.choices import PosteriorTest, SystemsTest, TestName


@record
class StatisticalTest:
    """A test of differences between systems.

    ============= ============================================================================
    name          name on the command line, in JSON and in separated values
    title         name in captions and in the sentences of papers
    source        function that applies it to arrays, or `module:function` in this folder; its
                  documentation cites the source
    takes         names of the choices that the function takes
    draws         name of the parameter that is the number of samples drawn; "" if none is drawn
    ============= ============================================================================
    """

    name: str
    title: str
    source: Callable[..., Any] | str
    takes: tuple[str, ...] = ("alternative",)
    draws: str = ""

    @cached_property
    def function(self) -> Callable[..., Any]:
        """The function, which is imported now."""
        if not isinstance(self.source, str):
            return self.source
        module, _, name = self.source.partition(":")
        function: Callable[..., Any] = getattr(import_module(f"rankeval.stats.{module}"), name)
        return function

    def apply(
        self, values: Any, *, resamples: int | None = None, seed: int = 0, **choices: Any
    ) -> Any:
        """Apply the test; choices that its function does not take have no effect."""
        taken = {name: choices[name] for name in self.takes if name in choices}
        if self.draws:
            taken |= {"seed": seed} | ({self.draws: resamples} if resamples is not None else {})
        return self.function(values, **taken)


def _table(*tests: StatisticalTest) -> dict[str, StatisticalTest]:
    return {test.name: test for test in tests}


T = StatisticalTest
PAIRED_TESTS = _table(
    T(TestName.STUDENT_T, "Student's paired t test", "mean_tests:student_t"),
    T(
        TestName.RANDOMIZATION,
        "Fisher's randomization test",
        "rank_tests:randomization",
        draws="permutations",
    ),
    T(TestName.BOOTSTRAP, "bootstrap test (shift method)", "intervals:bootstrap", draws="samples"),
    T(TestName.WILCOXON, "Wilcoxon's signed rank test", "rank_tests:wilcoxon"),
    T(TestName.SIGN, "sign test", "rank_tests:sign"),
)
"""Tests of two systems: `function(differences, *, alternative)` gives a PairedTest per column."""
_LEVEL = ("level",)
SYSTEMS_TESTS = _table(
    T(SystemsTest.TUKEY, "Tukey's HSD test", "systems_tests:tukey_hsd", _LEVEL),
    T(
        SystemsTest.RANDOMIZED_TUKEY,
        "randomized Tukey HSD test",
        "systems_tests:randomized_tukey_hsd",
        (),
        draws="permutations",
    ),
    T(SystemsTest.DUNNETT, "Dunnett's test", "systems_tests:dunnett", _LEVEL),
)
"""Tests of all systems at once: `function(values)` gives a PairwiseComparison."""
POSTERIOR_TESTS = _table(
    T(
        PosteriorTest.BAYES,
        "Bayesian t test",
        "equivalence:posterior_probabilities",
        ("margin", "level"),
    ),
)
"""Tests without p-values: `function(differences, *, margin, level)` gives a Posterior."""


def names_of_tests() -> list[str]:
    """Return the names of all tests, in the order of --help."""
    return [*PAIRED_TESTS, *SYSTEMS_TESTS, *POSTERIOR_TESTS]


def statistical_test(name: str) -> StatisticalTest:
    """Return the test of a name, which one of the tables has."""
    return (PAIRED_TESTS | SYSTEMS_TESTS | POSTERIOR_TESTS)[name]
