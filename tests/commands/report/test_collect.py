import numpy as np
import pytest
import scipy.stats

import rankeval
from rankeval.commands.report import collect
from rankeval.commands.report.collect import report
from rankeval.errors import UsageError
from rankeval.evaluation.run_names import RunNames
from tests.plots.conftest import QRELS, RUNS


@pytest.fixture(scope="module")
def example():
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(collect, "pictures", lambda *_: ())
        return report(QRELS, RUNS[:3], "nDCG@10 AP")


def test_means_intervals_and_tests_are_scipys(example):
    runs = rankeval.evaluate(QRELS, RUNS[:3], "nDCG@10 AP").runs
    for i, section in enumerate(example.sections):
        pairs = []
        baseline = runs[0].scores[i].values
        for cell, run in zip(section.summary, runs, strict=True):
            own = run.scores[i].values
            interval = scipy.stats.ttest_1samp(own, 0.0).confidence_interval(0.95)
            assert cell.value == pytest.approx(own.mean())
            assert (cell.low, cell.high) == pytest.approx(tuple(interval))
            if run is runs[0]:
                assert cell.difference is cell.p_value is None
                continue
            assert cell.difference == pytest.approx((own - baseline).mean())
            pairs.append((scipy.stats.ttest_rel(own, baseline).pvalue, cell.p_value))
        # Holm's correction over the two runs: the smaller one times 2.
        (smaller, first), (larger, second) = sorted(pairs)
        assert first == pytest.approx(min(1.0, 2 * smaller))
        assert second == pytest.approx(max(first, larger))


def test_the_best_value_is_marked_for_each_measure(example):
    for section in example.sections:
        best = max(cell.value for cell in section.summary)
        assert [cell.best for cell in section.summary] == [c.value == best for c in section.summary]


def test_topics_have_the_values_of_every_run(example):
    runs = rankeval.evaluate(QRELS, RUNS[:3], "nDCG@10 AP").runs

    for i, section in enumerate(example.sections):
        assert example.explorer.topics == runs[0].topics
        assert np.array_equal(section.values, [run.scores[i].values for run in runs])


