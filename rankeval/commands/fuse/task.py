"""Fuse runs: read them side by side, fuse the scores, write one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rankeval.base.checked import checked
from rankeval.choices import FusedTieRule
from rankeval.commands.fuse.fused_inputs import FusionInput
from rankeval.commands.fuse.fused_lines import (
    FusedFacts,
    FusedLines,
    Progress,
    fused_lines,
    write_fused,
)
from rankeval.commands.fuse.plan import FusionPlan, fusion_plan
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.io.sources.parts import one_state
from rankeval.ranking.run_source import Run, RunLike, RunSource, run_sources


@checked
@one_state()
def fuse(
    runs: Sequence[RunLike] | Mapping[str, RunLike],
    method: str = "rrf",
    *,
    norm: str | None = None,
    weights: Sequence[float] | None = None,
    k: float | None = None,
    gamma: float | None = None,
    phi: float | None = None,
    sigma: float | None = None,
    ties: FusedTieRule = "docno",
    depth: int | None = None,
    tag: str | None = None,
    reading: Reading = AS_FOUND,
    jobs: int | None = None,
) -> Run:
    """Fuse runs into one, which `evaluate` takes as a run.

    =========== ============================================================================
    runs        two or more, as in `evaluate`, or {name: run}
    method      "rrf" (reciprocal rank fusion), "combsum" or another one of docs/fusion.md
    norm        normalisation of scores, for methods that use them: "min-max" by default
    weights     of the runs, for "wsum", "mixed" and so on
    k           constant of "rrf" and others
    gamma, phi, sigma  parameters of some methods, as docs/fusion.md says
    ties        order of equal scores before ranks are taken, as in `evaluate`
    depth       first documents to keep of each topic
    tag         tag of the lines; by default the method
    reading     how files and columns are read, as in `evaluate`
    jobs        threads; all processors by default
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
    every, _ = run_sources(runs, reading.run().columns)
    numbers = {"k": k, "gamma": gamma, "phi": phi, "sigma": sigma}
    plan = fusion_plan(
        method,
        len(every),
        norm=norm,
        weights=weights,
        **numbers,
    )
    given = FusionInput.of(every, ties, reading, jobs)
    parts, _ = fused_lines(given, _how(plan, depth, tag), tuple)
    return Run(RunSource(parts=parts))


def fuse_to(
    path: str,
    given: FusionInput,
    plan: FusionPlan,
    *,
    to: str | None = None,
    depth: int | None = None,
    tag: str | None = None,
    progress: Progress | None = None,
) -> FusedFacts:
    """Write the fused run to a file, whole or not at all, or to standard output for `-`."""
    return write_fused(path, to, given, _how(plan, depth, tag, progress))


def _how(
    plan: FusionPlan,
    depth: int | None,
    tag: str | None,
    progress: Progress | None = None,
) -> FusedLines:
    return FusedLines(plan.fuse, plan.method.name if tag is None else tag, depth, progress)
