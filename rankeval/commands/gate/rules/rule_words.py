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


def measure_words(one: RuleOutcome) -> str:
    """Return the measure, and the collections and the group of topics that it is taken over."""
    measure, every = one.measure, count(len(one.collections), "collection")
    if one.rule.collection == MACRO_MEAN:
        return f"Macro mean {measure} over {every}"
    if one.rule.collection == WORST_COLLECTION:
        exceeds = one.verdict is not None and one.verdict.exceeds
        why = "the surest loss" if exceeds else "the worst"
        return f"{measure} on {one.collections[0].name}, {why} of {every},"
    if one.collections:
        parts = count(len(one.collections), "part")
        return f"{measure} on {one.rule.collection}, the mean of {parts},"
    named_here = f" on {one.rule.collection}" if one.rule.collection else ""
    return measure + named_here + (f" in {one.rule.group}" if one.rule.group else "")


def changed(one: RuleOutcome, digits: int) -> str:
    """Return how the mean changed, and the means of the runs of systems of several."""
    said = [f"{measure_words(one)} {_change(one, digits)}"]
    if one.seeds:
        said.append(f"the means of {_runs(one.seeds, digits)}")
    if one.baseline_seeds:
        said.append(f"those of the baseline's {_runs(one.baseline_seeds, digits)}")
    return "; ".join(said)


def _runs(means: Sequence[float], digits: int) -> str:
    """Return the range of the means of the runs of one system, and their standard deviation."""
    from statistics import stdev

    least, greatest = (number(end(means), digits) for end in (min, max))
    spread = number(stdev(means), digits)
    return f"{count(len(means), 'run')} are {least} to {greatest}, with standard deviation {spread}"


def _change(one: RuleOutcome, digits: int) -> str:
    if one.drop is None or one.baseline is None or one.candidate is None:
        return "is undefined"
    ends = f"from {number(one.baseline, digits)} to {number(one.candidate, digits)}"
    if one.drop == 0:
        return f"stayed the same, {number(one.candidate, digits)}"
    share = f" ({abs(one.drop / one.baseline):.1%})" if one.baseline else ""
    way = "worse" if one.drop > 0 else "better"
    return f"got {way} by {number(abs(one.drop), digits)}{share}, {ends}"


def worse_topics(one: RuleOutcome, digits: int) -> str:
    """Return the topics that became worse, the first few of many."""
    return some_worse([(drop.topic, drop) for drop in one.topics], one.n_worse, digits)


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
