"""The small places for what only trec_eval does."""

import math
from random import Random

import numpy as np
import pytest

from rankeval.io.columns import as_single
from rankeval.trec_eval.measures import MEASURES, Evaluation, Pairs
from rankeval.trec_eval.tabulated import ideal_of, table_of, tabulated
from tests.support.builders import UNJUDGED, ranked

EXAMPLE = ranked(
    [2, UNJUDGED, 0, 1, -1, 3, UNJUDGED, 1], [0, 1], [UNJUDGED], missed=[[1, 2, 0], [], [4]]
)


def test_scores_are_rounded_to_the_nearest_float():
    doubles = np.array([16777217.0, 0.1, 1e39, -3.4028235677973366e38, 1e-46, 1e-45])

    assert as_single(doubles).tolist() == [
        16777216.0,
        0.10000000149011612,
        math.inf,
        -math.inf,
        0.0,
        2.0**-149,
    ]


def scan(relevant, n_found, needed):
    """trec_eval's scan of a ranking from its end, for levels of recall as numbers of documents."""
    values = [0.0] * len(needed)
    pending = len(needed) - 1
    while pending >= 0 and needed[pending] > n_found:
        pending -= 1
    best = n_found / len(relevant) if relevant else -math.nan
    so_far = n_found
    for rank in range(len(relevant), 0, -1):
        if so_far <= 0:
            break
        best = max(best, so_far / rank)
        if relevant[rank - 1]:
            while pending >= 0 and needed[pending] == so_far:
                values[pending] = best
                pending -= 1
            so_far -= 1
    for waiting in range(pending + 1):
        values[waiting] = best
    return values


def counted_from_the_end(relevant, n_found, cutoff):
    """trec_eval's precision at a rank, with the documents below it taken off those found."""
    if cutoff > len(relevant):
        return n_found / cutoff
    left = n_found - sum(relevant[cutoff:])
    return left / cutoff if left > 0 and cutoff > 0 else 0.0


@pytest.mark.parametrize("level", [-2, -1, 0, 1, 2])
@pytest.mark.parametrize("seed", range(20))
def test_levels_of_recall_and_multiples_of_r_are_those_of_trec_evals_scan(seed, level):
    random = Random(seed)
    length, extra = random.randint(0, 12), random.randint(0, 4)
    grades = random.choices([UNJUDGED, -1, 0, 1, 2, 3], k=length)
    missed = [*random.choices([-1, 0, 1, 2], k=extra), 1]
    evaluation = Evaluation(ranked(grades, missed=[missed]), level, 0, random.choice([10, 9]))
    levels = [-1 if grade is UNJUDGED else -2 if grade < 0 else grade for grade in grades]
    relevant = [one >= level for one in levels]
    n_found = sum(one >= max(level, 0) for one in levels)
    n_relevant = n_found + sum(one >= max(level, 0) for one in missed)
    shares = random.choices([-0.5, 0.0, 0.1, 0.2, 0.25, 0.5, 0.6, 0.75, 1.0, 1.5], k=4)
    is_nine = evaluation.version == 9
    needed = [int(s * n_relevant + 0.9) if is_nine else half_up(s * n_relevant) for s in shares]
    compute = {name: entry.compute for name, entry in MEASURES.items()}

    for share, whole in zip(shares, needed, strict=True):
        (value,) = compute["iprec_at_recall"](evaluation, "iprec_at_recall", share).tolist()
        assert value == pytest.approx(scan(relevant, n_found, [whole])[0], nan_ok=True)
        (value,) = compute["Rprec_mult"](evaluation, "Rprec_mult", share).tolist()
        cutoff = int(share * n_relevant + 0.9)
        assert value == pytest.approx(counted_from_the_end(relevant, n_found, cutoff))
    (value,) = compute["11pt_avg"](evaluation, "11pt_avg", tuple(shares)).tolist()
    expected = sum(scan(relevant, n_found, needed)) / len(shares)
    assert value == pytest.approx(expected, nan_ok=True)


def half_up(number):
    """C's lround."""
    return math.floor(abs(number) + 0.5) * (1 if number >= 0 else -1)


@pytest.mark.parametrize("name", ["dcg", "ideal_dcg", "ndcg", "ndcg_rel", "Rndcg", "G", "rbp"])
def test_a_table_of_the_usual_gains_gives_what_the_measures_do_without_one(name):
    evaluation = Evaluation(EXAMPLE, 1)

    usual = MEASURES[name].compute(evaluation, name, Pairs())
    table = MEASURES[name].compute(evaluation, name, Pairs(((0, 0.0),)))

    assert usual == pytest.approx(table)


def test_gains_closer_than_1_keep_their_order_in_the_table():
    table = table_of([(0, 0.3), (1, 0.9), (2, 0.1)], [0, 1, 2, 3])

    assert [level for level, _, _ in table] == [0, 1, 2, 3]
    assert ideal_of(table) == [3.0, 0.1, 0.9, 0.3]


def test_the_first_of_two_gains_of_a_level_has_its_documents():
    """Sorted, 2 comes before 5; both documents of level 1 are those of the pair given first."""
    assert ideal_of(table_of([(1, 5.0), (1, 2.0)], [1, 1])) == [5.0, 5.0]
    judged = ranked([1, 0, UNJUDGED], missed=[[1]])
    assert tabulated(judged, [(1, 5.0), (1, 2.0)], "DCG", 0.9).tolist() == [2.0]