@pytest.mark.usefixtures("undrawn")
def test_under_topics_both_a_run_has_no_value_on_a_topic_that_it_lacks():
    qrels = {"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 1}}
    runs = [{"1": {"a": 1.0}, "2": {"a": 1.0}}, {"2": {"a": 1.0}, "3": {"b": 1.0}}]

    found = report(qrels, runs, "RR", rankeval.options.Settings(topics="both"))

    assert found.explorer.topics == ("1", "2", "3")
    assert np.array_equal(
        found.sections[0].values, [[1.0, 1.0, np.nan], [np.nan, 1.0, 0.0]], equal_nan=True
    )


@pytest.mark.usefixtures("undrawn")
def test_measures_of_costs_are_compared_with_the_costs():
    qrels = {str(t): {"a": 1, "b": 1} for t in range(4)}
    runs = [{t: {"a": 2.0, "b": float(t) + 0.5} for t in qrels}, {t: {"b": 1.0} for t in qrels}]
    costs = {"a": 2.0, "b": 1.0, "default": 1.0}

    (section,) = report(qrels, runs, "TBG", costs=costs).sections

    expected = rankeval.compare(qrels, runs[0], runs[1:], "TBG", costs=costs).pairs[0]
    assert section.summary[1].difference == pytest.approx(expected.summary.difference)
    assert section.summary[1].difference == pytest.approx(
        section.summary[1].value - section.summary[0].value
    )


@pytest.mark.usefixtures("undrawn")
def test_the_test_and_the_correction_can_be_chosen():
    found = report(QRELS, RUNS[:3], "AP", test="wilcoxon", correction="holm", alpha=0.1)
    (section,) = found.sections

    values = [run.scores[0].values for run in rankeval.evaluate(QRELS, RUNS[:3], "AP").runs]
    assert found.alpha == 0.1
    assert found.method.startswith("Wilcoxon's signed rank test")
    for cell, own in zip(section.summary, values, strict=True):
        interval = scipy.stats.ttest_1samp(own, 0.0).confidence_interval(0.9)
        assert (cell.low, cell.high) == pytest.approx(tuple(interval))
    raw = [scipy.stats.wilcoxon(v - values[0], method="approx").pvalue for v in values[1:]]
    expected = [max(p, min(1.0, 2 * min(raw))) for p in raw]
    assert [cell.p_value for cell in section.summary[1:]] == pytest.approx(expected, abs=0.02)
    cells = [cell.p_value for cell in section.summary[1:]]
    for cell, own, p in zip(section.summary[1:], values[1:], raw, strict=True):
        # The smaller p-value is compared with 0.1 / 2, and if it is below that, the other with 0.1.
        risk = 0.1 if p == max(raw) and min(cells) < 0.1 else 0.05
        ends = scipy.stats.ttest_rel(own, values[0]).confidence_interval(1 - risk)
        assert cell.ends == pytest.approx(tuple(ends))
        assert bool(cell.verdict) == (cell.p_value < 0.1)
        assert cell.verdict in ("", "better" if cell.difference > 0 else "worse")


@pytest.mark.usefixtures("undrawn")
def test_a_test_that_gives_probabilities_has_no_p_values():
    (section,) = report(QRELS, RUNS[:2], "AP", test="bayes").sections

    assert section.summary[1].p_value is None
    assert 0.0 < section.summary[1].probability < 1.0


@pytest.mark.usefixtures("undrawn")
def test_the_verdict_tells_which_run_is_better():
    qrels = {str(t): {"a": 1} for t in range(30)}
    good = {t: {"a": 1.0, "b": 0.5} for t in qrels}
    bad = {t: {"a": 1.0, **{f"x{i}": 2.0 for i in range(1 + int(t) % 3)}} for t in qrels}

    sections = report(qrels, [good, bad], "nDCG RR").sections
    turned = report(qrels, [bad, good], "nDCG RR").sections

    assert [section.summary[1].verdict for section in sections] == ["worse", "worse"]
    assert [section.summary[1].verdict for section in turned] == ["better", "better"]


@pytest.mark.usefixtures("undrawn")
def test_warnings_about_the_places_of_curves_are_left_out():
    qrels = {"1": {"a": 1}, "2": {"a": 1, "b": 0}, "3": {"a": 0}, "4": {"a": 1}}
    runs = [{"1": {"a": 1.0}, "2": {"b": 1.0}, "3": {"a": 1.0}}]

    warnings = report(qrels, runs, "AP").warnings

    assert warnings
    assert not [line for line in warnings if "PRG" in line or "IPrec" in line]


@pytest.mark.usefixtures("undrawn")
def test_systems_are_in_the_order_of_each_measure_or_of_a_key():
    names = RunNames("tag", ("c", "a", "b"))
    runs = rankeval.evaluate(QRELS, RUNS[:3], "nDCG@10 AP").runs

    found = report(QRELS, RUNS[:3], "nDCG@10 AP", run_names=names).sections
    by_name = report(QRELS, RUNS[:3], "nDCG@10 AP", run_names=names, sort="name").sections

    for i, section in enumerate(found):
        means = [run.scores[i].aggregate for run in runs]
        assert list(section.order) == sorted(range(3), key=lambda run: -means[run])
    assert [section.order for section in by_name] == [(1, 2, 0)] * 2
    with pytest.raises(UsageError, match="cannot sort by RR"):
        report(QRELS, RUNS[:3], "AP", sort="RR")


@pytest.mark.usefixtures("undrawn")
def test_wins_ties_and_losses_are_counted_by_topic():
    (section,) = report(QRELS, RUNS[:2], "AP").sections

    first, second = (run.scores[0].values for run in rankeval.evaluate(QRELS, RUNS[:2], "AP").runs)
    signs = np.sign(second - first).tolist()
    assert section.summary[1].wins == (signs.count(1), signs.count(0), signs.count(-1))


@pytest.mark.usefixtures("undrawn")
def test_groups_are_those_of_the_file_and_warn_of_topics_without_one():
    qrels = {t: {"a": 1} for t in "123"}

    groups = {"1": "short", "2": "long"}

    found = report(qrels, [qrels, qrels], "RR", groups=groups)

    assert found.explorer.groups == {"1": "short", "2": "long", "3": ""}
    assert any("1 topic of 3 without a group" in line for line in found.warnings)


def test_pictures_of_a_measure_that_is_undefined_everywhere_are_left_out():
    """AUPRG has no value where no document is relevant."""
    qrels = {str(t): {"a": 0} for t in range(4)}
    runs = [{t: {"a": 1.0, "b": score} for t in qrels} for score in (0.5, 2.0)]

    found = report(qrels, runs, "AUPRG nDCG")

    assert [value.value for value in found.sections[0].summary] == [None, None]
    assert "topics" not in [picture.kind for picture in found.pictures]


def test_one_run_has_no_differences():
    alone = report(QRELS, RUNS[:1], "AP")

    assert alone.sections[0].summary[0].difference is None
    assert [picture.kind for picture in alone.pictures] == ["box", "pr", "cutoff", "judged"]


@pytest.mark.usefixtures("undrawn")
def test_a_count_is_refused():
    with pytest.raises(UsageError, match="NumRet is a sum over topics"):
        report(QRELS, RUNS[:1], "NumRet")


def test_curves_are_those_of_the_first_measure():
    qrels = {"1": {"a": 1}, "2": {"a": 1, "b": 0}}
    runs = [{"1": {"a": 1.0}, "2": {"b": 1.0, "a": 0.5}}, {"1": {"b": 1.0}, "2": {"a": 1.0}}]
    names = RunNames("tag", ("x", "y"))

    plain = report(qrels, runs, "P@5 IPrec(rel=2)@0.1 AP", run_names=names)
    other = report(qrels, runs, "Rprec", run_names=names)

    pictures = {picture.kind: picture for picture in plain.pictures}
    table = pictures["cutoff"].numbers
    assert table.heads[:4] == ("Run", "1", "2", "5")
    # P@1 and P@2 of x: 1 and 1/2 on topic 1, 0 and 1/2 on topic 2.
    assert table.rows[0][:3] == ("x", "0.5000", "0.5000")
    # The curve of the usual relevance, though a measure of another one is in the report.
    assert pictures["pr"].numbers.rows[0][1] == "0.7500"
    assert [*pictures] == ["forest", "box", "topics", "pr", "cutoff", "judged"]
    # Rprec has no cutoff to vary: nDCG of x is drawn, 1 and 1/log2(3) on the topics.
    drawn = {picture.kind: picture for picture in other.pictures}["cutoff"]
    assert drawn.numbers.rows[0][:3] == ("x", "0.5000", "0.8155")


def test_a_system_of_several_runs_is_one_row_whose_interval_counts_both_variances():
    rng = np.random.default_rng(5)
    topics = [f"t{i}" for i in range(7)]
    names = [f"d{i}" for i in range(6)]
    qrels = {topic: {name: int(i < 3) for i, name in enumerate(names)} for topic in topics}
    seeds = [
        {topic: dict(zip(names, rng.random(6).tolist(), strict=True)) for topic in topics}
        for _ in range(3)
    ]

    found = report(qrels, [rankeval.Seeds(seeds), seeds[0]], "AP")

    values = np.array(
        [rankeval.evaluate(qrels, run, "AP").runs[0].scores[0].values for run in seeds]
    )
    parts = np.array([values.mean(axis=0).var(ddof=1) / 7, values.mean(axis=1).var(ddof=1) / 3])
    freedom = parts.sum() ** 2 / (parts**2 / np.array([6, 2])).sum()
    margin = scipy.stats.t(freedom).ppf(0.975) * np.sqrt(parts.sum())
    system, single = found.sections[0].summary
    assert system.value == pytest.approx(values.mean())
    assert system.deviation == pytest.approx(values.mean(axis=1).std(ddof=1))
    assert (system.low, system.high) == pytest.approx(
        (values.mean() - margin, values.mean() + margin)
    )
    assert single.deviation is None
    assert len(found.runs) == 2
    assert found.conventions[0] == "±: sample standard deviation over 3 seeds."
