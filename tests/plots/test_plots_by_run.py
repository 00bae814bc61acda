import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from rankeval import Seeds, evaluate
from rankeval.errors import UsageError
from rankeval.plots.rows import groups_within
from tests.plots.conftest import panel, values
from tests.support.results import results, score

NAN = float("nan")
topic_values = st.lists(st.integers(0, 20).map(lambda i: i / 20), min_size=1, max_size=40)


def made(columns, *, loss=False, aggregates=None):
    topics = [str(i) for i in range(len(next(iter(columns.values()))))]
    return results(
        {
            run: [score("AP", v, (aggregates or {}).get(run, 0.0), loss=loss)]
            for run, v in columns.items()
        },
        topics,
    )


# --- box --------------------------------------------------------------------------------------


@given(values=topic_values)
@settings(deadline=None, max_examples=80)
def test_a_box_is_matplotlibs(values):
    cbook = pytest.importorskip("matplotlib.cbook")
    (expected,) = cbook.boxplot_stats(np.array(values))

    (box,) = panel("box", made({"a": values})).boxes

    assert box.numbers["topics"] == len(values)
    names = ("first_quartile", "median", "third_quartile", "mean", "low", "high")
    found = tuple(box.numbers[name] for name in names)
    keys = ("q1", "med", "q3", "mean", "whislo", "whishi")
    assert found == pytest.approx([float(expected[key]) for key in keys])
    assert box.outliers == pytest.approx(sorted(expected["fliers"]))


def test_topics_without_a_value_are_no_part_of_a_box():
    with_gap, empty = panel("box", made({"a": [0.1, NAN, 0.3], "b": [NAN, NAN, NAN]})).boxes

    assert (with_gap.numbers["topics"], with_gap.numbers["median"]) == (2, pytest.approx(0.2))
    assert (empty.numbers["topics"], empty.numbers["median"], empty.outliers.size) == (0, None, 0)


# --- ci ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_means_have_students_intervals(example, level):
    found = example("ci", "AP")

    means = panel("ci", found, alpha=1 - level)

    assert values(means).tolist() == sorted(values(means), reverse=True)
    by_name = {run.name: run.scores[0].values for run in found.runs}
    for row in means.records:
        of_run = by_name[row["run"]]
        interval = scipy.stats.ttest_1samp(of_run, 0.0).confidence_interval(level)
        assert row["mean"] == pytest.approx(np.mean(of_run))
        assert (row["low"], row["high"]) == pytest.approx(tuple(interval))


def test_the_lowest_mean_of_a_loss_is_the_best_and_undefined_runs_come_last():
    columns = {"a": [NAN, NAN], "b": [0.5, 0.7], "c": [0.1, 0.2]}

    means = panel("ci", made(columns, loss=True))

    assert means.runs == ("c", "b", "a")
    assert np.isnan(values(means)[2])
    assert [*means.records][2]["low"] is None


def test_one_topic_has_a_mean_and_no_interval():
    means = panel("ci", made({"a": [0.5]}))

    assert list(means.records) == [
        {"run": "a", "measure": "AP", "level": 0.95, "mean": 0.5, "low": None, "high": None}
    ]


# --- ranks ------------------------------------------------------------------------------------


def test_mean_ranks_are_scipys_and_groups_those_within_the_critical_difference(example):
    found = example("ranks", "nDCG@10")
    table = np.column_stack([run.scores[0].values for run in found.runs])

    ranks = panel("ranks", found)

    expected = scipy.stats.rankdata(-np.round(table, 10), axis=1).mean(axis=0)
    by_name = dict(zip([run.name for run in found.runs], expected, strict=True))
    assert values(ranks) == pytest.approx([by_name[run] for run in ranks.runs])
    assert values(ranks).tolist() == sorted(values(ranks))
    q = scipy.stats.studentized_range.ppf(0.95, 6, np.inf) / np.sqrt(2)
    critical = next(iter(ranks.records))["critical_difference"]
    assert critical == pytest.approx(q * np.sqrt(6 * 7 / (6 * 50)), abs=1e-6)


@given(
    ranks=st.lists(st.integers(0, 30), min_size=1, max_size=12),
    width=st.integers(0, 12),
)
def test_groups_are_the_largest_sets_that_the_width_spans(ranks, width):
    increasing = np.sort(np.array(ranks, dtype=float))
    n = len(ranks)
    spans = {
        (i, j) for i in range(n) for j in range(i + 1, n) if increasing[j] - increasing[i] <= width
    }
    largest = {
        (i, j)
        for i, j in spans
        if not any((a, b) != (i, j) and a <= i and j <= b for a, b in spans)
    }

    assert set(groups_within(increasing, float(width))) == largest


def test_lower_values_of_a_loss_have_the_better_rank():
    ranks = panel("ranks", made({"a": [0.5, 0.6], "b": [0.1, 0.2]}, loss=True))

    assert (ranks.runs, values(ranks).tolist()) == (("b", "a"), [1.0, 2.0])


def test_ranks_of_no_topic_are_refused():
    with pytest.raises(UsageError, match="defined for all runs on no topic"):
        panel("ranks", made({"a": [NAN], "b": [0.1]}))


def test_rows_name_the_groups_of_a_run():
    # Three equal runs, and one that is the worst on all of forty topics.
    rng = np.random.default_rng(0)
    columns = {name: rng.uniform(0.5, 1, 40) for name in "abc"} | {"d": np.zeros(40)}

    rows = {row["run"]: row for row in panel("ranks", made(columns)).records}

    assert [rows[run]["groups"] for run in "abcd"] == ["1", "1", "1", ""]
    assert rows["d"]["mean_rank"] == 4.0


# --- systems of several runs --------------------------------------------------------------------


def test_each_run_of_a_system_is_a_dot_beside_its_mean():
    rng = np.random.default_rng(2)
    qrels = {f"t{i}": {"a": 1, "b": 0, "c": 1} for i in range(5)}
    seeds = [
        {topic: dict(zip("abc", rng.random(3).tolist(), strict=True)) for topic in qrels}
        for _ in range(3)
    ]
    found = evaluate(qrels, {"system": Seeds(seeds), "single": seeds[1]}, "AP")
    each = [evaluate(qrels, run, "AP")["run"]["AP"].mean for run in seeds]

    means = panel("ci", found)
    seeds_of = dict(zip(means.runs, [row.seeds for row in means.rows], strict=True))
    traded = panel("tradeoff", found, costs={"system": 1.0, "single": 2.0})

    assert seeds_of["system"] == pytest.approx(each)
    assert traded.seeds[0] == pytest.approx(each)
    assert [len(one) for one in (seeds_of["single"], traded.seeds[1])] == [
        0,
        0,
    ]
    assert values(means)[means.runs.index("system")] == pytest.approx(np.mean(each))
