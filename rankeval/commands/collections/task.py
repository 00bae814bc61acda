"""Evaluate the systems of several collections: the collections are the topics of the results."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from rankeval.base.arrays import short_digest
from rankeval.base.checked import checked
from rankeval.base.threads import usable_threads
from rankeval.commands.collections.read_collections import Collection, read_collections
from rankeval.errors import InputError, MeasureError, UsageError, placed
from rankeval.evaluation.comparable_runs import COMPARED_MEASURES
from rankeval.evaluation.evaluate import evaluate, results_of_runs
from rankeval.evaluation.prepared import Prepared, Progress, judgments_of
from rankeval.evaluation.results import Notice, QrelsFacts, Results, RunResult, Score
from rankeval.evaluation.run_names import RunNames
from rankeval.evaluation.show import averaged_topics
from rankeval.io.files import SEED, StrPath, globbed, is_remote
from rankeval.measures import parse_measures

CollectionsLike = StrPath | Sequence[Collection]
"""A file of collections, or collections."""


@checked
def evaluate_collections(
    collections: CollectionsLike,
    measures: Sequence[str] | str | None = None,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Results:
    r"""Evaluate every system on every collection that it has a run for.

    ============ ===========================================================================
    collections  a file of collections, or what `read_collections` returns
    measures     names that replace those of the file; nDCG@10 and AP where it has none
    jobs         threads; one for each processor by default
    progress     is called, from any thread, with a path and how many of its bytes were read
    ============ ===========================================================================

    The topics of the results are the collections, and `parts` has the results of each. The value
    over all collections is the macro mean

    .. math::
        \mathrm{macro} = \frac{1}{C} \sum_{c=1}^{C} v_c

    with v_c the value of a system over the topics of collection c, so that each collection counts
    once, however many topics it has. What takes results of one evaluation takes these, such as
    comparisons and plots.

    Edge cases
        - A run that is not named, or not there, is no error, but a warning.
        - A system without a value on a collection has no macro mean, and a count has none.

    Raises RankevalError (InputError, MeasureError, UsageError) for what cannot be used.

    >>> from pathlib import Path
    >>> from rankeval.advanced import evaluate_collections
    >>> for name, topics in {"a": 1, "b": 3}.items():
    ...     rows = [f"q{t} 0 d1 1\n" for t in range(topics)]
    ...     _ = Path(f"{name}.qrels").write_text("".join(rows))
    ...     _ = Path(f"{name}.run").write_text("q0 Q0 d1 1 2.0 x\n")
    >>> table = 'qrels = "{collection}.qrels"\nruns = { bm25 = "{collection}.run" }\n'
    >>> _ = Path("beir.toml").write_text(table + "[collection.a]\n[collection.b]\n")
    >>> found = evaluate_collections("beir.toml", "P@1")
    >>> found["bm25", "P@1"].per_topic["a"], round(found["bm25", "P@1"].mean, 4)
    (1.0, 0.6667)
    """
    if isinstance(collections, str | os.PathLike):
        collections = read_collections(os.fspath(collections))
    every = tuple(collections)
    if not every:
        raise UsageError("no collection to evaluate", expected="one collection or more")
    for name, times in Counter(one.name for one in every).items():
        if times > 1:
            raise UsageError(f"{times} collections are named '{name}'", expected="names of its own")
    asked = measures or every[0].measures or COMPARED_MEASURES
    threads = usable_threads(jobs)
    parts = {}
    for one in every:
        try:
            parts[one.name] = _evaluated(one, asked, threads, progress)
        except MeasureError as error:
            raise placed(error, error.place or one.place) from error
    return _over_collections(every, parts)


def _evaluated(
    collection: Collection,
    measures: Sequence[str] | str,
    jobs: int,
    progress: Progress | None,
) -> Results:
    there = {system: path for system, path in collection.runs.items() if is_there(path)}
    settings = collection.settings()
    if not there:
        judgments = judgments_of(collection.qrels, measures, settings)
        return results_of_runs(Prepared(judgments, settings=settings), [])
    return evaluate(
        collection.qrels,
        list(there.values()),
        measures,
        settings,
        run_names=RunNames(given=tuple(there)),
        jobs=jobs,
        progress=progress,
    )


def is_there(path: str) -> bool:
    """Return True if some file has this path, or matches this glob."""
    if is_remote(path):
        return True
    return os.path.lexists(path) or bool(globbed(path.replace(SEED, "*")))


def _over_collections(collections: Sequence[Collection], parts: Mapping[str, Results]) -> Results:
    """Return results whose topics are the collections, and whose values are those over topics."""
    runs = [run for part in parts.values() for run in part.runs]
    if not runs:
        raise InputError("no run of any collection is there", place=collections[0].place)
    judgments = sum(part.qrels.judgments for part in parts.values())
    digest = short_digest(f"{part.qrels.digest}\n".encode() for part in parts.values())
    systems = dict.fromkeys(system for one in collections for system in one.runs)
    numbers = range(len(runs[0].scores))
    names = [_name([run.scores[at] for run in runs]) for at in numbers]
    conventions = tuple(_conventions(names, parts))
    return Results(
        qrels=QrelsFacts("", len(parts), judgments, digest, None),
        settings=next(iter(parts.values())).settings,
        runs=tuple(
            RunResult(
                name=system,
                path="",
                topics=tuple(parts),
                scores=tuple(_score(names[at], at, system, parts) for at in numbers),
                warnings=tuple(_warnings(system, collections, parts)),
                conventions=conventions,
            )
            for system in systems
        ),
        unit="collection",
        parts=parts,
    )


def _name(scores: Sequence[Score]) -> str:
    """Return the name of a measure: without settings of collections where these differ."""
    (first, *_), names = scores, {score.measure for score in scores}
    meant = parse_measures(first.as_given)
    return first.measure if len(names) == 1 or len(meant) > 1 else str(meant[0].measure)


def _score(name: str, at: int, system: str, parts: Mapping[str, Results]) -> Score:
    scores = {key: part[system].scores[at] for key, part in parts.items() if system in part}
    every = [run.scores[at] for part in parts.values() for run in part.runs]
    values = [scores[key].aggregate if key in scores else math.nan for key in parts]
    adds_up = every[0].rule == "sum"
    return Score(
        measure=name,
        as_given=name,
        values=np.array(values),
        aggregate=math.nan if adds_up else math.fsum(values) / len(values),
        rule="sum" if adds_up else "mean",
        loss=every[0].loss,
        signature="",
        topics=tuple(parts),
    )


def _warnings(
    system: str, collections: Sequence[Collection], parts: Mapping[str, Results]
) -> Iterator[Notice]:
    """Yield where a system has no run, and the warnings of its runs, with their collections."""
    for one in collections:
        where = f"collection {one.name}"
        if system in parts[one.name]:
            for notice in parts[one.name][system].warnings:
                yield Notice(f"{where}: {notice}", notice.kind, notice.size, notice.ranges)
        else:
            path = one.runs.get(system)
            yield Notice(f"{where} has no run" + (f" that can be read: {path}" if path else ""))


def _conventions(names: Sequence[str], parts: Mapping[str, Results]) -> Iterator[str]:
    """Yield the conventions that are not the usual ones, with the collections if not all.

    With them the topics that were averaged, and measures by their full names where these differ.
    """
    where: dict[str, list[str]] = {}
    for key, part in parts.items():
        words = [words for run in part.runs for words in run.conventions]
        words += [f"averaged {topics}"] if (topics := averaged_topics(part.runs)) else []
        scores = [score for run in part.runs[:1] for score in run.scores]
        for name, score in zip(names, scores, strict=False):
            words += [f"{name} is {score.measure}"] if name != score.measure else []
        for word in dict.fromkeys(words):
            where.setdefault(word, []).append(key)
    evaluated = sum(bool(part.runs) for part in parts.values())
    for word, keys in where.items():
        yield word if len(keys) == evaluated else f"{word} on {', '.join(keys)}"
