"""Tuned fusion against a plain loop: choices made without a topic, and held-out values."""

from random import Random

import pytest

import rankeval
from rankeval.commands.fuse.tune import plans_to_try, weights_to_try
from rankeval.errors import InputError, UsageError
from tests.support.files import EXAMPLE_QRELS, EXAMPLES
from tests.support.fused import random_qrels, random_runs, ranking

RUNS = random_runs(Random(21), runs=3, topics=17, documents=12)
QRELS = random_qrels(Random(22), topics=17, documents=12)
LEARNING = ["wsum", "wborda", "posfuse", "probfuse", "segfuse"]
METHODS = ["rrf", "combsum", "combgmnz", "rbc", *LEARNING]


def lines(run):
    """{topic: [(docno, score)]} of a fused run."""
    found = {}
    for part in run.parts:
        rows = list(zip(part.docnos.tolist(), part.values.tolist(), strict=True))
        for topic, start, stop in zip(part.topics, part.starts, part.starts[1:], strict=False):
            found[topic.decode()] = rows[start:stop]
    return found


def reciprocal_rank(topic, k):
    """RR of a topic, fused by reciprocal ranks, in plain Python."""
    worth = {}
    for run in RUNS:
        for rank, docno in enumerate(ranking(run[topic]), 1):
            worth.setdefault(docno, []).append(1 / (k + rank))
    fused = ranking({docno: sum(sorted(some)) for docno, some in worth.items()})
    relevant = [i for i, docno in enumerate(fused, 1) if QRELS[topic].get(docno, 0) > 0]
    return 1 / relevant[0] if relevant else 0.0


def test_the_constant_is_the_best_one_on_the_other_folds():
    tuned = rankeval.reports.tune_fusion(QRELS, RUNS, "rrf", "RR", folds=4).tuning

    topics, tried = sorted(QRELS), (60, 1, 5, 10, 20, 40, 80, 100, 200)
    held_out = []
    for number, fold in enumerate(tuned.folds):
        others = [topic for i, topic in enumerate(topics) if i % 4 != number]
        sums = {k: sum(reciprocal_rank(topic, k) for topic in others) for k in tried}
        best = max(sums.values())
        k = next(k for k in tried if sums[k] > best - 1e-9)
        assert fold.topics == tuple(topics[number::4])
        assert fold.settings == f"rrf(k={k})"
        assert fold.training == pytest.approx(best / len(others))
        values = [reciprocal_rank(topic, k) for topic in fold.topics]
        assert fold.held_out == pytest.approx(sum(values) / len(values))
        held_out += values
    assert tuned.held_out == {"RR": pytest.approx(sum(held_out) / 17)}
    usual = [reciprocal_rank(topic, 60) for topic in topics]
    assert tuned.usual == {"RR": pytest.approx(sum(usual) / 17)}
    assert tuned.tried == len(tried)


@pytest.mark.parametrize("method", METHODS)
def test_the_value_of_the_fused_run_is_the_held_out_value(method):
    tuned = rankeval.reports.tune_fusion(QRELS, RUNS, method, "nDCG@5 AP", folds=3)

    found = rankeval.evaluate(QRELS, tuned.run, "nDCG@5 AP")
    assert [score.aggregate for score in found.runs[0].scores] == list(
        tuned.tuning.held_out.values()
    )


@pytest.mark.parametrize(
    ("method", "train"),
    [(method, None) for method in METHODS]
    + [(method, {**QRELS, "q99": {"d1": 1}}) for method in LEARNING],
)
def test_the_judgments_of_a_topic_do_not_change_its_lines(method, train):
    """What is held out is held out: from the choice of settings, and from training."""
    folds = 3
    first = rankeval.reports.tune_fusion(QRELS, RUNS, method, "AP", folds=folds, train_qrels=train)

    number = 1
    held = sorted(QRELS)[number::folds]
    others = random_qrels(Random(99), topics=17, documents=12)
    changed = {topic: others[topic] if topic in held else QRELS[topic] for topic in QRELS}
    second = rankeval.reports.tune_fusion(
        changed, RUNS, method, "AP", folds=folds, train_qrels=train and {**train, **changed}
    )

    before, after = lines(first.run), lines(second.run)
    assert [before[topic] for topic in held] == [after[topic] for topic in held]
    settings = [one.tuning.folds[number].settings for one in (first, second)]
    assert settings[0] == settings[1]


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("rrf", {"k": float}),
        ("combgmnz", {"gamma": float, "norm": str}),
        ("rbc", {"phi": float}),
        ("probfuse", {"segments": int}),
        ("segfuse", {"norm": str}),
        ("posfuse", {}),
    ],
)
def test_topics_without_judgments_are_fused_by_the_settings_chosen_on_all(method, options):
    some = {topic: QRELS[topic] for topic in sorted(QRELS)[:10]}
    tuned = rankeval.reports.tune_fusion(some, RUNS, method, "AP", folds=5)

    settings = tuned.tuning.settings.partition("(")[2].rstrip(")")
    given = dict(part.split("=") for part in settings.split())
    chosen = {name: options[name](value) for name, value in given.items()}
    train = some if method in LEARNING else None
    whole = lines(rankeval.fuse(RUNS, method, **chosen, train_qrels=train))
    found = lines(tuned.run)
    for topic in sorted(QRELS)[10:]:
        assert found[topic] == whole[topic]


