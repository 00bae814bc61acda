import numpy as np
import pytest
import scipy.stats

from rankeval.errors import UsageError
from tests.plots.conftest import panel
from tests.support.results import results, score

NAN = float("nan")


def tau_ap_by_definition(gains, truth):
    """Yilmaz, Aslam and Robertson (2008), equation 2, for values without ties."""
    order = sorted(range(len(gains)), key=lambda i: -gains[i])
    shares = [
        sum(truth[above] > truth[item] for above in order[:i]) / i
        for i, item in enumerate(order)
        if i
    ]
    return 2 / (len(order) - 1) * sum(shares) - 1


def correlations(drawn):
    """Kendall's tau, and tau-AP."""
    return [table.values for table in drawn.layers]


def made(table, losses=()):
    return results(
        {
            f"run{i}": [
                score(name, [0.0, 0.0], value, loss=name in losses)
                for name, value in zip(table, row, strict=True)
            ]
            for i, row in enumerate(zip(*table.values(), strict=True))
        }
    )


def test_agreement_is_scipys_tau_and_tau_ap_by_definition():
    rng = np.random.default_rng(1)
    table = {name: rng.uniform(size=9).tolist() for name in ("AP", "nDCG@10", "RR")}

    drawn = panel("agreement", made(table))

    tau, tau_ap = correlations(drawn)
    assert (drawn.rows, drawn.layers[0].title[-6:]) == (
        ("AP", "nDCG@10", "RR"),
        "9 runs",
    )
    for i, truth in enumerate(table.values()):
        for j, found in enumerate(table.values()):
            expected = scipy.stats.kendalltau(truth, found).statistic
            assert tau[i, j] == pytest.approx(expected)
            assert tau_ap[i, j] == pytest.approx(tau_ap_by_definition(found, truth))


def test_agreement_of_the_examples_runs(example):
    found = example("agreement")
    drawn = panel("agreement", found)

    tau, _ = correlations(drawn)
    assert len(drawn.rows) == 8
    aggregates = [[s.aggregate for s in run.scores] for run in found.runs]
    ours, other = np.array(aggregates).T[:2]
    assert tau[0, 1] == pytest.approx(scipy.stats.kendalltau(ours, other).statistic)
    assert np.diag(tau) == pytest.approx(np.ones(8))


def test_a_loss_agrees_with_what_falls_as_it_rises():
    table = {"AP": [0.1, 0.2, 0.3, 0.4, 0.5], "Unjudged@10": [0.9, 0.5, 0.4, 0.2, 0.1]}

    drawn = panel("agreement", made(table, losses=["Unjudged@10"]))

    tau, tau_ap = correlations(drawn)
    assert tau[0, 1] == pytest.approx(1.0)
    assert tau_ap[0, 1] == pytest.approx(1.0)


def test_tied_runs_count_half_in_tau_and_take_the_others_order_in_tau_ap():
    table = {"AP": [0.1, 0.2, 0.2, 0.4, 0.5], "RR": [0.1, 0.2, 0.3, 0.4, 0.5]}

    drawn = panel("agreement", made(table))

    tau, tau_ap = correlations(drawn)
    assert tau[0, 1] == pytest.approx(scipy.stats.kendalltau(*table.values()).statistic)
    assert tau_ap[0, 1] == pytest.approx(1.0)


def test_runs_without_a_value_are_left_out_of_a_pair():
    table = {"AP": [0.1, 0.2, 0.3, NAN, NAN], "RR": [0.3, 0.2, 0.1, 0.5, 0.6], "P@5": [0.2] * 5}

    drawn = panel("agreement", made(table))

    tau, tau_ap = correlations(drawn)
    assert tau[0, 1] == pytest.approx(-1.0)
    assert np.isnan([tau[0, 2], tau_ap[0, 2], tau_ap[2, 0]]).all()
    assert next(row for row in drawn.records if row["measure"] == "P@5")["tau"] is None


def test_one_measure_cannot_agree(example):
    with pytest.raises(UsageError, match="found 1 measure"):
        panel("agreement", example("box", "AP"))


def test_fewer_than_five_runs_are_refused():
    table = {"AP": [0.1, 0.2, 0.3, 0.4], "RR": [0.1, 0.2, 0.3, 0.4]}

    with pytest.raises(UsageError, match="found 4 runs, too few") as refused:
        panel("agreement", made(table))
    assert refused.value.expected == "5 runs or more"
