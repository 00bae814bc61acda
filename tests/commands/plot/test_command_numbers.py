"""The numbers of pictures, to 1e-9, against computations from the files without rankeval."""

import json
from itertools import combinations, permutations, product

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from tests.plots.conftest import QRELS, RUNS
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
    rows = rows_drawn(shell, "heatmap", "-m", "P@10")

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
    rows = rows_drawn(shell, "cutoff", "-m", "P@" + ",".join(map(str, CUTOFFS)))

    assert len(rows) == len(CUTOFFS) * len(RUNS)
    for row in rows:
        assert row["P"] == near(precision[row["run"], row["cutoff"]].mean())


def test_numbers_of_forest_and_topics(shell, precision):
    of_runs = rows_drawn(shell, "forest", "-m", "P@10")
    by_topic = rows_drawn(shell, "topics", "-m", "P@10")

    first, *others = (path.stem for path in RUNS)
    assert [row["run"] for row in of_runs] == others
    changes = {run: (precision[run, 10] - precision[first, 10]).round(12) for run in others}
    tests = {run: scipy.stats.ttest_1samp(pairs, 0.0) for run, pairs in changes.items()}
    left = dict.fromkeys(others, 0)
    for run in sorted(others, key=lambda run: tests[run].pvalue):  # Holm: of those still in doubt
        doubtful = [one for one in others if not left[one]]
        below = tests[run].pvalue < 0.05 / len(doubtful)
        left |= dict.fromkeys([run] if below else doubtful, len(doubtful))
        if not below:
            break
    for row in of_runs:
        pairs = changes[row["run"]]
        interval = tests[row["run"]].confidence_interval(1 - 0.05 / left[row["run"]])
        assert (row["baseline"], row["measure"]) == (first, "P@10")
        assert [row["difference"], row["low"], row["high"]] == near([pairs.mean(), *interval])
        counts = [(pairs > 0).sum(), (pairs == 0).sum(), (pairs < 0).sum()]
        assert [row["wins"], row["ties"], row["losses"]] == counts
    assert len(by_topic) == len(precision) * len(others)
    for row in by_topic:
        values = precision.loc[row["topic"]]
        assert row["difference"] == near(values[row["run"], 10] - values[first, 10])


def test_numbers_of_box_and_ci(shell, precision):
    boxes, means = (rows_drawn(shell, kind, "-m", "P@10") for kind in ("box", "ci"))

    for row in boxes:
        values = precision[row["run"], 10]
        shares = ("first_quartile", "median", "third_quartile")
        expected = [values.mean(), *np.quantile(values, [0.25, 0.5, 0.75])]
        assert [row["mean"], *(row[share] for share in shares)] == near(expected)
    for row in means:
        values = precision[row["run"], 10]
        interval = scipy.stats.ttest_1samp(values, 0.0).confidence_interval(0.95)
        assert [row["mean"], row["low"], row["high"]] == near([values.mean(), *interval])


def test_numbers_of_ecdf(shell, precision):
    rows = pd.DataFrame(rows_drawn(shell, "ecdf", "-m", "P@10"))

    for run, some in rows.groupby("run"):
        expected = scipy.stats.ecdf(precision[run, 10]).cdf
        assert some["value"].tolist() == near(expected.quantiles.tolist())
        assert some["share"].tolist() == near(expected.probabilities.tolist())


def test_numbers_of_ranks_and_slope(shell, precision):
    table = precision[[(path.stem, 10) for path in RUNS]].round(12)
    ranks = rows_drawn(shell, "ranks", "-m", "P@10")
    slope = rows_drawn(shell, "slope", "-m", "P@10 P@40")

    mean_ranks = table.rank(axis=1, ascending=False).mean()
    for row in ranks:
        assert row["mean_rank"] == near(mean_ranks[row["run"], 10])
        columns = (table[column] for column in table)
        assert row["friedman_p"] == near(scipy.stats.friedmanchisquare(*columns).pvalue)
    means = precision.mean().round(12)
    for row in slope:
        cutoff = int(row["under"].split("@")[1])
        of_runs = means[[(path.stem, cutoff) for path in RUNS]]
        assert row["value"] == near(means[row["run"], cutoff])
        assert row["rank"] == near(of_runs.rank(ascending=False)[row["run"], cutoff])


def test_numbers_of_pairs(shell, precision):
    rows = rows_drawn(shell, "pairs", "-m", "P@10")

    names = [path.stem for path in RUNS]
    tests = {
        pair: scipy.stats.ttest_rel(*(precision[run, 10] for run in pair)).pvalue
        for pair in combinations(names, 2)
    }
    ordered = sorted(tests, key=tests.__getitem__)
    corrected, most = {}, 0.0
    for place, pair in enumerate(ordered):  # Holm's correction
        most = max(most, min(1.0, (len(ordered) - place) * tests[pair]))
        corrected[frozenset(pair)] = most
    assert {(row["a"], row["b"]) for row in rows} == {*permutations(names, 2)}
    for row in rows:
        a, b = (precision[row[run], 10].round(12) for run in ("a", "b"))
        assert row["p_value"] == near(corrected[frozenset((row["a"], row["b"]))])
        assert row["won"] == near((a > b).mean())