def test_settings_that_are_given_stay():
    tuned = rankeval.reports.tune_fusion(QRELS, RUNS, "wsum", "AP", norm="rank", folds=2).tuning
    assert all("norm=rank" in fold.settings for fold in tuned.folds)
    assert tuned.tried == 67  # equal weights, and multiples of 0.1 that add up to 1

    kept = rankeval.reports.tune_fusion(
        QRELS, RUNS, "wsum", "AP", weights=[1, 2, 3], folds=2
    ).tuning
    assert all("weights=1,2,3 " in fold.settings for fold in kept.folds)
    assert kept.tried == 4


def test_weights_learned_from_other_judgments_are_not_tried():
    tuned = rankeval.reports.tune_fusion(
        QRELS, RUNS, "wsum", "AP", folds=2, train_qrels=QRELS
    ).tuning

    assert (tuned.tried, "weights" in tuned.settings) == (4, False)


def test_a_measure_of_which_less_is_better_is_made_small():
    least = rankeval.reports.tune_fusion(QRELS, RUNS, "combsum", "Unjudged@3", folds=3).tuning
    values = {}
    for norm in ("min-max", "sum", "z-score", "rank"):
        run = rankeval.fuse(RUNS, "combsum", norm=norm)
        values[norm] = rankeval.evaluate(QRELS, run, "Unjudged@3").runs[0].scores[0].aggregate
    assert least.settings == f"combsum(norm={min(values, key=values.get)})"


def test_the_order_of_the_judgments_changes_nothing():
    turned = {topic: QRELS[topic] for topic in reversed(QRELS)}

    first = rankeval.reports.tune_fusion(QRELS, RUNS, "rrf", "AP", folds=3)
    second = rankeval.reports.tune_fusion(turned, RUNS, "rrf", "AP", folds=3)

    assert first.tuning == second.tuning
    assert lines(first.run) == lines(second.run)


@pytest.mark.parametrize("runs", [1, 2, 3, 4, 6, 11, 40])
def test_weights_add_up_to_one_and_begin_with_equal_ones(runs):
    found = list(weights_to_try(runs))

    assert found[0] == pytest.approx([1 / runs] * runs)
    assert len(set(found)) == len(found) <= 71
    assert all(sum(weights) == pytest.approx(1) and min(weights) >= 0 for weights in found)


def test_the_usual_settings_are_tried_first():
    assert [str(plan) for plan in plans_to_try("rrf", 2)][:2] == ["rrf(k=60)", "rrf(k=1)"]
    assert str(plans_to_try("wsum", 2)[0]) == "wsum(weights=0.5,0.5 norm=min-max)"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "isr"}, "isr leaves nothing to tune"),
        ({"method": "rrf", "k": 10}, r"rrf\(k=10\) leaves nothing to tune"),
        ({"folds": 1}, "cannot be parted into 1 folds"),
        ({"folds": 18}, "17 judged topics cannot be parted into 18 folds"),
        ({"train_qrels": QRELS}, "rrf learns nothing"),
        ({"method": "combsum", "train_qrels": QRELS}, "combsum learns nothing"),
        ({"depth": 0}, "a depth of 0 keeps nothing"),
        ({"method": "posfuse", "train_qrels": {"q0": {"d1": 1}}}, "all topics of training"),
        ({"method": "wsum", "phi": 0.5}, "does not use phi="),
    ],
)
def test_what_cannot_be_tuned_is_refused(options, words):
    with pytest.raises(UsageError, match=words):
        rankeval.reports.tune_fusion(QRELS, RUNS, **options)


def test_judgments_of_other_topics_are_refused():
    with pytest.raises(InputError, match="no topic that is judged"):
        rankeval.reports.tune_fusion({"x": {"d1": 1}, "y": {"d1": 1}}, RUNS, folds=2)


def test_the_example_of_the_page():
    runs = [EXAMPLES / "runs" / name for name in ("bm25.run", "lsa.run")]

    tuned = rankeval.reports.tune_fusion(EXAMPLE_QRELS, runs, "wsum").tuning

    assert {name: round(value, 4) for name, value in tuned.held_out.items()} == {"nDCG@10": 0.5893}
    assert {name: round(value, 4) for name, value in tuned.usual.items()} == {"nDCG@10": 0.5849}
