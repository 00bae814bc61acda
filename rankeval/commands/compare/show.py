"""The tables, sentences and document of a comparison, and its marks in those of an evaluation."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import groupby
from typing import Any

from rankeval.base import wording
from rankeval.choices import Correction, IntervalMethod, TestName
from rankeval.commands.compare.method import MARGIN, Method
from rankeval.commands.compare.run_pairs import Pair, Planning
from rankeval.commands.compare.task import Comparison
from rankeval.evaluation import saved_results
from rankeval.evaluation import show as evaluation
from rankeval.evaluation.conventions import topics_of
from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.shown_values import basis, deviation, spread
from rankeval.output.declared_columns import (
    Declared,
    Rows,
    count,
    data,
    grid,
    number,
    percent,
    rows_of,
    signed,
    table,
    text,
    written,
)
from rankeval.output.document_form import Document, fields_of, headed, plain
from rankeval.output.output_formats import Printer
from rankeval.output.style import Style
from rankeval.output.tables import Block, Caption, Cell, Column, Note, Table, ranked
from rankeval.stats import Nemenyi
from rankeval.stats.statistical_tests import statistical_test

HALF_INTERVAL = len("[-0.1234,")
"""The width of an interval in two lines."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"
Marks = dict[tuple[str, str], tuple[tuple[str, ...], tuple[str, ...]]]
"""By run and measure, the letters of the runs that it is significantly better and worse than."""


def blocks(comparison: Comparison, style: Style) -> Iterator[Block]:
    """Yield the differences from the baseline, or the means with letters of all pairs."""
    means = comparison.method.all_pairs and len(comparison.runs) > 2
    yield from (_means if means else differences)(comparison, style)
    if comparison.method.margins and means:
        yield from differences(comparison, style)
    for measure, test in comparison.ranks.items():
        yield rank_words(measure, test, [run.name for run in comparison.runs])
    if comparison.method.difference is not None:
        yield table("Topics needed", PLAN, comparison.pairs, style)
        yield planning_words(comparison)
    if means:
        yield Caption(letters_words(comparison, signs=style.signs))
    yield Caption(method_words(comparison, intervals=not means))
    yield from map(Caption, basis(comparison.runs))
    if means and style.signs and not style.colour:
        yield "* best value of the measure"
    if not style.signs:
        yield Note(f"qrels: digest {comparison.digest}")


def letter(index: int) -> str:
    """Return the letter of a run: a to z, then aa, ab, and so on."""
    first, last = divmod(index, len(LETTERS))
    return (LETTERS[first - 1] if first else "") + LETTERS[last]


def significant(comparison: Comparison, group: str = "") -> Marks:
    """Return the letters of significant differences; with a baseline, all others have its a."""
    letters = {run.name: letter(i) for i, run in enumerate(comparison.runs)}
    better: dict[tuple[str, str], list[str]] = {}
    worse: dict[tuple[str, str], list[str]] = {}
    for pair in comparison.pairs:
        if pair.group == group and pair.is_shown(comparison.method.alpha):
            winner, loser = (pair.run, pair.baseline)[:: 1 if pair.gain > 0 else -1]
            better.setdefault((winner, pair.measure), []).append(letters[loser])
            worse.setdefault((loser, pair.measure), []).append(letters[winner])
    baseline = comparison.runs[0].name
    every = comparison.method.all_pairs
    return {
        key: (
            tuple(sorted(better.get(key, []))),
            () if every else tuple(sorted(worse.get(key, []))),
        )
        for key in {**better, **worse}
        if every or key[0] != baseline
    }


