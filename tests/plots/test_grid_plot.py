"""Collections by systems: values and p-values are those of scipy's tests."""

import numpy as np
import pytest
import scipy.stats

from rankeval import plots
from tests.support.results import results, score

NAN = float("nan")


def holm(p_values):
    """Holm's correction, step by step."""
    order = np.argsort(p_values)
    corrected, highest = np.empty(len(order)), 0.0
    for step, i in enumerate(order):
        highest = max(highest, (len(order) - step) * p_values[i])
        corrected[i] = min(1.0, highest)
    return corrected


@pytest.fixture
def collections():
    rng = np.random.default_rng(4)
    by_name = {}
    for name, runs in {"nq": "abc", "quora": "ab"}.items():
        values = {run: rng.uniform(0, 1, 30) + (run == "b") * 0.3 for run in runs}
        by_name[name] = results(
            {run: [score("AP", v, float(v.mean()))] for run, v in values.items()},
            [str(i) for i in range(30)],
        )
    means = {
        run: [
            next((r.scores[0].aggregate for r in found.runs if r.name == run), NAN)
            for found in by_name.values()
        ]
        for run in "abc"
    }
    whole = results({run: [score("AP", v, 0.0)] for run, v in means.items()}, list(by_name))
    return whole, by_name


def test_values_and_p_values_are_those_of_each_collection(collections):
    whole, by_name = collections

    data = plots.grid_data(whole, collections=by_name)

    tests, values = {}, {}
    for name, found in by_name.items():
        first, *others = found.runs
        values[name, first.name] = first.scores[0].values.mean()
        for run in others:
            values[name, run.name] = run.scores[0].values.mean()
            pair = (run.scores[0].values, first.scores[0].values)
            tests[name, run.name] = scipy.stats.ttest_rel(*pair).pvalue
    corrected = dict(zip(tests, holm(list(tests.values())), strict=True))
    for row in data.rows():
        key = (row["collection"], row["run"])
        assert row["value"] == (pytest.approx(values[key], abs=1e-9) if key in values else None)
        expected = corrected.get(key)
        assert row["p_value"] == (expected and pytest.approx(expected, abs=1e-9))
    shown = {
        (name, run): data.shown()[i, j]
        for i, name in enumerate(data.collections)
        for j, run in enumerate(data.runs)
    }
    assert shown["nq", "b"] == 1.0
    assert shown["nq", "a"] == shown["quora", "c"] == 0.0


def test_without_collections_it_has_one(example):
    found = example("grid", "AP")

    data = plots.grid_data(found)

    assert data.collections == (found.qrels.path,)
    assert data.values[0] == pytest.approx([run.scores[0].aggregate for run in found.runs])
