import numpy as np
import pytest

import rankeval

TOPICS = [str(t) for t in range(12)]
RNG = np.random.default_rng(3)
FIRST = {t: {f"d{d}": int(RNG.integers(0, 3)) for d in range(20)} for t in TOPICS}
SECOND = {
    t: {d: (g if RNG.random() < 0.6 else int(RNG.integers(0, 3))) for d, g in FIRST[t].items()}
    for t in TOPICS
}
RUNS = {
    f"run{r}": {
        t: {d: g * r / 4 + float(RNG.normal()) for d, g in (FIRST if r % 2 else SECOND)[t].items()}
        for t in TOPICS
    }
    for r in range(6)
}


def report(**options):
    names = rankeval.options.RunNames("tag", list(RUNS))
    return rankeval.judges(
        [FIRST, SECOND], list(RUNS.values()), "nDCG@10 AP", run_names=names, **options
    )


def values(judgments, measure):
    results = rankeval.evaluate(judgments, RUNS, measure)
    return {run.name: run.scores[0].values for run in results.runs}


def test_runs_have_their_values_and_ranks_under_both():
    ranked = [one for one in report().ranked if one.measure == "nDCG@10"]
    first = {name: found.mean() for name, found in values(FIRST, "nDCG@10").items()}
    second = {name: found.mean() for name, found in values(SECOND, "nDCG@10").items()}

    assert [one.run for one in ranked] == [*RUNS]
    for one in ranked:
        assert one.values == pytest.approx((first[one.run], second[one.run]))
        for judge, values_by_it in enumerate((first, second)):
            better = sum(value > values_by_it[one.run] for value in values_by_it.values())
            assert one.ranks[judge] == 1 + better


def test_one_run_has_no_order():
    with pytest.raises(rankeval.UsageError, match="two runs or more"):
        rankeval.judges([FIRST, SECOND], [RUNS["run1"]])
