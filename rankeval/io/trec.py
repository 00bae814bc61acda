"""TREC's own formats: a run of six columns, judgments of four."""

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
