"""Judgments and runs for gates, with values that can be told by heart.

Every topic has one relevant document, so that RR is 1 over its rank.
"""

import json

from tests.support.files import qrels_of, run_of

TOPICS = [f"t{i:02}" for i in range(1, 21)]
QRELS = qrels_of(**dict.fromkeys(TOPICS, "r1 x0 y0"))
PERFECT = run_of("perfect", **dict.fromkeys(TOPICS, "r x y"))


def run_with(tag, **rankings):
    """The perfect run, but for the rankings of some topics."""
    return run_of(tag, **{**dict.fromkeys(TOPICS, "r x y"), **rankings})


def worse_on(count, ranking="x r y", tag="candidate"):
    """A run that finds the relevant document later in the first topics."""
    return run_with(tag, **dict.fromkeys(TOPICS[:count], ranking))


def judged(text):
    """The only suite of a gate's report in JSON."""
    (suite,) = json.loads(text)["suites"]
    return suite
