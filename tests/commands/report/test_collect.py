"""The content of a report, against scipy, plain sorting and the evaluation of each list alone."""

import numpy as np
import pytest
import scipy.stats

import rankeval
from rankeval.commands.report import collect
from rankeval.commands.report.collect import report
from tests.plots.conftest import QRELS, RUNS
from tests.support.drawn_runs import QRELS as DRAWN
from tests.support.drawn_runs import RUNS as DRAWN_RUNS


@pytest.fixture(scope="module")
def example():
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(collect, "pictures", lambda *_: ())
        return report(QRELS, RUNS[:3], "nDCG@10 AP")


def test_means_intervals_and_differences_are_those_of_scipy_and_of_a_comparison(example):
    results = rankeval.evaluate(QRELS, RUNS[:3], "nDCG@10 AP")
    pairs = {(pair.run, pair.measure): pair for pair in results.compare().pairs}
    for i, section in enumerate(example.sections):
        tests = []
        means = [run.scores[i].aggregate for run in results.runs]
        assert list(section.order) == sorted(range(3), key=lambda run, of=means: -of[run])
        for cell, run in zip(section.cells, results.runs, strict=True):
            own = run.scores[i].values
            interval = scipy.stats.ttest_1samp(own, 0.0).confidence_interval(0.95)
            assert (cell.value, cell.best) == (pytest.approx(own.mean()), cell.value == max(means))
            assert (cell.low, cell.high) == pytest.approx(tuple(interval))
            if run is results.runs[0]:
                assert cell.pair is None
                continue
            pair = pairs[run.name, section.name]
            assert cell.pair.summary.difference == pytest.approx(
                (own - results.runs[0].scores[i].values).mean()
            )
            for name in ("low", "high", "p"):
                assert getattr(cell.pair, name) == getattr(pair, name)
            raw = scipy.stats.ttest_rel(own, results.runs[0].scores[i].values).pvalue
            tests.append((raw, cell.pair.p))
        # Holm's correction over the two runs: the smaller one times 2.
        (smaller, first), (larger, second) = sorted(tests)
        assert (first, second) == pytest.approx((min(1.0, 2 * smaller), max(first, larger)))