def _means(comparison: Comparison, style: Style) -> Iterator[Table]:
    """Yield a table of means with letters for all topics, and one per group."""
    runs = {run.name: letter(i) for i, run in enumerate(comparison.runs)}
    named = text("run", get=lambda run: run)
    for group in ("", *comparison.groups):
        marks = significant(comparison, group)
        cells: dict[tuple[str, str], Cell] = {}
        of_group = [pair for pair in comparison.pairs if pair.group == group]
        for measure, pairs in groupby(of_group, key=lambda pair: pair.measure):
            for run, cell in _cells(list(pairs), runs, style).items():
                better, worse = marks.get((run, measure), ((), ()))
                cells[run, measure] = cell._replace(better=better, worse=worse)
        measures = dict.fromkeys(measure for _, measure in cells)
        means = grid(group, named, measures, cells, written, style)
        yield replace(
            means,
            columns=[Column(""), *means.columns],
            rows=[[own, *row] for own, row in zip(runs.values(), means.rows, strict=True)],
        )


def _cells(pairs: Sequence[Pair], runs: Iterable[str], style: Style) -> dict[str, Cell]:
    """Return the means of the runs in a measure, the best of them marked."""
    means: dict[str, float | None] = {}
    seeds: dict[str, tuple[float, ...]] = {}
    for pair in pairs:
        means.setdefault(pair.baseline, pair.summary.baseline_mean)
        means.setdefault(pair.run, pair.summary.run_mean)
        seeds |= {pair.baseline: pair.baseline_seeds, pair.run: pair.seeds}
    printed = {run: wording.number(means[run], style.decimals) for run in runs}
    values = [None if means[run] is None else float(printed[run]) for run in runs]
    emphases = ranked(values, loss=pairs[0].loss)
    return {
        run: Cell(shown + spread(deviation(seeds[run]), style.decimals), emphasis)
        for (run, shown), emphasis in zip(printed.items(), emphases, strict=True)
    }


def columns(comparison: Comparison, pairs: Sequence[Pair]) -> list[Declared]:
    """Return the columns of pairs, of which people see some, and programs others."""
    method, first = comparison.method, pairs[0]
    every, probable = method.all_pairs, first.posterior is not None
    seeded = any(pair.seeds or pair.baseline_seeds for pair in comparison.pairs)
    whole: dict[str, Any] = {"get": lambda pair: pair, "data": False}
    p_words = partial(_p_words, method.alpha)
    chance: dict[str, Any] = {"words": lambda p, _: wording.number(p, 4), "shown": probable}

    return [
        data("baseline"),
        text("run", get=_name if every else "run", data=False, least=10),
        data("run"),
        data("measure"),
        data("group", get=lambda pair: pair.group or None),
        data("topics", get="summary.n_topics"),
        data("baseline_mean", get="summary.baseline_mean"),
        written("mean", **whole, words=_mean, shown=not every),
        data("run_mean", get="summary.run_mean"),
        signed("difference", "diff", "summary.difference"),
        percent("relative", "rel", "summary.relative_difference", spare=True),
        written("interval", interval_head(method), **whole, words=_interval, least=HALF_INTERVAL),
        data("wins", get="summary.wins"),
        data("ties", get="summary.ties"),
        data("losses", get="summary.losses"),
        data("test", get=lambda _: method.test),
        data("statistic", get="test.statistic"),
        number("p", words=p_words, shown=not probable),
        data("p_raw"),
        written("win/tie/loss", **whole, words=_outcomes),
        data("low"),
        data("high"),
        data("cohens_dz"),
        data("planned_difference", get="planning.difference"),
        data("topics_needed", get="planning.topics_needed"),
        data("smallest_difference", get="planning.smallest"),
        data(
            "margin", get=lambda pair: getattr(pair.equivalence or pair.posterior, "margin", None)
        ),
        number("p_equivalent", "p equiv", words=p_words, shown=bool(first.equivalence)),
        data("p_equivalent_raw", get="equivalence.p_value"),
        number("p_worse", "P(worse)", "posterior.worse", **chance),
        number("p_practically_equal", "P(equal)", "posterior.equal", **chance),
        number("p_better", "P(better)", "posterior.better", **chance),
        data("level"),
        *([data("baseline_deviation", get=lambda pair: deviation(pair.baseline_seeds))] * seeded),
        *([data("run_deviation", get=lambda pair: deviation(pair.seeds))] * seeded),
    ]


def _name(pair: Pair) -> str:
    return f"{pair.run} - {pair.baseline}"


