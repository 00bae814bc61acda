"""Sentences in captions and footers of comparisons: tests, corrections, intervals, effect sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rankeval.base.wording import confidence, count, number, p_words
from rankeval.choices import Correction, IntervalMethod
from rankeval.commands.compare.method import BONFERRONI, MARGIN, Method
from rankeval.commands.compare.planning import NOT_OF_SEEDS, TOO_FEW, can_plan
from rankeval.commands.compare.task import Comparison
from rankeval.stats.statistical_tests import statistical_test

if TYPE_CHECKING:  # of results only: most comparisons need few of their modules
    from rankeval.stats import Anova, Nemenyi

CORRECTIONS: Mapping[str, str] = {
    Correction.HOLM: "Holm",
    BONFERRONI: "Bonferroni",
    Correction.BENJAMINI_HOCHBERG: "Benjamini and Hochberg",
    Correction.NONE: "no correction",
}
"""By whom p-values are corrected."""
INTERVALS: Mapping[str, str] = {
    IntervalMethod.STUDENT_T: "Student's t",
    IntervalMethod.BCA: "BCa bootstrap",
}


def method_words(comparison: Comparison, *, intervals: bool = True) -> str:
    """Name the test and the correction in a line, and the interval if any is shown behind it."""
    method = comparison.method
    if method.gives_probabilities:
        return _posterior_words(method, intervals=intervals)
    title = statistical_test(method.test).title
    if method.of_systems:
        said = _systems_words(comparison, title)
    else:
        over_seeds = any(run.seeds for run in comparison.runs)
        tested = "Student's t over topics and seeds" if over_seeds else f"{title}, two-sided"
        said = f"{tested}; p-values without correction"
        if method.corrected is not Correction.NONE:
            over = count(len(comparison.pairs), "comparison")
            said = f"{tested}; {CORRECTIONS[method.corrected]} over {over}"
    shown = f" {interval_words(comparison)}" if intervals else ""
    words = f"{said}; alpha {method.alpha:g}."
    return words[0].upper() + words[1:] + shown + _equivalence_words(comparison)


def _joined(comparison: Comparison) -> int:
    """Return the number of intervals that hold together, or that each hold by themselves."""
    pairs, method = comparison.pairs, comparison.method
    if not (method.of_systems and method.corrected is Correction.NONE):
        return len(pairs)
    first = pairs[0]
    return sum((pair.measure, pair.group) == (first.measure, first.group) for pair in pairs)


def interval_words(comparison: Comparison) -> str:
    """Name the intervals in a sentence: whether each holds by itself or all hold together."""
    method, joined = comparison.method, _joined(comparison)
    level = confidence(method.alpha)
    if method.has_own_intervals:
        return f"Simultaneous {level} intervals of the test."
    name = INTERVALS[method.interval]
    if joined == 1:
        return f"{name[0].upper()}{name[1:]} interval."
    if not method.together:
        return f"{name[0].upper()}{name[1:]} intervals, each {level} by itself, without correction."
    each = confidence(method.alpha / joined)
    return (
        f"Simultaneous {level} intervals: {name}, {each} each, Bonferroni's level for {joined:,} "
        "comparisons."
    )


def interval_head(comparison: Comparison) -> str:
    """Return the head of the column of intervals: joint ones hold together, others each."""
    level = f"{confidence(comparison.method.alpha)} interval"
    if comparison.method.gives_probabilities or _joined(comparison) == 1:
        return level
    return f"joint {level}" if comparison.method.together else f"{level} each"


def _posterior_words(method: Method, *, intervals: bool) -> str:
    """Say which events the probabilities are of."""
    margins = "".join(f" ({margin:g} for {name})" for name, margin in method.margins.items())
    test = statistical_test(method.test)
    interval = f" {confidence(method.alpha)} credible interval." if intervals else ""
    return (
        f"{test.title}, noninformative prior; equal: a true difference of at most "
        f"{MARGIN:g}{margins}.{interval}"
    )


def _equivalence_words(comparison: Comparison) -> str:
    """Name the test of equivalence if there is one."""
    method = comparison.method
    tested = sum(pair.equivalence is not None for pair in comparison.pairs)
    if not tested:
        return ""
    margins = ", ".join(f"{margin:g} for {name}" for name, margin in method.margins.items())
    return (
        f" Equivalence (p equiv): two one-sided t tests of a true difference below {margins}; "
        f"{CORRECTIONS[method.corrected]} over {count(tested, 'comparison')}."
    )


def _systems_words(comparison: Comparison, title: str) -> str:
    """Name a test of all runs at once, and the correction over measures if there are several."""
    by_baseline = statistical_test(comparison.method.test).baseline_only
    tested = f"{title}, two-sided" if by_baseline else f"{title} of all pairs"
    families = len({(pair.measure, pair.group) for pair in comparison.pairs})
    if families == 1:
        return tested
    kind = "table" if comparison.groups else "measure"
    if comparison.method.corrected is Correction.NONE:
        return f"{tested}, each {kind} by itself"
    return f"{tested}, {CORRECTIONS[BONFERRONI]} over {count(families, kind)}"


def anova_words(found: Anova, alpha: float) -> str:
    """State an analysis of variance as papers do."""
    f = "-" if found.f_systems is None else f"{found.f_systems:.2f}"
    degrees = f"{found.df_systems}, {found.df_error}"
    return f"two-way ANOVA: F({degrees}) = {f}, {p_words(found.p_systems, alpha)}"


def letters_words(comparison: Comparison, *, signs: bool) -> str:
    """Return the meaning of the letters behind means."""
    method = comparison.method
    means = "better than the run of that letter"
    if not method.all_pairs:
        better, worse = ("+", "-") if signs else ("superscript", "subscript")
        means = f"better ({better}) or worse ({worse}) than the baseline a"
    if method.gives_probabilities:
        return f"Letters: {means}, probability at least {confidence(method.alpha)}."
    return f"Letters: significantly {means}."


COLUMNS = (
    "W/T/L: topics on which the run is better, equal, worse; d_z: Cohen's effect size, the "
    "difference over its standard deviation."
)
"""What the columns of a table are."""


def planning_words(comparison: Comparison) -> str:
    """State the assumptions of the planning figures."""
    method, alpha = comparison.method, comparison.pairs[0].planning.alpha
    if any(run.seeds for run in comparison.runs):
        return f"{NOT_OF_SEEDS.capitalize()}."
    if not can_plan(method):
        return f"No topics are planned: only --test t is planned for, not {method.test}."
    each = "" if alpha == method.alpha else f" over all comparisons, {alpha:.3g} for each"
    planned = f"{method.difference:.6g}"
    if method.relative:
        planned = f"{100 * method.difference:.6g}% of the baseline's mean"
    too_few = any(pair.planning.note == TOO_FEW for pair in comparison.pairs)
    few = f" Needed is - where {TOO_FEW}." if too_few else ""
    return (
        f"Planned for the paired t test, two-sided, alpha {method.alpha:g}{each}, power "
        f"{method.power:.12g}, by the noncentral t distribution: differences are taken as normal, "
        f"with the standard deviation of those observed. Can show: the smallest true difference "
        f"that the topics detect with the power wanted. To show: the planned difference, "
        f"{planned}. Needed: the number of topics that detects it.{few}"
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
