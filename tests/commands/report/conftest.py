"""A report of two runs with hostile names, as a value, as text and as a file."""

from functools import cache

import numpy as np
import pytest

pytest.importorskip("jinja2")
pytest.importorskip("matplotlib")

from rankeval.commands.report import collect
from rankeval.commands.report.collect import report
from rankeval.commands.report.page import page
from rankeval.evaluation.run_names import RunNames

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7 * 7 }}",
    "\x1b[31m",
    "10",
    "9",
]
HOSTILE_DOCNO = "<img src=x onerror=alert(2)>"
QRELS = {topic: {"a": 1, "b": 0, "c": 2, HOSTILE_DOCNO: 1} for topic in HOSTILE}
TAGS = ("</style><b>bold</b>", "'; alert(1) //")


@cache
def made():
    runs = []
    for sign in (1, -1):
        documents = {"a": 1.0, "b": 0.5 * sign, "x": 0.7 * sign, "c": 0.6, HOSTILE_DOCNO: 0.1}
        runs.append(dict.fromkeys(HOSTILE[: 5 + (sign > 0)], documents))
    return report(
        QRELS, runs, "nDCG@3 AP", command="rankeval report <b>", run_names=RunNames("tag", TAGS)
    )


@pytest.fixture
def undrawn(monkeypatch):
    """Draw no pictures, which takes longer than all else."""
    monkeypatch.setattr(collect, "pictures", lambda *_: ())


@pytest.fixture
def text():
    return "".join(page(made()))


@cache
def large_page():
    """Return the page of 30 runs that find much the same documents of 250 topics.

    Names are as long as ClueWeb's.
    """
    random = np.random.default_rng(1)
    qrels, runs = {}, [{} for _ in range(30)]
    for topic in map(str, range(1, 251)):
        docnos = [f"clueweb12-{n:04d}tw-00-{n:05d}" for n in random.choice(1900, 60).tolist()]
        grades = random.choice([0, 0, 0, 1, 2], 40)
        qrels[topic] = dict(zip(docnos, grades.tolist(), strict=False))
        likely = random.normal(size=60) + 1.5 * (np.arange(60) < 40)
        for run in runs:
            scores = likely + random.normal(size=60)
            run[topic] = dict(zip(docnos[10:], scores[10:].round(3).tolist(), strict=True))
    return "".join(page(report(qrels, runs, "nDCG@10 AP RR R@100")))