def _mean(pair: Pair, style: Style) -> str:
    return _with_spread(pair.summary.run_mean, pair.seeds, style)


def _with_spread(mean: float | None, seeds: Sequence[float], style: Style) -> str:
    """Return a mean, and the standard deviation of the means of a system's runs."""
    return wording.number(mean, style.decimals) + spread(deviation(seeds), style.decimals)


def _outcomes(pair: Pair, _: Style) -> str:
    return f"{pair.summary.wins}/{pair.summary.ties}/{pair.summary.losses}"


def _p_words(alpha: float, p: float | None, _: Style) -> str:
    return "" if p is None else wording.p_value(p, alpha)


def _interval(pair: Pair, style: Style) -> str:
    return wording.interval(pair.low, pair.high, style.decimals)


def differences(comparison: Comparison, style: Style) -> Iterator[Table]:
    """Yield a table per measure and group of topics, a baseline's means in the first row."""
    by_block = groupby(comparison.pairs, key=lambda pair: (pair.measure, pair.group))
    for _, block in by_block:
        pairs = list(block)
        first = pairs[0]
        title = f"{first.measure} ({_topics_of(comparison, pairs)}"
        title += "; less is better)" if first.loss else ")"
        drawn = table(title, columns(comparison, pairs), pairs, style)
        if not comparison.method.all_pairs:
            means = {
                _with_spread(pair.summary.baseline_mean, pair.baseline_seeds, style)
                for pair in pairs
            }
            row = [first.baseline, means.pop() if len(means) == 1 else ""]
            blank = [""] * (len(drawn.columns) - len(row))
            drawn = replace(drawn, rows=[[*row, *blank], *drawn.rows])
        yield drawn


def _topics_of(comparison: Comparison, pairs: Sequence[Pair]) -> str:
    """Return how many topics, or collections, pairs are compared over."""
    n_topics = sorted({pair.summary.n_topics for pair in pairs})
    group = pairs[0].group
    over = topics_of(n_topics[-1], 0 if group else comparison.runs[0].judged)
    over += f", group {group}" if group else ""
    if comparison.unit != "topic":
        over = wording.count(n_topics[-1], comparison.unit)
    # Each pair is over the topics that both have a value for.
    return f"{n_topics[0]} to {over}" if len(n_topics) > 1 else over


def _needed(plan: Planning, _: Style) -> str:
    if plan.topics_needed is not None:
        return f"{plan.topics_needed:,}"
    return "> 1,000,000" if plan.difference is not None and not plan.note else wording.UNDEFINED


def _measured(pair: Pair) -> str:
    return f"{pair.measure}{f', {pair.group}' if pair.group else ''}"


PLAN = [
    text("measure", get=_measured, least=8),
    text("runs", get=_name, least=8),
    count("topics", get=lambda pair: str(pair.summary.n_topics), words=lambda n, _: n),
    number("detectable", get="planning.smallest"),
    number("wanted", get="planning.difference"),
    number("needed", get="planning", words=_needed),
]


def rows(comparison: Comparison, _style: Style) -> Rows:
    """Return a row per pair."""
    return rows_of(columns(comparison, comparison.pairs), comparison.pairs)


def document(comparison: Comparison, _style: Style | None = None) -> Document:
    """Return everything that is known of a comparison.

    =========== =============================== ====================================================
    qrels       dict[Literal["digest"], str]    digest of the judgments
    method      _method                         the way to compare
    runs        list[_run]                      the runs, the baseline first
    unit        NotRequired[Literal["cluster"]] "cluster" where clusters of topics were compared
    comparisons list[Pair]                      one object for each measure, group of topics and
                                                pair
    ranks       NotRequired[dict[str, _ranks]]  by measure, over collections only
    =========== =============================== ====================================================
    """
    ranks = {name: _ranks(test) for name, test in comparison.ranks.items()}
    return headed(
        "rankeval-compare/1",
        {
            "qrels": {"digest": comparison.digest},
            "method": _method(comparison.method),
            "runs": [_run(run) for run in comparison.runs],
            "comparisons": plain(comparison.pairs),
            **({"ranks": ranks} if ranks else {}),
            **({"unit": comparison.unit} if comparison.unit == "cluster" else {}),
        },
    )


