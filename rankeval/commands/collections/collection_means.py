"""Put the values of several collections into tables, with macro and micro means."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import get_args

import numpy as np

from rankeval.base.arrays import Floats, short_digest
from rankeval.base.dicts import seal
from rankeval.base.frozen import frozen
from rankeval.base.wording import finite
from rankeval.choices import MissingRule
from rankeval.commands.collections.task import CollectionResult, CollectionResults
from rankeval.errors import UsageError
from rankeval.evaluation.results import QrelsFacts, Results, RunResult, Score
from rankeval.measures import parse_measures

AVERAGED = "mean"
"""The rule over topics of the measures that have a mean over the topics of all collections."""


@frozen(eq=False)
class CollectionRow:
    """One collection in one measure.

    ======== ======================================================================================
    name     the collection
    part_of  the collection that it is a part of, or ""
    parts    the parts whose values it is the mean of; empty for a collection of its own
    topics   its topics
    values   the value of each system; None if it is undefined
    ======== ======================================================================================
    """

    name: str
    part_of: str
    parts: tuple[str, ...]
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
    averaged     True for a mean over topics
    systems      the systems
    rows         the collections, parts behind the collection that they are parts of
    macro_means  of each system, the mean of its values on all collections; None without one
    micro_means  of each system, the mean over the topics of all collections; None without one
    missing      of each system, the number of cells without a value, parts counted one by one
    names        the canonical names of the measure by collection, where these differ
    ============ ==================================================================================
    """

    measure: str
    key: str
    loss: bool
    adds_up: bool
    averaged: bool
    systems: tuple[str, ...]
    rows: tuple[CollectionRow, ...]
    macro_means: tuple[float | None, ...]
    micro_means: tuple[float | None, ...]
    missing: tuple[int, ...]
    names: Mapping[str, str]

    def __post_init__(self) -> None:
        seal(self)

    @property
    def collections(self) -> tuple[CollectionRow, ...]:
        """The rows that the macro mean is the mean of: no parts."""
        return tuple(row for row in self.rows if not row.part_of)

    @property
    def topics(self) -> int:
        """The topics of all collections."""
        return sum(row.topics for row in self.rows if not row.parts)

    def parts_of(self, name: str) -> tuple[CollectionRow, ...]:
        """Return the rows of the parts of a collection."""
        return tuple(row for row in self.rows if row.part_of == name)

    def values(self) -> Floats:
        """Return the values of collections by systems, shape (collections, systems)."""
        found = [[_nan(value) for value in row.values] for row in self.collections]
        return np.array(found, dtype=np.float64).reshape(len(found), len(self.systems))


def collection_tables(
    results: CollectionResults, *, missing: MissingRule = "blank"
) -> tuple[CollectionTable, ...]:
    r"""Return a table for each measure, with the means over collections.

    .. math::
        \mathrm{macro} = \frac{1}{C} \sum_{c=1}^{C} v_c, \qquad
        \mathrm{micro} = \frac{1}{\sum_c n_c} \sum_{c=1}^{C} \sum_{t=1}^{n_c} v_{ct}

    with v_c the value of a system over the n_c topics of collection c. The value of a collection
    with parts is the mean of its parts' values, so that it counts once in the macro mean; the micro
    mean counts each topic once.

    ======= =======================================================================================
    results of `evaluate_collections`
    missing the rule for a cell without a value: "blank" leaves the system without means; "skip"
            averages over the others; "zero" counts 0, for each of the collection's topics
    ======= =======================================================================================

    Edge cases
        - Only the collections evaluated with a measure are in its table.
        - A measure whose value over topics is no mean has no micro mean, and a sum no macro mean.
        - A topic for which a measure is undefined is not in the micro mean.
        - "zero" with a cell missing in a measure where less is better: UsageError.

    >>> from pathlib import Path
    >>> from rankeval.reports import collection_tables, evaluate_collections
    >>> for name, topics in {"a": 1, "b": 3}.items():
    ...     rows = [f"q{t} 0 d1 1\n" for t in range(topics)]
    ...     _ = Path(f"{name}.qrels").write_text("".join(rows))
    ...     _ = Path(f"{name}.run").write_text("q0 Q0 d1 1 2.0 x\n")
    >>> table = 'qrels = "{collection}.qrels"\nruns = { bm25 = "{collection}.run" }\n'
    >>> _ = Path("beir.toml").write_text(table + "[collection.a]\n[collection.b]\n")
    >>> (found,) = collection_tables(evaluate_collections("beir.toml", "P@1"))
    >>> round(found.macro_means[0], 4), found.micro_means
    (0.6667, (0.5,))
    """
    if missing not in get_args(MissingRule):
        raise UsageError(
            f"there is no rule '{missing}' for missing runs",
            expected=f"one of {', '.join(get_args(MissingRule))}",
        )
    found: dict[str, list[tuple[CollectionResult, dict[str, Score]]]] = {}
    for result in results:
        for key, scores in scores_by_measure(result).items():
            found.setdefault(key, []).append((result, scores))
    return tuple(_table(key, results.systems, members, missing) for key, members in found.items())


