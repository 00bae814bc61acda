"""The tables, sentences and document of a comparison, and its marks in those of an evaluation."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any

from rankeval.base import wording
from rankeval.base.frozen import replace
from rankeval.commands.compare.method import MARGIN, Method
from rankeval.commands.compare.task import Comparison, Pair
from rankeval.evaluation import saved_results
from rankeval.evaluation import show as evaluation
from rankeval.evaluation.results import QrelsFacts, Results, RunResult, deviation
from rankeval.evaluation.show import basis, spread
from rankeval.output.declared_columns import (
    Declared,
    Rows,
    count,
    data,
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
from rankeval.output.tables import Block, Caption, Column, Note, Table
from rankeval.stats import Nemenyi, in_words
from rankeval.stats.choices import TestName
from rankeval.stats.statistical_tests import statistical_test

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def blocks(comparison: Comparison, style: Style) -> Iterator[Block]:
    """Yield the differences from the baseline, or the means with letters of all pairs."""
    method, runs = comparison.method, comparison.runs
    letters = method.all_pairs and len(runs) > 2
    planned = method.difference is not None
    grouped = any(pair.group for pair in comparison.pairs)
    intervals = bool(not letters or planned or method.margins or grouped)
    if letters:
        yield _means(comparison, style)
    if intervals:
        yield from differences(comparison, style)
    for measure, test in comparison.ranks.items():
        yield rank_words(measure, test, [run.name for run in runs])
    if letters:
        yield Caption("Letters: significantly better than the run with that letter.")
    yield Caption(method_words(comparison, intervals=intervals))
    if planned:
        yield Caption(
            "Detected: the smallest difference that these topics show; needed: topics that show "
            f"the one asked for; with power {method.power:g}, if differences vary as these do."
        )
    yield from map(Caption, basis(runs))
    if letters and style.signs and not style.colour:
        yield "* best value of the measure"
    if not style.signs:
        yield Note(f"qrels: digest {comparison.digest}")


def letter(index: int) -> str:
    """Return the letter of a run: a to z, then aa, ab, and so on."""
    first, last = divmod(index, len(LETTERS))
    return (LETTERS[first - 1] if first else "") + LETTERS[last]


def significant(comparison: Comparison) -> evaluation.Marks:
    """Return the letters of significant differences; with a baseline, all others have its a."""
    letters = {run.name: letter(i) for i, run in enumerate(comparison.runs)}
    better, worse = defaultdict[Any, list[str]](list), defaultdict[Any, list[str]](list)
    for pair in comparison.pairs:
        if not pair.group and pair.is_shown(comparison.method.alpha):
            winner, loser = (pair.run, pair.baseline)[:: 1 if pair.gain > 0 else -1]
            better[winner, pair.measure].append(letters[loser])
            worse[loser, pair.measure].append(letters[winner])
    every, baseline = comparison.method.all_pairs, comparison.runs[0].name
    return {
        key: (tuple(sorted(better[key])), () if every else tuple(worse[key]))
        for key in [*better, *worse]
        if every or key[0] != baseline
    }


def _means(comparison: Comparison, style: Style) -> Table:
    """Return the table of the runs' means, with letters."""
    results = Results(QrelsFacts("", 0, 0, comparison.digest, None), {}, comparison.runs)
    means = evaluation.summary(results, style, significant(comparison))
    return replace(
        means,
        columns=[Column(""), *means.columns],
        rows=[[letter(i), *row] for i, row in enumerate(means.rows)],
    )


PATHS = """
baseline run measure group topics=summary.n_topics summary.baseline_mean summary.run_mean
summary.difference relative=summary.relative_difference summary.wins summary.ties summary.losses
test test.statistic p p_raw low high cohens_dz planned_difference=planning.difference
planning.topics_needed smallest_difference=planning.smallest margin p_equivalent
p_equivalent_raw=equivalence.p_value p_worse=posterior.worse p_practically_equal=posterior.equal
p_better=posterior.better level
"""
PROGRAMS = {path.split("=")[0].split(".")[-1]: path.split("=")[-1] for path in PATHS.split()}
"""What programs get of a pair: the columns are named as its fields, or before a sign "="."""


