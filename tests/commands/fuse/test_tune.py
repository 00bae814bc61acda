"""Tuned fusion against a plain loop: choices made without a topic, and held-out values."""

import re
from random import Random

import pytest

import rankeval
from rankeval.commands.fuse.tune import plans_to_try
from rankeval.errors import UsageError
from tests.support.files import EXAMPLE_QRELS, EXAMPLES
from tests.support.fused import random_qrels, random_runs

RUNS = random_runs(Random(21), runs=3, topics=17, documents=12)
QRELS = random_qrels(Random(22), topics=17, documents=12)
METHODS = ["combsum", "combgmnz", "wsum", "wborda"]


def lines(run):
    """{topic: [(docno, score)]} of a fused run."""
    return {topic: [*scores.items()] for topic, scores in run.items()}


def test_the_normalisation_is_the_best_one_on_the_other_folds():
    _, tuned = rankeval.advanced.tune_fusion(QRELS, RUNS, "combsum", "RR", folds=4)

    topics, values = sorted(QRELS), {}
    for norm in ("min-max", "sum", "z-score", "rank"):
        run = rankeval.fuse(RUNS, "combsum", norm=norm)
        values[norm] = rankeval.evaluate(QRELS, run, "RR").runs[0].scores[0].per_topic
    held_out = []
    for number, fold in enumerate(tuned.folds):
        others = [topic for i, topic in enumerate(topics) if i % 4 != number]
        sums = {norm: sum(found[topic] for topic in others) for norm, found in values.items()}
        best = next(norm for norm in sums if sums[norm] > max(sums.values()) - 1e-9)
        assert fold == f"combsum(norm={best})"
        held_out += [values[best][topic] for topic in topics[number::4]]
    assert tuned.held_out == pytest.approx(sum(held_out) / 17)
    assert tuned.usual == pytest.approx(sum(values["min-max"].values()) / 17)


@pytest.mark.parametrize("method", METHODS)
def test_the_judgments_of_a_topic_do_not_change_its_lines(method):
    folds, number = 3, 1
    first, tuning = rankeval.advanced.tune_fusion(QRELS, RUNS, method, "AP", folds=folds)
    held = sorted(QRELS)[number::folds]
    others = random_qrels(Random(99), topics=17, documents=12)
    changed = {topic: others[topic] if topic in held else QRELS[topic] for topic in QRELS}

    second, again = rankeval.advanced.tune_fusion(changed, RUNS, method, "AP", folds=folds)

    before, after = lines(first), lines(second)
    assert [before[topic] for topic in held] == [after[topic] for topic in held]
    assert tuning.folds[number] == again.folds[number]


def test_topics_without_judgments_are_fused_by_the_settings_chosen_on_all():
    some = {topic: QRELS[topic] for topic in sorted(QRELS)[:10]}
    run, tuning = rankeval.advanced.tune_fusion(some, RUNS, "combgmnz", "AP", folds=5)

    (norm,) = re.findall(r"norm=([^ )]+)", tuning.settings)
    whole, found = lines(rankeval.fuse(RUNS, "combgmnz", norm=norm)), lines(run)
    for topic in sorted(QRELS)[10:]:
        assert found[topic] == whole[topic]


@pytest.mark.parametrize("method", METHODS)
def test_the_value_of_the_fused_run_is_the_held_out_value(method):
    run, tuning = rankeval.advanced.tune_fusion(QRELS, RUNS, method, "nDCG@5", folds=3)

    assert rankeval.evaluate(QRELS, run, "nDCG@5").runs[0]["nDCG@5"].mean == pytest.approx(
        tuning.held_out, abs=1e-15
    )


def test_a_measure_of_which_less_is_better_is_made_small():
    _, least = rankeval.advanced.tune_fusion(QRELS, RUNS, "combsum", "Unjudged@3", folds=3)
    values = {}
    for norm in ("min-max", "sum", "z-score", "rank"):
        run = rankeval.fuse(RUNS, "combsum", norm=norm)
        values[norm] = rankeval.evaluate(QRELS, run, "Unjudged@3").runs[0].scores[0].aggregate
    assert least.settings == f"combsum(norm={min(values, key=values.get)})"


def test_the_usual_settings_are_tried_first():
    assert str(plans_to_try("wsum", 2, {})[0]) == "wsum(weights=0.5,0.5 norm=min-max)"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "isr"}, "isr leaves nothing to tune"),
        ({"method": "rrf"}, r"rrf\(k=60\) leaves nothing to tune"),
        ({"folds": 1}, "cannot be parted into 1 folds"),
        ({"measure": "AP RR"}, "cannot be tuned by AP, RR\n"),
        ({"measure": "ItemCoverage@5"}, "cannot be tuned by ItemCoverage@5"),
        ({"depth": 0}, "a depth of 0 keeps nothing"),
        ({"method": "wsum", "phi": 0.5}, "does not use phi"),
    ],
)
def test_what_cannot_be_tuned_is_refused(options, words):
    with pytest.raises(UsageError, match=words):
        rankeval.advanced.tune_fusion(QRELS, RUNS, **options)


def test_the_example_of_the_page():
    runs = [EXAMPLES / "runs" / name for name in ("bm25.run", "lsa.run")]

    _, tuned = rankeval.advanced.tune_fusion(EXAMPLE_QRELS, runs, "wsum")

    assert (round(tuned.held_out, 4), round(tuned.usual, 4)) == (0.5893, 0.5849)
