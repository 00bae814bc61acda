"""Words about a rule's outcome that several kinds share.

Names are as given: the writer of a format shows what does not print.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rankeval.base.wording import count, number

if TYPE_CHECKING:
    from rankeval.commands.gate.report import RuleOutcome

TOPICS_NAMED = 5
MISSING_NAMED = 50


def measure_words(outcome: RuleOutcome) -> str:
    """Return the measure, and the group of topics that it is taken over."""
    return outcome.measure + (f" in {outcome.rule.group}" if outcome.rule.group else "")


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
    """Return the topics that became worse with their values, the first few of many."""
    shown = [
        f"{drop.topic} ({number(drop.baseline, digits)} to {number(drop.candidate, digits)})"
        for drop in outcome.topics[:TOPICS_NAMED]
    ]
    more = outcome.n_worse - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def named(topics: Sequence[str]) -> str:
    """Return the names of topics, the first few of many; JSON has them all."""
    more = len(topics) - MISSING_NAMED
    shown = ", ".join(topics[:MISSING_NAMED])
    return shown + (f" and {more} more" if more > 0 else "")
