"""Fuse runs: read them side by side, fuse their scores topic by topic, and write one run."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict, TypeVar, Unpack, cast

import numpy as np

from rankeval.base.arrays import Floats, Integers, offsets_of, owner, position
from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.threads import in_order
from rankeval.base.wording import count, known_word, listed, natural
from rankeval.choices import FusedTieRule
from rankeval.errors import InputError, UsageError
from rankeval.evaluation.reading import Reading, ReadingFields, dropped_notices
from rankeval.fusion.methods import (
    METHODS,
    NORMALISATIONS,
    PARAMETERS,
    Candidates,
    FusionMethod,
    method_named,
)
from rankeval.fusion.side_by_side import FusionInput, Together
from rankeval.io.formats.formats import format_named
from rankeval.io.formats.layouts import RUN
from rankeval.io.parsers.columns import Columns, Docnos, PlainDocnos
from rankeval.io.parsers.names import Names
from rankeval.io.python_values import columns_of
from rankeval.io.write import NOTES, STDOUT, fit, format_for, write
from rankeval.ranking.rank import rank_order
from rankeval.ranking.run_source import Run, RunLike, RunSource, run_sources

Result = TypeVar("Result")

DEFAULT_NORM = "min-max"


class FusionSettings(TypedDict, total=False):
    """The settings of methods of fusion; each method uses some of them.

    ======= ============================================================================
    norm    normalisation of scores, for methods that use them: "min-max" by default
    weights of the runs, for "wsum", "mixed" and so on
    k       constant of "rrf" and others
    gamma, phi, sigma  parameters of some methods, as docs/fusion.md says
    ======= ============================================================================
    """

    norm: str | None
    weights: Sequence[float] | None
    k: float | None
    gamma: float | None
    phi: float | None
    sigma: float | None


class FusionKeywords(FusionSettings, ReadingFields, total=False):
    """The keywords of `fuse`: settings of methods, and how files are read."""


def reading_and_settings(given: FusionKeywords) -> tuple[Reading, FusionSettings]:
    """Part the keywords of `fuse` into how files are read, and the settings of its method."""
    reading = {name: v for name, v in given.items() if name in ReadingFields.__annotations__}
    settings = {name: v for name, v in given.items() if name not in reading}
    return Reading(**reading), cast("FusionSettings", settings)  # type: ignore[arg-type]  # its fields


@checked
def fuse(
    runs: Sequence[RunLike] | Mapping[str, RunLike],
    method: str = "rrf",
    *,
    ties: FusedTieRule = "docno",
    depth: int | None = None,
    tag: str | None = None,
    jobs: int | None = None,
    **settings: Unpack[FusionKeywords],
) -> Run:
    """Fuse runs into one, which `evaluate` takes as a run.

    =========== ============================================================================
    runs        two or more, as in `evaluate`, or {name: run}
    method      "rrf" (reciprocal rank fusion), "combsum" or another one of docs/fusion.md
    ties        order of equal scores before ranks are taken, as in `evaluate`
    depth       first documents to keep of each topic
    tag         tag of the lines; by default the method
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
    plan = fusion_plan(method, len(every), **of_method)
    given = FusionInput.of(every, ties, reading, jobs)
    lines = lines_by(plan.fuse, plan.method.name if tag is None else tag, depth)
    parts, _ = fused_lines(given, lines, tuple)
    return Run(RunSource(parts=parts))


@frozen(eq=False)
class FusionPlan:
    """A method of fusion, ready for use: `settings` are all that it uses."""

    method: FusionMethod
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
                fused = self.method.function(found, **given)
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
        return f"{self.method.name}({' '.join(parts)})" if parts else self.method.name


def _written(value: str | float | Sequence[float]) -> str:
    if isinstance(value, str):
        return value
    return f"{value:g}" if isinstance(value, int | float) else ",".join(f"{w:.4g}" for w in value)


def fusion_plan(method: str, n_runs: int, **settings: Unpack[FusionSettings]) -> FusionPlan:
    """Check a method and its settings; UsageError for a setting that the method does not use."""
    record = method_named(method)
    if n_runs < 2:
        raise UsageError(f"there is {n_runs or 'no'} run to fuse", expected="two runs or more")
    given: dict[str, Any] = {name: value for name, value in settings.items() if value is not None}
    for name in given:
        if name not in record.settings:
            reason = "uses ranks only" if name == "norm" else f"does not use {name}"
            others = [one.name for one in METHODS.values() if name in one.settings]
            raise UsageError(
                f"the method {record.name} {reason}",
                expected=f"one of the methods {', '.join(others)}",
                remedy=f"drop {name}, or choose another method",
            )
    used = {name: _checked(record.name, name, given.get(name), n_runs) for name in record.settings}
    return FusionPlan(record, used)


