"""Results over several collections: the collections are the topics, with macro means."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from rankeval.base.arrays import short_digest
from rankeval.base.checked import checked
from rankeval.commands.collections.task import CollectionResult, CollectionResults
from rankeval.errors import UsageError
from rankeval.evaluation.conventions import averaged_topics
from rankeval.evaluation.results import QrelsFacts, Results, RunResult, Score
from rankeval.measures import parse_measures

Members = dict[str, dict[str, Score]]
"""The scores in a measure by collection and system."""


@checked
def over_collections(results: CollectionResults, *, partial: bool = False) -> Results:
    r"""Return results whose topics are the collections, and whose values are those over topics.

    ======= ================================================================================
    results what `evaluate_collections` returns
    partial also the measures that some collections were not evaluated with
    ======= ================================================================================

    The value over all collections is the macro mean

    .. math::
        \mathrm{macro} = \frac{1}{C} \sum_{c=1}^{C} v_c

    with v_c the value of a system over the topics of collection c, so that each collection counts
    once, however many topics it has. What takes results of one evaluation takes these, such as
    comparisons and plots.

    Edge cases
        - Only the collections evaluated with a measure are in its mean.
        - A system without a value on one of them has no macro mean, and a sum has none.

    >>> from pathlib import Path
    >>> from rankeval.advanced import evaluate_collections, over_collections
    >>> for name, topics in {"a": 1, "b": 3}.items():
    ...     rows = [f"q{t} 0 d1 1\n" for t in range(topics)]
    ...     _ = Path(f"{name}.qrels").write_text("".join(rows))
    ...     _ = Path(f"{name}.run").write_text("q0 Q0 d1 1 2.0 x\n")
    >>> table = 'qrels = "{collection}.qrels"\nruns = { bm25 = "{collection}.run" }\n'
    >>> _ = Path("beir.toml").write_text(table + "[collection.a]\n[collection.b]\n")
    >>> found = over_collections(evaluate_collections("beir.toml", "P@1"))
    >>> round(found["bm25", "P@1"].mean, 4)
    0.6667
    """
    measures: dict[str, Members] = {}
    for result in results:
        for key, scores in _scores_by_measure(result).items():
            measures.setdefault(key, {})[result.collection.name] = scores
    if not partial:
        whole = {key: one for key, one in measures.items() if len(one) == len(results)}
        if not whole:
            problem = "no measure was evaluated on every collection"
            raise UsageError(problem, remedy="name one with -m")
        measures = whole
    topics = tuple(result.collection.name for result in results)
    digest = short_digest(f"{result.results.qrels.digest}\n".encode() for result in results)
    judgments = sum(result.results.qrels.judgments for result in results)
    named = {key: _name(key, members) for key, members in measures.items()}
    said = [*_conventions(results), *_names(measures, named)]
    return Results(
        qrels=QrelsFacts("", len(topics), judgments, digest),
        settings=results.collections[0].results.settings,
        runs=tuple(
            RunResult(
                name=system,
                path="",
                topics=topics,
                scores=tuple(
                    _score(named[key], members, system, topics) for key, members in measures.items()
                ),
                warnings=(),
                conventions=tuple(said),
            )
            for system in results.systems
        ),
        unit="collection",
    )


def _name(key: str, members: Members) -> str:
    """Return the name of a measure: without settings of collections where these differ."""
    names = {score.measure for scores in members.values() for score in scores.values()}
    return names.pop() if len(names) == 1 else key


def _names(measures: Mapping[str, Members], named: Mapping[str, str]) -> Iterator[str]:
    """Yield what measures are by their full names, where these differ."""
    for key, members in measures.items():
        names = {name: next(iter(s.values())).measure for name, s in members.items() if s}
        if len(set(names.values())) > 1:
            where = (f"{full} on {name}" for name, full in names.items())
            yield f"{named[key]} is {', '.join(where)}"


def _conventions(results: CollectionResults) -> list[str]:
    """Return the conventions that are not the usual ones, with the collections if not all."""
    where: dict[str, list[str]] = {}
    for result in results:
        for words in dict.fromkeys(
            words for run in result.results.runs for words in run.conventions
        ):
            where.setdefault(words, []).append(result.collection.name)
    evaluated = sum(bool(one.results.runs) for one in results)
    averaged = ", ".join(
        f"{one.collection.name} {topics}"
        for one in results
        if (topics := averaged_topics(one.results.runs))
    )
    return [
        *(
            words if len(names) == evaluated else f"{words} on {', '.join(names)}"
            for words, names in where.items()
        ),
        *([f"averaged {averaged}"] if averaged else []),
    ]


def _score(name: str, members: Members, system: str, topics: Sequence[str]) -> Score:
    every = [score for scores in members.values() for score in scores.values()]
    adds_up = any(score.rule == "sum" for score in every)
    values = {
        topic: scores[system].aggregate if system in scores else math.nan
        for topic, scores in members.items()
    }
    mean = math.fsum(values.values()) / len(values)
    return Score(
        measure=name,
        as_given=name,
        values=np.array([values.get(topic, math.nan) for topic in topics]),
        aggregate=math.nan if adds_up else mean,
        rule="sum" if adds_up else "mean",
        loss=any(score.loss for score in every),
        signature="",
        topics=tuple(topics),
    )


def _scores_by_measure(result: CollectionResult) -> dict[str, dict[str, Score]]:
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
