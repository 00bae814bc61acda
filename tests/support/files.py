"""Files small enough to score by hand, with what comes out of them.

The run `bm25` of QRELS scores, by topic (the topic 301 has the ranking a b c with the grades
1 0 2, the topic 302 has d a with the grades 0 1):

=======  =============================  =======  =====
measure  301                            302      mean
=======  =============================  =======  =====
AP       (1/1 + 2/3) / 2 = 5/6          1/2      2/3
RR       1                              1/2      3/4
P@2      1/2                            1/2      1/2
=======  =============================  =======  =====

The run `dense` has all relevant documents first: it scores 1, but for P@2, whose values are 1
and 1/2. Nothing is to be warned of in either.
"""

from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"
EXAMPLE_QRELS = EXAMPLES / "qrels" / "python-reference.qrels"
EXAMPLE_RUNS = sorted((EXAMPLES / "runs").glob("*.run"))

QRELS = """\
301 0 a 1
301 0 b 0
301 0 c 2
302 0 a 1
302 0 d 0
"""
BM25 = """\
301 Q0 a 1 3.5 bm25
301 Q0 b 2 2.5 bm25
301 Q0 c 3 1.5 bm25
302 Q0 d 1 9 bm25
302 Q0 a 2 8 bm25
"""
DENSE = """\
301 Q0 c 1 0.9 dense
301 Q0 a 2 0.8 dense
301 Q0 b 3 0.7 dense
302 Q0 a 1 0.9 dense
302 Q0 d 2 0.8 dense
"""
ANSWERS = """\
{"qid": "301", "nuggets": [{"importance": "vital", "assignment": "support"}]}
{"qid": "302", "nuggets": [{"importance": "vital", "assignment": "partial_support"}]}
"""
"""Nuggets of two answers: all supported, and half of them."""


def qrels_of(**grades):
    """Qrels of one topic per keyword: `t1="a1 b0"` judges a and b with the grades 1 and 0."""
    return "".join(
        f"{topic} 0 {docno[0]} {docno[1:]}\n"
        for topic, listed in grades.items()
        for docno in listed.split()
    )


def run_of(tag="bm25", **rankings):
    """A run of one topic per keyword: `t1="a b"`; documents joined by = have the same score."""
    return "".join(
        f"{topic} Q0 {docno} 0 {-place} {tag}\n"
        for topic, ranking in rankings.items()
        for place, group in enumerate(ranking.split())
        for docno in group.split("=")
    )
