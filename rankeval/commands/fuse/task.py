"""Fuse runs: read them side by side, fuse their scores topic by topic, and write one run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, Unpack

import numpy as np

from rankeval.base.arrays import Floats, Integers, offsets_of, position, sizes_of
from rankeval.base.checked import checked
from rankeval.base.frozen import record, replace
from rankeval.base.threads import in_order
from rankeval.base.wording import count
from rankeval.choices import FusedTieRule, known_word
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.settings import Reading, ReadingFields, dropped_notices
from rankeval.fusion.methods import (
    LIMITS,
    METHODS,
    NORMALISATIONS,
    Candidates,
    method_named,
    settings_of,
)
from rankeval.fusion.side_by_side import FusionInput, Together
from rankeval.io.columns import Columns
from rankeval.io.formats import FORMATS, RUN
from rankeval.io.names import Names
from rankeval.io.python_values import columns_of
from rankeval.io.write import STDOUT, fit, format_for, write
from rankeval.ranking.align import rank_order
from rankeval.ranking.run_source import Run, RunLike, RunSource, run_sources

Result = TypeVar("Result")


class FusionKeywords(ReadingFields, total=False):
    """The keywords of `fuse`: settings of methods, each of which uses some, and of reading.

    ========== =========================================================================
    norm       normalisation of scores, for methods that use them: "min-max" by default
    weights    of the runs, for "wsum" and others
    k          constant of "rrf"
    gamma, phi, sigma  parameters of "combgmnz", "rbc" and "logn-isr"
    ========== =========================================================================
    """

    norm: str | None
    weights: Sequence[float] | None
    k: float | None
    gamma: float | None
    phi: float | None
    sigma: float | None


def reading_and_settings(given: FusionKeywords) -> tuple[Reading, dict[str, Any]]:
    """Part the keywords of `fuse` into how files are read, and the settings of its method."""
    reading: Any = {name: v for name, v in given.items() if name in ReadingFields.__annotations__}
    return Reading(**reading), {name: v for name, v in given.items() if name not in reading}


@checked
def fuse(
    runs: Sequence[RunLike] | Mapping[str, RunLike],
    method: str = "rrf",
    *,
    ties: FusedTieRule = "docno",
    depth: int | None = None,
    jobs: int | None = None,
    **settings: Unpack[FusionKeywords],
) -> Run:
    """Fuse runs into one, which `evaluate` takes as a run.

    =========== ============================================================================
    runs        two or more, as in `evaluate`, or {name: run}
    method      "rrf" (reciprocal rank fusion), "combsum" or another one of docs/fusion.md
    ties        order of equal scores before ranks are taken, as in `evaluate`
    depth       first documents to keep of each topic
    jobs        threads; all processors by default
    settings    norm, weights, k, gamma, phi, sigma: those that the method uses; and how files are
                read, such as columns="topic=qid", as in `evaluate`
    =========== ============================================================================

    Documents are ordered by fused score, ties by docno descending. A topic that a run lacks is an
    empty ranking.

    Raises UsageError for options that the method does not use, InputError for an unusable run.

    >>> import rankeval
    >>> bm25 = {"q1": {"d1": 7.1, "d2": 6.5}}
    >>> dense = {"q1": {"d2": 0.9, "d3": 0.4}}
    >>> fused = rankeval.fuse([bm25, dense])
    >>> list(fused["q1"])
    ['d2', 'd1', 'd3']
    >>> rankeval.Evaluator({"q1": {"d2": 1}}, "RR").means(fused)
    {'RR': 1.0}
    """
    reading, of_method = reading_and_settings(settings)
    every, _ = run_sources(runs, reading.run_form().columns)
    plan = fusion_plan(method, len(every), of_method)
    given = FusionInput.of(every, ties, reading, jobs)
    lines = lines_by(plan.fuse, plan.method, depth)
    parts, _ = fused_lines(given, lines, tuple)
    return Run(RunSource(parts=parts))


@record
class FusionPlan:
    """A method of fusion, ready for use: `settings` are all that it uses."""

    method: str
    settings: Mapping[str, Any]

    def fuse(self, found: Candidates) -> Floats:
        """Return the fused score of each candidate; InputError where a score does not allow it."""
        given = {**self.settings}
        if "weights" in given:
            given["weights"] = np.array(given["weights"])
        try:
            with np.errstate(over="raise", invalid="ignore"):
                if "norm" in given:
                    given["scores"] = NORMALISATIONS[given.pop("norm")](found)
                fused = METHODS[self.method](found, **given)
        except FloatingPointError:
            fused = np.array([np.inf])
        if not np.isfinite(fused).all():  # a product of matrices reports no overflow
            raise InputError(
                "scores or weights are too large to be normalised and added",
                remedy="choose a method that uses ranks, such as rrf",
            )
        return fused

    def __str__(self) -> str:
        """Name the method with its settings: `wsum(weights=0.5,0.5 norm=min-max)`."""
        parts = [f"{name}={_written(value)}" for name, value in self.settings.items()]
        return f"{self.method}({' '.join(parts)})" if parts else self.method


def _written(value: Any) -> str:
    """Return the text of a setting: a name, a number, or weights."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(f"{weight:.4g}" for weight in value)
    return f"{value:g}" if isinstance(value, int | float) else f"{value}"


