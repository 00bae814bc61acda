"""The numbers of each kind, beyond those that test_command_numbers.py computes from the files."""

from itertools import permutations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

import rankeval
from rankeval import Seeds, plots
from rankeval.errors import UsageError
from rankeval.plots.lines import upper_hull
from rankeval.plots.rows import groups_within
from tests.plots.conftest import QRELS, RUNS, panel, panels, records
from tests.support.frames import judged_frame, qrels_frame
from tests.support.oracles import curve_of_pyprg
from tests.support.results import results, score

NAN = float("nan")


def made(columns, *, loss=False, aggregates=None):
    """Return results of AP with these values of topics, by run."""
    topics = [str(i + 1) for i in range(len(next(iter(columns.values()))))]
    scores = {
        run: [score("AP", v, (aggregates or {}).get(run, 0.0), loss=loss)]
        for run, v in columns.items()
    }
    return results(scores, topics)


@pytest.mark.parametrize(
    ("kind", "found", "message"),
    [
        ("slope", made({"a": [0.1], "b": [0.2]}), "joins ranks under two measures"),
        ("ranks", made({"a": [NAN], "b": [0.1]}), "defined for all runs on no topic"),
        ("agreement", made({run: [0.1] for run in "abcd"}), "found 4 runs, too few"),
        ("agreement", made({run: [0.1] for run in "abcde"}), "found 1 measure"),
        ("tradeoff", made({"a": [0.1]}), "needs the cost of each run"),
    ],
)
def test_what_cannot_be_computed_is_refused(kind, found, message):
    with pytest.raises(UsageError, match=message):
        panels(kind, found)


def one_topic_in_common():
    one = results({"a": [score("AP", [0.1, 0.2], 0.15)]}, ["1", "2"])
    other = results({"b": [score("AP", [0.4, 0.3], 0.35)]}, ["2", "3"])
    return type(one)(one.qrels, one.settings, one.runs + other.runs)


def test_topics_that_not_all_runs_have_are_left_out():
    (row,) = records("topics", one_topic_in_common())

    assert (row["topic"], row["difference"]) == ("2", 0.2)


# --- curves -----------------------------------------------------------------------------------


def heights_of(curves):
    return [line.points[1] for line in curves.of_runs.values()]


def test_precision_is_the_best_at_each_level_of_recall_or_above(example):
    """Plain definition, from the files: max of precision over ranks whose recall is enough."""
    curves = panel("pr", example("pr"))

    relevant = qrels_frame(QRELS).query("grade >= 1").groupby("topic").size()
    topics = qrels_frame(QRELS)["topic"].unique()
    for path, heights in zip(RUNS, heights_of(curves), strict=True):
        found = judged_frame(QRELS, path)
        expected = np.zeros((len(topics), 101))
        for i, topic in enumerate(topics):
            if topic not in relevant:
                continue
            hits = found[found["topic"] == topic]["grade"].ge(1).to_numpy().cumsum()
            ranks = np.arange(1, len(hits) + 1)
            for j in range(101):
                enough = hits * 100 >= j * relevant[topic]
                enough &= hits > 0
                expected[i, j] = (hits / ranks)[enough].max(initial=0.0)
        assert heights == pytest.approx(expected.mean(axis=0))


def test_gain_curves_are_the_mean_of_pyprgs(example):
    """All judged documents of a topic, those not retrieved below the others."""
    curves = panel("prg", example("prg"))
    grades = qrels_frame(QRELS)

    for path, line in zip(RUNS[:2], curves.of_runs.values(), strict=False):
        (levels, heights), area = line.points, line.numbers["area"][0]
        scores = judged_frame(QRELS, path).set_index(["topic", "docno"])["score"]
        retrieved = {topic for topic, _ in scores.index}
        expected = []
        for topic, judged in grades.groupby("topic"):
            labels = judged["grade"].ge(1).to_numpy().astype(int)
            if topic not in retrieved or len({*labels}) < 2:
                continue
            found = [scores.get((topic, docno), -1e9) for docno in judged["docno"]]
            curve = curve_of_pyprg(labels, found)
            x, y = np.array(curve["recall_gain"]), np.array(curve["precision_gain"])
            # Levels at which a curve is vertical have no one height: take the upper end.
            expected.append(
                [
                    y[np.abs(x - level) < 1e-9].max()
                    if (np.abs(x - level) < 1e-9).any()
                    else np.interp(level, x[x >= 0], y[x >= 0])
                    for level in levels
                ]
            )
        assert heights == pytest.approx(np.mean(expected, axis=0), abs=1e-9)
        assert np.trapezoid(heights, levels) == pytest.approx(area, abs=2e-3)


