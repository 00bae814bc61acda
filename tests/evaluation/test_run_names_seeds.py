"""Systems of several runs: their means, deviations and tests, beside an outside computation."""

import math

import numpy as np
import pytest
from scipy import stats

import rankeval
from rankeval import Seeds, UsageError

weightstats = pytest.importorskip("statsmodels.stats.weightstats")

TOPICS = [f"q{number}" for number in range(12)]
QRELS = {topic: {f"d{number}": number % 3 for number in range(9)} for topic in TOPICS}
SYSTEMS = {"bm25": [1, 2, 3], "dense": [4, 5, 6]}


def run_of(seed, strength):
    """Return a run that ranks by the grade, times a strength, and noise."""
    draw = np.random.default_rng(seed)
    return {
        topic: {docno: strength * grade + draw.normal() for docno, grade in judged.items()}
        for topic, judged in QRELS.items()
    }


RUNS = {
    name: [run_of(seed, strength + 0.1 * seed) for seed in seeds]
    for (name, seeds), strength in zip(SYSTEMS.items(), (0.2, 0.6), strict=True)
}


def values(name, measure):
    """Return the values of the runs of a system, each evaluated by itself, (topics, runs)."""
    found = [rankeval.evaluate(QRELS, run, measure).runs[0].scores[0] for run in RUNS[name]]
    return np.column_stack([score.values for score in found])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Write judgments, and runs as seedK/SYSTEM.run, whose tags are those of the systems."""
    monkeypatch.chdir(tmp_path)
    lines = (f"{t} 0 {d} {g}\n" for t, judged in QRELS.items() for d, g in judged.items())
    (tmp_path / "qrels.txt").write_text("".join(lines))
    for name, runs in RUNS.items():
        for number, run in enumerate(runs):
            path = tmp_path / "runs" / f"seed{number}" / f"{name}.run"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(
                "".join(
                    f"{topic} Q0 {docno} 1 {score!r} {name}\n"
                    for topic, scores in run.items()
                    for docno, score in scores.items()
                )
            )
    return tmp_path


def outside(before, after, level):
    """Return p-value and interval by Welch and Satterthwaite, with scipy and statsmodels."""
    topics = weightstats.DescrStatsW(after.mean(axis=1) - before.mean(axis=1))
    parts = [(topics.std_mean**2, len(before) - 1)]
    for of_system in (before, after):
        if of_system.shape[1] > 1:
            means = of_system.mean(axis=0)
            parts.append((stats.sem(means) ** 2, len(means) - 1))
    variance = sum(part for part, _ in parts)
    freedom = variance**2 / sum(part**2 / degrees for part, degrees in parts)
    spread = stats.t(freedom, loc=topics.mean, scale=math.sqrt(variance))
    p_value = 2 * stats.t(freedom).sf(abs(topics.mean) / math.sqrt(variance))
    return p_value, spread.interval(level)


@pytest.mark.parametrize("measure", ["AP", "nDCG@5", "NumRelRet"])
def test_means_and_deviations_over_seeds_are_those_of_numpy(measure):
    results = rankeval.evaluate(QRELS, {n: Seeds(runs) for n, runs in RUNS.items()}, measure)

    assert [run.name for run in results.runs] == list(RUNS)
    for run in results.runs:
        by_run, score = values(run.name, measure), run[measure]
        whole = by_run.sum(axis=0) if score.rule == "sum" else by_run.mean(axis=0)
        assert score.values == pytest.approx(by_run.mean(axis=1))
        assert score.mean == pytest.approx(np.mean(whole))
        assert score.deviation == pytest.approx(np.std(whole, ddof=1))
        assert [seed.mean for seed in score.seeds] == pytest.approx(whole.tolist())


@pytest.mark.parametrize("n_seeds", [(3, 3), (1, 3), (2, 1)])
def test_p_values_and_intervals_are_those_of_scipy_and_statsmodels(n_seeds):
    systems = [
        Seeds(RUNS[name][:number]) if number > 1 else RUNS[name][0]
        for name, number in zip(RUNS, n_seeds, strict=True)
    ]

    comparison = rankeval.compare(QRELS, *systems, "AP nDCG@5")

    assert len(comparison.pairs) == 2
    for pair in comparison.pairs:
        before, after = (
            values(name, pair.measure)[:, :number]
            for name, number in zip(RUNS, n_seeds, strict=True)
        )
        p_value, ends = outside(before, after, pair.level)
        assert pair.p_raw == pytest.approx(p_value)
        assert (pair.low, pair.high) == pytest.approx(ends)
        assert pair.summary.difference == pytest.approx(after.mean() - before.mean())
        assert pair.seeds == pytest.approx(tuple(after.mean(axis=0)) if n_seeds[1] > 1 else ())
        assert pair.p == pair.p_raw  # each measure by itself


def test_patterns_and_seeds_are_the_same_systems(folder):
    paths = sorted(map(str, folder.glob("runs/*/*.run")))
    asked = [
        ["runs/{seed}/bm25.run", "runs/{seed}/dense.run"],
        [Seeds([p for p in paths if name in p]) for name in RUNS],
    ]
    found = [rankeval.evaluate("qrels.txt", runs, "AP") for runs in asked]

    means = [{run.name: (run["AP"].mean, run["AP"].deviation) for run in one.runs} for one in found]
    assert means[0] == means[1]
    assert list(means[0]) == list(RUNS)
    names = [seed.name for seed in found[0]["bm25"].seeds]
    assert names == [f"runs/seed{seed}/bm25.run" for seed in range(3)]


@pytest.mark.usefixtures("folder")
def test_saved_systems_keep_their_seeds():
    systems = ["runs/{seed}/bm25.run", "runs/{seed}/dense.run"]
    for path, system in zip(("old.json", "new.json"), systems, strict=True):
        rankeval.evaluate("qrels.txt", system, "AP").save(path)

    (saved,) = rankeval.compare("qrels.txt", "old.json", "new.json").pairs
    (now,) = rankeval.compare("qrels.txt", *systems, "AP").pairs
    assert (saved.p, saved.seeds) == (now.p, now.seeds)


@pytest.mark.parametrize(
    "method",
    [{"test": "wilcoxon"}, {"test": "tukey"}, {"test": "bootstrap"}, {"margins": {"AP": 0.1}}],
)
def test_methods_that_ignore_the_spread_of_seeds_are_refused(method):
    with pytest.raises(UsageError, match="spread of a system's runs"):
        rankeval.compare(
            QRELS,
            RUNS["bm25"][0],
            {"dense": Seeds(RUNS["dense"])},
            "AP",
            **method,
        )


@pytest.mark.usefixtures("folder")
def test_what_is_no_system_of_several_runs_is_refused():
    for one in ["runs/seed0/bm25.run"], iter(["a.run", "b.run"]):
        with pytest.raises(UsageError, match="two runs or more, one for each seed"):
            Seeds(one)
    with pytest.raises(rankeval.InputError, match="matches 0 files"):
        rankeval.evaluate("qrels.txt", "runs/{seed}/none.run", "AP")
    with pytest.raises(UsageError, match="have different topics"):
        rankeval.evaluate(
            QRELS,
            Seeds([RUNS["bm25"][0], {"q0": {"d1": 1.0}}]),
            "AP",
            rankeval.options.Settings(topics="both"),
        )
    with pytest.raises(UsageError, match="several runs of one system"):
        rankeval.explain(QRELS, Seeds(RUNS["bm25"]), "q0", "AP")
