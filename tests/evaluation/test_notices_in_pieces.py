"""Warnings of ties are the same, however many judgments are reordered at once."""

from random import Random

import pytest

import rankeval
from rankeval.evaluation import notices


@pytest.mark.parametrize("at_once", [1, 7])
@pytest.mark.parametrize("seed", range(5))
def test_pieces_of_topics_have_the_ranges_of_all(seed, at_once, monkeypatch):
    random = Random(seed)
    qrels = {f"q{t}": {f"d{d}": random.randint(-1, 3) for d in range(6)} for t in range(9)}
    run = {
        topic: {f"d{d}": random.randint(0, 2) for d in random.sample(range(9), 6)}
        for topic in qrels
        if random.random() < 0.9
    }
    measures = "nDCG AP RR P@2 Judged@3 NumRelRet@3 RBP Bpref ERR"
    whole = rankeval.evaluate(qrels, run, measures).runs[0].warnings

    monkeypatch.setattr(notices, "AT_ONCE", at_once)

    assert any("equal scores" in warning for warning in whole)
    assert rankeval.evaluate(qrels, run, measures).runs[0].warnings == whole
