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
}
"""By whom p-values are corrected."""
INTERVALS: Mapping[str, str] = {
    IntervalMethod.STUDENT_T: "Student's t",
    IntervalMethod.BCA: "BCa bootstrap",
}


def method_words(comparison: Comparison, *, intervals: bool = True) -> str:
    """Name the test and the correction in a line, and the interval if any is shown above it."""
    method, level = comparison.method, confidence(comparison.method.alpha)
    test, n = statistical_test(method.test), method.n_pairs(len(comparison.runs))
    families = len({(pair.measure, pair.group) for pair in comparison.pairs})
    each = " per measure" if families > 1 else ""
    margins = ", ".join(f"{margin:g} for {name}" for name, margin in method.margins.items())
    adjusted = ", adjusted as p is" if n > 1 and method.adjusts else ""
    interval = f"{level} CI: {INTERVALS[method.interval]}{adjusted}."
    equivalence = ""
    if margins:
        equivalence = (
            f" p equiv: two one-sided t tests of a true difference below {margins}, corrected as p."
        )
    if method.gives_probabilities:
        said = (
            f"{test.title}, noninformative prior; equal: a true difference of at most {MARGIN:g}"
            f"{f' ({margins})' if margins else ''}"
        )
        interval, equivalence = f"{level} credible intervals.", ""
    elif method.of_systems:
        of = ", two-sided" if test.baseline_only else " of all pairs"
        said = f"{test.title}{of}{', each measure by itself' if each else ''}; alpha "
        said += f"{method.alpha:g}"
        interval = f"Simultaneous {level} CI of the test."
        if not method.has_own_intervals and n > 1:
            least = confidence(method.alpha / n)
            interval = f"Simultaneous {level} CI: Student's t, {least} each, by Bonferroni."
    else:
        over_seeds = any(run.seeds for run in comparison.runs)
        said = "Student's t over topics and seeds" if over_seeds else f"{test.title}, two-sided"
        over = f"over {count(n, 'pair' if method.all_pairs else 'run')}{each}"
        correction = CORRECTIONS.get(method.corrected, "")
        if intervals and adjusted and method.test is TestName.STUDENT_T:
            # Corrected alike, and alpha is what the interval leaves.
            return f"{said}; p and {level} CI: {correction} {over}.{equivalence}"
        if n > 1:
            said += f"; {correction} {over}" if correction else "; p-values without correction"
        said += f"; alpha {method.alpha:g}"
    shown = f" {interval}" if intervals else ""
    return f"{said[0].upper()}{said[1:]}.{shown}{equivalence}"


def interval_head(method: Method) -> str:
    """Return the head of the column of intervals."""
    return f"{confidence(method.alpha)} {'interval' if method.gives_probabilities else 'CI'}"


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
