"""TREC's own formats: runs of six columns, judgments of four, of five with strata, preferences."""

from dataclasses import replace

from rankeval.io.columns import Layout
from rankeval.io.plain_parser import decimal_number

RUN = Layout(
    what="run",
    fields=("topic", "Q0", "docno", "rank", "score", "tag"),
    value=4,
    value_name="score",
    tag=5,
    more=True,
    comments=True,
    number=decimal_number,
)

QRELS = Layout(
    what="qrels",
    fields=("topic", "iteration", "docno", "grade"),
    value=3,
    value_name="grade",
    tag=None,
    more=False,
    comments=True,
    number=decimal_number,
)

PREFS = Layout(
    what="prefs",
    fields=("topic", "group", "subgroup", "docno", "level"),
    value=4,
    value_name="level",
    tag=None,
    more=False,
    comments=True,
    number=decimal_number,
    docno=3,
    kept=(("group", 1), ("subgroup", 2)),
)

LAYOUTS = {"run": RUN, "qrels": QRELS, "prefs": PREFS}

SUBTOPIC = "iteration"
"""The role of the column that holds subtopics in judgments for diversity."""

PLACEHOLDERS = frozenset({b"0", b"Q0", b"q0"})
"""What stands in the second column of judgments where it holds no subtopics."""

STRATUM = "stratum"
"""The role of the column that says from where in the pool a judgment was sampled."""

LABELLED = {
    SUBTOPIC: replace(QRELS, fields=("topic", "subtopic", "docno", "grade"), kept=((SUBTOPIC, 1),)),
    STRATUM: replace(
        QRELS, fields=("topic", "0", "docno", "stratum", "grade"), value=4, kept=((STRATUM, 3),)
    ),
}
"""Judgments with a further column that is read, by its role."""