def columns(comparison: Comparison, first: Pair) -> list[Declared]:
    """Return the columns of pairs, of which people see some, and programs others."""
    method, planned = comparison.method, bool(first.planning)
    every, probable = method.all_pairs, method.gives_probabilities
    p_words = partial(_p_words, method.alpha)
    chance: dict[str, Any] = {"words": lambda p, _: wording.number(p, 4), "shown": probable}
    interval = f"{in_words.confidence(method.alpha)} CI"
    return [
        text("run", get=_name if every else "run", least=10),
        written("mean", get=lambda pair: pair, words=_mean, shown=not every),
        signed("diff", get="summary.difference"),
        percent("rel", get="summary.relative_difference", spare=True),
        written(interval, get=lambda pair: pair, words=_interval, least=9),
        number("p", words=p_words, shown=not probable),
        written("win/tie/loss", get=lambda pair: pair, words=_outcomes, spare=planned),
        number("detected", get="planning.smallest", shown=planned),
        count("needed", get="planning.topics_needed", shown=planned),
        number("p equiv", get="p_equivalent", words=p_words, shown=bool(first.equivalence)),
        number("P(worse)", get="posterior.worse", **chance),
        number("P(equal)", get="posterior.equal", **chance),
        number("P(better)", get="posterior.better", **chance),
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
    return "" if p is None else in_words.p_value(p, alpha)


def _interval(pair: Pair, style: Style) -> str:
    return interval(pair.low, pair.high, style.decimals)


def interval(low: float | None, high: float | None, digits: int) -> str:
    """Write an interval of differences."""
    if low is None or high is None:
        return wording.UNDEFINED
    return f"[{wording.signed(low, digits)}, {wording.signed(high, digits)}]"


def differences(comparison: Comparison, style: Style) -> Iterator[Table]:
    """Yield a table per measure and group of topics, a baseline's means in the first row."""
    for (measure, group), block in groupby(comparison.pairs, attrgetter("measure", "group")):
        pairs = list(block)
        first, most = pairs[0], max(pair.summary.n_topics for pair in pairs)
        title = f"{measure} ({wording.count(most, comparison.unit)}"
        title += f", group {group}" if group else ""
        title += "; less is better)" if first.loss else ")"
        drawn = table(title, columns(comparison, first), pairs, style)
        if not comparison.method.all_pairs:
            mean = _with_spread(first.summary.baseline_mean, first.baseline_seeds, style)
            row = [first.baseline, mean, *[""] * (len(drawn.columns) - 2)]
            drawn = replace(drawn, rows=[row, *drawn.rows])
        yield drawn


def rows(comparison: Comparison, _style: Style) -> Rows:
    """Return a row per pair."""
    own: dict[str, Any] = {
        "group": lambda pair: pair.group or None,
        "test": lambda _: comparison.method.test,
        "margin": lambda pair: getattr(pair.equivalence or pair.posterior, "margin", None),
    }
    declared = [data(name, get=own.get(name, path)) for name, path in PROGRAMS.items()]
    return rows_of(declared, comparison.pairs)


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
    facts = {
        "qrels": {"digest": comparison.digest},
        "method": _method(comparison.method),
        "runs": [_run(run) for run in comparison.runs],
        "comparisons": plain(comparison.pairs),
    }
    if comparison.ranks:
        facts["ranks"] = {name: _ranks(test) for name, test in comparison.ranks.items()}
    if comparison.unit == "cluster":
        facts["unit"] = comparison.unit
    return headed("rankeval-compare/1", facts)


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


CORRECTIONS = {"holm": "Holm", "bh": "Benjamini and Hochberg"}


def method_words(comparison: Comparison, *, intervals: bool = True) -> str:
    """Name the test, the correction of p-values and of intervals that are shown, and alpha."""
    method, title = comparison.method, statistical_test(comparison.method.test).title
    if any(run.seeds for run in comparison.runs):
        title = "Student's t over topics and seeds"
    margins = ", ".join(f"{margin:g} for {name}" for name, margin in method.margins.items())
    n, noun = method.n_pairs(len(comparison.runs)), "pair" if method.all_pairs else "run"
    level = f"{in_words.confidence(method.alpha)} CI"
    said, more = f"{title[0].upper()}{title[1:]}", "" if intervals else f"; alpha {method.alpha:g}"
    of = f"; p and {level}: " if intervals else "; "
    if method.gives_probabilities:
        return f"{said}; equal: a true difference of at most {margins or MARGIN}{more}."
    if method.of_systems:
        said += f"{of}all runs at once"
    else:
        rule = CORRECTIONS.get(method.corrected)
        over = f"{rule} over {n} {noun}s per measure" if rule else "without correction"
        said += f", two-sided{f'{of}{over}' if n > 1 else ''}"
        if intervals and (n == 1 or method.test is not TestName.STUDENT_T):
            kind = "BCa bootstrap" if method.test is TestName.BOOTSTRAP else "Student's t"
            more = f". {level}: {kind}"
    if margins:
        more += f". p equiv: two one-sided t tests of a true difference below {margins}"
    return f"{said}{more}."


def rank_words(measure: str, test: Nemenyi, names: Sequence[str]) -> str:
    """State Friedman's test, mean ranks and the critical difference in a measure."""
    found = test.friedman
    each = zip(names, found.mean_ranks or (), strict=False)
    ranks = ", ".join(f"{name} {rank:.2f}" for name, rank in each)
    f = "" if found.f is None else f"F({found.df_f[0]}, {found.df_f[1]}) = {found.f:.2f}, "
    return (
        f"{measure} over {found.n_topics} collections: Friedman's test, "
        f"{f}{in_words.p_words(found.p_f, test.alpha)} (Iman-Davenport). Mean ranks: {ranks}; "
        f"critical difference (Nemenyi, alpha {test.alpha:g}): "
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
        better, worse = ("a", "-a") if style.signs else ("superscript a", "subscript a")
        caption = f"Letters: significantly better ({better}) or worse ({worse}) than {baseline}. "
        caption += method_words(comparison, intervals=False)
        return evaluation.blocks(results, style, significant(comparison), caption)

    def with_comparisons(results: Results, style: Style) -> Document:
        compared = document(comparison)
        shared = {name: compared[name] for name in ("method", "comparisons")}
        return {**saved_results.document(results, style), "baseline": baseline, **shared}

    return replace(evaluation.PRINTER, blocks=with_letters, document=with_comparisons)
