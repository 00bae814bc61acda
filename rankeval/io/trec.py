"""TREC's own formats: a run of six columns, judgments of four."""

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

RUN_WITH_RANKS = replace(RUN, rank=3)
"""The same with the rank column, which nothing but a tie rule or an order asks for."""

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