@settings(max_examples=50)
@given(st.lists(st.integers(-5, 5), min_size=2, max_size=12))
def test_a_hull_is_the_lowest_concave_curve_above_the_points(heights):
    y = np.array(heights, dtype=float)

    hull = upper_hull(np.arange(len(y), dtype=float), y)

    chords = [
        max(
            y[i] + (y[j] - y[i]) * (k - i) / (j - i) if j > i else y[k]
            for i in range(k + 1)
            for j in range(k, len(y))
        )
        for k in range(len(y))
    ]
    assert hull == pytest.approx(chords)


def test_the_share_unjudged_in_the_top_k_is_that_of_a_data_frame(example):
    rows = records("judged", example("judged"))

    for i, path in enumerate(RUNS):
        found = judged_frame(QRELS, path)
        for row in rows[100 * i : 100 * (i + 1)]:
            expected = found[found["rank"] <= row["cutoff"]]["grade"].isna().mean()
            assert row["unjudged"] == pytest.approx(expected, rel=0, abs=1e-9)


def test_documents_that_are_not_there_do_not_count_as_unjudged():
    runs = {"1": {"a": 2.0, "b": 1.0}, "2": {"c": 1.0}}
    found = rankeval.evaluate({"1": {"a": 1}, "2": {"a": 1}}, runs, plots.measures("judged"))
    nothing = results({"a": [score(n, [0.0, 0.0], 0.0) for n in plots.measures("judged")]})

    shares = [row["unjudged"] for row in records("judged", found)]

    assert shares == pytest.approx([1 / 2, *[2 / 3] * 99])
    assert {row["unjudged"] for row in records("judged", nothing)} == {None}


# --- distributions, means and ranks -----------------------------------------------------------


@given(values=st.lists(st.integers(0, 20).map(lambda i: i / 20), min_size=1, max_size=40))
@settings(deadline=None, max_examples=80)
def test_a_box_is_matplotlibs(values):
    cbook = pytest.importorskip("matplotlib.cbook")
    (expected,) = cbook.boxplot_stats(np.array(values))

    box = panel("box", made({"a": values})).of_runs["a"]

    names = ("first_quartile", "median", "third_quartile", "mean", "low", "high")
    keys = ("q1", "med", "q3", "mean", "whislo", "whishi")
    found = [box.numbers[name] for name in names]
    assert found == pytest.approx([float(expected[key]) for key in keys])
    assert box.outliers == pytest.approx(sorted(expected["fliers"]))


def test_topics_without_a_value_count_nowhere():
    found = made({"a": [0.5, NAN, 0.25, 0.5], "b": [NAN] * 4})

    (box, empty), (mean, undefined) = records("box", found), records("ci", found)
    shares = [(row["run"], row["value"], row["share"]) for row in records("ecdf", found)]

    assert (box["topics"], box["median"], empty["topics"], empty["median"]) == (3, 0.5, 0, None)
    assert (mean["mean"], undefined["mean"]) == (pytest.approx(1.25 / 3), None)
    assert shares == [("a", 0.25, pytest.approx(1 / 3)), ("a", 0.5, 1.0)]


def test_one_topic_has_a_mean_or_a_difference_and_no_interval():
    found = made({"a": [0.25], "b": [0.5]})

    mean, difference = records("ci", found)[0], records("forest", found)[0]

    facts = {"run": "a", "measure": "AP", "level": 0.95, "mean": 0.25}
    assert mean == {**facts, "low": None, "high": None}
    assert (difference["difference"], difference["low"], difference["p"]) == (0.25, None, 1.0)


def test_the_critical_difference_is_nemenyis(example):
    (first, *_) = records("ranks", example("ranks"))

    q = scipy.stats.studentized_range.ppf(0.95, 6, np.inf) / np.sqrt(2)
    assert first["critical_difference"] == pytest.approx(q * np.sqrt(6 * 7 / (6 * 50)), abs=1e-6)


@given(ranks=st.lists(st.integers(0, 30), min_size=1, max_size=12), width=st.integers(0, 12))
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


def test_a_system_of_several_runs_is_drawn_by_their_mean():
    rng = np.random.default_rng(2)
    qrels = {f"t{i}": {"a": 1, "b": 0, "c": 1} for i in range(5)}
    seeds = [
        {topic: dict(zip("abc", rng.random(3).tolist(), strict=True)) for topic in qrels}
        for _ in range(3)
    ]
    found = rankeval.evaluate(qrels, {"system": Seeds(seeds), "single": seeds[1]}, "AP")
    each = [rankeval.evaluate(qrels, run, "AP")["run"]["AP"].mean for run in seeds]

    (row,) = records("forest", found)

    assert records("ci", found)[0]["mean"] == pytest.approx(np.mean(each))
    (pair,) = found.compare().pairs
    assert (row["low"], row["high"]) == (pair.low, pair.high)


# --- comparisons ------------------------------------------------------------------------------


