"""Measures of recommenders have RecTools' values, user by user and over all."""

import warnings

import pytest

from tests.support.recommended import K, evaluated, random_case

pd = pytest.importorskip("pandas")
rectools = pytest.importorskip("rectools", reason="pip install rectools")
metrics = pytest.importorskip("rectools.metrics")

EXACT = {"rel": 1e-12, "abs": 1e-12}
CASES = [
    *({"seed": seed} for seed in range(6)),
    {"seed": 7, "users": 2, "items": 12},
    {"seed": 8, "users": 200, "items": 15},
]


def number(item):
    return int(item[1:])


def tables(case):
    """The case as RecTools takes it; items are numbers, because pandas 3 has a type for text."""
    lists, test, train, names, features = case
    reco = pd.DataFrame(
        [(u, number(i), rank) for u, items in lists.items() for rank, i in enumerate(items, 1)],
        columns=["user_id", "item_id", "rank"],
    )
    columns = ["user_id", "item_id"]
    interactions = [(user, number(item)) for user, items in test.items() for item in items]
    frame = pd.DataFrame.from_dict(features, orient="index", dtype=float)
    frame.index = frame.index.map(number)
    return (
        reco,
        pd.DataFrame(interactions, columns=columns),
        pd.DataFrame([(user, number(item)) for user, item in train], columns=columns),
        [number(name) for name in names],
        frame,
    )


def rectools_values(case, k):
    """RecTools' values of users by measure, and those of the whole run."""
    reco, interactions, train, names, features = tables(case)
    calculator = metrics.PairwiseHammingDistanceCalculator(features)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of items without features, and of pandas' own
        by_user = {
            f"MIUF@{k}": metrics.MeanInvUserFreq(k).calc_per_user(reco, train),
            f"ARP@{k}": metrics.AvgRecPopularity(k).calc_per_user(reco, train),
            f"ARP(normalize=True)@{k}": metrics.AvgRecPopularity(k, normalize=True).calc_per_user(
                reco, train
            ),
            f"Serendipity@{k}": metrics.Serendipity(k).calc_per_user(
                reco, interactions, train, names
            ),
            f"ILD@{k}": metrics.IntraListDiversity(k, calculator).calc_per_user(reco),
            f"HitRate@{k}": metrics.HitRate(k).calc_per_user(reco, interactions),
        }
    covered = metrics.CatalogCoverage(k, normalize=True).calc(reco, names)
    return by_user, {f"Coverage@{k}": covered}


@pytest.mark.parametrize("k", K)
@pytest.mark.parametrize("drawn", CASES, ids=lambda drawn: f"seed {drawn['seed']}")
def test_values_are_those_of_rectools(drawn, k):
    case = random_case(**drawn)
    by_user, of_run = rectools_values(case, k)

    (found,) = evaluated(case, [*by_user, *of_run]).runs

    for measure, expected in by_user.items():
        assert found[measure].per_topic == pytest.approx(
            expected.to_dict(), **EXACT, nan_ok=True
        ), measure
        assert found[measure].mean == pytest.approx(expected.mean(), **EXACT, nan_ok=True), measure
    for measure, expected in of_run.items():
        assert found[measure].mean == pytest.approx(expected, **EXACT), measure


def per_user(metric, case):
    reco, interactions, *_ = tables(case)
    return metric.calc_per_user(reco, interactions)


@pytest.mark.parametrize("k", K)
@pytest.mark.parametrize("seed", range(4))
def test_rankings_have_rectools_values_where_it_divides_by_what_is_achievable(seed, k):
    case = random_case(seed)
    ours = {
        f"P@{k}": metrics.Precision(k),
        f"R@{k}": metrics.Recall(k),
        f"Success@{k}": metrics.HitRate(k),
        f"AP@{k}": metrics.MAP(k),
        f"RR@{k}": metrics.MRR(k),
        f"nDCG@{k}": metrics.NDCG(k, divide_by_achievable=True),
    }

    (found,) = evaluated(case, [*ours]).runs

    for measure, metric in ours.items():
        assert found[measure].per_topic == pytest.approx(
            per_user(metric, case).to_dict(), **EXACT
        ), measure
