"""The numbers of pictures, to 1e-9, against computations from the files without rankeval."""

import json
from itertools import product

import numpy as np
import pandas as pd
import pytest
import scipy.stats

import rankeval
from rankeval import plots
from tests.plots.conftest import QRELS, RUNS
from tests.support.files import gate_line
from tests.support.frames import judged_frame, qrels_frame

CUTOFFS = (1, 3, 10, 40)


@pytest.fixture(scope="module")
def precision():
    """Return P@k by run, topic and cutoff, from the files."""
    topics = qrels_frame(QRELS)["topic"].unique()
    found = {}
    for path, cutoff in product(RUNS, CUTOFFS):
        rows = judged_frame(QRELS, path)
        hits = rows[(rows["rank"] <= cutoff) & (rows["grade"] >= 1)].groupby("topic").size()
        found[path.stem, cutoff] = hits.reindex(topics, fill_value=0) / cutoff
    return pd.DataFrame(found)


def near(expected):
    return pytest.approx(expected, rel=0, abs=1e-9)


def rows_drawn(shell, kind, *options):
    shell.write(costs="run\tms\n" + "".join(f"{p.stem}\t{i}\n" for i, p in enumerate(RUNS, 1)))
    paths = map(str, RUNS)
    outcome = shell("plot", kind, str(QRELS), *paths, *options, "--data", "a.json", "--quiet")
    assert outcome.code == 0, outcome.err
    return json.loads(shell.path("a.json").read_text())["rows"]


def test_numbers_of_heatmap(shell, precision):
    rows = rows_drawn(shell, "heatmap", "-m", "P@10", "--cluster")

    assert len(rows) == len(precision) * len(RUNS)
    for row in rows:
        assert row["value"] == near(precision.loc[row["topic"], (row["run"], 10)])


def test_numbers_of_scatter(shell, precision):
    rows = rows_drawn(shell, "scatter", "-m", "P@10", "--baseline", str(RUNS[1]))

    assert len(rows) == len(precision) * (len(RUNS) - 1)
    for row in rows:
        assert row["baseline"] == RUNS[1].stem
        assert row["baseline_value"] == near(precision.loc[row["topic"], (row["baseline"], 10)])
        assert row["run_value"] == near(precision.loc[row["topic"], (row["run"], 10)])


def test_numbers_of_cutoff(shell, precision):
    rows = rows_drawn(shell, "cutoff", "-m", "P@1", "--cutoffs", ",".join(map(str, CUTOFFS)))

    assert len(rows) == len(CUTOFFS) * len(RUNS)
    for row in rows:
        assert row["P"] == near(precision[row["run"], row["cutoff"]].mean())


def test_numbers_of_tradeoff(shell, precision):
    rows = rows_drawn(shell, "tradeoff", "-m", "P@10", "--run-costs", "costs.txt")

    means = [precision[path.stem, 10].mean() for path in RUNS]
    for i, row in enumerate(rows):
        # Each run costs more than those before it.
        assert (row["run"], row["ms"]) == (RUNS[i].stem, i + 1)
        assert row["value"] == near(means[i])
        assert row["pareto"] == all(means[i] > mean for mean in means[:i])


def test_numbers_of_agreement(shell, precision):
    names = [f"P@{cutoff}" for cutoff in CUTOFFS]

    rows = rows_drawn(shell, "agreement", "-m", " ".join(names))

    means = {
        f"P@{cutoff}": [precision[path.stem, cutoff].mean() for path in RUNS] for cutoff in CUTOFFS
    }
    assert [(row["truth"], row["measure"]) for row in rows] == list(product(names, names))
    for row in rows:
        tau = scipy.stats.kendalltau(means[row["truth"]], means[row["measure"]]).statistic
        assert row["tau"] == near(tau)


def test_numbers_of_trend():
    means = np.random.default_rng(0).uniform(0.3, 0.5, 12).tolist()
    lines = [gate_line(day, mean) for day, mean in enumerate(means, 1)]

    (panel,) = plots.trend_data(rankeval.trend(lines, "AP"))

    (place, _, drawn), _ = panel.curves
    assert panel.runs[place] == "bm25"
    assert drawn.tolist() == near(means)
