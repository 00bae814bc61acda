"""Intervals beside corrected p-values: those that hold together, and those that hold each."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats

from tests.support.comparisons import FILES, rows, values_of_each_run
from tests.support.gate_files import PERFECT, QRELS, worse_on

ols = pytest.importorskip("statsmodels.formula.api").ols
anova_lm = pytest.importorskip("statsmodels.stats.anova").anova_lm

RUNS = ("bm25", "lsa", "tfidf")


@pytest.fixture(scope="module")
def values():
    return values_of_each_run()


@pytest.fixture
def small(shell):
    return shell.write(qrels=QRELS, base=PERFECT, worse=worse_on(10, tag="worse"))


def residual(values, measure):
    """Mean square error and degrees of freedom of statsmodels' two-way analysis of variance."""
    table = pd.DataFrame(
        [
            (name, topic, value)
            for name in RUNS
            for topic, value in enumerate(values[name, measure])
        ],
        columns=["run", "topic", "value"],
    )
    found = anova_lm(ols("value ~ C(run) + C(topic)", table).fit())
    return found.loc["Residual", "mean_sq"], found.loc["Residual", "df"]


@pytest.mark.parametrize(
    ("options", "shares"),
    [
        # tfidf differs, and lsa does not: Holm compares the smallest p-value of two with half of
        # alpha, the other one with alpha; Benjamini and Hochberg both with one half.
        (("--correction", "holm"), {"tfidf": 2, "lsa": 1}),
        (("--correction", "bh"), {"tfidf": 2, "lsa": 2}),
        (("--correction", "none"), {"tfidf": 1, "lsa": 1}),
        (("--test", "sign", "--alpha", "0.001"), {"tfidf": 2, "lsa": 2}),  # none differs
        (("--test", "randomized-tukey"), {"tfidf": 2, "lsa": 2}),
    ],
)
def test_intervals_by_t_are_scipys_at_the_level_of_the_p_value(shell, values, options, shares):
    alpha = 0.001 if "0.001" in options else 0.05
    found = rows(shell(*FILES, "-m", "AP nDCG@10", *options, "-f", "tsv"))

    for row in found:
        level = 1 - alpha / shares[row["run"]]
        before, after = (values[row[name], row["measure"]] for name in ("baseline", "run"))
        expected = scipy_stats.ttest_rel(after, before).confidence_interval(level)
        assert [float(row["low"]), float(row["high"])] == pytest.approx([*expected], abs=1e-9)
        assert float(row["level"]) == pytest.approx(level)


@pytest.mark.parametrize("measures", ["AP", "AP nDCG@10"])
def test_tukeys_intervals_are_those_of_the_studentized_range(shell, values, measures):
    files = (*FILES, "-m", measures, "--all-pairs", "--test", "tukey")
    found = rows(shell(*files, "-f", "tsv"))

    for row in found:
        square, degrees = residual(values, row["measure"])
        margin = scipy_stats.studentized_range.ppf(0.95, 3, degrees) * np.sqrt(square / 50)
        expected = float(row["difference"]) + np.array([-margin, margin])
        assert [float(row["low"]), float(row["high"])] == pytest.approx(expected, abs=1e-6)
        assert float(row["level"]) == pytest.approx(0.95)


def test_dunnetts_intervals_are_those_of_the_multivariate_t_distribution(shell, values):
    found = rows(shell(*FILES, "-m", "AP", "--test", "dunnett", "-f", "tsv"))
    square, degrees = residual(values, "AP")
    both = scipy_stats.multivariate_t(shape=[[1, 0.5], [0.5, 1]], df=degrees)

    for row in found:
        reach = (float(row["high"]) - float(row["difference"])) / np.sqrt(2 * square / 50)
        within = both.cdf([reach] * 2, lower_limit=[-reach] * 2, random_state=1)
        assert within == pytest.approx(0.95, abs=2e-4)


def test_a_single_comparison_has_a_plain_interval(small):
    told = small("compare", "qrels.txt", "base.txt", "worse.txt", "-m", "RR").out

    assert "Student's paired t test, two-sided. 95% CI: Student's t." in told
    assert "Holm" not in told


@pytest.mark.parametrize("form", ["table", "latex"])
def test_p_values_beside_a_small_alpha_have_digits(shell, values, form):
    options = ("--all-pairs", "--equivalent", "AP=0.1", "--alpha", "6e-06")
    told = shell(*FILES, "-m", "AP", *options, "-f", form).out

    raw = {
        f"{b} - {a}": scipy_stats.ttest_rel(values[b, "AP"], values[a, "AP"]).pvalue
        for a, b in combinations(RUNS, 2)
    }
    least = 3 * min(raw.values())  # Holm multiplies the smallest of three by 3
    assert least < 1e-4
    assert f"{least:.2g}" in told.replace("$-$", "-")
    assert "0.0001" not in told.replace("p = 0.0001", "")
    assert "99.9994% CI" in told.replace("\\", "")