def test_lower_values_of_a_loss_are_better():
    found = made({"a": [0.5, 0.5, 0.5, NAN], "b": [0.1, 0.2, 0.5, 0.7]}, loss=True)
    whole = made({"a": [0.5, 0.6], "b": [0.1, 0.2]}, loss=True)

    (row,), (_, won) = records("forest", found), panels("pairs", found)
    bars = panel("topics", found)

    assert (row["wins"], row["ties"], row["losses"]) == (2, 1, 0)
    assert row["difference"] == pytest.approx((-0.4 - 0.3) / 3)
    assert won.values[1, 0] == pytest.approx(2 / 3)
    assert bars.counted().startswith("2 better, 0 worse, 1 equal; ")
    assert bars.topics == ("1", "2", "3")
    assert [row["run"] for row in records("ranks", whole)] == ["b", "a"]
    assert panel("heatmap", made({"a": [0.5, 0.1, 0.9]}, loss=True)).columns == ("2", "1", "3")


# --- several measures, judgments and costs ----------------------------------------------------


def tau_ap_by_definition(gains, truth):
    """Yilmaz, Aslam and Robertson (2008), equation 2, for values without ties."""
    order = sorted(range(len(gains)), key=lambda i: -gains[i])
    shares = [
        sum(truth[above] > truth[item] for above in order[:i]) / i
        for i, item in enumerate(order)
        if i
    ]
    return 2 / (len(order) - 1) * sum(shares) - 1


def of_measures(table, losses=()):
    scores = {
        f"run{i}": [
            score(name, [0.0, 0.0], value, loss=name in losses)
            for name, value in zip(table, row, strict=True)
        ]
        for i, row in enumerate(zip(*table.values(), strict=True))
    }
    return results(scores)


def agreements(table, losses=()):
    """Kendall's tau, and tau-AP."""
    return [one.values for one in panels("agreement", of_measures(table, losses))]


def test_agreement_is_scipys_tau_and_tau_ap_by_definition():
    rng = np.random.default_rng(1)
    table = {name: rng.uniform(size=9).tolist() for name in ("AP", "nDCG@10", "RR")}

    tau, tau_ap = agreements(table)

    for (i, truth), (j, found) in permutations(enumerate(table.values()), 2):
        assert tau[i, j] == pytest.approx(scipy.stats.kendalltau(truth, found).statistic)
        assert tau_ap[i, j] == pytest.approx(tau_ap_by_definition(found, truth))


def test_tied_runs_count_half_in_tau_and_take_the_others_order_in_tau_ap():
    table = {"AP": [0.1, 0.2, 0.2, 0.4, 0.5], "RR": [0.1, 0.2, 0.3, 0.4, 0.5]}

    tau, tau_ap = agreements(table)

    assert tau[0, 1] == pytest.approx(scipy.stats.kendalltau(*table.values()).statistic)
    assert tau_ap[0, 1] == pytest.approx(1.0)


def test_runs_without_a_value_are_left_out_of_a_pair_of_measures():
    table = {"AP": [0.1, 0.2, 0.3, NAN, NAN], "RR": [0.3, 0.2, 0.1, 0.5, 0.6], "P@5": [0.2] * 5}

    tau, tau_ap = agreements(table)

    assert tau[0, 1] == pytest.approx(-1.0)
    assert np.isnan([tau[0, 2], tau_ap[0, 2], tau_ap[2, 0]]).all()


def test_tied_runs_share_a_rank_and_runs_without_a_value_have_none():
    found = of_measures({"AP": [0.1, 0.2, 0.2], "RR": [0.3, NAN, 0.1]})

    (data,) = panels("slope", found)

    rows = [(row["run"], row["under"], row["value"], row["rank"]) for row in data.records]
    assert rows == [
        ("run0", "AP", 0.1, 3.0),
        ("run1", "AP", 0.2, 1.5),
        ("run2", "AP", 0.2, 1.5),
        ("run0", "RR", 0.3, 1.0),
        ("run1", "RR", None, None),
        ("run2", "RR", 0.1, 2.0),
    ]
    fewer = [(row["run"], row["rank"]) for row in data.only(["run2", "run0"]).records]
    assert fewer == [("run2", 1.0), ("run0", 2.0), ("run2", 2.0), ("run0", 1.0)]


@given(
    pairs=st.lists(st.tuples(st.integers(1, 5), st.integers(0, 5)), min_size=1, max_size=8),
    loss=st.booleans(),
)
@settings(deadline=None)
def test_a_run_is_on_the_front_if_no_other_dominates_it(pairs, loss):
    names = [f"run{i}" for i in range(len(pairs))]
    costs = {name: cost for name, (cost, _) in zip(names, pairs, strict=True)}
    worth = {name: float(value) for name, (_, value) in zip(names, pairs, strict=True)}

    found = made({name: [0.0] for name in names}, loss=loss, aggregates=worth)

    sign = -1 if loss else 1
    expected = [
        not any(
            (c <= cost and sign * v >= sign * value) and (c < cost or sign * v > sign * value)
            for c, v in pairs
        )
        for cost, value in pairs
    ]
    assert [row["pareto"] for row in records("tradeoff", found, costs=costs)] == expected