def over_collections(results: CollectionResults, *, missing: MissingRule = "blank") -> Results:
    """Return results whose topics are the collections, and whose values are those over topics.

    A measure that some collections lack is left out. The value over all collections is the macro
    mean. For what takes results of one evaluation, such as plots.
    """
    tables = [
        table
        for table in collection_tables(results, missing=missing)
        if len(table.collections) == len(_names(results))
    ]
    if not tables:
        raise UsageError("no measure was evaluated on every collection", remedy="name one with -m")
    topics = tuple(row.name for row in tables[0].collections)
    digest = short_digest(f"{result.results.qrels.digest}\n".encode() for result in results)
    return Results(
        qrels=QrelsFacts("", len(topics), tables[0].topics, digest),
        settings=results.collections[0].results.settings,
        runs=tuple(
            RunResult(
                name=system,
                path="",
                topics=topics,
                scores=tuple(_score(table, at, topics) for table in tables),
                warnings=(),
            )
            for at, system in enumerate(results.systems)
        ),
    )


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


def _names(results: CollectionResults) -> list[str]:
    """Return the names of the collections that are no parts, in their order."""
    return list(
        dict.fromkeys(result.collection.part_of or result.collection.name for result in results)
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
    missing: MissingRule,
) -> CollectionTable:
    of_measure = [score for _, scores in members for score in scores.values()]
    loss = any(score.loss for score in of_measure)
    averaged = all(score.rule == AVERAGED for score in of_measure)
    adds_up = any(score.rule == "sum" for score in of_measure)
    leaves = [_leaf(one, scores, systems) for one, scores in members]
    absent = tuple(sum(row.values[at] is None for row in leaves) for at in range(len(systems)))
    if loss and missing == "zero" and any(absent):
        raise UsageError(
            f"0 is the best value of {key}, and some runs are missing",
            remedy="use missing='skip', or leave the measure out",
        )
    rows = tuple(_with_wholes(leaves, systems, missing))
    tops = [row for row in rows if not row.part_of]
    topics = [
        _values_by_topic(scores, systems, row)
        for (_, scores), row in zip(members, leaves, strict=True)
    ]
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
        averaged=averaged,
        systems=systems,
        rows=rows,
        macro_means=tuple(
            None if adds_up else _mean([row.values[at] for row in tops], missing)
            for at in range(len(systems))
        ),
        micro_means=tuple(
            _micro_mean([by_system[at] for by_system in topics], missing) if averaged else None
            for at in range(len(systems))
        ),
        missing=absent,
        names={} if same else names,
    )


def _leaf(
    result: CollectionResult, scores: Mapping[str, Score], systems: Sequence[str]
) -> CollectionRow:
    """Return the row of a collection that has judgments of its own."""
    topics = {topic for run in result.results.runs for topic in run.topics}
    return CollectionRow(
        name=result.collection.name,
        part_of=result.collection.part_of,
        parts=(),
        topics=len(topics) if result.results.runs else result.results.qrels.topics,
        values=tuple(
            finite(scores[system].aggregate) if system in scores else None for system in systems
        ),
    )


def _with_wholes(
    leaves: Sequence[CollectionRow], systems: Sequence[str], missing: MissingRule
) -> Iterator[CollectionRow]:
    """Yield the rows, with one for each collection with parts before these."""
    done = set()
    for row in leaves:
        if not row.part_of:
            yield row
        elif row.part_of not in done:
            done.add(row.part_of)
            parts = [leaf for leaf in leaves if leaf.part_of == row.part_of]
            yield CollectionRow(
                name=row.part_of,
                part_of="",
                parts=tuple(part.name for part in parts),
                topics=sum(part.topics for part in parts),
                values=tuple(
                    _mean([part.values[at] for part in parts], missing)
                    for at in range(len(systems))
                ),
            )
            yield from parts


def _mean(values: Sequence[float | None], missing: MissingRule) -> float | None:
    """Return the mean of values, None standing for a missing one; None if there is no mean."""
    there = [value for value in values if value is not None]
    if not there or (missing == "blank" and len(there) < len(values)):
        return None
    return math.fsum(there) / (len(values) if missing == "zero" else len(there))


def _values_by_topic(
    scores: Mapping[str, Score],
    systems: Sequence[str],
    row: CollectionRow,
) -> list[Floats | int]:
    """Return the values of the topics for each system; the number of topics without values."""
    found: list[Floats | int] = []
    for system in systems:
        values = scores[system].values if system in scores else np.zeros(0)
        defined = values[~np.isnan(values)]
        found.append(defined if defined.size else row.topics)
    return found


def _micro_mean(by_collection: Sequence[Floats | int], missing: MissingRule) -> float | None:
    there = [values for values in by_collection if not isinstance(values, int)]
    if not there or (missing == "blank" and len(there) < len(by_collection)):
        return None
    absent = sum(values for values in by_collection if isinstance(values, int))
    total = sum(values.size for values in there) + (absent if missing == "zero" else 0)
    return math.fsum(value for values in there for value in values.tolist()) / total


def _nan(value: float | None) -> float:
    return math.nan if value is None else value


def sorted_systems(
    results: CollectionResults, by: str, *, missing: MissingRule = "blank"
) -> CollectionResults:
    """Return the results with the systems sorted by the macro mean of a measure, or by "name"."""
    from rankeval.evaluation.sorting import in_order

    runs = in_order(over_collections(results, missing=missing).runs, by)
    return replace(results, systems=tuple(run.name for run in runs))