def _method(method: Method) -> Document:
    """Return the way to compare.

    ========== ============== ======================================================================
    **method   Method
    correction CorrectionText correction of the p-values
    interval   IntervalMethod interval of the difference
    ========== ============== ======================================================================
    """
    return plain({**asdict(method), "correction": method.corrected, "interval": method.interval})


def _run(run: RunResult) -> Document:
    """Return what is known of a run.

    ======== ========= =============================================================================
    name     str       name of the run
    path     str       its path; "" for a run in memory
    warnings list[str] a sentence each
    ======== ========= =============================================================================
    """
    return plain(fields_of(run, "name", "path", "warnings"))


def _ranks(test: Nemenyi) -> Document:
    """Return Friedman's test of the mean ranks, which are in the order of the runs.

    =================== ============ ===============================================================
    **friedman          Friedman
    critical_difference float | None mean ranks that differ by more differ significantly; None
                                     without collections
    =================== ============ ===============================================================
    """
    return plain({**asdict(test.friedman), "critical_difference": test.critical_difference})


PRINTER = Printer[Comparison](blocks, rows, document)


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
    method, level = comparison.method, wording.confidence(comparison.method.alpha)
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
            least = wording.confidence(method.alpha / n)
            interval = f"Simultaneous {level} CI: Student's t, {least} each, by Bonferroni."
    else:
        over_seeds = any(run.seeds for run in comparison.runs)
        said = "Student's t over topics and seeds" if over_seeds else f"{test.title}, two-sided"
        over = f"over {wording.count(n, 'pair' if method.all_pairs else 'run')}{each}"
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
    return (
        f"{wording.confidence(method.alpha)} {'interval' if method.gives_probabilities else 'CI'}"
    )


def letters_words(comparison: Comparison, *, signs: bool) -> str:
    """Return the meaning of the letters behind means."""
    method = comparison.method
    means = "better than the run with that letter"
    if not method.all_pairs:
        baseline = comparison.runs[0].name
        a = ("a", "-a") if signs else ("superscript a", "subscript a")
        means = f"better ({a[0]}) or worse ({a[1]}) than the baseline {baseline}"
    if method.gives_probabilities:
        return f"Letters: {means}, probability at least {wording.confidence(method.alpha)}."
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
        f"F({found.df_f[0]}, {found.df_f[1]}) = {found.f:.2f}, "
        f"{wording.p_words(found.p_f, test.alpha)}"
        if found.f is not None
        else "all collections rank the systems alike"
    )
    return (
        f"{measure} over {found.n_topics} collections: Friedman's test, {f} (Iman-Davenport). Mean "
        f"ranks: {ranks}; critical difference (Nemenyi, alpha {test.alpha:g}): "
        f"{wording.number(test.critical_difference, 3)}."
    )


def results_beside(comparison: Comparison) -> Printer[Results]:
    """Return the printer of results with the significant differences from a baseline.

    Documents have more keys:

    =========== ================================ ===================================================
    baseline    NotRequired[str]                 name of the run that the others are compared with
    method      NotRequired[_method]             the way to compare
    comparisons NotRequired[list[Pair]]          one object for each averaged measure and run
    =========== ================================ ===================================================
    """
    baseline = comparison.runs[0].name

    def with_letters(results: Results, style: Style) -> Iterator[Block]:
        letters = letters_words(comparison, signs=style.signs)
        caption = f"{letters} {method_words(comparison, intervals=False)}"
        return evaluation.blocks(results, style, significant(comparison), caption)

    def with_comparisons(results: Results, style: Style) -> Document:
        compared = document(comparison)
        shared = {name: compared[name] for name in ("method", "comparisons")}
        return {**saved_results.document(results, style), "baseline": baseline, **shared}

    return replace(evaluation.PRINTER, blocks=with_letters, document=with_comparisons)
