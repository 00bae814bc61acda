"""Sentences below comparisons: tests, corrections, intervals, letters, plans, ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rankeval.base.wording import confidence, count, number, p_words
from rankeval.choices import Correction, IntervalMethod, TestName
from rankeval.commands.compare.method import MARGIN, Method
from rankeval.commands.compare.task import Comparison
from rankeval.stats.statistical_tests import statistical_test

if TYPE_CHECKING:  # of results only: most comparisons need few of their modules
    from rankeval.stats import Nemenyi

CORRECTIONS: Mapping[str, str] = {
    Correction.HOLM: "Holm",
    Correction.BENJAMINI_HOCHBERG: "Benjamini and Hochberg",
    Correction.NONE: "no correction",
}
"""By whom p-values are corrected."""
INTERVALS: Mapping[str, str] = {
    IntervalMethod.STUDENT_T: "Student's t",
    IntervalMethod.BCA: "BCa bootstrap",
}


def method_words(comparison: Comparison, *, intervals: bool = True) -> str:
    """Name the test and the correction in a line, and the interval if any is shown above it."""
    method = comparison.method
    shown = f" {interval_words(comparison)}" if intervals else ""
    if method.gives_probabilities:
        return _posterior_words(method) + shown
    title, several = statistical_test(method.test).title, _families(comparison) > 1
    if method.of_systems:
        two_sided = statistical_test(method.test).baseline_only
        said = f"{title}, two-sided" if two_sided else f"{title} of all pairs"
        said += ", each measure by itself" if several else ""
    else:
        over_seeds = any(run.seeds for run in comparison.runs)
        said = "Student's t over topics and seeds" if over_seeds else f"{title}, two-sided"
        if _compared(comparison) > 1:
            correction = _correction_words(comparison)
            if intervals and method.test is TestName.STUDENT_T and method.adjusts:
                # Corrected alike, and alpha is what the interval leaves.
                level = confidence(method.alpha)
                return f"{said}; p and {level} CI: {correction}.{_equivalence_words(comparison)}"
            said += f"; {correction}"
    words = f"{said}; alpha {method.alpha:g}."
    return words[0].upper() + words[1:] + shown + _equivalence_words(comparison)


def _compared(comparison: Comparison) -> int:
    """Return the number of pairs of a measure, over which p-values are corrected."""
    return comparison.method.n_pairs(len(comparison.runs))


def _families(comparison: Comparison) -> int:
    return len({(pair.measure, pair.group) for pair in comparison.pairs})


def _correction_words(comparison: Comparison) -> str:
    """Name the correction, and what it is over."""
    method = comparison.method
    if method.corrected is Correction.NONE:
        return "p-values without correction"
    over = count(_compared(comparison), "pair" if method.all_pairs else "run")
    each = " per measure" if _families(comparison) > 1 else ""
    return f"{CORRECTIONS[method.corrected]} over {over}{each}"


def interval_words(comparison: Comparison) -> str:
    """Name the intervals in a sentence, and whether they are adjusted."""
    method = comparison.method
    level = confidence(method.alpha)
    if method.gives_probabilities:
        return f"{level} credible intervals."
    if method.has_own_intervals:
        return f"Simultaneous {level} CI of the test."
    name, n = INTERVALS[method.interval], _compared(comparison)
    if n == 1 or not method.adjusts:
        return f"{level} CI: {name}."
    if method.of_systems:
        each = confidence(method.alpha / n)
        return f"Simultaneous {level} CI: {name}, {each} each, by Bonferroni over {n} pairs."
    return f"{level} CI: {name}, adjusted as p is."


def interval_head(comparison: Comparison) -> str:
    """Return the head of the column of intervals."""
    level = confidence(comparison.method.alpha)
    return f"{level} {'interval' if comparison.method.gives_probabilities else 'CI'}"


def _posterior_words(method: Method) -> str:
    """Say which events the probabilities are of."""
    margins = "".join(f" ({margin:g} for {name})" for name, margin in method.margins.items())
    return (
        f"{statistical_test(method.test).title}, noninformative prior; equal: a true difference of "
        f"at most {MARGIN:g}{margins}."
    )


def _equivalence_words(comparison: Comparison) -> str:
    """Name the test of equivalence if there is one."""
    method = comparison.method
    if not any(pair.equivalence for pair in comparison.pairs):
        return ""
    margins = ", ".join(f"{margin:g} for {name}" for name, margin in method.margins.items())
    return f" p equiv: two one-sided t tests of a true difference below {margins}, corrected as p."


def letters_words(comparison: Comparison, *, signs: bool) -> str:
    """Return the meaning of the letters behind means."""
    method = comparison.method
    means = "better than the run with that letter"
    if not method.all_pairs:
        baseline = comparison.runs[0].name
        a = ("a", "-a") if signs else ("superscript a", "subscript a")
        means = f"better ({a[0]}) or worse ({a[1]}) than the baseline {baseline}"
    if method.gives_probabilities:
        return f"Letters: {means}, probability at least {confidence(method.alpha)}."
    return f"Letters: significantly {means}."


def planning_words(comparison: Comparison) -> str:
    """State the assumptions of the planning figures."""
    method, plans = comparison.method, [pair.planning for pair in comparison.pairs]
    alpha = plans[0].alpha if plans[0] else method.alpha
    each = "" if alpha == method.alpha else f" ({alpha:.3g} each)"
    share, of = (100, "% of the baseline's mean") if method.relative else (1, "")
    notes = dict.fromkeys(f" -: {plan.note}." for plan in plans if plan and plan.note)
    return (
        f"Planned for Student's paired t test, alpha {method.alpha:g}{each}, power "
        f"{method.power:.12g}, and normal differences with the standard deviation of those "
        f"observed. Detectable: the smallest true difference that these topics detect. "
        f"Wanted: {share * (method.difference or 0):.6g}{of}. Needed: topics that detect it."
        f"{''.join(notes)}"
    )


def rank_words(measure: str, test: Nemenyi, names: Sequence[str]) -> str:
    """State Friedman's test, mean ranks and the critical difference in a measure."""
    found = test.friedman
    if found.corrected is None or found.mean_ranks is None:
        return f"{measure}: Friedman's test needs two collections or more."
    ranks = ", ".join(
        f"{name} {rank:.2f}" for name, rank in zip(names, found.mean_ranks, strict=True)
    )
    f = (
        f"F({found.df_f[0]}, {found.df_f[1]}) = {found.f:.2f}, {p_words(found.p_f, test.alpha)}"
        if found.f is not None
        else "all collections rank the systems alike"
    )
    return (
        f"{measure} over {found.n_topics} collections: Friedman's test, {f} (Iman-Davenport). Mean "
        f"ranks: {ranks}; critical difference (Nemenyi, alpha {test.alpha:g}): "
        f"{number(test.critical_difference, 3)}."
    )
