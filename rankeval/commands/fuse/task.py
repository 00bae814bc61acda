"""Fuse runs: read them side by side, fuse the scores, write one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rankeval.base.arrays import Floats
from rankeval.commands.fuse.fused_inputs import FusionInput
from rankeval.commands.fuse.fused_lines import (
    FusedFacts,
    FusedLines,
    Progress,
    fused_lines,
    write_fused,
)
from rankeval.commands.fuse.plan import FusionPlan, fusion_plan
from rankeval.errors import UsageError
from rankeval.evaluation.prepared import judgments_of
from rankeval.evaluation.reading import AS_FOUND, Reading
from rankeval.io.sources.parts import one_state
from rankeval.ranking.qrels import QrelsLike
from rankeval.ranking.run_source import RunLike, RunSource, run_sources
from rankeval.ranking.side_by_side import Batch


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
    segments: int | None = None,
    window: int | None = None,
    train_qrels: QrelsLike | None = None,
    ties: str = "docno",
    depth: int | None = None,
    tag: str | None = None,
    reading: Reading = AS_FOUND,
    jobs: int | None = None,
) -> RunSource:
    """Fuse runs into one, which `evaluate` takes as a run.

    =========== ============================================================================
    runs        two or more, as in `evaluate`, or {name: run}
    method      "rrf" (reciprocal rank fusion), "combsum" or another one of docs/fusion.md
    norm        normalisation of scores, for methods that use them: "min-max" by default
    weights     of the runs, for "wsum", "mixed" and so on
    k           constant of "rrf" and others
    gamma, phi, sigma, segments, window  parameters of some methods, as docs/fusion.md says
    train_qrels judgments that teach trained methods and weights
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
        segments=segments,
        window=window,
    )
    given = FusionInput.of(every, ties, reading, jobs, train_qrels)
    learned = _learned(plan, train_qrels, given)
    parts, _ = fused_lines(given, _how(plan, learned, depth, tag), tuple)
    return RunSource(parts=parts)


def fuse_to(
    path: str,
    given: FusionInput,
    plan: FusionPlan,
    train_qrels: QrelsLike | None = None,
    *,
    to: str | None = None,
    depth: int | None = None,
    tag: str | None = None,
    progress: Progress | None = None,
) -> FusedFacts:
    """Write the fused run to a file, whole or not at all, or to standard output for `-`."""
    learned = _learned(plan, train_qrels, given)
    return write_fused(path, to, given, _how(plan, learned, depth, tag, progress))


def _how(
    plan: FusionPlan,
    learned: Sequence[Any] | None,
    depth: int | None,
    tag: str | None,
    progress: Progress | None = None,
) -> FusedLines:
    def fuse(batch: Batch) -> Floats:
        return plan.fuse(batch, learned)

    return FusedLines(fuse, plan.method.name if tag is None else tag, depth, progress)


def _learned(
    plan: FusionPlan, train_qrels: QrelsLike | None, given: FusionInput
) -> Sequence[Any] | None:
    """Learn from the runs; UsageError if judgments are missing, or not needed."""
    if plan.learns and train_qrels is None:
        name = plan.method.name
        what = "has to be trained" if plan.method.train else "needs weights"
        remedy = "name judgments with train_qrels="
        raise UsageError(
            f"the method {name} {what}",
            remedy=remedy if plan.method.train else f"give weights=, or {remedy}",
        )
    if train_qrels is None:
        return None
    refuse_unused_training(plan)
    qrels = judgments_of(train_qrels, None, given.reading)
    return plan.learn(given.hits(qrels))


def refuse_unused_training(plan: FusionPlan) -> None:
    """Raise UsageError for judgments of training where the method learns nothing from them."""
    if not plan.learns:
        raise UsageError(
            f"the method {plan.method.name} "
            + ("has its weights" if plan.method.weighted else "learns nothing from judgments"),
            place="train_qrels=",
            remedy="drop train_qrels=",
        )