@pytest.mark.usefixtures("undrawn")
def test_under_topics_both_a_run_has_no_value_on_a_topic_that_it_lacks():
    qrels = {"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 1}}
    runs = [{"1": {"a": 1.0}, "2": {"a": 1.0}}, {"2": {"a": 1.0}, "3": {"b": 1.0}}]

    found = report(qrels, runs, "RR", topics="both")

    assert found.data["measures"][0]["values"] == [[1.0, None], [1.0, 1.0], [None, 0.0]]


def test_pictures_of_a_measure_that_is_undefined_everywhere_are_left_out():
    """AUPRG has no value where no document is relevant."""
    qrels = {str(t): {"a": 0} for t in range(4)}
    runs = [{t: {"a": 1.0, "b": score} for t in qrels} for score in (0.5, 2.0)]

    found = report(qrels, runs, "AUPRG nDCG")

    assert [cell.value for cell in found.sections[0].cells] == [None, None]
    assert "topics" not in [picture.kind for picture in found.pictures]


def test_six_pictures_are_drawn_and_curves_are_those_of_the_first_measure():
    qrels = {"1": {"a": 1}, "2": {"a": 1, "b": 0}}
    runs = {
        "x": {"1": {"a": 1.0}, "2": {"b": 1.0, "a": 0.5}},
        "y": {"1": {"b": 1.0}, "2": {"a": 1}},
    }

    found = report(qrels, runs, "P@1 AP").pictures
    varied, other = (collect.drawn_measures(first)["cutoff"] for first in ("P@5", "Rprec"))

    assert [one.kind for one in found] == ["forest", "box", "topics", "pr", "cutoff", "judged"]
    # P@1 of x is 1 and 0, of y 0 and 1.
    assert found[0].numbers.rows[0][:3] == ("y", "x", "0.0000")
    assert (varied[0], varied[-1], other[0]) == ("P@1", "P@100", "nDCG@1")


@pytest.mark.usefixtures("undrawn")
def test_a_system_of_several_runs_is_one_row_whose_interval_counts_both_variances():
    rng = np.random.default_rng(5)
    names = [f"d{i}" for i in range(6)]
    qrels = {f"t{i}": {name: int(i < 3) for i, name in enumerate(names)} for i in range(7)}
    seeds = [
        {topic: dict(zip(names, rng.random(6).tolist(), strict=True)) for topic in qrels}
        for _ in range(3)
    ]

    found = report(qrels, [rankeval.Seeds(seeds), seeds[0]], "AP")

    values = np.array(
        [rankeval.evaluate(qrels, run, "AP").runs[0].scores[0].values for run in seeds]
    )
    parts = np.array([values.mean(axis=0).var(ddof=1) / 7, values.mean(axis=1).var(ddof=1) / 3])
    freedom = parts.sum() ** 2 / (parts**2 / np.array([6, 2])).sum()
    margin = scipy.stats.t(freedom).ppf(0.975) * np.sqrt(parts.sum())
    system, single = found.sections[0].cells
    mean = values.mean()
    assert (system.value, single.deviation) == (pytest.approx(mean), None)
    assert system.deviation == pytest.approx(values.mean(axis=1).std(ddof=1))
    assert (system.low, system.high) == pytest.approx((mean - margin, mean + margin))
    assert found.conventions[0] == "±: sample standard deviation over 3 seeds."


# --- rankings and texts -----------------------------------------------------------------------


def documents(data, topic):
    """Return the docnos of a topic's rankings by run, and the grades by docno."""
    found = data["rankings"][data["topics"].index(topic)]
    docnos = found["docnos"]
    ranked = [[docnos[place] for place in ranking] for ranking in found["ranked"]]
    return ranked, dict(zip(docnos, found["grades"], strict=True))


@pytest.mark.usefixtures("undrawn")
def test_rankings_are_those_of_sorting_each_run():
    qrels = {str(t): {f"d{i}": (i * t) % 3 for i in range(12)} for t in range(1, 6)}
    runs = [
        {t: {f"d{i}": float((i * k + int(t)) % 7) for i in range(3, 20)} for t in qrels}
        for k in (2, 3, 5)
    ]

    data = report(qrels, runs, "AP", rows=4).data

    for topic, judged in qrels.items():
        ranked, grades = documents(data, topic)
        assert ranked == [
            sorted(run[topic], key=lambda d, run=run[topic]: (run[d], d), reverse=True)[:4]
            for run in runs
        ]
        assert grades == {docno: judged.get(docno) for docno in grades}


@pytest.mark.usefixtures("undrawn")
def test_the_baseline_comes_first_with_its_rankings():
    made = report(DRAWN, DRAWN_RUNS, "AP RR", baseline="dense", title="Three runs")
    means = {run.name: run["AP"] for run in rankeval.evaluate(DRAWN, DRAWN_RUNS, "AP").runs}

    names = [run.name for run in made.results.runs]
    assert names == ["dense", "bm25", "hybrid"]
    assert [cell.value for cell in made.sections[0].cells] == [means[name] for name in names]
    apart = [cell.pair.summary.difference for cell in made.sections[0].cells[1:]]
    assert apart == [pytest.approx(means[name] - means["dense"]) for name in names[1:]]
    best = [sorted(run["q0"], key=run["q0"].get)[::-1] for run in map(DRAWN_RUNS.get, names)]
    assert documents(made.data, "q0")[0] == best
    assert repr(made).startswith("Three runs, 12 topics\n")


@pytest.mark.usefixtures("undrawn")
def test_of_many_topics_those_have_rankings_on_which_runs_differ_most(monkeypatch):
    monkeypatch.setattr(collect, "MOST_RANKED", 2)
    qrels = {t: {"a": 1, "b": 0} for t in "123"}
    best, worst = {"a": 2.0, "b": 1.0}, {"a": 1.0, "b": 2.0}
    runs = [dict.fromkeys("123", best), {"1": worst, "2": best, "3": worst}]

    data = report(qrels, runs, "RR").data

    assert data["topics"] == ["1", "2", "3"]
    assert [bool(ranking) for ranking in data["rankings"]] == [True, False, True]


@pytest.mark.usefixtures("undrawn")
def test_texts_are_those_of_the_documents_in_the_rankings_and_missing_ones_are_told():
    qrels = {"1": {"a": 1}, "2": {"b": 1}}
    runs = [{"1": {"a": 1.0, "c": 0.5}, "2": {"b": 1.0}}]
    docs = {"a": ("Breakfast", "spam and eggs"), "b": "toast"}

    found = report(qrels, runs, "RR", queries={"1": "eggs"}, docs=docs, groups={"1": "short"})

    assert found.data["queries"] == ["eggs", ""]
    assert found.data["groups"] == ["short", ""]
    assert found.data["rankings"][0]["texts"] == [["Breakfast", "spam and eggs"], None]
    assert any("1 document not in the documents: c" in line for line in found.warnings)
