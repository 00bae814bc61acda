"""Put the values of several collections into tables, with macro means."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from rankeval.base.arrays import Floats, short_digest
from rankeval.base.checked import checked
from rankeval.base.dicts import seal
from rankeval.base.frozen import frozen
from rankeval.base.wording import finite
from rankeval.commands.collections.task import CollectionResult, CollectionResults
from rankeval.errors import UsageError
from rankeval.evaluation.conventions import averaged_topics
from rankeval.evaluation.results import QrelsFacts, Results, RunResult, Score
from rankeval.measures import parse_measures

AVERAGED = "mean"
"""The rule over topics of the measures that have a mean over the topics of all collections."""


@frozen(eq=False)
class CollectionRow:
    """One collection in one measure.

    ======== ======================================================================================
    name     the collection
    topics   its topics
    values   the value of each system; None if it is undefined
    ======== ======================================================================================
    """

    name: str
    topics: int
    values: tuple[float | None, ...]


@frozen(eq=False)
class CollectionTable:
    """Systems by collections in one measure.

    ============ ==================================================================================
    measure      the name of the measure
    key          its name without the settings of any collection
    loss         True when smaller is better
    adds_up      True for a sum over topics, such as a count
    systems      the systems
    rows         the collections
    macro_means  of each system, the mean of its values on all collections; None without one
    names        the canonical names of the measure by collection, where these differ
    ============ ==================================================================================
    """

    measure: str
    key: str
    loss: bool
    adds_up: bool
    systems: tuple[str, ...]
    rows: tuple[CollectionRow, ...]
    macro_means: tuple[float | None, ...]
    names: Mapping[str, str]

    def __post_init__(self) -> None:
        seal(self)

    def values(self) -> Floats:
        """Return the values of collections by systems, shape (collections, systems)."""
        found = [[_nan(value) for value in row.values] for row in self.rows]
        return np.array(found, dtype=np.float64).reshape(len(found), len(self.systems))


@checked
def collection_tables(results: CollectionResults) -> tuple[CollectionTable, ...]:
    r"""Return a table for each measure, with the macro means of `evaluate_collections`.

    .. math::
        \mathrm{macro} = \frac{1}{C} \sum_{c=1}^{C} v_c

    with v_c the value of a system over the topics of collection c, so that each collection counts
    once, however many topics it has.

    Edge cases
        - Only the collections evaluated with a measure are in its table.
        - A system without a value on one of them has no macro mean, and a sum has none.

    >>> from pathlib import Path
    >>> from rankeval.reports import collection_tables, evaluate_collections
    >>> for name, topics in {"a": 1, "b": 3}.items():
    ...     rows = [f"q{t} 0 d1 1\n" for t in range(topics)]
    ...     _ = Path(f"{name}.qrels").write_text("".join(rows))
    ...     _ = Path(f"{name}.run").write_text("q0 Q0 d1 1 2.0 x\n")
    >>> table = 'qrels = "{collection}.qrels"\nruns = { bm25 = "{collection}.run" }\n'
    >>> _ = Path("beir.toml").write_text(table + "[collection.a]\n[collection.b]\n")
    >>> (found,) = collection_tables(evaluate_collections("beir.toml", "P@1"))
    >>> round(found.macro_means[0], 4)
    0.6667
    """
    found: dict[str, list[tuple[CollectionResult, dict[str, Score]]]] = {}
    for result in results:
        for key, scores in scores_by_measure(result).items():
            found.setdefault(key, []).append((result, scores))
    return tuple(_table(key, results.systems, members) for key, members in found.items())


def over_collections(results: CollectionResults) -> Results:
    """Return results whose topics are the collections, and whose values are those over topics.

    A measure that some collections lack is left out. The value over all collections is the macro
    mean. For what takes results of one evaluation, such as comparisons and plots.
    """
    tables = [table for table in collection_tables(results) if len(table.rows) == len(results)]
    if not tables:
        raise UsageError("no measure was evaluated on every collection", remedy="name one with -m")
    topics = tuple(row.name for row in tables[0].rows)
    averaged = ", ".join(topics_averaged(results))
    said = [*conventions_of(results), *([f"averaged {averaged}"] if averaged else [])]
    digest = short_digest(f"{result.results.qrels.digest}\n".encode() for result in results)
    return Results(
        qrels=QrelsFacts("", len(topics), sum(row.topics for row in tables[0].rows), digest),
        settings=results.collections[0].results.settings,
        runs=tuple(
            RunResult(
                name=system,
                path="",
                topics=topics,
                scores=tuple(_score(table, at, topics) for table in tables),
                warnings=(),
                conventions=tuple(said),
            )
            for at, system in enumerate(results.systems)
        ),
    )


def topics_averaged(results: CollectionResults) -> list[str]:
    """Return how many of its topics each collection averaged, where those were not all."""
    return [
        f"{one.collection.name} {topics}"
        for one in results
        if (topics := averaged_topics(one.results.runs))
    ]


def conventions_of(results: CollectionResults) -> list[str]:
    """Return the conventions that are not the usual ones, with the collections if not all."""
    where: dict[str, list[str]] = {}
    for result in results:
        for words in dict.fromkeys(
            words for run in result.results.runs for words in run.conventions
        ):
            where.setdefault(words, []).append(result.collection.name)
    evaluated = sum(bool(one.results.runs) for one in results)
    return [
        words if len(names) == evaluated else f"{words} on {', '.join(names)}"
        for words, names in where.items()
    ]


def _score(table: CollectionTable, at: int, topics: tuple[str, ...]) -> Score:
    return Score(
        measure=table.measure,
        as_given=table.measure,
        values=table.values()[:, at],
        aggregate=_nan(table.macro_means[at]),
        rule=AVERAGED,
        loss=table.loss,
        signature="",
        topics=topics,
    )


def scores_by_measure(result: CollectionResult) -> dict[str, dict[str, Score]]:
    """Return the scores of a collection by the measure and the system.

    The measure has its name without the collection's settings, which may differ between
    collections.
    """
    meanings = result.collection.settings().meanings
    found: dict[str, dict[str, Score]] = {name: {} for name in result.measures}
    for run in result.results.runs:
        for score in run.scores:
            named = parse_measures(score.as_given, meanings)
            key = str(named[0].measure) if len(named) == 1 else score.measure
            found.setdefault(key, {}).setdefault(run.name, score)
    return found


def _table(
    key: str,
    systems: tuple[str, ...],
    members: Sequence[tuple[CollectionResult, dict[str, Score]]],
) -> CollectionTable:
    of_measure = [score for _, scores in members for score in scores.values()]
    loss = any(score.loss for score in of_measure)
    adds_up = any(score.rule == "sum" for score in of_measure)
    rows = tuple(_row(one, scores, systems) for one, scores in members)
    names = {
        one.collection.name: next(iter(scores.values())).measure
        for one, scores in members
        if scores
    }
    same = len(set(names.values())) == 1
    return CollectionTable(
        measure=next(iter(names.values())) if same else key,
        key=key,
        loss=loss,
        adds_up=adds_up,
        systems=systems,
        rows=rows,
        macro_means=tuple(
            None if adds_up else _mean([row.values[at] for row in rows])
            for at in range(len(systems))
        ),
        names={} if same else names,
    )


def _row(
    result: CollectionResult, scores: Mapping[str, Score], systems: Sequence[str]
) -> CollectionRow:
    topics = {topic for run in result.results.runs for topic in run.topics}
    return CollectionRow(
        name=result.collection.name,
        topics=len(topics) if result.results.runs else result.results.qrels.topics,
        values=tuple(
            finite(scores[system].aggregate) if system in scores else None for system in systems
        ),
    )


def _mean(values: Sequence[float | None]) -> float | None:
    """Return the mean of values; None if one is missing."""
    there = [value for value in values if value is not None]
    return math.fsum(there) / len(there) if len(there) == len(values) else None


def _nan(value: float | None) -> float:
    return math.nan if value is None else value


def sorted_systems(results: CollectionResults, by: str) -> CollectionResults:
    """Return the results with the systems sorted by the macro mean of a measure, or by "name"."""
    from rankeval.evaluation.sorting import in_order

    runs = in_order(over_collections(results).runs, by)
    return replace(results, systems=tuple(run.name for run in runs))
