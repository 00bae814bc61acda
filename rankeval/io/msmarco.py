"""MS MARCO's formats: a run of topic, docno and rank, and judgments that may lack the grade."""

from rankeval.io.columns import Layout
from rankeval.io.plain_parser import decimal_number

RUN = Layout(
    what="run",
    fields=("topic", "docno", "rank"),
    value=2,
    value_name="rank",
    tag=None,
    more=False,
    comments=True,
    number=decimal_number,
    docno=1,
    ranked=True,
    kept=(("rank", 2),),
)
"""The score of a document is its rank below zero."""

QRELS = Layout(
    what="qrels",
    fields=("topic", "docno"),
    value=None,
    value_name="grade",
    tag=None,
    more=False,
    comments=True,
    number=decimal_number,
    docno=1,
)
"""A line stands for the grade 1. Four columns are TREC's."""
