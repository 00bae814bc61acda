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

SUBTOPICS = replace(QRELS, fields=("topic", "subtopic", "docno", "grade"), label=1)
"""Judgments by subtopic: a document has a line for each subtopic that it was judged for."""

STRATA = replace(QRELS, fields=("topic", "0", "docno", "stratum", "grade"), value=4, label=3)
"""Judgments of a stratified sample: -1 is the grade of what is in the stratum but not sampled."""
