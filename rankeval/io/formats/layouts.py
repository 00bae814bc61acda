"""The layouts of lines without a header: TREC's and MS MARCO's runs and judgments."""

from dataclasses import replace

from rankeval.io.parsers.columns import Layout

RUN = Layout(
    what="run",
    fields=("topic", "Q0", "docno", "rank", "score", "tag"),
    value=4,
    value_name="score",
    tag=5,
)

QRELS = Layout(
    what="qrels",
    fields=("topic", "iteration", "docno", "grade"),
    value=3,
    value_name="grade",
)

LAYOUTS = {"run": RUN, "qrels": QRELS}

SUBTOPIC = "iteration"
"""The role of the column that holds subtopics in judgments for diversity."""

PLACEHOLDERS = frozenset({b"0", b"Q0", b"q0"})
"""The second column of judgments if it holds no subtopics."""

STRATUM = "stratum"
"""The role of the column that says from where in the pool a judgment was sampled."""

LABELLED = {
    SUBTOPIC: replace(QRELS, fields=("topic", "subtopic", "docno", "grade"), kept=((SUBTOPIC, 1),)),
    STRATUM: replace(
        QRELS,
        fields=("topic", "0", "docno", "stratum", "grade"),
        value=4,
        integers=(3,),
        kept=((STRATUM, 3),),
    ),
}
"""Judgments with a further column that is read, by its role."""

UNNEEDED = {"run": (("rank", 3), ("tag", 5)), "qrels": (("iteration", 1),)}
"""Columns that an evaluation does not need, and does not wait for."""

CONSTANTS = {"Q0": b"Q0", "0": b"0", "iteration": b"0"}
"""Fields that are written in every line where no column has them."""


RANKED = Layout(
    what="run",
    fields=("topic", "docno", "rank"),
    value=2,
    value_name="rank",
    docno=1,
    ranked=True,
    kept=(("rank", 2),),
)
"""MS MARCO's run. The score of a document is its rank below zero."""

UNGRADED = Layout(what="qrels", fields=("topic", "docno"), value=None, value_name="grade", docno=1)
"""MS MARCO's judgments, whose lines mean the grade 1. Four columns are TREC's."""