def _checked(method: str, name: str, value: Any, n_runs: int) -> Any:
    """Return a setting that a method uses, or its usual value; UsageError for a wrong one."""
    if name == "norm":
        norm = known_word(value or DEFAULT_NORM, NORMALISATIONS)
        if norm not in NORMALISATIONS:
            expected = f"one of {', '.join(NORMALISATIONS)}"
            raise UsageError(f"there is no normalisation '{norm}'", expected=expected)
        return norm
    if name == "weights":
        if value is None or len(value) != n_runs or not np.isfinite(value).all():
            raise UsageError(
                f"the method {method} needs {n_runs} weights"
                + ("" if value is None else f", not {_written(value)}"),
                expected="a finite number for each run",
                remedy="give weights, or tune them on judgments",
            )
        return value
    parameter = PARAMETERS[name]
    value = parameter.default if value is None else value
    if not parameter.allows(value):
        raise UsageError(f"{name} cannot be {value}", expected=parameter.expected)
    return value


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
        order = rank_order(every)
        starts = every.starts
        rank = position(starts) + 1
        if depth is not None:
            kept = rank <= depth
            starts = offsets_of(np.bincount(owner(starts)[kept], minlength=len(every.topics)))
            order, rank = order[kept], rank[kept]
        taken = every.taken(order, starts)
        numbers = [b"%d" % number for number in range(int(rank.max(initial=0)) + 1)]
        return replace(
            taken,
            lines=range(1, len(order) + 1),
            tags=frozenset({name}),
            last_tag=name,
            kept={
                "rank": _names_like(taken.docnos, numbers, rank),
                "tag": _names_like(taken.docnos, [name], np.zeros_like(order)),
            },
        )

    return lines


def _names_like(docnos: Docnos, names: list[bytes], at: Integers) -> Docnos:
    """Return the names at some places, in a column of the kind of another."""
    if isinstance(docnos, PlainDocnos):
        return PlainDocnos([names[place] for place in at.tolist()])
    return Names.from_names(names).take(at)


def fused_lines(
    given: FusionInput,
    lines: Callable[[Candidates], Columns],
    use: Callable[[Iterator[Columns]], Result],
    progress: Callable[[str, int], None] | None = None,
) -> tuple[Result, list[str]]:
    """Pass the lines of the fused run on to `use`; return its result, and warnings."""
    forms = given.forms()
    topics: set[bytes] = set()
    lacking: list[list[bytes]] = []
    empty: set[bytes] = set()

    def work(some: Together, _: int) -> tuple[Columns, Candidates]:
        found = some.matched()
        return lines(found), found

    def parts(every: Iterator[Together]) -> Iterator[Columns]:
        topics.clear()  # it may begin anew, with a run held
        lacking[:] = [[] for _ in given.runs]
        last = columns_of({}, RUN)
        for columns, found in in_order(work, ((one, 0) for one in every), given.jobs):
            for known, retrieved in zip(lacking, found.retrieved, strict=True):
                known += [found.topics[t] for t in np.flatnonzero(retrieved == 0).tolist()]
            if topics:
                yield last
            topics.update(columns.topics)
            last = columns
        yield replace(last, empty=tuple(sorted(empty - topics)))  # known at the end

    result = given.read(lambda every: use(parts(every)), forms, progress=progress, empty=empty)
    warnings = []
    for run, form, known in zip(given.names, forms, lacking, strict=True):
        if known:
            of_all = count(len(topics), "topic")
            warnings.append(
                f"{run} lacks {len(known):,} of {of_all}: {listed(sorted(known, key=natural))}"
            )
        if form.problems:
            warnings += map(str, dropped_notices(run, dict(form.problems.counts)))
    return result, warnings


def write_fused(
    path: str,
    to: str | None,
    given: FusionInput,
    lines: Callable[[Candidates], Columns],
    progress: Callable[[str, int], None] | None = None,
) -> list[str]:
    """Write the fused run to a file, or to standard output for `-`; return warnings."""
    target = format_named(format_for(path, to or ("trec" if path == STDOUT else None)))
    lost: Counter[str] = Counter()

    def fitted(parts: Iterator[Columns]) -> Iterator[Columns]:
        for part in parts:
            columns, dropped = fit(part, "run", target, "fused run")
            lost.update(dropped)
            yield columns

    def use(parts: Iterator[Columns]) -> None:
        lost.clear()
        # Nothing may have gone to a pipe when a run turns out to be wrong.
        ready = iter(list(parts)) if path == STDOUT else parts
        write(path, target.name, "run", fitted(ready))

    _, warnings = fused_lines(given, lines, use, progress)
    losses = [
        f"{NOTES[role].format(target.name)}: {count(n, 'line')}"
        for role, n in lost.items()
        if role not in ("tag", "rank")  # made by the fusion, and so not lost
    ]
    return [*warnings, *losses]
