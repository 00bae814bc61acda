"""Evaluate the systems of several collections, each collection with its own judgments."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from rankeval.base.checked import checked
from rankeval.base.frozen import frozen
from rankeval.base.threads import in_order, usable_threads
from rankeval.choices import OnRunError
from rankeval.commands.collections.read_collections import Collection, read_collections
from rankeval.errors import InputError, MeasureError, UsageError, placed
from rankeval.evaluation.comparable_runs import COMPARED_MEASURES
from rankeval.evaluation.evaluate import LARGE_RUN, evaluate, results_of_runs
from rankeval.evaluation.prepared import Prepared, Progress, judgments_of, label_for
from rankeval.evaluation.reading import ReadingFields
from rankeval.evaluation.results import Results, RunResult
from rankeval.evaluation.run_names import RunNames
from rankeval.io.sources.parts import SEED, files_of, is_remote, one_state, size_of
from rankeval.measures import parse_measures
from rankeval.ranking.qrels import Qrels

Result = TypeVar("Result")

CollectionsLike = str | os.PathLike[str] | Sequence[Collection]
"""A file of collections, or collections."""


@frozen
class MissingRun:
    """A system without a run on a collection; `path` is "" if no run is named for it.

    `error` is the text of the error of a run that could not be evaluated.
    """

    collection: str
    system: str
    path: str = ""
    error: str = ""

    def __str__(self) -> str:
        where = f"collection {self.collection}: {self.system}"
        if self.error:
            return f"{where} could not be evaluated"
        if SEED in self.path and not is_there(self.path):
            return f"{where} has no run of its own: {SEED} is for gates, which average the runs"
        return f"{where} has no run: no file {self.path}" if self.path else f"{where} has no run"


@frozen(eq=False)
class CollectionResult:
    """A collection and the results of the systems that have a run there, named by the system.

    `results.runs` is empty if no system has one; `missing` are the other systems. `measures` are
    the canonical names of the measures, without the collection's settings.
    """

    collection: Collection
    measures: tuple[str, ...]
    results: Results
    missing: tuple[MissingRun, ...]

    def run(self, system: str) -> RunResult | None:
        """Return the result of a system; None if it has no run here."""
        return next((run for run in self.results.runs if run.name == system), None)


@frozen(eq=False)
class CollectionResults:
    """The results of several systems on several collections.

    ============ ==================================================================================
    systems      the names of the systems, in the order in which the collections name them
    collections  the collections with their results, in the order of the file
    ============ ==================================================================================
    """

    systems: tuple[str, ...]
    collections: tuple[CollectionResult, ...]

    def __iter__(self) -> Iterator[CollectionResult]:
        return iter(self.collections)

    def __len__(self) -> int:
        """Count the collections."""
        return len(self.collections)

    def __getitem__(self, name: str) -> CollectionResult:
        """Return a collection by its name."""
        for collection in self.collections:
            if collection.collection.name == name:
                return collection
        known = ", ".join(one.collection.name for one in self.collections)
        raise KeyError(f"no collection {name!r}; there is {known or 'none'}")

    @property
    def missing(self) -> tuple[MissingRun, ...]:
        """The systems without a run, by collection."""
        return tuple(missing for collection in self.collections for missing in collection.missing)


@checked
@one_state()
def evaluate_collections(
    collections: CollectionsLike,
    measures: Sequence[str] | str | None = None,
    *,
    on_run_error: OnRunError = "refuse",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> CollectionResults:
    """Evaluate every system on every collection that it has a run for.

    ============ ===========================================================================
    collections  a file of collections, or what `read_collections` returns
    measures     names that replace those of the file; nDCG@10 and AP where it has none
    on_run_error "refuse", or "skip" runs with errors, which are then missing
    jobs         threads; one for each processor by default
    progress     is called, from any thread, with a path and how many of its bytes were read
    ============ ===========================================================================

    Judgments that several collections share are read once. A run that is not named, or not there,
    is `missing`, and no error.

    Raises RankevalError (InputError, MeasureError, UsageError) for what cannot be used.

    >>> from pathlib import Path
    >>> from rankeval.advanced import evaluate_collections
    >>> _ = Path("a.qrels").write_text("q1 0 d1 1\\n")
    >>> _ = Path("a.run").write_text("q1 Q0 d7 1 2.0 x\\nq1 Q0 d1 2 1.0 x\\n")
    >>> _ = Path("beir.toml").write_text('''
    ... [collection.a]
    ... qrels = "a.qrels"
    ... runs = { bm25 = "a.run", dense = "absent.run" }
    ... ''')
    >>> found = evaluate_collections("beir.toml", "RR")
    >>> found["a"].results["bm25"]["RR"].mean, [str(one) for one in found.missing]
    (0.5, ['collection a: dense has no run: no file absent.run'])
    """
    every = (
        read_collections(os.fspath(collections))
        if isinstance(collections, str | os.PathLike)
        else tuple(collections)
    )
    if not every:
        raise UsageError("no collection to evaluate", expected="one collection or more")
    for name, times in Counter(one.name for one in every).items():
        if times > 1:
            raise UsageError(f"{times} collections are named '{name}'", expected="names of its own")
    systems = tuple(dict.fromkeys(system for one in every for system in one.runs))
    threads = usable_threads(jobs)
    asked = {one.name: measures or one.measures or COMPARED_MEASURES for one in every}
    canonical = {one.name: _canonical(one, asked[one.name]) for one in every}
    shared = _shared_judgments(every, asked)

    def evaluated(collection: Collection, jobs: int, progress: Progress | None) -> CollectionResult:
        names = asked[collection.name]
        if not is_there(collection.qrels):
            raise InputError(
                f"there is no file {collection.qrels}",
                place=collection.place,
                expected="qrels, the judgments of the collection",
                remedy="check the path, which is relative to the file of collections",
            )
        there = {system: path for system, path in collection.runs.items() if is_there(path)}
        settings = collection.settings()
        judgments = shared.get(_key(collection, names)) or judgments_of(
            collection.qrels, names, settings
        )
        if there:
            results = evaluate(
                judgments,
                list(there.values()),
                names,
                settings,
                run_names=RunNames(given=tuple(there)),
                on_run_error=on_run_error,
                jobs=jobs,
                progress=progress,
            )
        else:
            nothing = Prepared(judgments, settings=settings)
            results = results_of_runs(nothing, [])
        errors = {failed.path: failed.error for failed in results.failed}
        missing = [
            MissingRun(
                collection.name,
                system,
                collection.runs.get(system, ""),
                errors.get(there.get(system, ""), ""),
            )
            for system in systems
            if system not in results
        ]
        return CollectionResult(collection, canonical[collection.name], results, tuple(missing))

    return CollectionResults(systems, tuple(_each(evaluated, every, threads, progress)))


def _canonical(collection: Collection, measures: Sequence[str] | str) -> tuple[str, ...]:
    """Return the names of the measures; MeasureError, with the table of the collection."""
    try:
        parsed = parse_measures(measures, collection.settings().meanings)
    except MeasureError as error:
        raise placed(error, error.place or collection.place) from error
    return tuple(dict.fromkeys(str(named.measure) for named in parsed))


def _each(
    work: Callable[[Collection, int, Progress | None], Result],
    collections: Sequence[Collection],
    jobs: int,
    progress: Progress | None,
) -> list[Result]:
    """Work on collections of small runs side by side, and on others in turn with all threads."""
    sizes = [sum(map(_size, collection.runs.values())) for collection in collections]
    if max(sizes) > LARGE_RUN or jobs == 1:
        return [work(one, jobs, progress) for one in collections]
    tasks = ((at, 0) for at in range(len(collections)))
    return list(in_order(lambda at, _: work(collections[at], 1, progress), tasks, jobs))


def _size(path: str) -> int:
    """Return the bytes of a run that is there; more than a large run has for a remote one."""
    if is_remote(path):
        return LARGE_RUN + 1
    return size_of(path) if is_there(path) else 0


def is_there(path: str) -> bool:
    """Return True if some file has this path, or matches this glob."""
    if is_remote(path):
        return True
    try:
        return any(os.path.lexists(file) for file in files_of(path))
    except InputError:
        return False


def _shared_judgments(
    collections: Sequence[Collection], asked: Mapping[str, Sequence[str] | str]
) -> dict[str, Qrels]:
    """Read the judgments that several collections have in common."""
    keys = [_key(collection, asked[collection.name]) for collection in collections]
    times = Counter(keys)
    found: dict[str, Qrels] = {}
    for one, key in zip(collections, keys, strict=True):
        if times[key] > 1 and key not in found:
            found[key] = judgments_of(one.qrels, asked[one.name], one.settings())
    return found


def _key(collection: Collection, measures: Sequence[str] | str) -> str:
    """Return a text that is the same for judgments that are read in the same way."""
    stated = collection.conventions.items()
    how = sorted((name, value) for name, value in stated if name in ReadingFields.__annotations__)
    return repr((os.path.realpath(collection.qrels), how, label_for(measures)))
