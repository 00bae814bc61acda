from itertools import combinations

import numpy as np
import pytest
from scipy.stats import kendalltau, ttest_rel

import rankeval
from rankeval.stats import tau_ap
from tests.support.growth import MOST, growth

RNG = np.random.default_rng(11)
TOPICS = [f"t{t}" for t in range(14)]
QRELS = {t: {f"d{d}": int(RNG.integers(0, 3)) for d in range(15)} for t in TOPICS}
RUNS = {
    f"run{r}": {
        t: {
            d: grade * r / 3 + float(RNG.normal())
            for d, grade in QRELS[t].items()
            if RNG.random() < 0.6
        }
        for t in TOPICS
    }
    for r in range(5)
}
NAMES = rankeval.options.RunNames("tag", list(RUNS))
MEASURES = ["AP", "nDCG@10"]


def described(**options):
    return rankeval.systems(QRELS, list(RUNS.values()), MEASURES, run_names=NAMES, **options)


def means(measure, qrels=QRELS):
    return {
        run.name: run.scores[0].aggregate for run in rankeval.evaluate(qrels, RUNS, measure).runs
    }


def values(measure):
    return {run.name: run.scores[0].values for run in rankeval.evaluate(QRELS, RUNS, measure).runs}


def test_measures_are_compared_in_both_directions():
    by_measure = {measure: means(measure) for measure in MEASURES}
    found = {(one.first, one.second): one for one in described().agreement}

    assert set(found) == {("AP", "nDCG@10"), ("nDCG@10", "AP")}
    for (first, second), one in found.items():
        truth, other = by_measure[first], by_measure[second]
        expected = kendalltau([truth[r] for r in RUNS], [other[r] for r in RUNS]).statistic
        assert one.tau == pytest.approx(expected)
        orders = [sorted(RUNS, key=lambda run, of=of: -of[run]) for of in (other, truth)]
        assert one.tau_ap == pytest.approx(tau_ap(*orders))


@pytest.mark.parametrize("measure", MEASURES)
def test_discriminative_power_is_the_share_of_scipys_p_values(measure):
    by_run = values(measure)
    p_values = [ttest_rel(by_run[a], by_run[b]).pvalue for a, b in combinations(RUNS, 2)]

    found = described().discriminative[measure]

    assert found.asl == pytest.approx(sorted(p_values, reverse=True))
    assert found.share == np.mean(np.array(p_values) < 0.05)


def test_swap_rates_fall_to_what_all_halves_give():
    """With 7 of 14 topics every pair of halves can be counted."""
    found = described().swap_rate["AP"]
    by_run = np.array(list(values("AP").values()))
    swapped = []
    for half in combinations(range(14), 7):
        rest = [t for t in range(14) if t not in half]
        one, other = by_run[:, list(half)].mean(axis=1), by_run[:, rest].mean(axis=1)
        swapped.append(
            np.mean(
                [
                    (one[a] - one[b]) * (other[a] - other[b]) < 0
                    for a, b in combinations(range(5), 2)
                ]
            )
        )

    assert [one.topics for one in found] == [5, 6, 7]
    assert found[-1].rate == pytest.approx(np.mean(swapped), abs=0.02)


def unique(names, depth=None):
    """The judged documents that only these runs have, by plain loops."""
    found = set()
    for topic in TOPICS:
        having = {}
        for name, run in RUNS.items():
            for docno in sorted(run[topic], key=lambda d, run=run: -run[topic][d])[:depth]:
                having.setdefault(docno, set()).add(name)
        found |= {(topic, docno) for docno, by in having.items() if by <= set(names)}
    return found


@pytest.mark.parametrize("depth", [None, 3])
def test_unique_relevant_documents_are_those_of_a_plain_count(depth):
    found = described(pool_depth=depth).unique_relevant

    for name, number in found.items():
        assert number == sum(QRELS[topic][docno] >= 1 for topic, docno in unique([name], depth))
    assert sum(found.values()) > 0


@pytest.mark.parametrize("depth", [None, 3])
def test_leaving_a_run_out_takes_away_what_only_it_has(depth):
    report = described(pool_depth=depth)
    before = means("AP")
    for name, by_measure in report.leave_one_run_out.items():
        removed = unique([name], depth)
        fewer = {
            t: {d: (-1 if (t, d) in removed else g) for d, g in QRELS[t].items()} for t in TOPICS
        }
        after = means("AP", fewer)
        assert by_measure["AP"].value == pytest.approx(before[name])
        assert by_measure["AP"].without == pytest.approx(after[name])
        assert by_measure["AP"].rank_without == 1 + sum(v > after[name] for v in after.values())


def test_leaving_a_group_out_takes_away_what_only_the_group_has(tmp_path):
    groups = tmp_path / "groups.txt"
    groups.write_text("run0 a\nrun1 a\nrun2 b\nrun3 b\n")
    report = described(run_groups=groups)

    removed = unique(["run0", "run1"])
    fewer = {t: {d: (-1 if (t, d) in removed else g) for d, g in QRELS[t].items()} for t in TOPICS}
    after = means("AP", fewer)
    assert set(report.leave_one_group_out) == {"a", "b"}
    assert set(report.leave_one_group_out["a"]) == {"run0", "run1"}
    for name, by_measure in report.leave_one_group_out["a"].items():
        assert by_measure["AP"].without == pytest.approx(after[name])
    assert report.warnings == ("runs without a group: run4",)


def test_one_run_has_no_order():
    with pytest.raises(rankeval.UsageError, match="two runs or more"):
        rankeval.systems(QRELS, [RUNS["run0"]])


def test_groups_of_other_runs_are_refused():
    with pytest.raises(rankeval.UsageError, match="no run has a group"):
        described(run_groups={"other": "a"})


@pytest.mark.slow
def test_the_time_of_many_runs_grows_with_their_number_and_not_its_square():
    """Of runs that have found nothing alone, none is scored again without what others found."""

    def work(n_runs):
        qrels = {f"t{t}": {f"d{d}": d % 2 for d in range(40)} for t in range(8)}
        runs = {
            f"r{r}": {
                topic: {f"d{(d * (r + 1)) % 41}": -d for d in range(1, 41)} for topic in qrels
            }
            for r in range(n_runs)
        }
        return lambda: rankeval.systems(qrels, runs, "AP nDCG@10")

    assert growth(work, 20) < MOST
