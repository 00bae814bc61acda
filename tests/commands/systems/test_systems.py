from itertools import combinations

import numpy as np
import pytest
from scipy.stats import kendalltau, ttest_rel

import rankeval
from rankeval.stats import tau_ap
from tests.support.files import qrels_of, run_of

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
MEASURES = ["AP", "nDCG@10"]


def described(**options):
    return rankeval.systems(QRELS, RUNS, MEASURES, **options)


def scores(measure, qrels=QRELS):
    return {run.name: run.scores[0] for run in rankeval.evaluate(qrels, RUNS, measure).runs}


def means(measure, qrels=QRELS):
    return {name: score.aggregate for name, score in scores(measure, qrels).items()}


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
    by_run = {name: score.values for name, score in scores(measure).items()}
    p_values = [ttest_rel(by_run[a], by_run[b]).pvalue for a, b in combinations(RUNS, 2)]

    assert described(alpha=0.2).discriminative[measure] == np.mean(np.array(p_values) < 0.2)


def test_ranks_are_those_of_the_means():
    by_run, found = means("AP"), of_runs(described())

    assert sorted(found, key=lambda run: found[run].rank) == sorted(by_run, key=by_run.get)[::-1]


def of_runs(report):
    """Each run in AP."""
    return {one.run: one for one in report.systems if one.measure == "AP"}


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


def means_without(names, depth=None):
    removed = unique(names, depth)
    fewer = {t: {d: (-1 if (t, d) in removed else g) for d, g in QRELS[t].items()} for t in TOPICS}
    return means("AP", fewer)


@pytest.mark.parametrize("depth", [None, 3])
def test_leaving_a_run_out_takes_away_what_only_it_has(depth):
    before, found = means("AP"), of_runs(described(pool_depth=depth))

    assert list(found) == list(RUNS)
    assert sum(one.unique for one in found.values()) > 0
    for name, one in found.items():
        alone, after = unique([name], depth), means_without([name], depth)
        assert one.unique == sum(QRELS[topic][docno] >= 1 for topic, docno in alone)
        assert (one.value, one.without) == pytest.approx((before[name], after[name]))
        assert one.rank_without == 1 + sum(v > after[name] for v in after.values())
        assert one.fall == one.rank_without - 1 - sum(v > before[name] for v in before.values())


def test_one_run_is_refused():
    with pytest.raises(rankeval.UsageError, match="two runs or more"):
        rankeval.systems(QRELS, [RUNS["run0"]])


def test_the_answer_comes_first_and_the_rest_with_v(shell):
    """Only `one` has found a. Without its judgment, `two` is above, as it finds b at rank 1."""
    shell.write(
        qrels=qrels_of(t1="a1 b1", t2="a1"),
        one=run_of("one", t1="a c b", t2="a"),
        two=run_of("two", t1="b", t2="b"),
    )
    words = ["systems", "qrels.txt", "one.txt", "two.txt", "-m", "RR"]

    brief, whole = shell(*words).out, shell(*words, "-v").out

    assert " ".join(brief.split()).startswith(
        "Without the documents that it alone added to the pool, one falls by 1 rank in RR."
    )
    assert brief.splitlines()[-1] == "-v says more"
    # 1 before; 1/3 on t1 and nothing on t2 without a, so 1/6, at rank 2.
    assert any(line.split()[-2:] == ["0.1667", "2"] for line in whole.splitlines())
