"""A comparison of several runs shows p-values and intervals, and not only letters."""

import random

import pytest

import rankeval

QRELS = {f"q{i}": {"d1": 1, "d2": 2, "d3": 0} for i in range(12)}


def ranking(seed):
    draw = random.Random(seed)
    return {topic: {f"d{i}": draw.random() for i in range(1, 5)} for topic in QRELS}


@pytest.mark.parametrize("shown", [repr, rankeval.reports.Comparison._repr_html_])
def test_three_runs_show_their_p_values_and_intervals(shown):
    runs = {name: ranking(seed) for seed, name in enumerate(["bm25", "dense", "hybrid"])}
    compared = rankeval.evaluate(QRELS, runs, "AP").compare()

    text = shown(compared)

    for pair in compared.pairs:
        assert f"{pair.p:.4f}" in text
        assert f"[{pair.low:+.4f}, {pair.high:+.4f}]" in text