def fusion_plan(method: str, n_runs: int, settings: Mapping[str, Any]) -> FusionPlan:
    """Check a method and its settings; UsageError for one that it does not use, or a wrong one."""
    method = method_named(method)
    if n_runs < 2:
        raise UsageError(f"there is {n_runs or 'no'} run to fuse", expected="two runs or more")
    given = {name: value for name, value in settings.items() if value is not None}
    uses = settings_of(method)
    for name in given:
        if name not in uses:
            problem = f"the method {method} does not use {name}"
            raise UsageError(problem, expected=", ".join(uses) or "no setting")
    used: dict[str, Any] = {}
    for name in uses:
        if name == "norm":
            value = known_word(given.get(name, "min-max"), NORMALISATIONS)
            allowed, expected = value in NORMALISATIONS, f"one of {', '.join(NORMALISATIONS)}"
        elif name == "weights":
            value = given.get(name, ())
            allowed = len(value) == n_runs and np.isfinite(value).all()
            expected = "a finite number for each run, such as 0.5,0.5"
        else:
            usual, least, most = LIMITS[name]
            value = given.get(name, usual)
            allowed, expected = least <= value <= most, f"a number from {least} to {most:g}"
        if not allowed:
            problem = f"{method} of {n_runs} runs: {name} cannot be {_written(value) or 'none'}"
            raise UsageError(problem, expected=expected)
        used[name] = value
    return FusionPlan(method, used)


def lines_by(
    fuse: Callable[[Candidates], Floats], tag: str, depth: int | None
) -> Callable[[Candidates], Columns]:
    """Return a function that makes lines of some topics by rank, with the rank and the tag of each.

    `fuse` returns the fused scores; `depth` documents of a topic are kept, None is all.
    """
    if depth is not None and depth < 1:
        raise UsageError(f"a depth of {depth} keeps nothing", expected="1 or more")
    name = os.fsencode(tag)

    def lines(found: Candidates) -> Columns:
        every = found.lines(fuse(found))
        order, starts, rank = rank_order(every), every.starts, position(every.starts) + 1
        if depth is not None:
            order, rank = order[rank <= depth], rank[rank <= depth]
            starts = offsets_of(np.minimum(sizes_of(starts), min(depth, len(every))))
        taken = every.taken(order, starts)
        numbers = [b"%d" % number for number in range(int(rank.max(initial=0)) + 1)]
        return replace(
            taken,
            lines=range(1, len(order) + 1),
            tags=frozenset({name}),
            last_tag=name,
            kept={
                "rank": Names.from_names(numbers).view(rank),
                "tag": Names.from_names([name]).view(np.zeros_like(order)),
            },
        )

    return lines


def fused_lines(
    given: FusionInput,
    lines: Callable[[Candidates], Columns],
    use: Callable[[Iterator[Columns]], Result],
    progress: Callable[[str, int], None] | None = None,
) -> tuple[Result, list[str]]:
    """Pass the lines of the fused run on to `use`; return its result, and warnings."""
    forms = given.forms()
    topics: set[bytes] = set()
    lacking = np.zeros(len(given.runs), dtype=np.int64)
    empty: set[bytes] = set()

    def work(some: Together, _: int) -> tuple[Columns, Integers]:
        found = some.matched()
        return lines(found), np.count_nonzero(found.retrieved == 0, axis=1)

    def parts(every: Iterator[Together]) -> Iterator[Columns]:
        topics.clear()  # it may begin anew, with a run held
        lacking[:] = 0
        last = columns_of({}, RUN)
        for columns, n_lacking in in_order(work, ((one, 0) for one in every), given.jobs):
            if topics:
                yield last
            topics.update(columns.topics)
            lacking[:] += n_lacking
            last = columns
        yield replace(last, empty=tuple(sorted(empty - topics)))  # known at the end

    result = given.read(lambda every: use(parts(every)), forms, progress=progress, empty=empty)
    warnings = []
    for run, form, n in zip(given.names, forms, lacking.tolist(), strict=True):
        if n:
            warnings.append(f"{run} lacks {n:,} of {count(len(topics), 'topic')}")
        if form.problems:
            warnings += map(str, dropped_notices(run, dict(form.problems.counts)))
    return result, warnings


def write_fused(
    path: str,
    given: FusionInput,
    lines: Callable[[Candidates], Columns],
    progress: Callable[[str, int], None] | None = None,
) -> list[str]:
    """Write the fused run to a file, or to standard output for `-`; return warnings."""
    target = FORMATS[format_for(path, "trec" if path == STDOUT else None)]

    def use(parts: Iterator[Columns]) -> None:
        fitted = (fit(part, "run", target, "fused run")[0] for part in parts)
        # Nothing may have gone to a pipe when a run turns out to be wrong.
        write(path, target.name, "run", iter([*fitted]) if path == STDOUT else fitted)

    return fused_lines(given, lines, use, progress)[1]
