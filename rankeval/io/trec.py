"""TREC's own formats: a run of six columns, judgments of four, or of five with strata."""

from dataclasses import replace

from rankeval.io.columns import Layout
from rankeval.io.plain import decimal_number

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

SUBTOPIC = "iteration"
"""The role of the column that holds subtopics in judgments for diversity."""

STRATUM = "stratum"
"""The role of the column that says from where in the pool a judgment was sampled."""

LABELLED = {
    SUBTOPIC: replace(QRELS, fields=("topic", "subtopic", "docno", "grade"), kept=((SUBTOPIC, 1),)),
    STRATUM: replace(
        QRELS, fields=("topic", "0", "docno", "stratum", "grade"), value=4, kept=((STRATUM, 3),)
    ),
}
"""Judgments with a further column that is read, by its role."""
