"""Measures of recommenders: worked by hand, against plain loops, and their properties."""

import math
from collections import Counter
from itertools import combinations

import pytest

import rankeval
from rankeval import MeasureError, UsageError, evaluate
from rankeval.options import Items
from tests.support.recommended import as_run, evaluated, random_case

LISTS = {"u1": ["a", "b"], "u2": ["a", "c"], "u3": ["b", "a"]}
QRELS = {"u1": {"b": 1}, "u2": {"c": 1}, "u3": {"d": 1}}


def value(measure, lists=LISTS, qrels=QRELS, **given):
    return evaluate(qrels, as_run(lists), measure, items=Items(**given)).runs[0][measure].mean


def by_user(measure, lists=LISTS, qrels=QRELS, **given):
    return evaluate(qrels, as_run(lists), measure, items=Items(**given)).runs[0][measure].per_topic


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("Coverage@1", 2 / 5),
        ("Coverage@2", 3 / 5),
        ("Coverage@99", 3 / 5),
        ("Gini@2", (0 * 1 + 2 * 2 + 4 * 3) / (5 * 6)),
        ("Gini(corrected=True)@2", (0 * 1 + 2 * 2 + 4 * 3) / (4 * 6)),
        ("Entropy@2", 1 / 2 * math.log2(2) + 1 / 3 * math.log2(3) + 1 / 6 * math.log2(6)),
        ("Entropy@1", 2 / 3 * math.log2(3 / 2) + 1 / 3 * math.log2(3)),
    ],
)
def test_measures_of_a_run_of_three_lists(measure, expected):
    given = {} if measure.startswith("Entropy") else {"catalog": 5}

    assert value(measure, **given) == pytest.approx(expected, abs=1e-15)


TRAIN = {"u1": ["a", "b"], "u2": ["a"], "u8": ["a"], "u9": ["a", "a", "b", "z"]}
"""Four users: a has 4 of them and 5 interactions, b has 2 of both, z one of both; c is cold."""


def test_popularity_counts_every_interaction():
    assert by_user("ARP@2", train=TRAIN) == pytest.approx({"u1": 3.5, "u2": 2.5, "u3": 3.5})
    expected = {"u1": 7 / 8 / 2, "u2": 5 / 8 / 2, "u3": 7 / 8 / 2}
    assert by_user("ARP(normalize=True)@2", train=TRAIN) == pytest.approx(expected)


def test_serendipity_is_of_relevant_items_ranked_above_their_popularity():
    """Of ten items, a is the most popular, b the second, z the third, and c is cold."""
    expected = {
        "u1": max(9 / 10 - 9 / 10, 0) / 2,  # b at rank 2
        "u2": (9 / 10 - 0) / 2,  # c at rank 2
        "u3": 0,
    }

    assert by_user("Serendipity@2", train=TRAIN, catalog=10) == pytest.approx(expected)
    assert by_user("Serendipity(rel=2)@2", train=TRAIN, catalog=10) == dict.fromkeys(QRELS, 0)


def test_users_without_judgments_count_in_measures_of_the_whole_run_only():
    lists = {**LISTS, "u9": ["x", "y"]}
    given = {"train": TRAIN, "catalog": 10}

    (run,) = evaluate(
        QRELS, as_run(lists), "Coverage@2 Entropy@2 MIUF@2", items=Items(**given)
    ).runs

    assert run["Coverage@2"].mean == 5 / 10
    assert run["MIUF@2"].mean == value("MIUF@2", train=TRAIN)
    assert run["MIUF@2"].topics == ("u1", "u2", "u3")


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("k", [1, 4, 20])
def test_measures_of_a_run_are_their_plain_loops(seed, k):
    case = random_case(seed)
    lists, _, _, names, _ = case
    counts = Counter(item for items in lists.values() for item in items[:k])
    every = sorted(counts.get(name, 0) for name in names)
    differences = sum(abs(a - b) for a in every for b in every)
    shares = [count / counts.total() for count in counts.values()]

    (run,) = evaluated(case, f"Coverage@{k} Gini@{k} Entropy@{k} Coverage@99").runs

    assert run[f"Coverage@{k}"].mean == pytest.approx(len(counts) / len(names), abs=1e-12)
    # Half of the relative mean absolute difference.
    gini = differences / (2 * len(names) * sum(every))
    assert run[f"Gini@{k}"].mean == pytest.approx(gini, abs=1e-12)
    assert run[f"Entropy@{k}"].mean == pytest.approx(-sum(p * math.log2(p) for p in shares))


@pytest.mark.parametrize("seed", range(4))
def test_diversity_is_its_plain_loop(seed):
    case = random_case(seed)
    lists, _, _, _, features = case
    (run,) = evaluated(case, "ILD@7").runs

    for user, items in lists.items():
        known = [features[i] for i in items[:7] if i in features and None not in features[i]]
        pairs = [sum(a != b for a, b in zip(*pair, strict=True)) for pair in combinations(known, 2)]
        alone = 0.0 if len(items[:7]) == 1 else math.nan
        expected = sum(pairs) / len(pairs) if pairs else alone
        assert run["ILD@7"].per_topic[user] == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(
    "measure", ["Coverage@3", "Gini@3", "MIUF@3", "ARP@3", "Serendipity@3", "ILD@3"]
)
def test_a_measure_names_what_it_lacks(measure):
    with pytest.raises(MeasureError, match=f"{measure} needs .*\n.*="):
        value(measure)


def test_unjudged_documents_cannot_be_removed_from_what_is_shown():
    with pytest.raises(UsageError, match="Entropy@2 looks at all documents that are shown"):
        evaluate(QRELS, as_run(LISTS), "Entropy@2", rankeval.options.Settings(judged_only=True))
