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

import json
from datetime import UTC, datetime, timedelta
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
PREFERENCES = "".join(
    f"q{topic} bm25 dense {one}\nq{topic} dense best {other}\n"
    for topic, (one, other) in enumerate([("b", "b"), ("a", "a"), ("a", "tie")] * 8)
)
"""Preferences between three systems by 24 topics, with some ties."""


def gate_line(day=1, mean=0.4, *, suite="nightly", run="bm25", commit=None, **changed):
    """A gate in a history: one candidate, whose rule on AP holds from 0.39 on; P@5 has none."""
    means = {"run": run, "baseline": 0.4, "candidate": mean}
    rule = {
        **means,
        "measure": "AP",
        "rule": "min AP=0.39",
        "group": "",
        "passed": mean >= 0.39,
        "drop": 0.4 - mean,
        "verdict": None,
    }
    time = datetime(2026, 9, 1, 3, tzinfo=UTC) + timedelta(days=day - 1)
    return {
        "schema": "rankeval-gate-history/1",
        "rankeval": "1",
        "time": time.isoformat(),
        "commit": f"c{day}" if commit is None else commit,
        "suite": suite,
        "passed": mean >= 0.39,
        "exit_code": int(mean < 0.39),
        "baseline": "base",
        "candidates": [run],
        "topics": 20,
        "digests": {"qrels": "q", "runs": {"base": "0", run: str(mean)}},
        "rules": [rule],
        "shown": [{**means, "measure": "P@5"}],
        **changed,
    }


def history_of(lines):
    """A history of such gates."""
    return "".join(f"{json.dumps(line)}\n" for line in lines)


HISTORY = history_of(gate_line(day, 0.4 if day <= 20 else 0.38) for day in range(1, 36))
"""Thirty-five nights: AP and P@5 fell after the twentieth."""


def _sixty_nights():
    """Return sixty gates of a suite whose candidate loses nDCG@10, and not P@5, at a commit."""
    for day in range(1, 61):
        mean = 0.4123 if day <= 40 else 0.3871
        line = gate_line(
            day, mean, run="dense", commit=f"{0x9E3779B1 * (1234 + (day - 1) // 2):012x}"
        )
        line["rules"][0] |= {"measure": "nDCG@10", "rule": "min nDCG@10=0.39"}
        line["shown"][0]["candidate"] = 0.52 + 0.002 * (day * day % 7 - 3)
        yield line


SIXTY_NIGHTS = history_of(_sixty_nights())
"""Sixty nights: nDCG@10 of dense fell for good after the fortieth, and P@5 went up and down."""


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
