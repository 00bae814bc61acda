"""Words about a rule's outcome that several kinds share.

Names are as given: the writer of a format shows what does not print.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rankeval.base.wording import count, number
from rankeval.commands.gate.rules.rule import MACRO_MEAN, WORST_COLLECTION

if TYPE_CHECKING:
    from rankeval.commands.gate.report import CollectionDrop, RuleOutcome, TopicDrop

TOPICS_NAMED = 5
MISSING_NAMED = 50


def measure_words(outcome: RuleOutcome) -> str:
    """Return the measure, and the collections and the group of topics that it is taken over."""
    measure, every = outcome.measure, count(len(outcome.collections), "collection")
    if outcome.rule.collection == MACRO_MEAN:
        return f"Macro mean {measure} over {every}"
    if outcome.rule.collection == WORST_COLLECTION:
        exceeds = outcome.verdict is not None and outcome.verdict.exceeds
        why = "the surest loss" if exceeds else "the worst"
        return f"{measure} on {outcome.collections[0].name}, {why} of {every},"
    if outcome.collections:
        parts = count(len(outcome.collections), "part")
        return f"{measure} on {outcome.rule.collection}, the mean of {parts},"
    named_here = f" on {outcome.rule.collection}" if outcome.rule.collection else ""
    return measure + named_here + (f" in {outcome.rule.group}" if outcome.rule.group else "")


def changed(outcome: RuleOutcome, digits: int) -> str:
    """Return how the mean changed, and the means of the runs of systems of several."""
    said = [f"{measure_words(outcome)} {_change(outcome, digits)}"]
    if outcome.seeds:
        said.append(f"the means of {_runs(outcome.seeds, digits)}")
    if outcome.baseline_seeds:
        said.append(f"those of the baseline's {_runs(outcome.baseline_seeds, digits)}")
    return "; ".join(said)


def _runs(means: Sequence[float], digits: int) -> str:
    """Return the range of the means of the runs of one system, and their standard deviation."""
    from statistics import stdev

    least, greatest = (number(end(means), digits) for end in (min, max))
    spread = number(stdev(means), digits)
    return f"{count(len(means), 'run')} are {least} to {greatest}, with standard deviation {spread}"


def _change(outcome: RuleOutcome, digits: int) -> str:
    if outcome.drop is None or outcome.baseline is None or outcome.candidate is None:
        return "is undefined"
    ends = f"from {number(outcome.baseline, digits)} to {number(outcome.candidate, digits)}"
    if outcome.drop == 0:
        return f"stayed the same, {number(outcome.candidate, digits)}"
    share = f" ({abs(outcome.drop / outcome.baseline):.1%})" if outcome.baseline else ""
    way = "worse" if outcome.drop > 0 else "better"
    return f"got {way} by {number(abs(outcome.drop), digits)}{share}, {ends}"


def worse_topics(outcome: RuleOutcome, digits: int) -> str:
    """Return the topics that became worse, the first few of many."""
    return some_worse([(drop.topic, drop) for drop in outcome.topics], outcome.n_worse, digits)


def some_worse(
    drops: Sequence[tuple[str, TopicDrop | CollectionDrop]], total: int, digits: int
) -> str:
    """Return the first few names with their values, and the number of the others."""
    shown = [
        f"{name} ({number(drop.baseline, digits)} to {number(drop.candidate, digits)})"
        for name, drop in drops[:TOPICS_NAMED]
    ]
    more = total - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def named(topics: Sequence[str]) -> str:
    """Return the names of topics, the first few of many; JSON has them all."""
    more = len(topics) - MISSING_NAMED
    shown = ", ".join(topics[:MISSING_NAMED])
    return shown + (f" and {more} more" if more > 0 else "")
