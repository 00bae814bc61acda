"""JSON Lines: one object per value, for programs that read as they go."""

import json
from collections.abc import Iterator

from rankeval.evaluation.results import Results
from rankeval.render.escape import topics
from rankeval.render.style import Style
from rankeval.render.values import bounded, finite, grouped, lines


def json_lines(results: Results, style: Style) -> Iterator[str]:
    """Print run, measure, query and value in full precision; an undefined value is null.

    The value over all topics has the query "all" and, unlike a topic of that name, a `rule`; so
    has that over a group, with the query "all:GROUP". Where topics are grouped, `group` holds
    the group of every topic, too, and null where there is none. `low` and `high` are what judging
    could lead to, where that was asked for, and null where it is not known.
    """
    has_groups = grouped(results)
    has_bounds = bounded(results)
    for line in lines(results, style):
        facts = {
            "run": line.run,
            "measure": line.measure,
            "query": topics(line.group) if line.topic is None else line.topic,
            "value": finite(line.value),
        }
        if has_groups:
            facts["group"] = line.group or None
        if has_bounds:
            facts["low"], facts["high"] = map(finite, line.bounds)
        if line.topic is None:
            facts["rule"] = line.score.rule
        if style.signature:
            facts["signature"] = line.score.signature
        yield json.dumps(facts, ensure_ascii=True, allow_nan=False) + "\n"
