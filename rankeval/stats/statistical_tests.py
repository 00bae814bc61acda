"""The record of a test of differences between systems, and the tables of all tests.

`--test`, its help and completion read the tables, which name the module of each test: importing
them takes neither numpy nor a test. Captions, JSON and what applies a test read its record, which
its module registers.
"""

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

from rankeval.base.frozen import frozen
from rankeval.choices import PosteriorTest, SystemsTest, TestName

PAIRED_TESTS: dict[str, str] = {
    TestName.STUDENT_T: "rankeval.stats.mean_tests",
    TestName.RANDOMIZATION: "rankeval.stats.sign_flips",
    TestName.BOOTSTRAP: "rankeval.stats.resampling",
    TestName.WILCOXON: "rankeval.stats.rank_tests",
    TestName.SIGN: "rankeval.stats.rank_tests",
}
"""The modules of tests of two systems: `function(differences, *, alternative)` gives a PairedTest
for each column of differences."""
SYSTEMS_TESTS: dict[str, str] = {
    SystemsTest.TUKEY: "rankeval.stats.tukey_tests",
    SystemsTest.RANDOMIZED_TUKEY: "rankeval.stats.tukey_tests",
    SystemsTest.DUNNETT: "rankeval.stats.dunnett_test",
}
"""The modules of tests of all systems at once: `function(values)` gives a PairwiseComparison."""
POSTERIOR_TESTS: dict[str, str] = {PosteriorTest.BAYES: "rankeval.stats.posterior"}
"""The modules of tests without p-values: `function(differences, *, margin, level)` gives a
Posterior."""


def names_of_tests() -> list[str]:
    """Return the names of all tests, in the order of --help."""
    return [*PAIRED_TESTS, *SYSTEMS_TESTS, *POSTERIOR_TESTS]


@frozen(eq=False)
class StatisticalTest:
    """A test of differences between systems.

    ============= ============================================================================
    name          name on the command line, in JSON and in separated values
    title         name in captions and in the sentences of papers
    function      function that applies it to arrays; its documentation cites the source
    draws         name of the parameter that is the number of samples drawn; "" if none is drawn
    of_signs      its p-values depend on the signs, or ranks with signs, of the topics that
                  differ, so that few topics cannot show anything
    baseline_only a test of all systems that compares each one with the baseline only
    ============= ============================================================================
    """

    name: str
    title: str
    function: Callable[..., Any]
    draws: str = ""
    of_signs: bool = False
    baseline_only: bool = False

    def apply(self, values: Any, *, resamples: int = 0, **choices: Any) -> Any:
        """Apply the test; choices that its function does not take have no effect."""
        if self.draws:
            choices[self.draws] = resamples
        taken = inspect.signature(self.function).parameters.keys() & choices.keys()
        return self.function(values, **{name: choices[name] for name in taken})


REGISTERED: dict[str, StatisticalTest] = {}
"""The tests of the modules that have been imported, by name."""


def register(test: StatisticalTest) -> None:
    """Register a test under its name, which one of the tables has too."""
    REGISTERED[test.name] = test


def statistical_test(name: str) -> StatisticalTest:
    """Return the test of a name, which one of the tables has."""
    import_module({**PAIRED_TESTS, **SYSTEMS_TESTS, **POSTERIOR_TESTS}[name])
    return REGISTERED[name]
